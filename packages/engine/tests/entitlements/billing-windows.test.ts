/** Meters that count by billing period: which anchor is a customer's, and what answers, reads and explanations make of it. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { CustomerFacts, SubscriptionFacts } from '#contracts/internal/customer-facts';
import type { PropertyValue } from '#contracts/public/values';
import type { Identity } from '#engine/access/identify-subject';
import { resolveSubject } from '#engine/access/resolve-subject';
import { compileArtifact, type Workspace } from '#engine/artifacts/compile-artifact';
import { MINUTE_MS } from '#engine/durations';
import { anchorWindows } from '#engine/entitlements/anchor-windows';
import { AppliedFactsCache } from '#engine/entitlements/applied-facts-cache';
import { applyFacts } from '#engine/entitlements/apply-facts';
import { evaluateResolution } from '#engine/entitlements/evaluate';
import { explain } from '#engine/entitlements/explain';
import { overrideValues } from '#engine/entitlements/override-values';
import { prepare } from '#engine/entitlements/prepare';
import { renderFeatures } from '#engine/entitlements/render-features';
import { resolve } from '#engine/entitlements/resolve';
import { usageReadsOf } from '#engine/entitlements/usage-reads';
import { anniversaryOf, billingWindow } from '#engine/metering/billing-window';
import { instant, workspace } from '../arbitraries.ts';
import { planRow, SMALL } from '../small-workspace.ts';

const NOW = Date.parse('2026-03-10T12:00:00Z');
const on = (text: string) => Date.parse(`${text}T09:30:00Z`);
const featureId = 'feat_analytics';
const RULES = { environmentType: 'live' } as const;

const monthly = (limit: number, periodCount = 1): PropertyValue => ({
  state: 'metered',
  meter: { limit, periodType: 'billing', periodCount, periodLength: 'month', uniqueResourceIds: false },
});

/** Sells `free` to everyone, and `pro`, `team` and the add-on `extra` by products of those names. */
function preparedWith(
  limits: Readonly<Record<string, PropertyValue>>,
  rule: 'higher' | 'sum' = 'higher',
  byDefault: PropertyValue = { state: 'on' },
) {
  const rows: Workspace = {
    ...SMALL,
    properties: SMALL.properties.map((row) =>
      row.key === 'exports'
        ? { ...row, conflictResolution: rule, value: byDefault }
        : { ...row, value: row.isSystem ? true : row.value },
    ),
    plans: [
      planRow('plan_free', 'free', true, true),
      planRow('plan_pro', 'pro', false, false),
      planRow('plan_team', 'team', false, false),
      { ...planRow('plan_extra', 'extra', false, false), isAddOn: true },
    ],
    planValues: Object.entries(limits).map(([plan, value]) => ({
      ...{ planId: `plan_${plan}`, featureId, propertyId: 'prop_exports', value },
    })),
    planProducts: ['pro', 'team', 'extra'].map((plan) => ({
      ...{ planId: `plan_${plan}`, integrationId: 'int_1', productId: plan },
    })),
  };
  return prepare(compileArtifact(rows));
}

const subscription = (
  product: string,
  anchorAt?: number,
  fields: Partial<SubscriptionFacts> = {},
): SubscriptionFacts => ({
  id: `sub_${product}`,
  integrationId: 'int_1',
  status: 'active',
  livemode: true,
  productIds: [product],
  ...(anchorAt !== undefined && { anchorAt }),
  ...fields,
});

const factsWith = (
  subscriptions: readonly SubscriptionFacts[],
  more: Partial<CustomerFacts> = {},
): CustomerFacts => ({
  version: 1,
  grants: [],
  overrides: [],
  stripe: { integrationId: 'int_1', customerId: 'cus_1', email: null, isNamedByEmail: false, subscriptions },
  ...more,
});

