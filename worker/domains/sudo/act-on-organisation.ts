/** Maintenance actions of platform staff on an organisation, which otherwise run on schedule. */
import type { SudoAction } from '#contracts/console/sudo';
import { auditRow } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { clearUsageBlocks } from '#worker/domains/billing/lift-usage-blocks';
import { publishBillableUsage } from '#worker/domains/billing/publish-billable-usage';
import { publishStripeLookups } from '#worker/domains/billing/publish-stripe-lookups';
import { rebuildLogIndex } from '#worker/domains/events/rebuild-log-index';
import { everyEnvironmentChange, workspaceChange } from '#worker/domains/publishing/workspace-change';
import type { ActorScope, RequestContext } from '#worker/http/request-context';
import { getSudoOrganisation } from './organisation-search.ts';

/**
 * The audit row is committed first, so a failed attempt is logged too.
 * @returns a message that describes the result
 * @throws {ApiError} not-found; unavailable if Stripe is needed and not available
 */
export async function actOnOrganisation(
  ctx: RequestContext,
  scope: ActorScope,
  action: SudoAction,
): Promise<{ readonly message: string }> {
  const { name } = await getSudoOrganisation(ctx.db, scope.orgId, ctx.now);
  await commit(ctx.db, [auditRow(ctx, scope, { action: 'sudo.acted', detail: { sudoAction: action } })]);
  return { message: await perform(ctx, scope, name, action) };
}

async function perform(
  ctx: RequestContext,
  scope: ActorScope,
  name: string,
  action: SudoAction,
): Promise<string> {
  switch (action) {
    case 'clear-usage-blocks': {
      const wasBlocked = await clearUsageBlocks(ctx, scope);
      return wasBlocked ? `${name} is no longer blocked` : `${name} was not blocked`;
    }
    case 'billable-usage-publish': {
      const { sent, failed } = await publishBillableUsage(ctx, scope.orgId);
      const later = failed === 0 ? '' : `; ${failed} will be retried`;
      return `Usage of ${sent === 1 ? '1 hour' : `${sent} hours`} reported${later}`;
    }
    case 'preview-environment-publish': {
      const change = workspaceChange(ctx, scope);
      await commit(ctx.db, change.statements);
      change.announce();
      return 'The preview environment is being published';
    }
    case 'environment-variants-update': {
      const change = await everyEnvironmentChange(ctx, scope);
      await commit(ctx.db, change.statements);
      change.announce();
      const count = change.environmentIds.length;
      return `${count === 1 ? '1 environment is' : `${count} environments are`} being published`;
    }
    case 'rebuild-log-index': {
      const count = await rebuildLogIndex(ctx, scope);
      return count === 0
        ? 'There are no stored events to rebuild from'
        : `The log index is being rebuilt from ${count === 1 ? '1 group' : `${count} groups`} of events`;
    }
    case 'publish-stripe-lookups': {
      const { created } = await publishStripeLookups(ctx);
      return created.length === 0
        ? 'Nothing to publish: everything already exists'
        : `Created: ${created.join(', ')}`;
    }
  }
}
