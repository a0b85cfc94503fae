/** Reads a customer's entitlements in one environment: plans, every property's value with its reason, and usage. */

import type { Customer, CustomerEntitlements } from '#contracts/console/customers';
import type { LinkedCustomer } from '#contracts/console/linked-customer';
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { PlanSource } from '#contracts/public/access';
import { evaluateResolution } from '#engine/entitlements/evaluate';
import { explain, readUsage } from '#engine/entitlements/explain';
import { factsForIdentifier, subscriptionsOf } from '#engine/entitlements/namesakes';
import { planSources, withheldPlans } from '#engine/entitlements/plan-sources';
import { withCost } from '#engine/entitlements/read-cost';
import { readOwnMeter } from '#engine/entitlements/read-own-meter';
import { heldOf } from '#engine/metering/read-meter';
import { inspectCustomer } from '#worker/domains/access/inspect-customer';
import { readLinkedCustomers } from '#worker/domains/customer-facts/read-linked-customers';
import { readEntries } from '#worker/domains/customers/entries/customer-store';
import { resolveAlias } from '#worker/domains/customers/entries/resolve-alias';
import type { RequestContext, Scope } from '#worker/http/request-context';

/**
 * @param identifier canonical
 * @throws {ApiError} not-found without such an environment
 */
export async function readCustomerEntitlements(
  ctx: RequestContext,
  scope: Scope,
  identifier: Customer['identifier'],
  environmentId: string,
): Promise<CustomerEntitlements> {
  const { db, now } = ctx;
  const { customer, facts } = await resolveAlias(db, scope, environmentId, identifier);
  const { snapshot, resolution, provisioned, usage, warnings } = await inspectCustomer(ctx, scope, {
    environmentId,
    identifier,
    customer,
    facts,
  });
  const { artifact } = snapshot;
  const viaEmail = await readViaEmail(ctx, scope, identifier, environmentId, facts);
  const viaUserIds = await Promise.all(
    (facts.userIds ?? [])
      .filter(({ id }) => id !== identifier)
      .map(async ({ id: userId }) => ({ userId, ...(await readEntries(db, scope, userId, environmentId)) })),
  );
  const nothing = {
    environmentId,
    identifier: customer,
    asOf: now,
    version: null,
    viaEmail,
    viaUserIds,
    plans: [],
    idleAddOns: [],
    entitlements: [],
    features: [],
  };
  if (resolution === null || artifact === null)
    return { ...nothing, readLocation: null, warnings: [...warnings] };

  const { prepared, planIndexes } = resolution;
  const theirs = factsForIdentifier(facts, identifier);
  const who = { isAuthenticated: true, provisioned };
  const sources = planSources(prepared, who, theirs, snapshot, now);
  const explanations = explain(
    resolution,
    sources,
    readUsage(usage?.readings, now),
    withheldPlans(prepared, theirs, snapshot, now),
  );
  const evaluated = evaluateResolution(resolution, usage?.readings ?? null, now);
  const linked = subscriptionsOf(theirs).length > 0 ? await readLinkedCustomers(ctx, scope, identifier) : [];
  return {
    environmentId,
    identifier: customer,
    asOf: now,
    viaEmail,
    viaUserIds,
    version: { artifactId: artifact.id, number: artifact.number },
    plans: planIndexes.flatMap((index) => {
      const plan = prepared.plans[index]?.plan;
      if (plan === undefined) return [];
      const { id: planId, slug, name } = plan;
      return [{ planId, slug, name, ...whyOf(sources.get(index) ?? [], linked) }];
    }),
    idleAddOns: [...sources.keys()].flatMap((index) => {
      const plan = planIndexes.includes(index) ? undefined : prepared.plans[index]?.plan;
      return plan?.isAddOn ? [{ planId: plan.id, name: plan.name }] : [];
    }),
    entitlements: prepared.properties.flatMap((entry) => {
      const { feature, property, index } = entry;
      const explanation = explanations[index];
      if (explanation === undefined) return [];
      const { value } = explanation;
      const reading = usage?.readings.get(property.id);
      return [
        {
          ...explanation,
          featureId: feature.id,
          featureName: feature.name,
          propertyId: property.id,
          propertyName: property.name,
          type: property.type,
          isSystem: property.isSystem,
          meter:
            typeof value === 'object'
              ? withCost(
                  readOwnMeter(resolution, entry, value, reading, { now, isListed: true }),
                  resolution,
                  entry,
                  usage?.readings,
                  { now },
                )
              : null,
          ...(heldOf(reading) > 0 && { heldUntil: reading?.held?.until }),
        },
      ];
    }),
    features: prepared.features.map(({ feature, slug }) => {
      const { properties: _, ...verdict } = evaluated.features[slug] ?? { properties: {}, allowed: true };
      return { featureId: feature.id, ...verdict };
    }),
    readLocation: usage?.location ?? null,
    warnings: [...warnings],
  };
}

/** @param facts of the customer in the environment: they say whether its email is its alias there */
async function readViaEmail(
  { db }: Pick<RequestContext, 'db'>,
  scope: Scope,
  identifier: string,
  environmentId: string,
  { stripe }: CustomerFacts,
): Promise<CustomerEntitlements['viaEmail']> {
  const email = stripe?.isNamedByEmail ? stripe.email : null;
  if (email === null || email === identifier) return null;
  const entries = await readEntries(db, scope, email, environmentId);
  return entries.grants.length + entries.overrides.length === 0 ? null : { email, ...entries };
}

type EntitledPlan = CustomerEntitlements['plans'][number];

function whyOf(
  sources: readonly PlanSource[],
  linked: readonly LinkedCustomer[],
): Pick<EntitledPlan, 'from' | 'subscriptions'> {
  const kinds = ['authenticated-users', 'subscription', 'grant', 'workflow'] as const;
  const nameOf = (integrationId: string, productId: string) =>
    linked
      .filter((each) => each.integrationId === integrationId)
      .flatMap(({ subscriptions }) => subscriptions.flatMap(({ products }) => products))
      .find(({ id }) => id === productId)?.name ?? null;
  return {
    from: kinds.filter((kind) => sources.some((source) => source.kind === kind)),
    subscriptions: sources.flatMap(
      ({ integrationId, subscriptionId, productId, status, priceId, quantity }) =>
        integrationId && subscriptionId && productId && status
          ? [
              {
                integrationId,
                subscriptionId,
                productId,
                status,
                productName: nameOf(integrationId, productId),
                ...(priceId === undefined ? {} : { priceId }),
                ...(quantity === undefined ? {} : { quantity }),
              },
            ]
          : [],
    ),
  };
}