const applied = (prepared: ReturnType<typeof preparedWith>, facts: CustomerFacts, now = NOW) =>
  anchorWindows(
    applyFacts(prepared, { isAuthenticated: true }, facts, RULES, now).resolution,
    facts,
    RULES,
    now,
  );

/** Who anchors the exports, and when they reset. */
function anchorOf(prepared: ReturnType<typeof preparedWith>, facts: CustomerFacts) {
  const resolution = applied(prepared, facts);
  const [read] = usageReadsOf(resolution, undefined).reads;
  const { exports } = evaluateResolution(resolution, null, NOW).features.analytics!.properties;
  const { anchoredBy } = explain(resolution).find(({ property }) => property === 'exports')!;
  const { resetsAt = null } = exports as { resetsAt?: number };
  if (anchoredBy !== undefined && resetsAt !== null)
    expect(resetsAt).toBe(billingWindow(read!.meter.anchorAt!, read!.meter.periodCount!, NOW).resetsAt);
  return { anchoredBy, resetsAt: resetsAt && new Date(resetsAt).toISOString() };
}

const CALENDAR = { anchoredBy: undefined, resetsAt: '2026-04-01T00:00:00.000Z' };
const of = (by: string, resetsAt: string) => ({ anchoredBy: by, resetsAt: `${resetsAt}T09:30:00.000Z` });
const LIMITS = { free: monthly(10), pro: monthly(100), team: monthly(200), extra: monthly(50) };

describe('the anchor of a meter', () => {
  test.each<[string, readonly SubscriptionFacts[], 'higher' | 'sum', ReturnType<typeof anchorOf>]>([
    ['of a plan that everyone has is the first of the month', [], 'higher', CALENDAR],
    [
      'of a subscription is its own',
      [subscription('pro', on('2025-08-31'))],
      'higher',
      of('sub_pro', '2026-03-31'),
    ],
    ['that nobody knows is the first of the month', [subscription('pro')], 'higher', CALENDAR],
    [
      'is that of the value which wins, not of the earlier subscription',
      [subscription('pro', on('2025-01-05')), subscription('team', on('2026-02-20'))],
      'higher',
      of('sub_team', '2026-03-20'),
    ],
    [
      'of a plan that comes twice is the earlier',
      [subscription('pro', on('2026-02-20')), subscription('pro', on('2025-01-05'), { id: 'sub_old' })],
      'higher',
      of('sub_old', '2026-04-05'),
    ],
    [
      'of a subscription that gives nothing counts for nothing',
      [subscription('pro', on('2026-02-20')), subscription('pro', on('2025-01-05'), { status: 'canceled' })],
      'higher',
      of('sub_pro', '2026-03-20'),
    ],
    [
      'of a sum is that of the plan that is no add-on',
      [subscription('extra', on('2024-06-07')), subscription('pro', on('2026-02-20'))],
      'sum',
      of('sub_pro', '2026-03-20'),
    ],
    [
      'of a sum of two such plans is the earlier',
      [subscription('team', on('2026-02-25')), subscription('pro', on('2026-02-20'))],
      'sum',
      of('sub_pro', '2026-03-20'),
    ],
  ])('%s', (_, subscriptions, rule, expected) => {
    expect(anchorOf(preparedWith(LIMITS, rule), factsWith(subscriptions))).toEqual(expected);
  });

  it('of a grant is its own while it lasts', () => {
    const granted = (until: number | null) =>
      factsWith([], { grants: [{ planId: 'plan_pro', until, anchorAt: on('2026-01-31') }] });
    expect(anchorOf(preparedWith(LIMITS), granted(null))).toEqual(of('grant', '2026-03-31'));
    expect(anchorOf(preparedWith(LIMITS), granted(NOW))).toEqual(CALENDAR);
  });

  it('of an override, and of usage that is counted while a meter is on, is that of the plan that is no add-on', () => {
    const bought = [subscription('extra', on('2024-06-07')), subscription('pro', on('2026-02-20'))];
    const override = { propertyId: 'prop_exports', value: monthly(1), until: null };
    expect(anchorOf(preparedWith(LIMITS), factsWith(bought, { overrides: [override] }))).toEqual(
      of('sub_pro', '2026-03-20'),
    );
    const unlimited = preparedWith({ pro: { state: 'on' } }, 'higher', monthly(10));
    const [read] = usageReadsOf(applied(unlimited, factsWith(bought)), undefined).reads;
    expect(read?.meter).toMatchObject({ periodType: 'billing', anchorAt: on('2026-02-20') });
  });

  it('of a value that a workflow sets is the same, and stays if another value is set', () => {
    const facts = factsWith([subscription('pro', on('2026-02-20'))]);
    const plain = preparedWith({ pro: { state: 'on' } });
    const given = overrideValues(applied(plain, facts), [
      { propertyId: 'prop_exports', value: monthly(7), source: 'workflow x' },
    ]).resolution;
    const anchored = anchorWindows(given, facts, RULES, NOW);
    expect(usageReadsOf(anchored, undefined).reads[0]?.meter.anchorAt).toBe(on('2026-02-20'));
    expect(anchorWindows(anchored, facts, RULES, NOW)).toBe(anchored);
  });
});

