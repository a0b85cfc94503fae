/** Reads a customer for the public API: who it is, what was granted and overridden, its subscriptions, and what a check answers. */
import type { CustomerAnswer } from '#contracts/public/customers';
import { factsForIdentifier } from '#engine/entitlements/namesakes';
import { subscriptionStates } from '#engine/entitlements/subscription-states';
import { checkKnownCustomer } from '#worker/domains/access/answers/check-known-customer';
import type { PublicCall } from '#worker/domains/access/calls/public-call';
import { readLinkedCustomers } from '#worker/domains/customer-facts/read-linked-customers';
import { readEntries } from '#worker/domains/customers/entries/customer-store';
import { namesOf } from '#worker/domains/customers/entries/resolve-alias';
import { readSlugs } from './find-slugs.ts';
import { getTarget } from './find-target.ts';
import { contextOf } from './open-provisioning.ts';

/** @throws {ApiError} invalid-request naming customer; not-found */
export async function readCustomer(call: PublicCall, text: string): Promise<CustomerAnswer> {
  const { loaded } = call.authenticated;
  const { orgId, environmentId } = loaded.snapshot;
  const ctx = contextOf(call);
  const scope = { orgId };
  const target = await getTarget(ctx, scope, environmentId, text);
  const { customer: id, created, facts } = target;
  const [entries, linked, access] = await Promise.all([
    Promise.all(namesOf(target).map((name) => readEntries(ctx.db, scope, name, environmentId))),
    facts.stripe ? readLinkedCustomers(ctx, scope, id) : [],
    checkKnownCustomer(call, { identifier: id, customer: id, facts }),
  ]);
  const grants = entries.flatMap((each) => each.grants);
  const overrides = entries.flatMap((each) => each.overrides);
  const slugs = await readSlugs({ ctx, scope, loaded }, grants, overrides);
  const theirs = factsForIdentifier(facts, id);
  const atStripe = linked.find(
    (each) =>
      each.id === id || each.joins.some((join) => join.environmentId === environmentId && join.sameAs === id),
  );
  const name = created?.name ?? atStripe?.name ?? null;
  const email = created?.email ?? atStripe?.email ?? null;
  const userId = created === null ? (facts.userIds?.[0]?.id ?? null) : created.userId;
  return {
    status: 'success',
    requestId: call.requestId,
    customer: { id, name, email, userId, createdAt: created?.createdAt ?? null },
    grants: grants.map(({ planId, reason, until, createdAt }) => {
      const plan = slugs.planOf(planId);
      const hasEnded = until !== null && until <= ctx.now;
      return { plan, reason, until, createdAt, isActive: !hasEnded && access.customer.plans.includes(plan) };
    }),
    overrides: overrides.map(({ propertyId, value, reason, until, createdAt }) => ({
      ...slugs.propertyOf(propertyId),
      value,
      reason,
      until,
      createdAt,
    })),
    subscriptions: subscriptionStates(theirs, loaded.snapshot, ctx.now),
    access,
  };
}
