/**
 * The body of a key's row: a decision and its answer, by position, without what the row's other columns have. A key lives for a day in
 * every location, so its length is most of what an environment with keys stores. Ledgers exchange whole records.
 */
import type { KeyRecord, LedgerReading, ReadDraws, ReadHeld } from '#contracts/internal/ledger';
import type { MeterableValue } from '#contracts/public/values';
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

type StoredReading = [used: number, resetsAt: number | null, draws?: ReadDraws | null, held?: ReadHeld];

type Stored = [
  flags: number,
  property: number,
  hash: string | [whole: string],
  counted: number,
  applied: number,
  /** Of the bucket, since the decision. */
  minutes: number,
  value: number,
  reading: StoredReading | null,
  use: [resourceId: string, stamp: number, ...before: [number, number, boolean, string | null]] | null,
  givenBack?: (readonly [minute: number, amount: number])[] | null,
  draws?: (readonly [grant: string, minute: number, amount: number])[] | null,
  hold?: readonly [name: string, expiresAt: number] | null,
  lost?: number,
];

const ACCEPTED = 1;
const REVERTED = 2;

/** @param names gets the property and the value, which are the same for most customers */
export function keyBodyOf(key: KeyRecord, names: InternedTexts): string {
  const { at, bodyHash, propertyId, reading, holdChange, givenBack, draws, hold, lost } = key;
  const start = hashStart(propertyId);
  const before = holdChange?.before;
  const stored: Stored = [
    (key.accepted ? ACCEPTED : 0) + (key.isReverted ? REVERTED : 0),
    names.number(propertyId),
    bodyHash.startsWith(start) ? bodyHash.slice(start.length) : [bodyHash],
    key.counted,
    key.applied,
    key.minute - minuteOf(at),
    names.number(JSON.stringify(key.value)),
    reading && storedReading(reading),
    before
      ? [holdChange.resourceId, holdChange.stamp, before.stamp, before.at, before.isHeld, before.key]
      : null,
  ];
  if (lost) stored[12] = lost;
  if (hold) stored[11] = [hold.name, hold.expiresAt];
  if (draws) stored[10] = draws.map(({ grant, minute, amount }) => [grant, minute, amount] as const);
  if (givenBack) stored[9] = givenBack.map(({ minute, amount }) => [minute, amount] as const);
  return JSON.stringify(stored);
}

function storedReading({ used, resetsAt, draws, held }: LedgerReading): StoredReading {
  if (held !== undefined) return [used, resetsAt, draws ?? null, held];
  return draws === undefined ? [used, resetsAt] : [used, resetsAt, draws];
}

export function keyOf({ text, origin, at, body, version }: KeyRow, names: InternedTexts): KeyRecord {
  // Rows of earlier versions are whole records.
  if (body.startsWith('{')) return { ...readKeyBody(JSON.parse(body) as KeyBody), version };
  const stored = JSON.parse(body) as Stored;
  const [
    flags,
    property,
    hash,
    counted,
    applied,
    minutes,
    value,
    reading,
    use,
    givenBack,
    draws,
    hold,
    lost,
  ] = stored;
  const propertyId = names.text(property);
  return {
    text,
    origin: names.text(origin),
    at,
    propertyId,
    counted,
    applied,
    bodyHash: typeof hash === 'string' ? hashStart(propertyId) + hash : hash[0],
    accepted: (flags & ACCEPTED) !== 0,
    isReverted: (flags & REVERTED) !== 0,
    minute: minuteOf(at) + minutes,
    value: JSON.parse(names.text(value)) as MeterableValue,
    reading: reading && {
      used: reading[0],
      resetsAt: reading[1],
      ...(reading[2] && { draws: reading[2] }),
      ...(reading[3] && { held: reading[3] }),
    },
    holdChange: use && {
      resourceId: use[0],
      stamp: use[1],
      before: { stamp: use[2], at: use[3], isHeld: use[4], key: use[5] },
    },
    ...(givenBack && { givenBack: givenBack.map(([minute, amount]) => ({ minute, amount })) }),
    ...(draws && { draws: draws.map(([grant, minute, amount]) => ({ grant, minute, amount })) }),
    ...(hold && { hold: { name: hold[0], expiresAt: hold[1] } }),
    ...(lost && { lost }),
    version,
  };
}

/** How the Worker's `bodyHash` starts. Another one is stored whole. */
function hashStart(propertyId: string): string {
  return `[${JSON.stringify(propertyId)},`;
}
