/** Reverts what one of the ledger's own decisions counted, because another decision under the same key wins. */
import type { KeyRecord } from '#contracts/internal/ledger';
import type { CustomerMeters } from './customer-meters.ts';
import type { UpdateRecords } from './decide-update.ts';
import { currentHold, heldAt } from './resource-hold.ts';

type HoldChange = NonNullable<KeyRecord['holdChange']>;
type Before = HoldChange['before'];

/** Call once per record: it sets `isReverted`. */
export function revertDecision(meters: CustomerMeters, record: KeyRecord, records: UpdateRecords): void {
  const { propertyId, origin, counted, minute, givenBack, holdChange } = record;
  if (givenBack !== undefined) {
    for (const share of givenBack) meters.revert(propertyId, origin, share.minute, -share.amount);
  } else if (counted !== 0) meters.revert(propertyId, origin, minute, counted);
  if (holdChange !== null) revertHold(meters, propertyId, holdChange, records);
  records.putKey({ ...record, isReverted: true });
}

/** Does nothing if the ledger has written the hold again since: the later write wins. */
function revertHold(
  meters: CustomerMeters,
  propertyId: string,
  { resourceId, stamp, before }: HoldChange,
  records: UpdateRecords,
): void {
  const holds = records.findHolds(propertyId, resourceId);
  const own = holds.find((hold) => hold.origin === records.origin);
  if (own?.stamp !== stamp) return;
  const restored = { ...own, ...holdBefore(before, records) };
  records.putHold(restored, holds);
  const others = holds.filter((hold) => hold !== own);
  meters.moveHold(propertyId, heldAt(currentHold(holds)), heldAt(currentHold([...others, restored])));
}

/** The previous hold may itself have been written by a decision that is reverted by now: goes back further. */
function holdBefore(before: Before, records: UpdateRecords): Before {
  const { key, stamp } = before;
  if (key === null) return before;
  const decision = records
    .findKeys(key)
    .find((record) => record.origin === records.origin && record.holdChange?.stamp === stamp);
  if (!decision?.isReverted || decision.holdChange === null) return before;
  return holdBefore(decision.holdChange.before, records);
}