describe('a customer with a billing window', () => {
  it('has one that begins with a minute, as usage is counted', () => {
    const bought = factsWith([subscription('pro', on('2026-02-20') + 59_999)]);
    expect(anchorOf(preparedWith(LIMITS), bought)).toEqual(of('sub_pro', '2026-03-20'));
  });

  it('does not change what others with the same plans have', () => {
    const prepared = preparedWith(LIMITS);
    const own = applied(prepared, factsWith([subscription('pro', on('2026-02-20'))]));
    const other = applied(prepared, factsWith([subscription('pro', on('2026-02-21'))]));
    expect([own, other].map((each) => usageReadsOf(each, undefined).reads[0]?.meter.anchorAt)).toEqual([
      on('2026-02-20'),
      on('2026-02-21'),
    ]);
    const shared = applied(prepared, factsWith([subscription('pro')]));
    expect(usageReadsOf(shared, undefined).reads[0]?.meter.anchorAt).toBeUndefined();
  });

  it('has its own values also when they are remembered', () => {
    const prepared = preparedWith(LIMITS);
    const facts = factsWith([subscription('pro', on('2026-02-20'))]);
    const loaded = { prepared, snapshot: RULES as never, appliedFacts: new AppliedFactsCache() };
    const identity = { isAuthenticated: true, identifier: 'cus_1' } as Identity;
    const [first, again] = [NOW, NOW + 1].map(
      (now) => resolveSubject({ loaded, now }, identity, undefined, { customer: 'cus_1', facts }).resolution,
    );
    expect(again).toBe(first);
    expect(usageReadsOf(again!, undefined).reads[0]?.meter.anchorAt).toBe(on('2026-02-20'));
  });

  it('resets when the subscription’s next month begins, which a yearly plan has, too', () => {
    const yearly = { currentPeriodEndAt: on('2026-08-31') };
    expect(
      anchorOf(preparedWith(LIMITS), factsWith([subscription('pro', on('2025-08-31'), yearly)])).resetsAt,
    ).toBe('2026-03-31T09:30:00.000Z');
    const pot = preparedWith({ pro: monthly(1200, 12) });
    expect(anchorOf(pot, factsWith([subscription('pro', on('2025-08-31'), yearly)])).resetsAt).toBe(
      '2026-08-31T09:30:00.000Z',
    );
  });

  it('goes on while payments are overdue, or nothing is collected', () => {
    const paused = { pauseCollection: { behavior: 'void', resumesAt: null } };
    for (const fields of [{}, { status: 'past_due', pastDueAt: NOW }, paused]) {
      const facts = factsWith([subscription('pro', on('2026-02-20'), fields)]);
      expect(anchorOf(preparedWith(LIMITS), facts)).toEqual(of('sub_pro', '2026-03-20'));
    }
  });

  it('begins a fresh window when Stripe restarts the cycle', () => {
    const [before, after] = [on('2026-02-20'), Date.parse('2026-03-10T11:59:00Z')].map((anchorAt) =>
      anchorOf(preparedWith(LIMITS), factsWith([subscription('pro', anchorAt)])),
    );
    expect(before?.resetsAt).toBe('2026-03-20T09:30:00.000Z');
    expect(after?.resetsAt).toBe('2026-04-10T11:59:00.000Z');
  });
});

