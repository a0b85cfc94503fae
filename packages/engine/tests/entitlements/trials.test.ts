/** Subscriptions in a trial: the trial is one billing window, and a plan may limit something else during it. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { DEFAULT_POLICY } from '#contracts/console/subscription-policy';
import type { CustomerFacts, EndedSubscription, SubscriptionFacts } from '#contracts/internal/customer-facts';
import type { PropertyValue } from '#contracts/public/values';
import { compileArtifact, type Workspace } from '#engine/artifacts/compile-artifact';
import { diffArtifacts } from '#engine/artifacts/diff-artifacts';
import { anchorWindows } from '#engine/entitlements/anchor-windows';
import { applyFacts } from '#engine/entitlements/apply-facts';
import { evaluateResolution } from '#engine/entitlements/evaluate';
import { explain } from '#engine/entitlements/explain';
import { explainRecorded } from '#engine/entitlements/explain-recorded';
import { nextAnchorAt, planAnchorsOf } from '#engine/entitlements/plan-anchors';
import { prepare } from '#engine/entitlements/prepare';
import { usageReadsOf } from '#engine/entitlements/usage-reads';
import { billingWindow } from '#engine/metering/billing-window';
import { windowOf } from '#engine/metering/window-of';
import { planRow, SMALL } from '../small-workspace.ts';

const NOW = Date.parse('2026-03-10T12:00:00Z');
const START = Date.parse('2026-02-01T09:30:00Z');
const END = Date.parse('2026-04-02T09:30:00Z');
const featureId = 'feat_analytics';
const RULES = { environmentType: 'live' } as const;

const monthly = (limit: number, trialLimit?: number): PropertyValue => ({
  state: 'metered',
  meter: {
    ...{ limit, periodType: 'billing', periodCount: 1, periodLength: 'month', uniqueResourceIds: false },
    ...(trialLimit !== undefined && { trialLimit }),
  },
});

function contentWith(limits: Readonly<Record<string, PropertyValue>>, rule: 'higher' | 'sum' = 'higher') {
  const rows: Workspace = {
    ...SMALL,
    properties: SMALL.properties.map((row) => ({
      ...row,
      ...(row.key === 'exports' && { conflictResolution: rule }),
      ...(row.isSystem && { value: true }),
    })),
    plans: [
      planRow('plan_free', 'free', true, true),
      planRow('plan_pro', 'pro', false, false),
      planRow('plan_team', 'team', false, false),
    ],
    planValues: Object.entries(limits).map(([plan, value]) => ({
      ...{ planId: `plan_${plan}`, featureId, propertyId: 'prop_exports', value },
    })),
    planProducts: ['pro', 'team'].map((plan) => ({
      ...{ planId: `plan_${plan}`, integrationId: 'int_1', productId: plan, timesQuantity: plan === 'team' },
    })),
  };
  return compileArtifact(rows);
}

const trial: Partial<SubscriptionFacts> = {
  ...{ status: 'trialing', anchorAt: END, trialStartAt: START, trialEndAt: END },
};

const subscription = (product: string, fields: Partial<SubscriptionFacts> = trial): SubscriptionFacts => ({
  ...{
    id: `sub_${product}`,
    integrationId: 'int_1',
    status: 'active',
    livemode: true,
    productIds: [product],
  },
  anchorAt: Date.parse('2026-02-20T09:30:00Z'),
  ...fields,
});

const factsWith = (subscriptions: readonly SubscriptionFacts[], grants: CustomerFacts['grants'] = []) => ({
  ...{ version: 1, grants, overrides: [] },
  stripe: { integrationId: 'int_1', customerId: 'cus_1', email: null, isNamedByEmail: false, subscriptions },
});

function resolved(content: ReturnType<typeof contentWith>, facts: CustomerFacts, now = NOW) {
  const prepared = prepare(content);
  const applied = applyFacts(prepared, { isAuthenticated: true }, facts, RULES, now);
  return { prepared, until: applied.until, resolution: anchorWindows(applied.resolution, facts, RULES, now) };
}

function answerOf(content: ReturnType<typeof contentWith>, facts: CustomerFacts, now = NOW) {
  const { resolution } = resolved(content, facts, now);
  const { exports } = evaluateResolution(resolution, null, now).features.analytics!.properties;
  const { limit, resetsAt } = exports as { limit: number; resetsAt: number };
  return { limit, resetsAt };
}

const LIMITS = { free: monthly(10), pro: monthly(100, 20), team: monthly(200) };

describe('a trial', () => {
  it('is one window with the limit of trials, and the first paid month begins at its end', () => {
    const content = contentWith(LIMITS);
    const facts = factsWith([subscription('pro')]);
    expect(answerOf(content, facts)).toEqual({ limit: 20, resetsAt: END });
    // The second month of the trial has no quota of its own.
    expect(usageReadsOf(resolved(content, facts).resolution, undefined).reads[0]?.meter).toMatchObject({
      ...{ anchorAt: START, trialEndAt: END },
    });
    expect(answerOf(content, facts, END - 1)).toEqual({ limit: 20, resetsAt: END });
    // By the clock, before Stripe says that the subscription is active.
    expect(answerOf(content, facts, END)).toEqual({
      ...{ limit: 100, resetsAt: Date.parse('2026-05-02T09:30:00Z') },
    });
    expect(resolved(content, facts).until).toBe(END);
  });

  it('without a limit of its own has the plan’s', () => {
    expect(answerOf(contentWith({ pro: monthly(100) }), factsWith([subscription('pro')]))).toEqual({
      ...{ limit: 100, resetsAt: END },
    });
  });

  it('whose start is not known has the limit of trials, in the window of the anchor', () => {
    const { trialStartAt: _, ...unknown } = trial;
    expect(answerOf(contentWith(LIMITS), factsWith([subscription('pro', unknown)]))).toEqual({
      ...{ limit: 20, resetsAt: billingWindow(END, 1, NOW).resetsAt },
    });
  });

  test.each<[string, CustomerFacts]>([
    ['another subscription', factsWith([subscription('pro'), subscription('pro', { id: 'sub_paid' })])],
    ['a grant', factsWith([subscription('pro')], [{ planId: 'plan_pro', until: null, anchorAt: START }])],
  ])('limits nothing if %s gives the plan, too', (_what, facts) => {
    const { limit, resetsAt } = answerOf(contentWith(LIMITS), facts);
    expect(limit).toBe(100);
    expect(resetsAt).not.toBe(END);
  });

  it('of a plan beside others is merged with its limit of trials: the larger one wins, or they add up', () => {
    const both = factsWith([subscription('pro'), subscription('team', {})]);
    expect(answerOf(contentWith(LIMITS), both).limit).toBe(200);
    expect(answerOf(contentWith(LIMITS, 'sum'), both).limit).toBe(230);
    const small = { ...LIMITS, free: monthly(30) };
    expect(answerOf(contentWith(small), factsWith([subscription('pro')])).limit).toBe(30);
  });

  it('comes times the quantity', () => {
    const facts = factsWith([
      subscription('team', {
        ...trial,
        items: [{ productId: 'team', priceId: 'price', quantity: 3, periodStartAt: null, periodEndAt: null }],
      }),
    ]);
    expect(answerOf(contentWith({ team: monthly(100, 7) }), facts).limit).toBe(21);
  });

  it('is explained, also afterwards, and each plan keeps its own where limits are equal', () => {
    const content = contentWith({ ...LIMITS, team: monthly(100, 50) });
    const { prepared, resolution } = resolved(content, factsWith([subscription('pro')]));
    const found = explain(resolution).find(({ property }) => property === 'exports');
    expect(found).toMatchObject({ value: monthly(20), decidedBy: ['pro'], anchoredBy: 'sub_pro' });
    const answer = evaluateResolution(resolution, null, NOW).features;
    const recorded = explainRecorded(prepared, { plans: ['free', 'pro'] }, answer as never, []);
    expect(recorded.find(({ property }) => property === 'exports')?.decidedBy).toEqual(['pro']);
    expect(answerOf(content, factsWith([subscription('team')])).limit).toBe(50);
  });
});

it('a change of items begins a period where the policy of the account says so, and in no trial', () => {
  const content = contentWith({ pro: monthly(100) });
  const itemsChangedAt = Date.parse('2026-03-05T18:20:30Z');
  const policy = { ...DEFAULT_POLICY, onPlanChange: 'restart', name: 'Shop' } as const;
  const anchorsOf = (fields: Partial<SubscriptionFacts>) =>
    [undefined, { int_1: policy }].map((subscriptionPolicies) => {
      const facts = factsWith([subscription('pro', { itemsChangedAt, ...fields })]);
      const rules = { ...RULES, ...(subscriptionPolicies && { subscriptionPolicies }) };
      return [...planAnchorsOf(prepare(content), facts, rules, NOW).values()].map(({ window }) => window);
    });
  const anchorAt = Date.parse('2026-02-20T09:30:00Z');
  expect(anchorsOf({})).toEqual([[{ anchorAt }], [{ anchorAt: Date.parse('2026-03-05T18:20:00Z') }]]);
  const inTrial = [{ anchorAt: START, trialEndAt: END }];
  expect(anchorsOf(trial)).toEqual([inTrial, inTrial]);
});

it('after a trial its end begins a period, although items changed in it, where the policy begins one with a change', () => {
  const prepared = prepare(contentWith({ pro: monthly(100) }));
  const itemsChangedAt = Date.parse('2026-03-05T18:20:30Z');
  const policy = {
    ...DEFAULT_POLICY,
    onPlanChange: 'restart',
    name: 'Shop',
    minDaysBetweenResets: 30,
  } as const;
  const rules = { ...RULES, subscriptionPolicies: { int_1: policy } };
  const windowAt = (
    subscriptions: readonly SubscriptionFacts[],
    now: number,
    ended: readonly EndedSubscription[] = [],
  ) => {
    const facts = factsWith(subscriptions);
    const known = { ...facts, stripe: { ...facts.stripe!, ended } };
    const [anchor] = planAnchorsOf(prepared, known, rules, now).values();
    return (anchor?.continued?.(1) ?? anchor)?.window;
  };
  const changed = { itemsChangedAt, anchorAt: END };
  const hour = 3_600_000;
  expect(windowAt([subscription('pro', { ...changed, ...trial })], END + hour)).toEqual({ anchorAt: END });
  expect(windowAt([subscription('pro', changed)], END + hour)).toEqual({ anchorAt: END });
  // Before the provider's cycle begins, the change has begun one.
  expect(windowAt([subscription('pro', changed)], END - hour)).toEqual({
    anchorAt: Date.parse('2026-03-05T18:20:00Z'),
  });
  const facts = factsWith([subscription('pro', changed)]);
  expect([END - hour, END].map((now) => nextAnchorAt(facts, now))).toEqual([END, Infinity]);
  const ended = [{ id: 'sub_before', ...changed, endedAt: END + hour }];
  const again = subscription('pro', { anchorAt: END + 2 * hour });
  expect(windowAt([again], END + 3 * hour, ended)).toEqual({ anchorAt: END });
});

it('a version says that a release must know limits of trials, and the difference of two versions does not', () => {
  const before = contentWith({ pro: monthly(100) });
  const after = contentWith(LIMITS);
  const requires = (content: typeof after) =>
    content.features[0]!.properties.find(({ key }) => key === 'exports')?.requires;
  expect(requires(before)).toBeUndefined();
  expect(requires(after)).toEqual(['trial-limit']);
  const changed = diffArtifacts(before, after).filter(({ itemType }) => itemType === 'feature-property');
  expect(changed).toEqual([]);
});

it('windows of a trial and around it follow each other without a gap', () => {
  const instant = fc.integer({ min: Date.UTC(2020), max: Date.UTC(2030) });
  const days = fc.integer({ min: 1, max: 730 });
  fc.assert(
    fc.property(
      instant,
      days,
      instant,
      fc.integer({ min: 1, max: 12 }),
      (anchorAt, length, now, periodCount) => {
        const trialEndAt = anchorAt + length * 86_400_000;
        const meter = {
          periodType: 'billing',
          periodCount,
          periodLength: 'month',
          anchorAt,
          trialEndAt,
        } as const;
        const { startsAt, resetsAt } = windowOf(meter, now);
        expect(startsAt <= now && now < resetsAt!).toBe(true);
        expect(windowOf(meter, startsAt)).toEqual({ startsAt, resetsAt });
        expect(windowOf(meter, resetsAt!).startsAt).toBe(resetsAt);
        expect(windowOf(meter, startsAt - 1).resetsAt).toBe(startsAt);
        if (now >= anchorAt && now < trialEndAt)
          expect({ startsAt, resetsAt }).toEqual({ startsAt: anchorAt, resetsAt: trialEndAt });
      },
    ),
  );
});
