/** The price of the Grow plan, in pence. */
export const GROW_PRICE = {
  currency: 'gbp',
  monthlyMinor: 1_800,
  /** API calls per month that are included. */
  includedCalls: 100_000,
  /** Price per block of calls above the included ones. */
  packageMinor: 20,
  packageCalls: 10_000,
} as const;
