/** Removes an override. The value from the customer's plans applies again. */
import { and, eq } from 'drizzle-orm';
import { rowExists } from '#worker/db/commit-if';
import { customerOverride } from '#worker/db/schema/customers';
import { Refusal } from '#worker/http/api-error';
import type { CustomerScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { customerFactsOf } from './customer-change.ts';

const unknown = () => new Refusal('not-found', 'override-unknown', 'The override could not be found');

/** @throws {ApiError} not-found */
export async function removeOverride(
  ctx: RequestContext,
  scope: CustomerScope,
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
  if (removed === undefined) throw unknown();
  const { propertyId, value, environmentId, reason } = removed;
  await change(ctx, scope, {
    when: { exists: [rowExists(customerOverride, orgId, overrideId), unknown] },
    write: [db.delete(customerOverride).where(isIt)],
    audit: {
      action: 'customer.override-removed',
      targetId: identifier,
      detail: { overrideId, propertyId, from: value, environmentId, reason },
    },
    publish: [customerFactsOf(ctx, scope, { identifier }, environmentId)],
  });
}
