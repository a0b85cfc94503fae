/** A customer in one environment as the engine sees them: plans, the value of every property and why, and usage. */
import type { PlanSource } from '#contracts/access';
import type { Customer, CustomerStanding } from '#contracts/customers';
import type { LinkedCustomer } from '#contracts/linked-customer';
import { explain } from '#engine/entitlements/explain';
import { planSources } from '#engine/entitlements/plan-sources';
import { readMeter } from '#engine/metering/read-meter';
import { inspectCustomer } from '#worker/domains/access/inspect-customer';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { loadCustomer } from './load-customer.ts';
import { readLinkedCustomers } from './read-linked-customers.ts';

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
  const { customer, facts } = await loadCustomer(db, scope, environmentId, identifier);
  const { snapshot, resolution, usage, warnings } = await inspectCustomer(ctx, scope, {
    environmentId,
    customer,
    facts,
  });
  const { artifact, environmentType } = snapshot;
  const nothing = {
    environmentId,
    identifier: customer,
    asOf: now,
    version: null,
    plans: [],
    entitlements: [],
  };
  if (resolution === null || artifact === null) return { ...nothing, readLocation: null, warnings };

  const { prepared, planIndexes } = resolution;
  const sources = planSources(prepared, { isAuthenticated: true }, facts, environmentType, now);
  const explanations = explain(resolution, sources);
  const linked = facts.stripe ? await readLinkedCustomers(db, scope, customer) : [];
  return {
    environmentId,
    identifier: customer,
    asOf: now,
    version: { artifactId: artifact.id, number: artifact.number },
    plans: planIndexes.flatMap((index) => {
      const plan = prepared.plans[index]?.plan;
      if (plan === undefined) return [];
      const { id: planId, slug, name } = plan;
      return [{ planId, slug, name, ...whyOf(sources.get(index) ?? [], linked) }];
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

type StandingPlan = CustomerStanding['plans'][number];

function whyOf(
  sources: readonly PlanSource[],
  linked: readonly LinkedCustomer[],
): Pick<StandingPlan, 'from' | 'subscriptions'> {
  const kinds = ['authenticated-users', 'subscription', 'grant'] as const;
  const nameOf = (integrationId: string, productId: string) =>
    linked
      .filter((each) => each.integrationId === integrationId)
      .flatMap(({ subscriptions }) => subscriptions.flatMap(({ products }) => products))
      .find(({ id }) => id === productId)?.name ?? null;
  return {
    from: kinds.filter((kind) => sources.some((source) => source.kind === kind)),
    subscriptions: sources.flatMap(({ integrationId, subscriptionId, productId, status }) =>
      integrationId && subscriptionId && productId && status
        ? [
            {
              ...{ integrationId, subscriptionId, productId, status },
              productName: nameOf(integrationId, productId),
            },
          ]
        : [],
    ),
  };
}
