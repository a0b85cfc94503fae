/**
 * An update that gives back what another one counted, in whole or in part. It does so once: its own idempotency key follows from the other
 * one's, so two of them, in any locations, are one decision, and a repetition is answered as at first.
 */
import type { AlsoCount, CountedPart, CounterUpdate, KeyRecord } from '#contracts/internal/ledger';
import { winningDecision } from './conflicting-decisions.ts';
import type { UpdateRecords } from './update-records.ts';

/** Occurs in no key that callers choose. */
const SUFFIX = '\u0001back';

/** The key of the update that gives back what was counted under a key. */
export function giveBackKeyOf(key: string): string {
  return key + SUFFIX;
}

/** The decision under the key, if it has counted an amount of the property; else null. Resources are released, and holds settled. */
export function decisionToGiveBack(
  { propertyId }: CounterUpdate,
  key: string,
  records: UpdateRecords,
  now: number,
): KeyRecord | null {
  const known = winningDecision(records.findKeys(key), now);
  if (known === null || known.propertyId !== propertyId) return null;
  const isAmount = known.accepted && known.counted > 0;
  return isAmount && known.holdChange === null && known.hold === undefined ? known : null;
}

/** Where the decision also counted, with what the update says of it: its value and grants of today. */
export function alsoToGiveBack(
  { also }: KeyRecord,
  { also: named = [] }: CounterUpdate,
): readonly AlsoCount[] | undefined {
  return also?.map(
    ({ propertyId, entity, value }) =>
      named.find((each) => each.propertyId === propertyId && each.entity === entity) ?? {
        ...{ propertyId, entity, value },
      },
  );
}

/** How much of what the decision also counted goes back with an amount: all with all, else its share, rounded down. */
export function shareToGiveBack(
  { counted }: CountedPart,
  given: KeyRecord,
  { by = -given.counted }: CounterUpdate,
): number {
  const amount = Math.min(-by, given.counted);
  return Number((BigInt(counted) * BigInt(amount)) / BigInt(given.counted));
}
