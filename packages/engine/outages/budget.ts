/**
 * How long a call of the public API waits for others: one budget, spent by its stages. Milliseconds. A stage that starts late gets what
 * is left, so a call never waits for the sum of its stages.
 */

/** From the call's arrival. */
export const CALL_MS = 2_500;

/** A change of a customer, which D1 commits: it is worth a longer wait than a check. */
export const CHANGE_MS = 5_000;
/** A call that makes many. */
export const CHANGES_MS = 30_000;

/** The replicas. */
export const PULL_MS = 1_000;
/** One read of D1, when nobody else has the answer. Building a whole snapshot may take the rest of the call. */
export const LOAD_MS = 1_000;
/** Usage from ledgers; the rest is for the facts that a silent ledger would have confirmed. */
export const READ_MS = 1_500;

/** After so long a silence of the nearest location, a read goes to the next one, too. */
export const HEDGE_READ_MS = 300;
/** An update under a key waits for longer: ordinary slowness must not cause decisions in two places. */
export const HEDGE_UPDATE_MS = 1_000;

/** When a stage ends, in epoch milliseconds. @param callEndsAt undefined outside the public API */
export function stageEnd(now: number, stageMs: number, callEndsAt: number | undefined): number {
  return Math.min(now + stageMs, callEndsAt ?? Number.POSITIVE_INFINITY);
}
