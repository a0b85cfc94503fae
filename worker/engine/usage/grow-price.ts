/** What the Grow plan costs (spec, console shell, 2.8 and 9). Amounts in pence. */
export const GROW_PRICE = {
  currency: 'gbp',
  monthlyMinor: 1_800,
  /** API calls of a month that cost nothing more. */
  includedCalls: 100_000,
  /** Beyond them, for each so many calls. */
  packageMinor: 20,
  packageCalls: 10_000,
} as const;
