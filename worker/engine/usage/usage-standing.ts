/**
 * How an organisation stands against the allowance of its own subscription to Tessera (DESIGN 8): build has 100,000
 * API calls in a calendar month, grow pays for what it uses. An API call is every event that is counted as usage, of
 * whatever type (spec, console shell, 2.9: the limit minus the summed usage); a call that was refused, as by a usage
 * block, is none.
 */
export type OrganisationPlan = 'build' | 'grow';

const BUILD_ALLOWANCE = 100_000;

/** API calls per calendar month (UTC); null is without limit. */
export const MONTHLY_ALLOWANCES: Readonly<Record<OrganisationPlan, number | null>> = {
  build: BUILD_ALLOWANCE,
  grow: null,
};

/** From this share of the allowance on, the owners are warned. */
export const WARNING_SHARE = 0.8;

/** What is told of while the allowance is used up, each once a month. */
export type UsageLevel = 'near' | 'reached';

/** From how many API calls of a month on each level is passed, on the plan that has an allowance; ascending. */
export const USAGE_LEVELS: readonly { readonly level: UsageLevel; readonly calls: number }[] = [
  { level: 'near', calls: Math.ceil(BUILD_ALLOWANCE * WARNING_SHARE) },
  { level: 'reached', calls: BUILD_ALLOWANCE },
];

export interface UsageStanding {
  /** `reached`: the allowance is used up and a usage block is due. */
  standing: 'within' | UsageLevel;
  allowance: number | null;
  total: number;
  remaining: number | null;
  /** total / allowance; null without an allowance. */
  share: number | null;
}

/** `total` is the number of API calls in the month so far. */
export function usageStanding(plan: OrganisationPlan, total: number): UsageStanding {
  const allowance = MONTHLY_ALLOWANCES[plan];
  if (allowance === null) return { standing: 'within', allowance, total, remaining: null, share: null };
  const share = total / allowance;
  const standing = share >= 1 ? 'reached' : share >= WARNING_SHARE ? 'near' : 'within';
  return { standing, allowance, total, remaining: Math.max(0, allowance - total), share };
}
