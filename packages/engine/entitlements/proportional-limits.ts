/**
 * Limits of billing periods in which a subscription's items changed, where its integration's policy makes them proportional: each limit for the
 * share of the period in which it applied. Computed from facts alone, so every location comes to the same.
 */
import type { CustomerFacts, SubscriptionFacts } from '#contracts/internal/customer-facts';
import type { PropertyValue } from '#contracts/public/values';
import { windowOf } from '../metering/window-of.ts';
import type { SubscriptionRules } from './active-products.ts';
import { anchoredChoice } from './anchor-windows.ts';
import { type AppliedFacts, applyFacts } from './apply-facts.ts';
import { choiceOf } from './choice.ts';
import { subscriptionsOf } from './namesakes.ts';
import type { LimitPart } from './plan-anchors.ts';
import { nothingMade, type Resolution } from './resolution.ts';
import { configuredValue } from './resolve.ts';
import { switchMeters } from './switched-meters.ts';

/** Which period is paid says nothing of limits. */
const NO_PERIOD = { periodStartAt: null, periodEndAt: null };

/**
 * @param applied with the anchors of its windows
 * @returns the same without such a change
 */
export function withProportionalLimits(
  applied: AppliedFacts,
  [prepared, subject, facts, rules, now]: Parameters<typeof applyFacts>,
): AppliedFacts {
  const { resolution } = applied;
  const changes = changesIn(facts, rules);
  if (changes.length === 0 || resolution.anchors === null) return applied;
  const before = new Map<number, Resolution>();
  const resolutionAt = (at: number) => {
    let known = before.get(at);
    if (known === undefined) {
      known = applyFacts(prepared, subject, factsAt(facts, rules, at), rules, now).resolution;
      before.set(at, known);
    }
    return known;
  };
  let until = applied.until;
  const configured = [...resolution.configured];
  const anchors = new Map(resolution.anchors);
  for (const [index, anchor] of resolution.anchors) {
    const [entry, value] = [prepared.properties[index], configured[index]?.value];
    if (entry === undefined || resolution.overrides?.has(index)) continue;
    if (typeof value !== 'object' || value.state !== 'metered' || value.meter.periodType !== 'billing')
      continue;
    const { startsAt, resetsAt } = windowOf({ ...value.meter, ...anchor.window }, now);
    const changed = changes.filter((at) => at > startsAt && at <= now);
    if (changed.length === 0 || resetsAt === null) continue;
    const limitAt = (at: number) => limitIn(configuredValue(resolutionAt(at), entry), value.meter.limit);
    const parts = [
      ...[startsAt, ...changed.slice(0, -1)].map((from) => ({ from, limit: limitAt(from) })),
      { from: changed.at(-1) ?? startsAt, limit: value.meter.limit },
    ];
    const limit = proportionalLimit(parts, resetsAt);
    const shared = { ...anchor, parts };
    const choice = choiceOf({ ...value, meter: { ...value.meter, limit } });
    anchors.set(index, shared);
    configured[index] = choice.meter === null ? choice : anchoredChoice(choice, choice.meter, shared);
    until = Math.min(until, resetsAt);
  }
  if (until === applied.until && ![...anchors.values()].some(({ parts }) => parts)) return applied;
  const choices = switchMeters(prepared, configured);
  return {
    ...applied,
    until,
    resolution: { ...resolution, configured, choices, anchors, made: nothingMade() },
  };
}

/** Each limit times its share of the time from the first until `end`, rounded up. */
export function proportionalLimit(parts: readonly LimitPart[], end: number): number {
  const startsAt = parts[0]?.from ?? end;
  let sum = 0n;
  for (const [place, { from, limit }] of parts.entries())
    sum += BigInt(limit) * BigInt((parts[place + 1]?.from ?? end) - from);
  const length = BigInt(end - startsAt);
  return length === 0n ? 0 : Number((sum + length - 1n) / length);
}

/** What was unlimited counts as what it is limited to now. */
function limitIn(value: PropertyValue, now: number): number {
  if (typeof value !== 'object' || value.state === 'off') return 0;
  return value.state === 'on' ? now : value.meter.limit;
}

function isProportional({ subscriptionPolicies }: SubscriptionRules, { integrationId }: SubscriptionFacts) {
  return subscriptionPolicies?.[integrationId]?.onPlanChange === 'proportional';
}

/** When items changed, in order. */
function changesIn(facts: CustomerFacts, rules: SubscriptionRules): number[] {
  const changes = subscriptionsOf(facts)
    .filter(({ formerItems }) => formerItems !== undefined)
    .filter((each) => isProportional(rules, each))
    .flatMap(({ formerItems = [] }) => formerItems.map(({ until }) => until));
  return [...new Set(changes)].sort((one, other) => one - other);
}

/** With the items that subscriptions had at an instant. */
function factsAt(facts: CustomerFacts, rules: SubscriptionRules, at: number): CustomerFacts {
  const former = (subscription: SubscriptionFacts): SubscriptionFacts => {
    const before = subscription.formerItems?.find(({ until }) => until > at);
    return before === undefined || !isProportional(rules, subscription)
      ? subscription
      : { ...subscription, items: before.items.map((item) => ({ ...item, ...NO_PERIOD })) };
  };
  const { stripe, namesakes } = facts;
  return {
    ...facts,
    ...(stripe && { stripe: { ...stripe, subscriptions: stripe.subscriptions.map(former) } }),
    ...(namesakes && {
      namesakes: namesakes.map((each) => ({ ...each, subscriptions: each.subscriptions.map(former) })),
    }),
  };
}