test.each([
  ['a plan that everyone has', [], [0, 2]],
  ['a plan of its own', [subscription('pro')], [2, 2]],
  ['another plan, which does not set the meter', [subscription('team')], [0, 2]],
])('with %s, a balance that needs a plan counts where it says', (_, bought, [needing, other]) => {
  const prepared = preparedWith({ free: monthly(10), pro: monthly(100) });
  const balance = {
    ...{ id: 'bal_1', propertyId: 'prop_exports', amount: 2, category: 'paid' as const, priority: 50 },
    ...{ startsAt: 0, endsAt: null },
  };
  const limitWith = (facts: CustomerFacts) => {
    const { exports } = evaluateResolution(applied(prepared, facts), null, NOW).features.analytics!
      .properties;
    return (exports as { limit: number }).limit;
  };
  const without = limitWith(factsWith(bought));
  const needsPlan = { balances: [{ ...balance, needsPlan: true as const }] };
  expect(limitWith(factsWith(bought, needsPlan)) - without).toBe(needing);
  expect(limitWith(factsWith(bought, { balances: [balance] })) - without).toBe(other);
});

it('without billing windows the values are those of all customers with the plans, whatever the anchors', () => {
  const cases = workspace.filter((rows) => !JSON.stringify(rows).includes('billing'));
  fc.assert(
    fc.property(cases, instant, (rows, anchorAt) => {
      const prepared = prepare(compileArtifact(rows));
      const bought = rows.planProducts.map(({ integrationId, productId }, index) =>
        subscription(productId, anchorAt, { id: `sub_${index}`, integrationId }),
      );
      const facts = factsWith(bought);
      const { planSet } = applyFacts(prepared, { isAuthenticated: true }, facts, RULES, NOW);
      expect(applied(prepared, facts)).toBe(resolve(prepared, planSet));
    }),
    { numRuns: 100 },
  );
});

it('the rendered answer is the evaluated one, for any anchor and reading', () => {
  const reading = fc.option(fc.record({ used: fc.nat(12), ahead: fc.integer({ min: -5, max: 5 }) }));
  fc.assert(
    fc.property(instant, instant, fc.integer({ min: 1, max: 12 }), reading, (anchorAt, now, count, read) => {
      const prepared = preparedWith({ pro: monthly(10, count) });
      const minute = Math.floor(anchorAt / MINUTE_MS) * MINUTE_MS;
      const resolution = applied(prepared, factsWith([subscription('pro', anchorAt)]), now);
      const readings = read && new Map([['prop_exports', { used: read.used, resetsAt: now + read.ahead }]]);
      const { json, resetsAt } = renderFeatures(resolution, readings, now);
      expect(JSON.parse(json)).toEqual(
        JSON.parse(JSON.stringify(evaluateResolution(resolution, readings, now).features)),
      );
      const isKnown = read !== null && read.ahead > 0;
      expect(resetsAt).toBe(
        isKnown ? now + read.ahead : anniversaryOf(minute, monthsUntilReset(minute, count, now)),
      );
    }),
  );
});

/** By stepping from the anchor. */
function monthsUntilReset(anchor: number, count: number, now: number): number {
  let months = 0;
  while (anniversaryOf(anchor, months) > now) months -= count;
  while (anniversaryOf(anchor, months) <= now) months += count;
  return months;
}
