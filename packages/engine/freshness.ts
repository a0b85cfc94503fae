/**
 * One policy for what a check uses while its source is silent: configuration, customer facts and usage. See docs/freshness.md,
 * "While a source is silent".
 *
 *   confirmed recently              used
 *   older, the source is silent     used with a warning, for a day
 *   none in memory                  D1, if it has the data and its breaker is closed
 *   and then                        nothing: 503, or a warning that it is unknown
 */
import { DAY_MS } from './durations.ts';

/** Usage changes with every call, so only what a ledger has just said is recent. */
export const RECENT_MS = { configuration: 30_000, facts: 30_000, usage: 0 } as const;

/** How long something is used that nobody has confirmed since. */
const KEPT_MS = DAY_MS;

export type Freshness = 'recent' | 'stale' | 'lost';

/** @param confirmedAt epoch milliseconds: when the source last said this */
export function freshnessOf(kind: keyof typeof RECENT_MS, confirmedAt: number, now: number): Freshness {
  const age = now - confirmedAt;
  if (age <= RECENT_MS[kind]) return 'recent';
  return age <= KEPT_MS ? 'stale' : 'lost';
}
