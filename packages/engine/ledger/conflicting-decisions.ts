/**
 * Which decision wins when several locations decided under the same idempotency key. Keys live for 24 hours. Within that
 * time a retry may reach a location that has not yet received the first decision, and both locations accept. The rules:
 *
 * 1. The decision of the origin that sorts first wins. The other ledger reverts its own decision: only the ledger that
 *    counted an update may revert it, so it is reverted exactly once, and its new totals replicate.
 * 2. A retired origin can no longer revert, so its decision wins whatever its name.
 * 3. An alias's decision wins over the customer's, because it was made before the customer's ledger knew the alias.
 * 4. Accepted wins over refused. A refusal counted nothing that could be reverted, and the acceptance was acknowledged.
 */
import type { KeyRecord } from '#contracts/internal/ledger';

export const KEY_LIFETIME_MS = 24 * 3_600_000;

/**
 * How long a ledger keeps a decision and a release. It has an hour more in which it learns of a location that was just enabled, where a
 * retry may be accepted as long as the key lives.
 */
export const DECISIONS_KEPT_MS = KEY_LIFETIME_MS + 3_600_000;

/** The decision to replay for a retry; null when every known decision has expired. */
export function winningDecision(records: readonly KeyRecord[], now: number): KeyRecord | null {
  let winner: KeyRecord | null = null;
  for (const record of records) {
    if (record.at + KEY_LIFETIME_MS <= now) continue;
    if (winner === null || winsOver(record, winner)) winner = record;
  }
  return winner;
}

/**
 * Whether `own` loses to `other` and must be reverted.
 * @param isFinal the other decision can no longer be reverted: its origin has retired, or it was made under an alias
 */
export function losesTo(own: KeyRecord, other: KeyRecord, isFinal: boolean): boolean {
  if (!areConflicting(own, other)) return false;
  return isFinal ? !other.isReverted : other.origin < own.origin;
}

/** Both accepted, by different origins, within the lifetime of one key: one is a retry of the other. */
export function areConflicting(one: KeyRecord, other: KeyRecord): boolean {
  return (
    one.origin !== other.origin &&
    one.accepted &&
    other.accepted &&
    Math.abs(one.at - other.at) < KEY_LIFETIME_MS
  );
}

/** Accepted before refused, current before reverted, then the origin that sorts first, then the newest. */
function winsOver(one: KeyRecord, other: KeyRecord): boolean {
  if (one.accepted !== other.accepted) return one.accepted;
  if (one.isReverted !== other.isReverted) return other.isReverted;
  if (one.origin !== other.origin) return one.origin < other.origin;
  return one.at > other.at;
}
