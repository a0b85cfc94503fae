/**
 * Applies a customer's facts (subscribed products, manual grants and overrides) on top of the plans that everybody has.
 */
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import { nextChangeOf } from '../balances/drawing-order.ts';
import type { Issue } from '../values/issue.ts';
import { accessIn, activeProducts, isInTrial, type SubscriptionRules } from './active-products.ts';
import { attachBalances } from './attach-balances.ts';
import { subscriptionsOf } from './namesakes.ts';
import { OVERRIDE, overrideValues } from './override-values.ts';
import type { PlanSet } from './plan-set.ts';
import { plansOf, type Subject } from './plans-of.ts';
import type { PreparedArtifact, PreparedProperty } from './prepared-artifact.ts';
import type { Resolution } from './resolution.ts';
import { resolve } from './resolve.ts';

const NONE: readonly never[] = [];

export interface AppliedFacts {
  readonly resolution: Resolution;
  /** The resolution's, before overrides. */
  readonly planSet: PlanSet;
  /**
   * The earliest end of an active grant or override, the next start or end of a balance, the end of a trial, or when a subscription starts or ends to count by the clock alone, which limits
   * how long the answer is valid. Infinity if there is none.
   */
  readonly until: number;
  /** Overrides that do not fit their property in this version. They are ignored. */
  readonly refused: readonly { readonly property: PreparedProperty; readonly issues: readonly Issue[] }[];
}

/** Expects active facts, those of `factsForIdentifier`. Expired entries, and plans and properties that this version does not have, are ignored. */
export function applyFacts(
  prepared: PreparedArtifact,
  subject: Subject,
  facts: CustomerFacts,
  rules: SubscriptionRules,
  now: number,
): AppliedFacts {
  const { grants, overrides, balances = NONE } = facts;
  const subscriptions = subscriptionsOf(facts);
  const isActive = ({ until }: { readonly until: number | null }) => until === null || until > now;
  const active = [...grants, ...overrides].filter(isActive);
  const until = Math.min(
    ...active.map((each) => each.until ?? Infinity),
    ...subscriptions.map((each) => accessIn(rules, each, now).until),
    ...subscriptions.map((each) => (isInTrial(each, now) ? (each.trialEndAt ?? Infinity) : Infinity)),
    nextChangeOf(balances, now),
  );
  const planSet = plansOf(prepared, {
    ...subject,
    products: activeProducts(subscriptions, rules, now),
    grantedPlanIds: grants.filter(isActive).map(({ planId }) => planId),
  });
  const known = overrides.filter((each) => isActive(each) && prepared.propertyById.has(each.propertyId));
  const { resolution, refused } = overrideValues(
    resolve(prepared, planSet),
    known.map(({ propertyId, value }) => ({ propertyId, value, source: OVERRIDE })),
  );
  return {
    resolution: attachBalances(resolution, facts, now),
    planSet,
    until,
    refused: refused.flatMap(({ override, issues }) => {
      const property = prepared.propertyById.get(override.propertyId);
      return property === undefined ? [] : [{ property, issues }];
    }),
  };
}
