// Periods in which plans or quantities changed, where each limit counts for its share of the period.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY, type SubscriptionPolicy } from '#contracts/console/subscription-policy';
import type { CustomerFacts, SubscriptionFacts } from '#contracts/internal/customer-facts';
import type { PropertyValue } from '#contracts/public/values';
import type { Identity } from '#engine/access/identify-subject';
import { resolveSubject } from '#engine/access/resolve-subject';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { DAY_MS } from '#engine/durations';
import { AppliedFactsCache } from '#engine/entitlements/applied-facts-cache';
import { evaluateResolution } from '#engine/entitlements/evaluate';
import { explain } from '#engine/entitlements/explain';
import { prepare } from '#engine/entitlements/prepare';
import { proportionalLimit } from '#engine/entitlements/proportional-limits';
import { planRow, SMALL } from '../small-workspace.ts';

const START = Date.parse('2026-04-01T09:30:00Z');
/** Of a month of 30 days. */
const day = (days: number) => START + days * DAY_MS;
const featureId = 'feat_analytics';
const monthly = (limit: number): PropertyValue => ({
  state: 'metered',
  meter: { limit, periodType: 'billing', periodCount: 1, periodLength: 'month', uniqueResourceIds: false },
});

function preparedWith(rule: 'higher' | 'sum' = 'higher') {
  const values = { free: monthly(10), pro: monthly(100), team: monthly(400), all: { state: 'on' } as const };
  const sold = ['pro', 'team', 'all'];
  return prepare(
    compileArtifact({
      ...SMALL,
      properties: SMALL.properties.map((row) => ({
        ...row,
        ...(row.key === 'exports' && { conflictResolution: rule }),
        ...(row.isSystem && { value: true }),
      })),
      plans: [
        planRow('plan_free', 'free', true, true),
        ...sold.map((plan) => planRow(`plan_${plan}`, plan, false, false)),
      ],
      planValues: Object.entries(values).map(([plan, value]) => ({
        ...{ planId: `plan_${plan}`, featureId, propertyId: 'prop_exports', value },
      })),
      planProducts: sold.map((plan) => ({
        ...{ planId: `plan_${plan}`, integrationId: 'int_1', productId: plan, timesQuantity: plan === 'pro' },
      })),
    }),
  );
}

type Bought = readonly [product: string, quantity?: number];
const items = (...bought: readonly Bought[]) =>
  bought.map(([productId, quantity = 1]) => ({ productId, priceId: `price_${productId}`, quantity }));

const NO_PERIOD = { periodStartAt: null, periodEndAt: null };

/** What is subscribed to now, and before until these days. */
function factsWith(
  now: readonly Bought[],
  before: readonly (readonly [until: number, ...bought: Bought[]])[] = [],
  more: Partial<CustomerFacts> = {},
): CustomerFacts {
  const subscription: SubscriptionFacts = {
    ...{ id: 'sub_1', integrationId: 'int_1', status: 'active', livemode: true, productIds: [] },
    anchorAt: Date.parse('2026-02-01T09:30:20Z'),
    items: items(...now).map((each) => ({ ...each, ...NO_PERIOD })),
    ...(before.length > 0 && {
      formerItems: before.map(([until, ...bought]) => ({ until: day(until), items: items(...bought) })),
    }),
  };
  return {
    ...{ version: 1, grants: [], overrides: [] },
    stripe: {
      ...{ integrationId: 'int_1', customerId: 'cus_1', email: null, isNamedByEmail: false },
      subscriptions: [subscription],
    },
    ...more,
  };
}

function subjectOf(
  facts: CustomerFacts,
  now: number,
  onPlanChange: SubscriptionPolicy['onPlanChange'] = 'proportional',
  prepared = preparedWith(),
  appliedFacts = new AppliedFactsCache(),
) {
  const policy = { ...DEFAULT_POLICY, onPlanChange, name: 'Shop' };
  const snapshot = { environmentType: 'live', subscriptionPolicies: { int_1: policy } } as never;
  const identity = { isAuthenticated: true, identifier: 'cus_1' } as Identity;
  const loaded = { prepared, snapshot, appliedFacts };
  return resolveSubject({ loaded, now }, identity, undefined, { customer: 'cus_1', facts });
}

