/**
 * Which of several decisions under one idempotency key stands. A key is remembered for 24 hours; where two locations
 * accepted it within that time, because a retry went elsewhere before word of the first had come, the one whose name
 * sorts later takes its own back. Only the one that counted it does so, hence once, and its totals tell the others.
 */
import type { KeyRecord } from '#contracts/ledger';

export const KEY_LIFETIME_MS = 24 * 3_600_000;

/** The decision that answers a retry now; null where none is remembered. */
export function standingKey(records: readonly KeyRecord[], now: number): KeyRecord | null {
  let standing: KeyRecord | null = null;
  for (const record of records) {
    if (record.at + KEY_LIFETIME_MS <= now) continue;
    if (standing === null || standsBefore(record, standing)) standing = record;
  }
  return standing;
}

/** Whether `own` has to go because of the other. */
export function isOutdone(own: KeyRecord, other: KeyRecord): boolean {
  return areRivals(own, other) && other.origin < own.origin;
}

/** Both counted, by two origins, and so near in time that one is a retry of the other. */
export function areRivals(one: KeyRecord, other: KeyRecord): boolean {
  return (
    one.origin !== other.origin &&
    one.accepted &&
    other.accepted &&
    Math.abs(one.at - other.at) < KEY_LIFETIME_MS
  );
}

/** What was counted stands before what was refused; then the origin that sorts first, then its newest decision. */
function standsBefore(one: KeyRecord, other: KeyRecord): boolean {
  if (one.accepted !== other.accepted) return one.accepted;
  if (one.origin !== other.origin) return one.origin < other.origin;
  return one.at > other.at;
}
