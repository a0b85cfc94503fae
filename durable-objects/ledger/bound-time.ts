/**
 * Bounds the time of a call by the object's own clock. An instant far ahead would put usage into a bucket that no window of now reads,
 * and a wider bucket of the past would swallow it.
 */
import type { LedgerCall } from '#contracts/internal/ledger';
import { MINUTE_MS } from '#engine/durations';

/** How far the clocks of callers may differ from an object's. Tests that play in another year set `ms`. */
export const clockDifference = { ms: 5 * MINUTE_MS };

/** @param now by the object's clock @returns the call itself if its clock is right */
export function boundTime(call: LedgerCall, now: number): LedgerCall {
  const { ms } = clockDifference;
  if (Math.abs(call.now - now) <= ms) return call;
  const latest = now + ms;
  const updates = call.updates.map((update) =>
    update.occurredAt === undefined ? update : { ...update, occurredAt: Math.min(update.occurredAt, latest) },
  );
  return { ...call, now: Math.min(Math.max(call.now, now - ms), latest), updates };
}