function answerOf(...given: Parameters<typeof subjectOf>) {
  const { resolution } = subjectOf(...given);
  const { exports } = evaluateResolution(resolution!, null, given[1]).features.analytics!.properties;
  const { limit } = exports as { limit: number };
  return limit;
}

describe('a proportional limit', () => {
  it.each<[string, number, readonly Bought[], Parameters<typeof factsWith>[1]]>([
    ['of an upgrade after a third of the period', 300, [['team']], [[10, ['pro']]]],
    ['of a downgrade after a third of it', 200, [['pro']], [[10, ['team']]]],
    [
      'of three plans, a third each',
      300,
      [['team']],
      [
        [10, ['pro']],
        [20, ['team']],
      ],
    ],
    ['of a quantity', 250, [['pro', 3]], [[15, ['pro', 2]]]],
    ['of a plan that everyone has before', 270, [['team']], [[10, ['gone']]]],
    ['is rounded up', 101, [['pro']], [[0.001, ['team']]]],
    [
      'of changes in earlier periods is whole',
      400,
      [['team']],
      [
        [-3, ['pro']],
        [-1, ['team']],
        [0, ['pro']],
      ],
    ],
    ['after an unlimited plan is the limit', 400, [['team']], [[10, ['all']]]],
    ['without a change is whole', 100, [['pro']], []],
  ])('%s', (_, limit, now, before) => {
    for (const at of [21, 25, 29.9]) expect(answerOf(factsWith(now, before), day(at))).toBe(limit);
  });

  it('adds up where plans do', () => {
    const facts = factsWith([['pro'], ['team']], [[15, ['pro']]]);
    expect(answerOf(facts, day(20), 'proportional', preparedWith('sum'))).toBe(310);
  });

  it('is whole with another policy, for an override, and again from the next period on', () => {
    const before = [[10, ['pro']]] as const;
    const facts = factsWith([['team']], before);
    expect(answerOf(facts, day(20), 'carry')).toBe(400);
    expect(answerOf(facts, day(20), 'restart')).toBe(400);
    const override = { propertyId: 'prop_exports', value: monthly(7), until: null };
    expect(answerOf(factsWith([['team']], before, { overrides: [override] }), day(20))).toBe(7);

    // Remembered facts are applied again when the period ends.
    const prepared = preparedWith();
    const memory = new AppliedFactsCache();
    const limits = [29.9, 30, 59].map((at) => answerOf(facts, day(at), 'proportional', prepared, memory));
    expect(limits).toEqual([300, 400, 400]);
    expect(subjectOf(facts, day(20)).factsUntil).toBe(day(30));
  });

  it('is explained with its parts, and decided by the plan', () => {
    const { resolution } = subjectOf(factsWith([['team']], [[10, ['pro']]]), day(20));
    expect(explain(resolution!).find(({ property }) => property === 'exports')).toMatchObject({
      decidedBy: ['team'],
      anchoredBy: 'sub_1',
      value: monthly(300),
      reason: expect.stringContaining(
        'The limit of this period is made of 100 until 11 Apr 2026, 400 from then on, each for its share.',
      ),
    });
  });

  it('is exact, between the least and the most, and the same when a part is cut in two', () => {
    const parts = fc
      .array(fc.tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.maxSafeNat()), { minLength: 1, maxLength: 8 })
      .map((list) => {
        let from = START;
        const made = list.map(([length, limit]) => {
          const part = { from, limit };
          from += length;
          return part;
        });
        return { made, end: from };
      });
    fc.assert(
      fc.property(parts, fc.nat(), ({ made, end }, place) => {
        const limit = proportionalLimit(made, end);
        const limits = made.map((each) => each.limit);
        expect(limit).toBeGreaterThanOrEqual(Math.min(...limits));
        expect(limit).toBeLessThanOrEqual(Math.max(...limits));
        const cut = made[place % made.length]!;
        const next = made[(place % made.length) + 1]?.from ?? end;
        const half = { from: Math.floor((cut.from + next) / 2), limit: cut.limit };
        const twice = [...made, half].sort((one, other) => one.from - other.from);
        expect(proportionalLimit(twice, end)).toBe(limit);
      }),
    );
  });
});
