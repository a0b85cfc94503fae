/** Balances that open a feature without a plan. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BalanceFacts, CustomerFacts } from '#contracts/internal/customer-facts';
import type { Meter, MeterableValue } from '#contracts/public/values';
import { compileArtifact, type Workspace } from '#engine/artifacts/compile-artifact';
import { applyFacts } from '#engine/entitlements/apply-facts';
import { evaluateResolution } from '#engine/entitlements/evaluate';
import { explain, readUsage } from '#engine/entitlements/explain';
import { prepare } from '#engine/entitlements/prepare';
import { meterable } from '../arbitraries.ts';
import { planRow, SMALL } from '../small-workspace.ts';

const NOW = 1_000;
const RULES = { environmentType: 'live' } as const;
const BALANCE: BalanceFacts = {
  ...{ id: 'bal_1', name: 'inv-1', propertyId: 'prop_exports', amount: 50, category: 'paid' },
  ...{ startsAt: 0, endsAt: null, priority: 50 },
};
const METER: Meter = { limit: 7, periodType: 'lifetime', uniqueResourceIds: false };

interface Given {
  readonly balanceOpens?: boolean;
  /** The meter's default. */
  readonly value?: MeterableValue;
  readonly balance?: Partial<BalanceFacts>;
  readonly overrides?: CustomerFacts['overrides'];
  readonly grants?: CustomerFacts['grants'];
  /** Plans of everyone, which set the meter off. */
  readonly hasFree?: boolean;
  readonly switchesMeters?: boolean;
}

function answerOf({ balanceOpens = true, value = { state: 'off' }, ...given }: Given, now = NOW) {
  const { hasFree = false, switchesMeters = true, balance = {}, overrides = [], grants = [] } = given;
  const rows: Workspace = {
    ...SMALL,
    plans: [planRow('plan_free', 'free', hasFree, hasFree), planRow('plan_pro', 'pro', false, false)],
    properties: SMALL.properties.map((row) =>
      row.id === 'prop_exports' ? { ...row, value, balanceOpens } : row,
    ),
  };
  const content = { ...compileArtifact(rows), ...(switchesMeters && { switchesMeters: true as const }) };
  const facts = { version: 1, overrides, grants, balances: [{ ...BALANCE, ...balance }] };
  const subject = { isAuthenticated: true };
  const { resolution, until } = applyFacts(prepare(content), subject, facts, RULES, now);
  const readings = new Map([['prop_exports', { used: 20, draws: { inWindow: 20, grants: { bal_1: 20 } } }]]);
  const { features } = evaluateResolution(resolution, readings, now);
  const said = explain(resolution, undefined, readUsage(readings, now));
  const { analytics } = features;
  if (analytics === undefined) throw new Error('No such feature');
  return { ...analytics, until, reasons: said.map(({ reason }) => reason) };
}

describe('a meter that balances open', () => {
  const open = { state: 'metered', allowed: true, limit: 50, used: 20, remaining: 30 };

  it('is open while the customer has a balance that can be drawn from, with a quota of 0', () => {
    const { allowed, properties, reasons } = answerOf({});
    expect(allowed).toBe(true);
    expect(properties).toMatchObject({ enabled: true, exports: open, seats: 0 });
    const why = 'Opened by a balance of the customer, without a plan.';
    expect(reasons.filter((each) => each.startsWith(why))).toHaveLength(2);
    expect(reasons.join()).toContain('20 of 50 (inv-1) are used, 30 left.');
    expect(answerOf({ hasFree: true }).properties).toMatchObject({ exports: open, seats: 1 });
  });

  it.each<[string, Given]>([
    ['the property does not say so', { balanceOpens: false }],
    ['it has ended', { balance: { endsAt: NOW } }],
    ['it has not started', { balance: { startsAt: NOW + 1 } }],
    ['it is frozen', { balance: { isFrozen: true } }],
    ['it needs a plan', { balance: { needsPlan: true } }],
    [
      'an override turns the meter off',
      { overrides: [{ propertyId: 'prop_exports', value: { state: 'off' }, until: null }] },
    ],
    [
      'an override turns the feature off',
      { overrides: [{ propertyId: 'prop_enabled', value: false, until: null }] },
    ],
    [
      'it counts unique resources',
      { value: { state: 'metered', meter: { ...METER, uniqueResourceIds: true } } },
    ],
  ])('is not if %s', (_, given) => {
    expect(answerOf(given)).toMatchObject({
      ...{ allowed: false, reason: 'not-in-plan' },
      properties: { enabled: false, exports: { state: 'off', allowed: false } },
    });
  });

  it('is answered until the balance that opens it begins or ends', () => {
    expect(answerOf({ balance: { endsAt: NOW + 5 } }).until).toBe(NOW + 5);
    expect(answerOf({ balance: { endsAt: NOW + 5 } }, NOW + 5).allowed).toBe(false);
  });

  it('gives its balances alone, whatever the default, and what a plan gives stays as it is', () => {
    fc.assert(
      fc.property(meterable, fc.boolean(), (drawn, switchesMeters) => {
        const { perEntity: _, ...value } = drawn as Exclude<MeterableValue, { state: 'off' }>;
        const closed = answerOf({ value, switchesMeters, balanceOpens: false }).properties.exports;
        const opened = answerOf({ value, switchesMeters });
        if (value.state === 'metered' && value.meter.uniqueResourceIds)
          expect(opened.properties.exports).toEqual(closed);
        else expect(opened).toMatchObject({ allowed: true, properties: { exports: open } });
        const pro = { value, switchesMeters, grants: [{ planId: 'plan_pro', until: null }] };
        expect(answerOf(pro)).toEqual(answerOf({ ...pro, balanceOpens: false }));
      }),
    );
  });
});
