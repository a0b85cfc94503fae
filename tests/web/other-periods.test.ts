// Plans that meter one property in different periods: the editor says so, and how they compare.
import { expect, it } from 'vitest';
import type { Meter } from '#contracts/public/values';
import {
  otherPeriodsOf,
  periodsBeside,
  periodWarning,
} from '../../web/domains/plans/editor/other-periods.ts';

const meter = (more: Partial<Meter>): Meter => ({
  limit: 5,
  periodType: 'rolling',
  periodCount: 1,
  periodLength: 'month',
  uniqueResourceIds: false,
  ...more,
});
const version = (planId: string, given: Meter) => ({
  planId,
  properties: {
    feature_1: [
      { id: 'calls', type: 'meterable' as const, value: { state: 'metered' as const, meter: given } },
    ],
  },
});
const plans = [
  { planId: 'own', name: 'Free' },
  { planId: 'team', name: 'Team' },
  { planId: 'pro', name: 'Pro' },
];

it('names the plans that count in another period, and neither the edited plan nor those that agree', () => {
  const others = otherPeriodsOf(
    plans,
    [
      version('own', meter({ periodLength: 'hour' })),
      version('team', meter({ limit: 9, periodLength: 'hour' })),
      version('pro', meter({})),
    ],
    'own',
  );
  expect(periodWarning(meter({}), others.get('calls')!)).toBe(
    'Team counts every hour. For customers on several plans, the limit that allows more in the same time is the larger one.',
  );
  expect(periodWarning(meter({ periodCount: 0 }), [{ planName: 'Pro', period: 'every month' }])).toBeNull();
});

it('has nothing to say of plans that only switch the property', () => {
  const on = {
    planId: 'team',
    properties: { feature_1: [{ id: 'calls', type: 'meterable' as const, value: { state: 'on' as const } }] },
  };
  expect(otherPeriodsOf(plans, [on], 'own').size).toBe(0);
});

it('compares unsaved values too, and none of a plan that has the default', () => {
  const entry = (more: Partial<Meter>) => ({
    type: 'meterable' as const,
    value: { state: 'metered' as const, meter: meter(more) },
  });
  const [own, team, pro] = plans.map((plan) => ({ plan, entry: undefined }));
  const others = periodsBeside('own', [
    { ...own!, entry: entry({ periodLength: 'hour' }) },
    { ...team!, entry: entry({ periodLength: 'day' }) },
    pro!,
  ]);
  expect(others).toEqual([{ planName: 'Team', period: 'every day' }]);
});
