/** A customer in one environment as the engine sees them: plans, the value of every property and why, and usage. */
import type { Customer, CustomerStanding } from '#contracts/customers';
import { explain } from '#engine/entitlements/explain';
import { readMeter } from '#engine/metering/read-meter';
import { inspectCustomer } from '#worker/domains/access/inspect-customer';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { loadCustomerFacts } from './load-customer-facts.ts';

/**
 * @param identifier canonical
 * @throws {ApiError} not-found without such an environment
 */
export async function readStanding(
  ctx: RequestContext,
  scope: Scope,
  identifier: Customer['identifier'],
  environmentId: string,
): Promise<CustomerStanding> {
  const { db, now } = ctx;
  const facts = await loadCustomerFacts(db, scope, environmentId, identifier);
  const { snapshot, resolution, usage, warnings } = await inspectCustomer(ctx, scope, {
    environmentId,
    identifier,
    facts,
  });
  const { artifact } = snapshot;
  const nothing = { environmentId, asOf: now, version: null, plans: [], entitlements: [] };
  if (resolution === null || artifact === null) return { ...nothing, readLocation: null, warnings };

  const granted = new Set(
    facts.grants.flatMap(({ planId, until }) => (until === null || until > now ? [planId] : [])),
  );
  const { prepared, planIndexes } = resolution;
  const explanations = explain(resolution);
  return {
    environmentId,
    asOf: now,
    version: { artifactId: artifact.id, number: artifact.number },
    plans: planIndexes.flatMap((index) => {
      const plan = prepared.plans[index]?.plan;
      if (plan === undefined) return [];
      const { id: planId, slug, name, grantToAuthenticatedUsers } = plan;
      const from: CustomerStanding['plans'][number]['from'] = [];
      if (grantToAuthenticatedUsers) from.push('authenticated-users');
      if (granted.has(planId)) from.push('grant');
      return [{ planId, slug, name, from }];
    }),
    entitlements: prepared.properties.flatMap(({ feature, property, index }) => {
      const explanation = explanations[index];
      if (explanation === undefined) return [];
      const { value } = explanation;
      return [
        {
          ...explanation,
          featureId: feature.id,
          featureName: feature.name,
          propertyId: property.id,
          propertyName: property.name,
          type: property.type,
          isSystem: property.isSystem,
          meter: typeof value === 'object' ? readMeter(value, usage?.readings.get(property.id), now) : null,
        },
      ];
    }),
    readLocation: usage?.location ?? null,
    warnings,
  };
}
