/**
 * The body of a key's row: a decision and its answer, by position, without what the row's other columns have. A key lives for a day in
 * every location, so its length is most of what an environment with keys stores. Ledgers exchange whole records.
 */
import type { KeyRecord } from '#contracts/internal/ledger';
import type { Meter, MeterableValue } from '#contracts/public/values';
import { minuteOf } from '#engine/metering/bucket-widths';
import { type KeyBody, readKeyBody } from './former-names.ts';
import type { InternedTexts } from './interned-texts.ts';

export interface KeyRow {
  readonly [column: string]: SqlStorageValue;
  readonly customer: number;
  readonly text: string;
  readonly origin: number;
  readonly at: number;
  readonly body: string;
  readonly version: number;
}

/** The columns of a KeyRow. */
export const KEY_COLUMNS = 'customer, text, origin, at, body, version';

type HoldChange = NonNullable<KeyRecord['holdChange']>;
type StoredValue =
  | 'on'
  | 'off'
  | [
      limit: number,
      type: Meter['periodType'],
      isUnique: number,
      count?: number | null,
      length?: Meter['periodLength'] | null,
    ];
type StoredHold = [
  resourceId: string,
  age: number,
  before?: [stamp: number, at: number, isHeld: number, key: string | null] | null,
];
type StoredKey = [
  flags: number,
  property: number,
  hash: string | [whole: string],
  counted: number,
  applied: number,
  minutes: number,
  value: StoredValue,
  reading?: [used: number, resetsAt?: number | null] | null,
  hold?: StoredHold | null,
  givenBack?: (readonly [minute: number, amount: number])[] | null,
];

const ACCEPTED = 1;
const REVERTED = 2;

export function keyBodyOf(key: KeyRecord, names: InternedTexts): string {
  const { at, bodyHash, accepted, isReverted, propertyId, reading, holdChange, givenBack } = key;
  const start = hashStart(propertyId);
  const stored: StoredKey = [
    (accepted ? ACCEPTED : 0) + (isReverted ? REVERTED : 0),
    names.number(propertyId),
    bodyHash.startsWith(start) ? bodyHash.slice(start.length) : [bodyHash],
    key.counted,
    key.applied,
    key.minute - minuteOf(at),
    storedValue(key.value),
    reading && trimmed([reading.used, reading.resetsAt]),
    holdChange && storedHold(holdChange, at),
    givenBack?.map(({ minute, amount }) => [minute, amount]),
  ];
  return JSON.stringify(trimmed(stored));
}

export function keyOf({ text, origin, at, body, version }: KeyRow, names: InternedTexts): KeyRecord {
  // Rows of earlier versions are whole records.
  if (body.startsWith('{')) return { ...readKeyBody(JSON.parse(body) as KeyBody), version };
  const [flags, property, hash, counted, applied, minutes, value, reading, hold, givenBack] = JSON.parse(
    body,
  ) as StoredKey;
  const propertyId = names.text(property);
  return {
    text,
    origin: names.text(origin),
    at,
    bodyHash: typeof hash === 'string' ? hashStart(propertyId) + hash : hash[0],
    accepted: (flags & ACCEPTED) !== 0,
    applied,
    value: meterableOf(value),
    reading: reading ? { used: reading[0], resetsAt: reading[1] ?? null } : null,
    propertyId,
    counted,
    minute: minuteOf(at) + minutes,
    ...(givenBack && { givenBack: givenBack.map(([minute, amount]) => ({ minute, amount })) }),
    holdChange: hold ? holdOf(hold, at) : null,
    isReverted: (flags & REVERTED) !== 0,
    version,
  };
}

/** How the Worker's `bodyHash` starts. Another one is stored whole. */
function hashStart(propertyId: string): string {
  return `[${JSON.stringify(propertyId)},`;
}

function storedValue(value: MeterableValue): StoredValue {
  if (value.state !== 'metered') return value.state;
  const { limit, periodType, uniqueResourceIds, periodCount, periodLength } = value.meter;
  return trimmed([limit, periodType, uniqueResourceIds ? 1 : 0, periodCount, periodLength]);
}

function meterableOf(stored: StoredValue): MeterableValue {
  if (typeof stored === 'string') return { state: stored };
  const [limit, periodType, isUnique, count, length] = stored;
  const meter: Meter = { limit, periodType, uniqueResourceIds: isUnique === 1 };
  if (typeof count === 'number') meter.periodCount = count;
  if (length) meter.periodLength = length;
  return { state: 'metered', meter };
}

function storedHold({ resourceId, stamp, before }: HoldChange, decidedAt: number): StoredHold {
  const { at, isHeld, key } = before;
  const isNone = before.stamp === 0 && at === 0 && !isHeld && key === null;
  return trimmed([resourceId, stamp - decidedAt, isNone ? null : [before.stamp, at, isHeld ? 1 : 0, key]]);
}

function holdOf([resourceId, age, before]: StoredHold, decidedAt: number): HoldChange {
  const [stamp, at, isHeld, key] = before ?? [0, 0, 0, null];
  return { resourceId, stamp: decidedAt + age, before: { stamp, at, isHeld: isHeld === 1, key } };
}

/** Without what is missing at the end: reading gives the same. */
function trimmed<Stored extends [unknown, ...unknown[]]>(stored: Stored): Stored {
  while (stored.at(-1) == null) stored.pop();
  return stored;
}
