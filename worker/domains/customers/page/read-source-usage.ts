/**
 * What a created customer and a Stripe customer have used, each for itself: what adds up when they become one, and what stays with whom
 * when they are separated. A Stripe customer's ledger keeps what it counted, also while it is another customer.
 */
import type { customerEndpoints } from '#contracts/console/customers';
import type { AnswerOf } from '#contracts/public/endpoint';
import { usageReadsOf } from '#engine/entitlements/usage-reads';
import { usedOf } from '#engine/metering/read-meter';
import { inspectCustomer } from '#worker/domains/access/inspect-customer';
import { loadCustomerFacts } from '#worker/domains/customer-facts/load-customer-facts';
import { readUsage } from '#worker/domains/metering/read-usage';
import { Refusal, retryAfter } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';

export async function readSourceUsage(
  ...given: Parameters<typeof readBothUsages>
): Promise<AnswerOf<typeof customerEndpoints.readSourceUsage>> {
  const both = await readBothUsages(...given);
  return {
    meters: both.map(({ of: { feature, property }, used, stripeUsed }) => ({
      featureName: feature.name,
      propertyName: property.name,
      used,
      stripeUsed,
    })),
  };
}

/**
 * By meter.
 * @param identifier canonical
 * @param customerId cus_…
 * @throws {ApiError} not-found without such an environment; unavailable: a ledger cannot be reached
 */
export async function readBothUsages(
  ctx: RequestContext,
  scope: Scope,
  identifier: string,
  environmentId: string,
  customerId: string,
) {
  const { db, env, now, place } = ctx;
  const facts = await loadCustomerFacts(db, scope, environmentId, identifier);
  const inspected = { environmentId, identifier, customer: identifier, facts };
  const { snapshot, resolution, usage } = await inspectCustomer(ctx, scope, inspected);
  if (resolution === null || usage === null) return [];
  const { reads } = usageReadsOf(resolution, undefined);
  // Without facts, the ledger does not lead to the customer that it is an alias of.
  const own = await readUsage(env, snapshot, {
    customer: customerId,
    place,
    reads,
    now,
    consistency: 'local',
  });
  if (own.failure !== undefined)
    throw new Refusal(
      'unavailable',
      'usage-unavailable',
      'Usage could not be read. Try again in a moment.',
      retryAfter(1),
    );
  return reads.flatMap(({ propertyId }) => {
    const of = resolution.prepared.propertyById.get(propertyId);
    if (of === undefined) return [];
    const [used, stripeUsed] = [usage, own].map(({ readings }) => usedOf(readings.get(propertyId)));
    return [{ of, used: used ?? 0, stripeUsed: stripeUsed ?? 0 }];
  });
}
