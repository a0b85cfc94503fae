/** Changes an organisation's settings. An edit based on an outdated state is a conflict. */
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Organisation, updateOrganisationSchema } from '#contracts/console/organisations';
import { auditRowIf, lastActor } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { changedMeanwhile } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { changeOrganisation, getOrganisation, toOrganisation } from './organisation-store.ts';

/** @throws {ApiError} conflict, with the current organisation */
export async function updateOrganisation(
  ctx: RequestContext,
  scope: MemberScope,
  { updatedAt, ...change }: z.output<typeof updateOrganisationSchema>,
): Promise<Organisation> {
  const [changed] = (await commit(ctx.db, [
    changeOrganisation(ctx.db, scope, change, ctx.now, updatedAt),
    auditRowIf(ctx, scope, sql`changes() > 0`, {
      action: 'organisation.changed',
      targetId: scope.orgId,
      detail: { fields: Object.keys(change) },
    }),
  ])) as [readonly unknown[]];
  const current = toOrganisation(await getOrganisation(ctx.db, scope), scope.permissions);
  if (changed.length === 0) {
    throw changedMeanwhile('The organisation', current, await lastActor(ctx.db, scope.orgId, scope.orgId));
  }
  return current;
}
