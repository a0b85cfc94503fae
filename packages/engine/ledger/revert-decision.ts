/** Reverts what one of the ledger's own decisions counted, because another decision under the same key wins. */
import type { KeyRecord } from '#contracts/internal/ledger';
import type { CustomerMeters } from './customer-meters.ts';
import { endHold } from './decide-hold.ts';
import { currentUse, lastUsedAt } from './resource-use.ts';
import type { UpdateRecords } from './update-records.ts';

type UseChange = NonNullable<KeyRecord['holdChange']>;
type Before = UseChange['before'];

/** Call once per record: it sets `isReverted`. */
export function revertDecision(meters: CustomerMeters, record: KeyRecord, records: UpdateRecords): void {
  const { propertyId, origin, counted, minute, givenBack, draws = [], holdChange } = record;
  if (record.value.state === 'metered') meters.observe(propertyId, record.value.meter);
  if (record.hold !== undefined) {
    revertHold(meters, record.hold.name, records);
    records.putKey({ ...record, isReverted: true });
    return;
  }
  if (givenBack !== undefined) {
    for (const share of givenBack) meters.revert(propertyId, origin, share.minute, -share.amount);
  } else if (counted !== 0) meters.revert(propertyId, origin, minute, counted);
  meters.draw(
    propertyId,
    origin,
    draws.map((each) => ({ ...each, amount: -each.amount })),
  );
  if (holdChange !== null) revertUse(meters, propertyId, holdChange, records);
  records.putKey({ ...record, isReverted: true });
}

/** What was settled was used, and stays. So may what is open: whoever has this hold settles it as one that has ended. */
function revertHold(meters: CustomerMeters, name: string, records: UpdateRecords): void {
  const known = records.findHold(name);
  if (known?.hold.end === null) endHold(meters, known, 'replaced', records, known.stamp);
}

/** Does nothing if the ledger has written the use again since: the later write wins. */
function revertUse(
  meters: CustomerMeters,
  propertyId: string,
  { resourceId, stamp, before }: UseChange,
  records: UpdateRecords,
): void {
  const uses = records.findUses(propertyId, resourceId);
  const own = uses.find((use) => use.origin === records.origin);
  if (own?.stamp !== stamp) return;
  const restored = { ...own, ...previousUse(before, records) };
  records.putUse(restored, uses);
  const others = uses.filter((use) => use !== own);
  meters.moveUse(propertyId, lastUsedAt(currentUse(uses)), lastUsedAt(currentUse([...others, restored])));
}

/** The previous use may itself have been written by a decision that is reverted by now: goes back further. */
function previousUse(before: Before, records: UpdateRecords): Before {
  const { key, stamp } = before;
  if (key === null) return before;
  const decision = records
    .findKeys(key)
    .find((record) => record.origin === records.origin && record.holdChange?.stamp === stamp);
  if (!decision?.isReverted || decision.holdChange === null) return before;
  return previousUse(decision.holdChange.before, records);
}
