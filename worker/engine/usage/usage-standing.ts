/**
 * How an organisation stands against the allowance of its own subscription to Tessera (DESIGN 8): build has 100,000
 * API calls in a calendar month, grow pays for what it uses.
 */
export type OrganisationPlan = 'build' | 'grow';

/** API calls per calendar month (UTC); null is without limit. */
export const MONTHLY_ALLOWANCES: Readonly<Record<OrganisationPlan, number | null>> = {
  build: 100_000,
  grow: null,
};

/** From this share of the allowance on, the owners are warned. */
export const WARNING_SHARE = 0.8;

export interface UsageStanding {
  /** `reached`: the allowance is used up and a usage block is due. */
  standing: 'within' | 'near' | 'reached';
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
