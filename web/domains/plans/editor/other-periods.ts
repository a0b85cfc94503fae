/**
 * Which plans meter a property in another period than the plan that is edited. For a customer of both, the limit that allows
 * more in the same time is the larger one, which is not always the larger number.
 */
import { createContext } from 'react';
import type { Plan, PlanVersion } from '#contracts/console/plans';
import { windowLabel } from '#engine/values/limit-window';
import type { MeterDraft } from '#web/values/value-draft.ts';
import type { DraftValue } from './plan-draft.ts';

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
  const byId = new Map(plans.map((plan) => [plan.planId, plan]));
  const periods = new Map<string, PlanPeriod[]>();
  for (const version of versions) {
    const plan = byId.get(version.planId);
    if (plan === undefined) continue;
    for (const entry of Object.values(version.properties).flat()) {
      const found = periodsBeside(planId, [{ plan, entry }]);
      if (found.length > 0) periods.set(entry.id, [...(periods.get(entry.id) ?? []), ...found]);
    }
  }
  return periods;
}

interface PlanEntry {
  readonly plan: Pick<Plan, 'planId' | 'name'>;
  /** Undefined where the default applies. */
  readonly entry: DraftValue | undefined;
}

/** The periods of one property in other plans than the edited one. */
export function periodsBeside(planId: string, entries: readonly PlanEntry[]): PlanPeriod[] {
  return entries.flatMap(({ plan, entry }) =>
    plan.planId !== planId && typeof entry?.value === 'object' && entry.value?.state === 'metered'
      ? [{ planName: plan.name, period: periodOf(entry.value.meter) }]
      : [],
  );
}

const periodOf = (meter: MeterDraft) =>
  windowLabel({ ...meter, periodCount: meter.periodCount ?? undefined });

/** 'Team counts every day.' for each plan whose period differs; null if none does. */
export function periodWarning(meter: MeterDraft, others: readonly PlanPeriod[]): string | null {
  const own = periodOf(meter);
  const differing = others.filter(({ period }) => period !== own);
  if (differing.length === 0) return null;
  const [first, second] = differing.map(({ planName, period }) => `${planName} counts ${period}`);
  const more = differing.length > 2 ? ` and ${differing.length - 2} more differ` : '';
  const named = second === undefined ? first : `${first}, ${second}`;
  return `${named}${more}. For customers on several plans, the limit that allows more in the same time is the larger one.`;
}
