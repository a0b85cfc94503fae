/** Maintenance actions of platform staff on an organisation, which otherwise run on schedule. */
import type { SudoAction } from '#contracts/console/sudo';
import { listEnvironmentIds, liveEnvironment } from '#worker/db/live-environments';
import { clearUsageBlocks } from '#worker/domains/billing/lift-usage-blocks';
import { publishBillableUsage } from '#worker/domains/billing/publish-billable-usage';
import { publishStripeLookups } from '#worker/domains/billing/publish-stripe-lookups';
import { rebuildLogIndex } from '#worker/domains/events/rebuild-log-index';
import { environmentsOf, workspaceOf } from '#worker/domains/publishing/publications';
import type { ActorScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
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
  await change(ctx, scope, {
    write: [],
    audit: { action: 'sudo.acted', detail: { sudoAction: action } },
    publish: [],
  });
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
      await change(ctx, scope, { write: [], audit: null, publish: [workspaceOf(scope)] });
      return 'The preview environment is being published';
    }
    case 'environment-variants-update': {
      const environmentIds = await listEnvironmentIds(ctx.db, liveEnvironment(scope.orgId));
      await change(ctx, scope, {
        write: [],
        audit: null,
        publish: [environmentsOf(scope, ...environmentIds)],
      });
      const count = environmentIds.length;
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
