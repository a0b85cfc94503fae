/** Cancels a scheduled deletion. Once it has started, nobody is a member and the call gets a 404. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import { auditRow } from '#worker/db/audit';
import { commitIf } from '#worker/db/commit-if';
import { organisationDeletion } from '#worker/db/schema/organisation-deletions';
import { organization } from '#worker/db/schema/organisations';
import { findScheduledDeletion } from '#worker/domains/organisations/find-scheduled-deletion';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { ensureOwner } from './ensure-owner.ts';
import { noticesToOwners } from './notify-owners.ts';

/** Does nothing if none is scheduled. @throws {ApiError} forbidden unless the caller is an owner; not-found after the start */
export async function cancelDeletion(ctx: RequestContext, scope: MemberScope): Promise<void> {
  ensureOwner(scope);
  const { db } = ctx;
  const { orgId, actor } = scope;
  const [organisation] = await db
    .select({ name: organization.name })
    .from(organization)
    .where(eq(organization.id, orgId));
  if (organisation === undefined) throw notFound('The organisation');
  const notices = await noticesToOwners(ctx, scope, {
    notice: 'deletion-cancelled',
    organisationName: organisation.name,
    by: `${actor.name} (${actor.email})`,
    dueAt: 0,
  });
  const isIt = and(eq(organisationDeletion.orgId, orgId), isNull(organisationDeletion.startedAt));
  const unmet = await commitIf(
    db,
    { isScheduled: sql`EXISTS (SELECT 1 FROM ${organisationDeletion} WHERE ${isIt})` },
    [
      db.delete(organisationDeletion).where(isIt),
      auditRow(ctx, scope, { action: 'organisation.deletion-cancelled', targetId: orgId }),
      ...notices.statements,
    ],
  );
  if (unmet === null) notices.announce();
  else if ((await findScheduledDeletion(db, scope)) !== null) throw notFound('The organisation');
}
