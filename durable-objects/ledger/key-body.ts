/**
 * The body of a key's row: a decision and its answer, by position, without what the row's other columns have. A key lives for a day in
 * every location, so its length is most of what an environment with keys stores. Ledgers exchange whole records.
 */
import type {
  AlsoCounted,
  CountedPart,
  KeyRecord,
  LedgerReading,
  ReadDraws,
  ReadHeld,
  RolledGrant,
} from '#contracts/internal/ledger';
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

type StoredReading = [
  used: number,
  resetsAt: number | null,
  draws?: ReadDraws | null,
  held?: ReadHeld | null,
  rolled?: readonly RolledGrant[],
];

type StoredPart = [
  counted: number,
  applied: number,
  /** Of the bucket, since the decision. */
  minutes: number,
  value: number,
  reading: StoredReading | null,
  use: [resourceId: string, stamp: number, ...before: [number, number, boolean, string | null]] | null,
  givenBack?: (readonly [minute: number, amount: number])[] | null,
  draws?: (readonly [grant: string, minute: number, amount: number])[] | null,
];

/** Of what an update also counts. */
const FITS = 1;
const UNSEATED = 2;

type StoredAlso = readonly [
  property: number,
  flags: number,
  entity: string | null,
  lost: number,
  part: StoredPart,
];

type Stored = [
  flags: number,
  property: number,
  hash: string | [whole: string],
  ...part: StoredPart,
  hold?: readonly [name: string, expiresAt: number, entity?: string] | null,
  lost?: number | null,
  also?: readonly StoredAlso[],
];

const ACCEPTED = 1;
const REVERTED = 2;

/** Where each of these is in a part. */
const [GIVEN_BACK, DRAWS] = [6, 7];
/** Where each of these is, after the three that come before a part. */
const [HOLD, LOST, ALSO] = [11, 12, 13];
const PART_AT = 3;

/** @param names gets the property and the value, which are the same for most customers */
export function keyBodyOf(key: KeyRecord, names: InternedTexts): string {
  const { at, bodyHash, propertyId, hold, lost, also } = key;
  const start = hashStart(propertyId);
  const stored: unknown[] = [
    (key.accepted ? ACCEPTED : 0) + (key.isReverted ? REVERTED : 0),
    names.number(propertyId),
    bodyHash.startsWith(start) ? bodyHash.slice(start.length) : [bodyHash],
    ...storedPart(key, at, names),
  ];
  if (hold) stored[HOLD] = [hold.name, hold.expiresAt, ...(hold.entity === undefined ? [] : [hold.entity])];
  if (lost) stored[LOST] = lost;
  if (also) stored[ALSO] = also.map((each) => storedAlso(each, at, names));
  return JSON.stringify(stored);
}

function storedAlso(also: AlsoCounted, at: number, names: InternedTexts): StoredAlso {
  const { propertyId, fits, isUnseated, entity, lost } = also;
  const flags = (fits ? FITS : 0) + (isUnseated ? UNSEATED : 0);
  return [names.number(propertyId), flags, entity ?? null, lost ?? 0, storedPart(also, at, names)];
}

function storedPart(
  { counted, applied, minute, value, reading, holdChange, givenBack, draws }: CountedPart,
  at: number,
  names: InternedTexts,
): StoredPart {
  const before = holdChange?.before;
  const stored: StoredPart = [
    ...([counted, applied, minute - minuteOf(at), names.number(JSON.stringify(value))] as const),
    reading && storedReading(reading),
    before
      ? [holdChange.resourceId, holdChange.stamp, before.stamp, before.at, before.isHeld, before.key]
      : null,
  ];
  if (givenBack) stored[GIVEN_BACK] = givenBack.map((each) => [each.minute, each.amount] as const);
  if (draws) stored[DRAWS] = draws.map((each) => [each.grant, each.minute, each.amount] as const);
  return stored;
}

function storedReading({ used, resetsAt, draws, held, rolled }: LedgerReading): StoredReading {
  if (rolled !== undefined) return [used, resetsAt, draws ?? null, held ?? null, rolled];
  if (held !== undefined) return [used, resetsAt, draws ?? null, held];
  return draws === undefined ? [used, resetsAt] : [used, resetsAt, draws];
}

export function keyOf({ text, origin, at, body, version }: KeyRow, names: InternedTexts): KeyRecord {
  // Rows of earlier versions are whole records.
  if (body.startsWith('{')) return { ...readKeyBody(JSON.parse(body) as KeyBody), version };
  const stored = JSON.parse(body) as Stored;
  const [flags, property, hash] = stored;
  const propertyId = names.text(property);
  const part = stored.slice(PART_AT, HOLD) as StoredPart;
  const [hold, lost, also] = [stored[HOLD], stored[LOST], stored[ALSO]] as [
    Stored[11]?,
    Stored[12]?,
    Stored[13]?,
  ];
  return {
    text,
    origin: names.text(origin),
    at,
    ...partOf(propertyId, part, at, names),
    bodyHash: typeof hash === 'string' ? hashStart(propertyId) + hash : hash[0],
    accepted: (flags & ACCEPTED) !== 0,
    isReverted: (flags & REVERTED) !== 0,
    ...(hold && {
      hold: { name: hold[0], expiresAt: hold[1], ...(hold[2] !== undefined && { entity: hold[2] }) },
    }),
    ...(lost && { lost }),
    ...(also && { also: also.map((each) => alsoOf(each, at, names)) }),
    version,
  };
}

function alsoOf(
  [property, flags, entity, lost, part]: StoredAlso,
  at: number,
  names: InternedTexts,
): AlsoCounted {
  return {
    ...partOf(names.text(property), part, at, names),
    fits: (flags & FITS) !== 0,
    ...((flags & UNSEATED) !== 0 && { isUnseated: true as const }),
    ...(entity !== null && { entity }),
    ...(lost > 0 && { lost }),
  };
}

function partOf(propertyId: string, part: StoredPart, at: number, names: InternedTexts): CountedPart {
  const [counted, applied, minutes, value, reading, use, givenBack, draws] = part;
  return {
    propertyId,
    counted,
    applied,
    minute: minuteOf(at) + minutes,
    value: JSON.parse(names.text(value)) as MeterableValue,
    reading: reading && {
      used: reading[0],
      resetsAt: reading[1],
      ...(reading[2] && { draws: reading[2] }),
      ...(reading[3] && { held: reading[3] }),
      ...(reading[4] && { rolled: reading[4] }),
    },
    holdChange: use && {
      resourceId: use[0],
      stamp: use[1],
      before: { stamp: use[2], at: use[3], isHeld: use[4], key: use[5] },
    },
    ...(givenBack && { givenBack: givenBack.map(([minute, amount]) => ({ minute, amount })) }),
    ...(draws && { draws: draws.map(([grant, minute, amount]) => ({ grant, minute, amount })) }),
  };
}

/** How the Worker's `bodyHash` starts. Another one is stored whole. */
function hashStart(propertyId: string): string {
  return `[${JSON.stringify(propertyId)},`;
}
