/**
 * An organisation's API calls of a calendar month against the allowance of its Tessera plan: build includes 100,000 calls,
 * grow pays for what it uses. Every counted event is an API call, whatever its type. A refused call, e.g. one refused by a
 * usage block, is not counted.
 */
export type OrganisationPlan = 'build' | 'grow';

const BUILD_ALLOWANCE = 100_000;

/** API calls per calendar month (UTC); null: unlimited. */
export const MONTHLY_ALLOWANCES: Readonly<Record<OrganisationPlan, number | null>> = {
  build: BUILD_ALLOWANCE,
  grow: null,
};

/** Owners get a warning at this share of the allowance. */
export const WARNING_SHARE = 0.8;

/** Levels that cause a notice, each at most once a month. */
export type UsageLevel = 'near' | 'reached';

/** The number of monthly API calls at which each level starts, on the plan with an allowance; ascending. */
export const USAGE_LEVELS: readonly { readonly level: UsageLevel; readonly calls: number }[] = [
  { level: 'near', calls: Math.ceil(BUILD_ALLOWANCE * WARNING_SHARE) },
  { level: 'reached', calls: BUILD_ALLOWANCE },
];

export interface UsageReading {
  /** `reached`: no allowance is left, and a usage block is due. */
  level: 'within' | UsageLevel;
  allowance: number | null;
  total: number;
  remaining: number | null;
  /** total / allowance; null without an allowance. */
  share: number | null;
}

/** `total` is the number of API calls in the month so far. */
export function usageLevelOf(plan: OrganisationPlan, total: number): UsageReading {
  const allowance = MONTHLY_ALLOWANCES[plan];
  if (allowance === null) return { level: 'within', allowance, total, remaining: null, share: null };
  const share = total / allowance;
  const level = share >= 1 ? 'reached' : share >= WARNING_SHARE ? 'near' : 'within';
  return { level, allowance, total, remaining: Math.max(0, allowance - total), share };
}
