/** Removes an override. The value from the customer's plans applies again. */
import { and, eq } from 'drizzle-orm';
import { auditRow } from '#worker/db/audit';
import { commitIf, rowExists } from '#worker/db/commit-if';
import { customerOverride } from '#worker/db/schema/customers';
import { notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { customerChange } from './customer-change.ts';

/** @throws {ApiError} not-found */
export async function removeOverride(
  ctx: RequestContext,
  scope: MemberScope,
  identifier: string,
  overrideId: string,
): Promise<void> {
  const { db } = ctx;
  const { orgId } = scope;
  const isIt = and(
    eq(customerOverride.id, overrideId),
    eq(customerOverride.orgId, orgId),
    eq(customerOverride.customerIdentifier, identifier),
  );
  const [removed] = await db.select().from(customerOverride).where(isIt);
  if (removed === undefined) throw notFound('The override');
  const { propertyId, environmentId, reason } = removed;
  const change = customerChange(ctx, scope, identifier, environmentId);
  const unmet = await commitIf(db, { exists: rowExists(customerOverride, orgId, overrideId) }, [
    db.delete(customerOverride).where(isIt),
    auditRow(ctx, scope, {
      action: 'customer.override-removed',
      targetId: identifier,
      detail: { overrideId, propertyId, environmentId, reason },
    }),
    ...change.after,
  ]);
  if (unmet !== null) throw notFound('The override');
  await change.announce();
}
