/** Revokes a manually granted plan. Plans by subscription or sign-in stay. */
import { and, eq } from 'drizzle-orm';
import { rowExists } from '#worker/db/commit-if';
import { customerGrant } from '#worker/db/schema/customers';
import { Refusal } from '#worker/http/api-error';
import type { CustomerScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { customerFactsOf } from './customer-change.ts';

const unknown = () => new Refusal('not-found', 'grant-unknown', 'The grant could not be found');

/** @throws {ApiError} not-found */
export async function revokePlan(
  ctx: RequestContext,
  scope: CustomerScope,
  identifier: string,
  grantId: string,
): Promise<void> {
  const { db } = ctx;
  const { orgId } = scope;
  const isIt = and(
    eq(customerGrant.id, grantId),
    eq(customerGrant.orgId, orgId),
    eq(customerGrant.customerIdentifier, identifier),
  );
  const [removed] = await db.select().from(customerGrant).where(isIt);
  if (removed === undefined) throw unknown();
  const { planId, environmentId, reason } = removed;
  await change(ctx, scope, {
    when: { exists: [rowExists(customerGrant, orgId, grantId), unknown] },
    write: [db.delete(customerGrant).where(isIt)],
    audit: {
      action: 'customer.plan-withdrawn',
      targetId: identifier,
      detail: { grantId, planId, environmentId, reason },
    },
    publish: [customerFactsOf(ctx, scope, { identifier }, environmentId)],
  });
}
