/** From which instants the billing windows of a customer may be counted. */
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import { endedIn, subscriptionsOf } from '../entitlements/namesakes.ts';

/** Of all subscriptions and grants: plans and states change while usage stays. Epoch milliseconds. */
export function anchorsOf(facts: CustomerFacts): number[] {
  const anchors = [...subscriptionsOf(facts), ...facts.grants].flatMap(({ anchorAt }) => anchorAt ?? []);
  const changes = subscriptionsOf(facts).flatMap(({ itemsChangedAt }) => itemsChangedAt ?? []);
  const trials = subscriptionsOf(facts).flatMap(({ trialStartAt, trialEndAt }) =>
    trialStartAt === undefined ? [] : [trialStartAt, trialEndAt ?? []].flat(),
  );
  const ended = endedIn(facts).flatMap(({ anchorAt, itemsChangedAt }) =>
    [anchorAt ?? [], itemsChangedAt ?? []].flat(),
  );
  return [...anchors, ...changes, ...trials, ...ended];
}
