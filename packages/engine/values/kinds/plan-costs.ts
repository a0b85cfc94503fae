/**
 * What a plan says each one of a meter costs, instead of the property. It decides between no values: of the plans that set the meter, each says
 * its own cost (entitlements/cost-in.ts).
 */
import type { PlanCosts } from '#contracts/public/costs';
import type { MeterableValue } from '#contracts/public/values';
import { type Issue, issue } from '../issue.ts';
import { isRecord } from './limited-window.ts';

/** Undefined: what the property says. */
export function planCostsOf(value: MeterableValue): PlanCosts | undefined {
  return value.state === 'off' ? undefined : value.costs;
}

export function checkPlanCosts(value: unknown): Issue[] {
  if (value === undefined) return [];
  const per = isRecord(value) ? value.per : undefined;
  if (typeof per !== 'number' || !(per >= 0.001 && per <= 1_000_000))
    return issue('costs.per', 'Must be from 0.001 to 1,000,000');
  return Number(per.toFixed(3)) === per ? [] : issue('costs.per', 'Must have at most three decimal places');
}

/** @param own normalised, without what is said of costs */
export function normalisePlanCosts(own: MeterableValue, value: MeterableValue): MeterableValue {
  const costs = planCostsOf(value);
  return costs === undefined || own.state === 'off' ? own : { ...own, costs: { per: costs.per } };
}

/** What is left where nothing is paid, or where another value says the cost. @returns the value itself if it says none */
export function withoutPlanCosts(value: MeterableValue): MeterableValue {
  if (planCostsOf(value) === undefined) return value;
  const { costs: _, ...own } = value as Exclude<MeterableValue, { state: 'off' }>;
  return own;
}
