/**
 * Garbage collection: deletes expired idempotency keys and released holds (tombstones), a few for each new record,
 * once every location has seen them.
 */

import type { ResourceHold } from '#contracts/internal/ledger';
import { KEY_LIFETIME_MS } from '#engine/ledger/conflicting-decisions';
import { currentHold } from '#engine/ledger/resource-hold';
import type { LedgerStore } from './ledger-store.ts';
import type { ReplicationState } from './replication-state.ts';

/** Deletions per update: more than an update creates, so nothing piles up. */
const DELETIONS = 4;

/**
 * A key may only be deleted when every location has received everything that was decided during the key's lifetime:
 * one of them may have accepted the same key.
 * @param keyed how many updates of the transaction had keys
 */
export function deleteStaleKeys(
  store: LedgerStore,
  state: ReplicationState,
  origin: string,
  keyed: number,
  now: number,
): void {
  const before = state.settledEverywhereAt(now) - KEY_LIFETIME_MS;
  // A reverted key is among the latest changes, however old its decision is.
  store.deleteKeys(before, { origin, after: state.acknowledged }, DELETIONS * keyed);
}

/** A release is a tombstone. It is kept until no location can still replicate an older hold of the resource. */
export function deleteReleasedHolds(
  store: LedgerStore,
  state: ReplicationState,
  origin: string,
  customer: string,
  now: number,
): void {
  const before = state.settledEverywhereAt(now) - KEY_LIFETIME_MS;
  const upTo = state.acknowledged;
  for (const { propertyId, resourceId } of store.releasedBefore(customer, before, DELETIONS)) {
    const holds = store.findHolds(customer, propertyId, resourceId);
    if (holds.some((hold) => hold.origin === origin && hold.version > upTo)) continue;
    store.deleteHolds(customer, settledHolds(holds, before));
  }
}

/** All holds of a resource that was released long ago; for other resources only releases that lost long ago. */
function settledHolds(holds: readonly ResourceHold[], before: number): ResourceHold[] {
  const winner = currentHold(holds);
  const isReleased = winner !== null && !winner.isHeld && winner.stamp < before;
  return holds.filter((hold) => hold.stamp > 0 && hold.stamp < before && (isReleased || !hold.isHeld));
}
