/**
 * Schedules the deletion of an organisation. Nothing else changes until it starts: members work on, keys are accepted, and any
 * owner can cancel. All owners get a mail.
 */
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { DELETION_DELAY_DAYS, type requestDeletionSchema } from '#contracts/console/organisation-deletion';
import type { OrganisationDeletion } from '#contracts/console/organisations';
import { DAY_MS } from '#engine/durations';
import { organisationDeletion } from '#worker/db/schema/organisation-deletions';
import { member } from '#worker/db/schema/organisations';
import { findScheduledDeletion } from '#worker/domains/organisations/find-scheduled-deletion';
import { readOrganisationName } from '#worker/domains/organisations/reads';
import { invalidField, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { confirmRequest } from './confirm-request.ts';
import { ensureOwner } from './ensure-owner.ts';
import { noticesToOwners } from './notify-owners.ts';

/**
 * A repeated request changes nothing and returns the scheduled deletion.
 * @throws {ApiError} forbidden unless the caller is an owner; invalid-request naming the field; rate-limited
 */
export async function requestDeletion(
  ctx: RequestContext,
  scope: MemberScope,
  { name, ...proof }: z.output<typeof requestDeletionSchema>,
): Promise<OrganisationDeletion> {
  ensureOwner(scope);
  const { db, now } = ctx;
  const { orgId, actor } = scope;
  const organisationName = await readOrganisationName(db, scope);
  if (name !== organisationName)
    throw invalidField('name', `Type the organisation’s name: ${organisationName}`);
  await confirmRequest(ctx, scope, proof);

  const deletion: OrganisationDeletion = {
    requestedByUserId: actor.userId,
    requestedAt: now,
    dueAt: now + DELETION_DELAY_DAYS * DAY_MS,
  };
  const isOwner = and(
    eq(member.organizationId, orgId),
    eq(member.userId, actor.userId),
    eq(member.role, 'owner'),
  );
  const { unmet } = await change(ctx, scope, {
    when: {
      isOwner: sql`EXISTS (SELECT 1 FROM ${member} WHERE ${isOwner})`,
      isNew: sql`NOT EXISTS (SELECT 1 FROM ${organisationDeletion} WHERE ${eq(organisationDeletion.orgId, orgId)})`,
    },
    write: [db.insert(organisationDeletion).values({ orgId, ...deletion })],
    audit: {
      action: 'organisation.deletion-scheduled',
      targetId: orgId,
      detail: { dueAt: deletion.dueAt },
    },
    publish: [
      noticesToOwners(scope, {
        notice: 'deletion-scheduled',
        organisationName,
        by: `${actor.name} (${actor.email})`,
        dueAt: deletion.dueAt,
      }),
    ],
  });
  if (unmet === null) return deletion;
  const scheduled = unmet === 'isNew' ? await findScheduledDeletion(db, scope) : null;
  if (scheduled === null) throw notFound('The organisation');
  return scheduled;
}
