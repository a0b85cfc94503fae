/** Undoes what one of the ledger's own decisions counted, because another location's under the same key stands. */
import type { KeyRecord } from '#contracts/ledger';
import type { CustomerMeters } from './customer-meters.ts';
import type { UpdateRecords } from './decide-update.ts';
import { heldAt, standingMark } from './standing-mark.ts';

type Before = NonNullable<KeyRecord['marked']>['before'];

/** To be called once for a record: `isTakenBack` says that it was. */
export function takeBack(meters: CustomerMeters, record: KeyRecord, records: UpdateRecords): void {
  const { propertyId, origin, counted, minute, marked } = record;
  if (counted !== 0) meters.takeBack(propertyId, origin, minute, counted);
  if (marked !== null) takeBackMark(meters, propertyId, marked, records);
  records.putKey({ ...record, isTakenBack: true });
}

/** Only while the ledger's own mark is as it was left: what it said of the resource afterwards stands. */
function takeBackMark(
  meters: CustomerMeters,
  propertyId: string,
  { resourceId, stamp, before }: NonNullable<KeyRecord['marked']>,
  records: UpdateRecords,
): void {
  const marks = records.findMarks(propertyId, resourceId);
  const own = marks.find((mark) => mark.origin === records.origin);
  if (own?.stamp !== stamp) return;
  const restored = { ...own, ...standingBefore(before, records) };
  records.putMark(restored, marks);
  const others = marks.filter((mark) => mark !== own);
  meters.moveHeld(propertyId, heldAt(standingMark(marks)), heldAt(standingMark([...others, restored])));
}

/** What the mark said before may itself have been taken back since then. */
function standingBefore(before: Before, records: UpdateRecords): Before {
  const { key, stamp } = before;
  if (key === null) return before;
  const made = records
    .findKeys(key)
    .find((record) => record.origin === records.origin && record.marked?.stamp === stamp);
  return made?.isTakenBack && made.marked !== null ? standingBefore(made.marked.before, records) : before;
}
