import type { AllowanceShare } from '#contracts/console/api-keys';

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

/** The shares at which public keys can be capped. The last one is the whole allowance. */
const SHARES: readonly AllowanceShare[] = [20, 40, 60, 80, 100];

export type ShareLevel = `share-${AllowanceShare}`;

/** What an event stream reports, each at most once a month; ascending. */
export const REPORTED_LEVELS: readonly { readonly level: UsageLevel | ShareLevel; readonly calls: number }[] =
  [
    ...SHARES.map((share) => ({ level: `share-${share}` as const, calls: (BUILD_ALLOWANCE * share) / 100 })),
    ...USAGE_LEVELS,
  ].sort((one, other) => one.calls - other.calls);

/** The highest share, in percent, that so many calls have used up; 0 without an allowance. */
export function usedPercentOf(plan: OrganisationPlan, total: number): AllowanceShare | 0 {
  const allowance = MONTHLY_ALLOWANCES[plan];
  if (allowance === null) return 0;
  return SHARES.findLast((share) => total * 100 >= allowance * share) ?? 0;
}

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
