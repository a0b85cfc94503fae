/** Revokes a manually granted plan. Plans by subscription or sign-in stay. */
import { and, eq } from 'drizzle-orm';
import { auditRow } from '#worker/db/audit';
import { commitIf, rowExists } from '#worker/db/commit-if';
import { customerGrant } from '#worker/db/schema/customers';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { customerChange } from './customer-change.ts';

/** @throws {ApiError} not-found */
export async function revokePlan(
  ctx: RequestContext,
  scope: MemberScope,
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
  if (removed === undefined) throw notFound('The grant');
  const { planId, environmentId, reason } = removed;
  const change = customerChange(ctx, scope, identifier, environmentId);
  const unmet = await commitIf(db, { exists: rowExists(customerGrant, orgId, grantId) }, [
    db.delete(customerGrant).where(isIt),
    auditRow(ctx, scope, {
      action: 'customer.plan-withdrawn',
      targetId: identifier,
      detail: { grantId, planId, environmentId, reason },
    }),
    ...change.after,
  ]);
  if (unmet !== null) throw notFound('The grant');
  await change.announce();
}
