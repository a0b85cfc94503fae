/** Deletes what nobody can ask for any more: a few old records for each new one, so that they never pile up. */

import type { MarkRecord } from '#contracts/ledger';
import { KEY_LIFETIME_MS } from '#engine/ledger/rival-keys';
import { standingMark } from '#engine/ledger/standing-mark';
import type { LedgerSelf } from './ledger-self.ts';
import type { LedgerStore } from './ledger-store.ts';

/** Stale keys and released resources that one update may delete: more than it makes. */
const DELETIONS = 4;

/**
 * Keys are kept until everybody knows all that was decided while they were remembered: one may have accepted the same.
 * @param keyed how many updates had keys
 */
export function forgetStaleKeys(
  store: LedgerStore,
  self: LedgerSelf,
  origin: string,
  keyed: number,
  now: number,
): void {
  const before = self.settledEverywhereAt(now) - KEY_LIFETIME_MS;
  // One that was taken back is among the latest changes, however long ago it was decided.
  store.deleteKeys(before, { origin, after: self.acknowledged }, DELETIONS * keyed);
}

/** That a resource was released is kept until no location can still say otherwise. */
export function forgetReleased(
  store: LedgerStore,
  self: LedgerSelf,
  origin: string,
  customer: string,
  now: number,
): void {
  const before = self.settledEverywhereAt(now) - KEY_LIFETIME_MS;
  const upTo = self.acknowledged;
  for (const { propertyId, resourceId } of store.releasedBefore(customer, before, DELETIONS)) {
    const marks = store.findMarks(customer, propertyId, resourceId);
    if (marks.some((mark) => mark.origin === origin && mark.version > upTo)) continue;
    store.deleteMarks(customer, settledMarks(marks, before));
  }
}

/** All marks of a resource that was released long ago; of another only releases that have long been outdone. */
function settledMarks(marks: readonly MarkRecord[], before: number): MarkRecord[] {
  const standing = standingMark(marks);
  const isReleased = standing !== null && !standing.isHeld && standing.stamp < before;
  return marks.filter((mark) => mark.stamp > 0 && mark.stamp < before && (isReleased || !mark.isHeld));
}
