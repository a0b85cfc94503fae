/** What platform staff have done to an organisation at once, rather than when its time comes. */
import type { SudoAction } from '#contracts/sudo';
import { auditRow } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { everyEnvironmentChange, workspaceChange } from '#worker/domains/artifacts/workspace-change';
import { clearUsageBlocks } from '#worker/domains/billing/lift-usage-blocks';
import { publishBillableUsage } from '#worker/domains/billing/publish-billable-usage';
import { publishStripeLookups } from '#worker/domains/billing/publish-stripe-lookups';
import type { RequestContext } from '#worker/http/request-context';
import { getSudoOrganisation } from './organisation-search.ts';

/**
 * Audited before it is tried: what fails half way was begun all the same.
 * @returns in words what was done
 * @throws {ApiError} not-found; unavailable where Stripe is needed and not there
 */
export async function actOnOrganisation(
  ctx: RequestContext,
  userId: string,
  orgId: string,
  action: SudoAction,
): Promise<{ readonly message: string }> {
  const { name } = await getSudoOrganisation(ctx.db, orgId);
  await commit(ctx.db, [
    auditRow(ctx, { orgId, actorUserId: userId, action: 'sudo.acted', detail: { sudoAction: action } }),
  ]);
  return { message: await perform(ctx, userId, { orgId, name }, action) };
}

async function perform(
  ctx: RequestContext,
  userId: string,
  { orgId, name }: { readonly orgId: string; readonly name: string },
  action: SudoAction,
): Promise<string> {
  switch (action) {
    case 'clear-usage-blocks': {
      const wasBlocked = await clearUsageBlocks(ctx, orgId, userId);
      return wasBlocked ? `${name} is no longer blocked` : `${name} was not blocked`;
    }
    case 'billable-usage-publish': {
      const { sent, failed } = await publishBillableUsage(ctx, orgId);
      const later = failed === 0 ? '' : `; ${failed} will be tried again`;
      return `Usage of ${sent === 1 ? '1 hour' : `${sent} hours`} reported${later}`;
    }
    case 'preview-environment-publish': {
      const change = workspaceChange(ctx, { orgId });
      await commit(ctx.db, change.statements);
      change.announce();
      return 'The preview environment is being published';
    }
    case 'environment-variants-update': {
      const change = await everyEnvironmentChange(ctx, { orgId });
      await commit(ctx.db, change.statements);
      change.announce();
      const count = change.environmentIds.length;
      return `${count === 1 ? '1 environment is' : `${count} environments are`} being published`;
    }
    case 'publish-stripe-lookups': {
      const { created } = await publishStripeLookups(ctx);
      return created.length === 0 ? 'Everything was there already' : `Made: ${created.join(', ')}`;
    }
  }
}
