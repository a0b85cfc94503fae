/** Reads a customer for the public API: who it is, what was granted and overridden, its subscriptions, and what a check answers. */
import type { SubscriptionFacts } from '#contracts/internal/customer-facts';
import type { CustomerAnswer } from '#contracts/public/customers';
import { activeProducts } from '#engine/entitlements/active-products';
import { factsForIdentifier, subscriptionsOf } from '#engine/entitlements/namesakes';
import { checkKnownCustomer } from '#worker/domains/access/check-known-customer';
import type { PublicCall } from '#worker/domains/access/public-call';
import { readLinkedCustomers } from '#worker/domains/customer-facts/read-linked-customers';
import { readEntries } from '../customer-store.ts';
import { readSlugs } from './find-slugs.ts';
import { getTarget, namesOf } from './find-target.ts';
import { contextOf } from './open-provisioning.ts';

/** @throws {ApiError} invalid-request naming customer; not-found */
export async function readCustomer(call: PublicCall, text: string): Promise<CustomerAnswer> {
  const { loaded } = call.authenticated;
  const { orgId, environmentId, environmentType } = loaded.snapshot;
  const ctx = contextOf(call);
  const scope = { orgId };
  const target = await getTarget(ctx, scope, environmentId, text);
  const { customer: id, created, facts } = target;
  const [entries, linked, access] = await Promise.all([
    Promise.all(namesOf(target).map((name) => readEntries(ctx.db, scope, name, environmentId))),
    created === null && facts.stripe ? readLinkedCustomers(ctx.db, scope, id) : [],
    checkKnownCustomer(call, { identifier: id, customer: id, facts }),
  ]);
  const grants = entries.flatMap((each) => each.grants);
  const overrides = entries.flatMap((each) => each.overrides);
  const slugs = await readSlugs({ ctx, scope, loaded }, grants, overrides);
  const theirs = factsForIdentifier(facts, id);
  const { name = null, email = null } = created ?? linked.find((each) => each.id === id) ?? {};
  return {
    status: 'success',
    requestId: call.requestId,
    customer: { id, name, email, createdAt: created?.createdAt ?? null },
    grants: grants.map(({ planId, reason, until, createdAt }) => ({
      plan: slugs.planOf(planId),
      reason,
      until,
      createdAt,
    })),
    overrides: overrides.map(({ propertyId, value, reason, until, createdAt }) => ({
      ...slugs.propertyOf(propertyId),
      value,
      reason,
      until,
      createdAt,
    })),
    subscriptions: subscriptionsOf(theirs).map((each) => ({
      id: each.id,
      status: each.status,
      isGranting: activeProducts([each], environmentType).length > 0,
      trialEndAt: each.trialEndAt ?? null,
      cancelAt: each.cancelAt ?? null,
      currentPeriodEndAt: each.currentPeriodEndAt ?? null,
      isPaused: Boolean(each.pauseCollection),
      items: itemsOf(each),
    })),
    access,
  };
}

/** Of facts that an earlier release stored, only the products are known. */
function itemsOf({ items, productIds }: SubscriptionFacts): CustomerAnswer['subscriptions'][number]['items'] {
  if (items === undefined)
    return productIds.map((product) => ({ product, price: null, quantity: null, currentPeriodEndAt: null }));
  return items.map(({ productId, priceId, quantity, periodEndAt }) => ({
    product: productId,
    price: priceId,
    quantity,
    currentPeriodEndAt: periodEndAt,
  }));
}
