/**
 * An update that gives back what another one counted, in whole or in part. It does so once: its own idempotency key follows from the other
 * one's, so two of them, in any locations, are one decision, and a repetition is answered as at first.
 */
import type { AlsoCounted, CountedPart, CounterUpdate, KeyRecord } from '#contracts/internal/ledger';
import { winningDecision } from './conflicting-decisions.ts';
import type { UpdateRecords } from './update-records.ts';

/** Occurs in no key that callers choose. */
const SUFFIX = '\u0001back';

const NOTHING = { applied: 0, counted: 0, reading: null, holdChange: null };

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

/** What the decision also counted there; nothing, if it did not. */
export function givenPartOf(
  { also = [], minute, value }: KeyRecord,
  { propertyId, entity }: Pick<AlsoCounted, 'propertyId' | 'entity'>,
): CountedPart {
  const part = also.find((each) => each.propertyId === propertyId && each.entity === entity);
  return part ?? { ...NOTHING, propertyId, minute, value };
}
