/**
 * Which plans meter a property in another period than the plan that is edited. For a customer of both, limits are compared and
 * periods are not, so the plan that wins may allow less.
 */
import { createContext } from 'react';
import type { Plan, PlanVersion } from '#contracts/console/plans';
import type { MeterDraft } from '#web/values/value-draft.ts';
import { windowLabel } from '#web/values/value-labels.ts';

export interface PlanPeriod {
  readonly planName: string;
  /** Such as 'every month'. */
  readonly period: string;
}

/** By property id. */
export type OtherPeriods = ReadonlyMap<string, readonly PlanPeriod[]>;

export const NO_PERIODS: OtherPeriods = new Map();
export const OtherPeriodsContext = createContext(NO_PERIODS);

/** @param planId the edited plan, which is left out */
export function otherPeriodsOf(
  plans: readonly Pick<Plan, 'planId' | 'name'>[],
  versions: readonly Pick<PlanVersion, 'planId' | 'properties'>[],
  planId: string,
): OtherPeriods {
  const names = new Map(plans.map((plan) => [plan.planId, plan.name]));
  const periods = new Map<string, PlanPeriod[]>();
  for (const version of versions) {
    const planName = names.get(version.planId);
    if (version.planId === planId || planName === undefined) continue;
    for (const { id, value } of Object.values(version.properties).flat()) {
      if (typeof value !== 'object' || value.state !== 'metered') continue;
      periods.set(id, [...(periods.get(id) ?? []), { planName, period: windowLabel(value.meter) }]);
    }
  }
  return periods;
}

/** 'Team counts every day.' for each plan whose period differs; null if none does. */
export function periodWarning(meter: MeterDraft, others: readonly PlanPeriod[]): string | null {
  const own = windowLabel({ ...meter, periodCount: meter.periodCount ?? undefined });
  const differing = others.filter(({ period }) => period !== own);
  if (differing.length === 0) return null;
  const [first, second] = differing.map(({ planName, period }) => `${planName} counts ${period}`);
  const more = differing.length > 2 ? ` and ${differing.length - 2} more differ` : '';
  const named = second === undefined ? first : `${first}, ${second}`;
  return `${named}${more}. For customers on several plans, limits are compared as numbers, whatever their periods.`;
}
