/** Withdraws a plan that was granted by hand. Plans that the customer has otherwise stay. */
import { and, eq } from 'drizzle-orm';
import { auditRow } from '#worker/db/audit';
import { commitIf } from '#worker/db/commit-if';
import { customerGrant } from '#worker/db/schema/customers';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { customerChange } from './customer-change.ts';
import { isSaidOf } from './is-said-of.ts';

/** @throws {ApiError} not-found */
export async function withdrawPlan(
  ctx: RequestContext,
  scope: MemberScope,
  userId: string,
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
  const [standing] = await db.select().from(customerGrant).where(isIt);
  if (standing === undefined) throw notFound('The grant');
  const { planId, environmentId, reason } = standing;
  const change = customerChange(ctx, scope, identifier, environmentId);
  const unmet = await commitIf(db, { exists: isSaidOf(customerGrant, isIt) }, [
    db.delete(customerGrant).where(isIt),
    auditRow(ctx, {
      orgId,
      actorUserId: userId,
      action: 'customer.plan-withdrawn',
      targetId: identifier,
      detail: { grantId, planId, environmentId, reason },
    }),
    ...change.after,
  ]);
  if (unmet !== null) throw notFound('The grant');
  await change.announce();
}
