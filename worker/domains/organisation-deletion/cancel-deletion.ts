/** Cancels a scheduled deletion. Once it has started, nobody is a member and the call gets a 404. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import { organisationDeletion } from '#worker/db/schema/organisation-deletions';
import { findScheduledDeletion } from '#worker/domains/organisations/find-scheduled-deletion';
import { readOrganisationName } from '#worker/domains/organisations/reads';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { ensureOwner } from './ensure-owner.ts';
import { noticesToOwners } from './notify-owners.ts';

/** Does nothing if none is scheduled. @throws {ApiError} forbidden unless the caller is an owner; not-found after the start */
export async function cancelDeletion(ctx: RequestContext, scope: MemberScope): Promise<void> {
  ensureOwner(scope);
  const { db } = ctx;
  const { orgId, actor } = scope;
  const organisationName = await readOrganisationName(db, scope);
  const isIt = and(eq(organisationDeletion.orgId, orgId), isNull(organisationDeletion.startedAt));
  const { unmet } = await change(ctx, scope, {
    when: { isScheduled: sql`EXISTS (SELECT 1 FROM ${organisationDeletion} WHERE ${isIt})` },
    write: [db.delete(organisationDeletion).where(isIt)],
    audit: { action: 'organisation.deletion-cancelled', targetId: orgId },
    publish: [
      noticesToOwners(scope, {
        notice: 'deletion-cancelled',
        organisationName,
        by: `${actor.name} (${actor.email})`,
        dueAt: 0,
      }),
    ],
  });
  if (unmet !== null && (await findScheduledDeletion(db, scope)) !== null) throw notFound('The organisation');
}
