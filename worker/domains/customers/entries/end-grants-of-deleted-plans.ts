/**
 * Scheduled work: grants of a plan that was deleted from the workspace end when no version contains it, deployed or not. Deleting
 * a plan lists it, and deleting the artifact that was found to contain it lists it again; nothing else is read.
 *
 * Artifacts never change, and ids of plans are not used again. So once the head is that of a workspace without the plan, no
 * artifact with the plan can come: what was searched stays searched, and a new version need not be waited for.
 */
import { and, asc, desc, eq, gte, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { CustomerChanged } from '#runtime/messages';
import { sendMessage } from '#runtime/send-message';
import { insertSelect } from '#worker/db/insert-select';
import { artifact } from '#worker/db/schema/artifacts';
import { customer, customerGrant, deletedPlan } from '#worker/db/schema/customers';
import { auditLog } from '#worker/db/schema/operations';
import { organization } from '#worker/db/schema/organisations';
import { knownCustomerStatements } from '#worker/domains/customer-facts/known-customers';
import { factsVersion, takeFactsVersion } from '#worker/domains/customer-facts/next-facts-version';
import { getContent } from '#worker/domains/snapshots/keep-artifact-content';
import type { WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';

/** Per run. */
const MAX_PLANS = 10;
/** Per plan and run: contents that are read, of up to 8 MB each, and grants that end. */
const MAX_ARTIFACTS = 10;
const MAX_GRANTS = 100;

type DeletedPlan = Pick<typeof deletedPlan.$inferSelect, 'orgId' | 'planId' | 'searchedTo'>;

export async function endGrantsOfDeletedPlans(ctx: WorkContext): Promise<void> {
  const { orgId, planId, keptBy, searchedTo } = deletedPlan;
  const due = await ctx.db
    .select({ orgId, planId, searchedTo })
    .from(deletedPlan)
    .innerJoin(organization, eq(organization.id, orgId))
    .where(and(isNull(keptBy), gte(organization.headRevision, organization.workspaceRevision)))
    // One that cannot be read does not hold up the others for ever.
    .orderBy(sql`random()`)
    .limit(MAX_PLANS);
  for (const plan of due) {
    try {
      if ((await searchArtifacts(ctx, plan)) === 'absent') await endGrants(ctx, plan);
    } catch (error) {
      ctx.log.error('grants of a deleted plan could not be ended', { ...plan, error });
    }
  }
}

/** The newest first: a plan that is deployed is mostly in one of the last versions. */
async function searchArtifacts(ctx: WorkContext, plan: DeletedPlan): Promise<'absent' | 'found' | 'more'> {
  const { db, env } = ctx;
  const { orgId, planId, searchedTo } = plan;
  const rows = await db
    .select({ id: artifact.id, hash: artifact.hash })
    .from(artifact)
    .where(and(eq(artifact.orgId, orgId), searchedTo === null ? undefined : lt(artifact.id, searchedTo)))
    .orderBy(desc(artifact.id))
    .limit(MAX_ARTIFACTS);
  for (const { id, hash } of rows) {
    const { plans } = await getContent(env, { orgId }, hash);
    if (plans.some((each) => each.id === planId)) {
      // The artifact may have been deleted meanwhile.
      const found = sql`(SELECT ${artifact.id} FROM ${artifact} WHERE ${artifact.id} = ${id})`;
      await db.update(deletedPlan).set({ keptBy: found }).where(isPlan(plan));
      return 'found';
    }
  }
  const last = rows.at(-1);
  if (last === undefined) return 'absent';
  await db.update(deletedPlan).set({ searchedTo: last.id }).where(isPlan(plan));
  return rows.length < MAX_ARTIFACTS ? 'absent' : 'more';
}

function isPlan({ orgId, planId }: DeletedPlan): SQL | undefined {
  return and(eq(deletedPlan.orgId, orgId), eq(deletedPlan.planId, planId));
}

/** A part of them; the next run goes on. */
async function endGrants(ctx: WorkContext, plan: DeletedPlan): Promise<void> {
  const { db, now } = ctx;
  const { orgId, planId } = plan;
  const isOfPlan = and(eq(customerGrant.orgId, orgId), eq(customerGrant.planId, planId));
  const grants = await db
    .select({ id: customerGrant.id, identifier: customerGrant.customerIdentifier })
    .from(customerGrant)
    .where(isOfPlan)
    .orderBy(asc(customerGrant.customerIdentifier))
    .limit(MAX_GRANTS);
  const identifiers = [...new Set(grants.map(({ identifier }) => identifier))];
  const listed = JSON.stringify(grants.map(({ id, identifier }) => [id, identifier]));
  // Not those that moved to another customer meanwhile.
  const isEnding = and(
    isOfPlan,
    sql`(${customerGrant.id}, ${customerGrant.customerIdentifier}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${listed}))`,
  );
  const message: CustomerChanged = {
    type: 'customer.changed',
    outboxId: ctx.newId('out'),
    orgId,
    environmentId: null,
    customer: identifiers[0] ?? '',
    customers: identifiers,
  };
  const customers =
    identifiers.length === 0
      ? []
      : [
          auditEnds(ctx, orgId, and(isEnding, sql`coalesce(${customerGrant.until} > ${now}, TRUE)`)),
          db.delete(customerGrant).where(isEnding),
          takeFactsVersion(db, orgId, now),
          db
            .update(customer)
            .set({ factsVersion: factsVersion(orgId), updatedAt: now })
            .where(
              and(
                eq(customer.orgId, orgId),
                sql`${customer.identifier} IN (SELECT value FROM json_each(${JSON.stringify(identifiers)}))`,
              ),
            ),
          ...knownCustomerStatements(
            db,
            orgId,
            identifiers.map((identifier) => ({ identifier })),
            now,
          ),
        ];
  const hasNoGrants = sql`NOT EXISTS (SELECT 1 FROM ${customerGrant} WHERE ${isOfPlan})`;
  const scope = { orgId, actor: null };
  await change(ctx, scope, {
    write: [...customers, db.delete(deletedPlan).where(and(isPlan(plan), hasNoGrants))],
    audit: null,
    publish:
      identifiers.length === 0
        ? []
        : [{ messages: [message], announce: () => sendMessage(ctx.env, message) }],
  });
}

/** A row for each grant, by the service itself. */
function auditEnds({ db, now, newId }: WorkContext, orgId: string, isEnding: SQL | undefined) {
  const { id, planId, environmentId, reason, customerIdentifier } = customerGrant;
  const detail = sql`json_object('grantId', ${id}, 'planId', ${planId}, 'environmentId', ${environmentId}, 'reason', ${reason})`;
  return insertSelect(
    db,
    auditLog,
    {
      id: sql`${`${newId('aud')}_`} || ${id}`,
      orgId,
      actorUserId: null,
      actorKey: null,
      action: 'customer.plan-ended',
      targetId: customerIdentifier.getSQL(),
      detail,
      at: now,
    },
    { from: sql`${customerGrant}`, ...(isEnding === undefined ? {} : { where: isEnding }) },
  );
}
