/**
 * Which of several decisions under one idempotency key stands. A key is remembered for 24 hours; where two locations
 * accepted it within that time, because a retry went elsewhere before word of the first had come, the one whose name
 * sorts later takes its own back. Only the one that counted it does so, hence once, and its totals tell the others.
 * A location that was turned off can take nothing back any more: what stood there when it closed stands.
 *
 * Where one refused and the other accepted, nothing is taken back. A refusal counted nothing that could be; and what was
 * accepted has been acknowledged, so taking it back would lose it. Everywhere the answer is the acceptance, once it is known.
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

/**
 * Whether `own` has to go because of the other.
 * @param isFinal the other's origin has ended: it takes nothing back any more
 */
export function isOutdone(own: KeyRecord, other: KeyRecord, isFinal: boolean): boolean {
  if (!areRivals(own, other)) return false;
  return (isFinal && !other.isTakenBack) || other.origin < own.origin;
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

/** What was counted stands before what was refused or taken back; then the origin that sorts first, then its newest. */
function standsBefore(one: KeyRecord, other: KeyRecord): boolean {
  if (one.accepted !== other.accepted) return one.accepted;
  if (one.isTakenBack !== other.isTakenBack) return other.isTakenBack;
  if (one.origin !== other.origin) return one.origin < other.origin;
  return one.at > other.at;
}
