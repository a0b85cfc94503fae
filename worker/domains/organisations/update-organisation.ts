/** Changes an organisation's settings; an edit made on a state that has changed since is a conflict. */
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Organisation, updateOrganisationSchema } from '#contracts/organisations';
import { auditRowIf } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { changedMeanwhile } from '#worker/http/api-error';
import type { Caller, MemberScope, RequestContext } from '#worker/http/request-context';
import { changeOrganisation, getOrganisation, toOrganisation } from './organisation-store.ts';

/** @throws {ApiError} conflict, with what stands now */
export async function updateOrganisation(
  ctx: RequestContext,
  caller: Caller,
  scope: MemberScope,
  { updatedAt, ...change }: z.output<typeof updateOrganisationSchema>,
): Promise<Organisation> {
  const [changed] = (await commit(ctx.db, [
    changeOrganisation(ctx.db, scope, change, ctx.now, updatedAt),
    auditRowIf(ctx, sql`changes() > 0`, {
      orgId: scope.orgId,
      actorUserId: caller.userId,
      action: 'organisation.changed',
      targetId: scope.orgId,
      detail: { fields: Object.keys(change) },
    }),
  ])) as [readonly unknown[]];
  const current = toOrganisation(await getOrganisation(ctx.db, scope), scope.permissions);
  if (changed.length === 0) throw changedMeanwhile('The organisation', current);
  return current;
}
