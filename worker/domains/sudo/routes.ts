/** HTTP routes of the sudo area. Their guard is `sudo`: anyone else gets a 404. */
import { sudoEndpoints } from '#contracts/console/sudo';
import { recordStaffRead } from '#worker/domains/sessions/record-staff-read';
import { type Route, route } from '#worker/http/route';
import { actOnOrganisation } from './act-on-organisation.ts';
import { discardDeadLetter, listDeadLetters, retryDeadLetter, retryDeadLetters } from './dead-letters.ts';
import { followRestoredDatabase } from './follow-restored-database.ts';
import { getSudoOrganisation, searchOrganisations } from './organisation-search.ts';
import { updateSudoOrganisation } from './update-organisation.ts';
import { updateSudoUser } from './update-user.ts';
import { getSudoUser, searchUsers } from './user-search.ts';

export const sudoRoutes: readonly Route[] = [
  route(sudoEndpoints.searchOrganisations, ({ ctx, query }) =>
    searchOrganisations(ctx.db, query.search, ctx.now),
  ),
  route(sudoEndpoints.getOrganisation, async ({ ctx, caller, params }) => {
    const found = await getSudoOrganisation(ctx.db, params.orgId, ctx.now);
    await recordStaffRead(ctx, { orgId: params.orgId, actor: caller });
    return found;
  }),
  route(sudoEndpoints.updateOrganisation, ({ ctx, caller, params, body }) =>
    updateSudoOrganisation(ctx, { orgId: params.orgId, actor: caller }, body),
  ),
  route(sudoEndpoints.clearUsageBlocks, ({ ctx, caller, params }) =>
    actOnOrganisation(ctx, { orgId: params.orgId, actor: caller }, 'clear-usage-blocks'),
  ),
  route(sudoEndpoints.publishBillableUsage, ({ ctx, caller, params }) =>
    actOnOrganisation(ctx, { orgId: params.orgId, actor: caller }, 'billable-usage-publish'),
  ),
  route(sudoEndpoints.publishPreview, ({ ctx, caller, params }) =>
    actOnOrganisation(ctx, { orgId: params.orgId, actor: caller }, 'preview-environment-publish'),
  ),
  route(sudoEndpoints.updateEnvironmentVariants, ({ ctx, caller, params }) =>
    actOnOrganisation(ctx, { orgId: params.orgId, actor: caller }, 'environment-variants-update'),
  ),
  route(sudoEndpoints.rebuildLogIndex, ({ ctx, caller, params }) =>
    actOnOrganisation(ctx, { orgId: params.orgId, actor: caller }, 'rebuild-log-index'),
  ),
  route(sudoEndpoints.publishStripeLookups, ({ ctx, caller, params }) =>
    actOnOrganisation(ctx, { orgId: params.orgId, actor: caller }, 'publish-stripe-lookups'),
  ),
  route(sudoEndpoints.followRestoredDatabase, ({ ctx, caller }) => followRestoredDatabase(ctx, caller)),
  route(sudoEndpoints.searchUsers, ({ ctx, query }) => searchUsers(ctx.db, query.search)),
  route(sudoEndpoints.getUser, ({ ctx, params }) => getSudoUser(ctx.db, params.userId)),
  route(sudoEndpoints.updateUser, ({ ctx, caller, params, body }) =>
    updateSudoUser(ctx, caller, params.userId, body),
  ),
  route(sudoEndpoints.listDeadLetters, ({ ctx, query }) => listDeadLetters(ctx.db, query.cursor)),
  route(sudoEndpoints.retryDeadLetters, ({ ctx, caller, body }) => retryDeadLetters(ctx, caller, body.queue)),
  route(sudoEndpoints.retryDeadLetter, ({ ctx, caller, params }) =>
    retryDeadLetter(ctx, caller, params.deadLetterId),
  ),
  route(sudoEndpoints.discardDeadLetter, ({ ctx, caller, params }) =>
    discardDeadLetter(ctx, caller, params.deadLetterId),
  ),
];
