/**
 * Starts a due deletion in one commit: the organisation loses its members, invitations, keys and environments, and the replicas
 * are notified. From then on nobody can reach it, and only the schedule works on it.
 */
import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import { findDataLocations } from '#worker/db/data-locations';
import { liveEnvironment } from '#worker/db/live-environments';
import { apiKey, environment } from '#worker/db/schema/environments';
import { organisationDeletion } from '#worker/db/schema/organisation-deletions';
import { invitation, member, organization, supportAccess } from '#worker/db/schema/organisations';
import { retiredLedgersOf } from '#worker/domains/metering/retire-ledgers';
import { everyEnvironmentOf } from '#worker/domains/publishing/publications';
import { endUnusableWatches } from '#worker/domains/watch-sessions/end-watches';
import type { ActorScope, WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { noticesToOwners } from './notify-owners.ts';

/** @returns false if it was cancelled, or another run has started it */
export async function startDeletion(ctx: WorkContext, orgId: string): Promise<boolean> {
  const { db, now } = ctx;
  const scope: ActorScope = { orgId, actor: null };
  const [[organisation], locations] = await Promise.all([
    db.select({ name: organization.name }).from(organization).where(eq(organization.id, orgId)),
    findDataLocations(db, orgId),
  ]);
  const isDue = and(
    eq(organisationDeletion.orgId, orgId),
    isNull(organisationDeletion.startedAt),
    lte(organisationDeletion.dueAt, now),
  );
  const { unmet } = await change(ctx, scope, {
    when: { isDue: sql`EXISTS (SELECT 1 FROM ${organisationDeletion} WHERE ${isDue})` },
    write: [
      db
        .update(organisationDeletion)
        .set({ startedAt: now, environments: environmentsOf(orgId) })
        .where(isDue),
      db.update(environment).set({ deletedAt: now, artifactId: null }).where(liveEnvironment(orgId)),
      db.delete(apiKey).where(eq(apiKey.orgId, orgId)),
      db.delete(member).where(eq(member.organizationId, orgId)),
      db.delete(invitation).where(eq(invitation.organizationId, orgId)),
      db.delete(supportAccess).where(eq(supportAccess.organizationId, orgId)),
    ],
    audit: { action: 'organisation.deletion-started', targetId: orgId },
    publish: [
      everyEnvironmentOf(scope),
      retiredLedgersOf(scope, locations ?? []),
      noticesToOwners(scope, {
        notice: 'deleted',
        organisationName: organisation?.name ?? '',
        by: '',
        dueAt: 0,
      }),
    ],
  });
  if (unmet !== null) return false;
  await endUnusableWatches(ctx, { orgId });
  return true;
}

/** All that the organisation ever had: deleted ones still have a replica. */
function environmentsOf(orgId: string) {
  return sql`(SELECT json_group_array(json_object('id', e.id, 'shards', e.ledger_shards)) FROM ${environment} e WHERE e.org_id = ${orgId})`;
}
