/** Grants a plan to a customer, in addition to plans by subscription or sign-in. */
import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type CustomerGrant, type grantPlanSchema, MAX_GRANTS } from '#contracts/console/customers';
import { rowExists } from '#worker/db/commit-if';
import { insertSelect } from '#worker/db/insert-select';
import { customerGrant } from '#worker/db/schema/customers';
import { plan } from '#worker/db/schema/plans';
import { conflicting, invalidField, Refusal } from '#worker/http/api-error';
import type { CustomerScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { authorOf } from './author-of.ts';
import { customerFactsOf, isOwnEnvironment } from './customer-change.ts';
import { asGrant, type GrantRow } from './customer-store.ts';
import { ensureFuture } from './ensure-future.ts';

/**
 * @param replaces an earlier grant of the plan in the environment, also one that has not ended
 * @throws {ApiError} invalid-request naming planId, environmentId or until; conflict if it is granted already
 */
export async function grantPlan(
  ctx: RequestContext,
  scope: CustomerScope,
  identifier: string,
  body: z.output<typeof grantPlanSchema>,
  { replaces = false } = {},
): Promise<CustomerGrant> {
  const { db, now } = ctx;
  const { orgId } = scope;
  const { environmentId, planId, reason, until } = body;
  ensureFuture(until, now);
  const row: GrantRow = {
    id: ctx.newId('grant'),
    orgId,
    environmentId,
    customerIdentifier: identifier,
    planId,
    reason,
    until,
    anchorAt: now,
    createdAt: now,
    ...authorOf(scope),
  };

  const isTheirs = and(eq(customerGrant.orgId, orgId), eq(customerGrant.customerIdentifier, identifier));
  const isReplaced = and(
    isTheirs,
    eq(customerGrant.planId, planId),
    environmentId === null
      ? isNull(customerGrant.environmentId)
      : eq(customerGrant.environmentId, environmentId),
    replaces ? undefined : lte(customerGrant.until, now),
  );
  const { until: end, anchorAt, createdAt } = customerGrant;
  const keptAnchor = sql`CASE WHEN ${end} IS NULL OR ${end} > ${now} THEN coalesce(${anchorAt}, ${createdAt}) ELSE ${now} END`;
  const count = sql`(SELECT count(*) FROM ${customerGrant} WHERE ${isTheirs} AND NOT coalesce(${isReplaced}, FALSE))`;
  const tooMany = `A customer can have at most ${MAX_GRANTS} grants`;
  await change(ctx, scope, {
    when: {
      hasPlan: [
        rowExists(plan, orgId, planId),
        () => invalidField('planId', 'There is no such plan', 'plan-unknown'),
      ],
      hasEnvironment: isOwnEnvironment(scope, environmentId),
      isBelowLimit: [
        sql`${count} < ${MAX_GRANTS}`,
        () => new Refusal('conflict', 'grant-limit-reached', tooMany),
      ],
    },
    unique: {
      customer_grant: () => conflicting('grant-exists', 'planId', 'The customer already has this grant'),
    },
    write: [
      // A plan that goes on keeps its billing windows.
      db
        .update(customerGrant)
        .set({ ...row, anchorAt: keptAnchor })
        .where(isReplaced),
      insertSelect(db, customerGrant, row, {
        where: sql`NOT EXISTS (SELECT 1 FROM ${customerGrant} WHERE ${eq(customerGrant.id, row.id)})`,
      }),
    ],
    audit: {
      action: 'customer.plan-granted',
      targetId: identifier,
      detail: { grantId: row.id, planId, environmentId, until, reason },
    },
    publish: [customerFactsOf(ctx, scope, { identifier }, environmentId)],
  });
  return asGrant(row);
}
