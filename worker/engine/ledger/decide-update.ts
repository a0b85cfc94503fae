/**
 * Decides one counter update and counts it (DESIGN section 6): whether its key is known, whether it fits, what it adds.
 * Called inside the ledger's transaction, one update after the other; nothing here waits.
 */
import type { CounterUpdate, KeyRecord, LedgerReading, MarkRecord, UpdateOutcome } from '#contracts/ledger';
import { minuteOf } from '../metering/cell-grid.ts';
import { reachOf } from '../metering/read-window.ts';
import type { CustomerMeters } from './customer-meters.ts';
import { standingKey } from './rival-keys.ts';
import { heldAt, standingMark } from './standing-mark.ts';

/** What the decision needs of the customer's records that are not in memory. Versions are given where they are stored. */
export interface UpdateRecords {
  /** The ledger's own. */
  readonly origin: string;
  /** Of all origins. */
  findMarks(propertyId: string, resourceId: string): readonly MarkRecord[];
  /** @param others the resource's marks as they stood */
  putMark(mark: Unversioned<MarkRecord>, others: readonly MarkRecord[]): void;
  findKeys(text: string): readonly KeyRecord[];
  putKey(record: Unversioned<KeyRecord>): void;
}

export type Unversioned<Stored extends { readonly version: number }> = Omit<Stored, 'version'>;

/** What an update comes to, before it is counted. */
interface Change {
  /** Added to the cells. */
  readonly counted: number;
  /** The ledger's own mark as it is to be; null where none is touched. */
  readonly mark: Unversioned<MarkRecord> | null;
  /** The marks of the resource as they are. */
  readonly marks: readonly MarkRecord[];
  /** What the answer says was added. */
  readonly applied: number;
}

const UNSAID = { stamp: 0, at: 0, isHeld: false, key: null };

export function decideUpdate(
  meters: CustomerMeters,
  update: CounterUpdate,
  now: number,
  records: UpdateRecords,
): UpdateOutcome {
  const { key, propertyId, value } = update;
  if (key !== undefined) {
    const known = standingKey(records.findKeys(key.text), now);
    if (known !== null) return replay(known, key.bodyHash);
  }
  const change =
    update.resourceId === undefined
      ? addition(meters, update)
      : resourceChange(meters, update, update.resourceId, now, records);
  if (meters.total(propertyId) + change.counted > Number.MAX_SAFE_INTEGER) return { kind: 'too-large' };

  const accepted = !update.enforce || fits(meters, update, change, now);
  const minute = accepted ? count(meters, propertyId, change, now, records) : minuteOf(now);
  const applied = accepted ? change.applied : 0;
  const reading = readAfter(meters, update, now);
  if (key !== undefined) {
    records.putKey({
      text: key.text,
      bodyHash: key.bodyHash,
      origin: records.origin,
      at: now,
      accepted,
      applied,
      value,
      reading,
      propertyId,
      counted: accepted ? change.counted : 0,
      minute,
      marked: accepted ? markedBy(change) : null,
      isTakenBack: false,
    });
  }
  return { kind: 'decided', accepted, replayed: false, applied, at: now, value, reading };
}

function replay(known: KeyRecord, bodyHash: string): UpdateOutcome {
  if (known.bodyHash !== bodyHash) return { kind: 'conflict' };
  const { accepted, applied, at, value, reading } = known;
  return { kind: 'decided', accepted, replayed: true, applied, at, value, reading };
}

/** A give-back is limited to the total that is known here. */
function addition(meters: CustomerMeters, { propertyId, by = 1 }: CounterUpdate): Change {
  const counted = by < 0 ? giveBack(meters, propertyId, -by) : by;
  return { counted, applied: counted, mark: null, marks: [] };
}

function giveBack(meters: CustomerMeters, propertyId: string, amount: number): number {
  return 0 - Math.min(amount, Math.max(0, meters.total(propertyId)));
}

function resourceChange(
  meters: CustomerMeters,
  { propertyId, release, key }: CounterUpdate,
  resourceId: string,
  now: number,
  records: UpdateRecords,
): Change {
  const marks = records.findMarks(propertyId, resourceId);
  const before = standingMark(marks);
  const isHeld = before?.isHeld === true;
  if (release === true && !isHeld) return { counted: 0, applied: 0, mark: null, marks };
  // Later than all that is known of the resource, also where the clock that wrote it runs ahead.
  const stamp = before === null ? now : Math.max(now, before.stamp + 1);
  const at = before === null || !isHeld ? now : Math.max(now, before.at);
  return {
    counted: release === true ? giveBack(meters, propertyId, 1) : 1,
    applied: release === true ? -1 : isHeld ? 0 : 1,
    mark: {
      propertyId,
      resourceId,
      stamp,
      at,
      origin: records.origin,
      isHeld: release !== true,
      key: key?.text ?? null,
    },
    marks,
  };
}

function fits(
  meters: CustomerMeters,
  { propertyId, value, resourceId }: CounterUpdate,
  change: Change,
  now: number,
): boolean {
  const isGivenBack = resourceId === undefined ? change.counted <= 0 : change.mark?.isHeld !== true;
  if (isGivenBack || value.state === 'on') return true;
  if (value.state === 'off') return false;
  const { meter } = value;
  if (meter.uniqueResourceIds && isCounted(standingMark(change.marks), reachOf(meter, now))) return true;
  const added = meter.uniqueResourceIds ? (resourceId === undefined ? 0 : 1) : change.counted;
  return meters.read(propertyId, meter, now).used + added <= meter.limit;
}

function isCounted(mark: MarkRecord | null, { from, to }: { from: number; to: number }): boolean {
  if (mark === null || !mark.isHeld) return false;
  const minute = minuteOf(mark.at);
  return minute >= from && minute < to;
}

/** @returns the minute that it was counted in */
function count(
  meters: CustomerMeters,
  propertyId: string,
  { counted, mark, marks }: Change,
  now: number,
  records: UpdateRecords,
): number {
  if (mark !== null) {
    records.putMark(mark, marks);
    meters.moveHeld(propertyId, heldAt(standingMark(marks)), heldAt(mark));
  }
  return counted === 0 ? minuteOf(now) : meters.add(propertyId, records.origin, now, counted);
}

function markedBy({ mark, marks }: Change): KeyRecord['marked'] {
  if (mark === null) return null;
  const own = marks.find((each) => each.origin === mark.origin);
  const { stamp, at, isHeld, key } = own ?? UNSAID;
  return { resourceId: mark.resourceId, stamp: mark.stamp, before: { stamp, at, isHeld, key } };
}

function readAfter(
  meters: CustomerMeters,
  { propertyId, value }: CounterUpdate,
  now: number,
): LedgerReading | null {
  return value.state === 'metered' ? meters.read(propertyId, value.meter, now) : null;
}
