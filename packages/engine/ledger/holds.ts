/**
 * Holds: amounts of a meter that are counted before they are used, as for a call of a model whose length nobody knows yet. What a hold
 * counted is in the buckets like all usage; its register says which part of them is only held, and until when. So every location counts it
 * against the limit, and one that ends without a word ends by each location's clock.
 */
import type {
  AlsoCount,
  Draw,
  DrawSource,
  HoldState,
  Register,
  SettledHold,
} from '#contracts/internal/ledger';
import { DECISIONS_KEPT_MS } from './conflicting-decisions.ts';

/** The kind of their registers. */
export const HOLD = 'hold';
/** Of a customer at once. */
export const MAX_OPEN_HOLDS = 100;
/** By an amount, of one hold: those with a key, and the minutes of all. Each write of a hold repeats them, in every location. */
export const MAX_EXTENSIONS = 100;
/**
 * How long after its end a hold counts as open, unless it is given back, which takes less. A name's ledger that no longer merges into its
 * customer ends a hold for itself alone: then the customer can make others all the same.
 */
export const ENDED_WITHIN_MS = 600_000;
/** How long after its end a hold can still be settled: what was used then counts anew. */
export const SETTLED_WITHIN_MS = 24 * 3_600_000;

/** What a hold, or an extension of it, has counted in one minute. */
export interface HoldPart {
  readonly minute: number;
  readonly amount: number;
  /** What it is taken from, in the order of drawing: a grant's id, or null for the quota. */
  readonly taken: readonly (readonly [grant: string | null, amount: number])[];
}

/** An extension by an amount that had an idempotency key. One without an amount can be repeated anyway. */
export interface Extended {
  readonly key: string;
  readonly amount: number;
  readonly lastsMs: number;
}

/** How a hold came to its end: settled, by the clock, or because another decision under its idempotency key won. */
export type HoldEnd = SettledHold | 'expired' | 'replaced';

export interface Hold {
  readonly name: string;
  readonly propertyId: string;
  /** What is counted: nothing after its end, except by settling. */
  readonly parts: readonly HoldPart[];
  /** Held in all. */
  readonly amount: number;
  readonly expiresAt: number;
  /** Null while it is open. */
  readonly end: HoldEnd | null;
  readonly extended: readonly Extended[];
  /** What it also holds, in holds of their own. Absent without any, and in holds of earlier versions. */
  readonly also?: readonly HeldAlso[];
}

/** As in AlsoCount. */
export type HeldAlso = Pick<AlsoCount, 'propertyId' | 'entity' | 'per'>;

/** What every origin has written under a hold's name. */
export interface KnownHold {
  readonly hold: Hold;
  /** Who wrote it last. */
  readonly origin: string;
  readonly stamp: number;
}

type Body = Omit<Hold, 'name'>;

/** Occurs in no name of a hold that callers know. */
const ALSO = '+';

/** The name of what a hold also holds, in the account that it is in. @param index in the hold's own list */
export function alsoHoldName(name: string, index: number): string {
  return name + ALSO + index;
}

/** Whether it goes with another hold, which alone is extended and settled. */
export function isAlsoHold(name: string): boolean {
  return name.includes(ALSO);
}

/** The last write of a hold; null without any. */
export function lastHold(registers: readonly Register[]): KnownHold | null {
  let last: Register | null = null;
  for (const each of registers) if (last === null || isLater(each, last)) last = each;
  if (last === null) return null;
  const { name, origin, stamp, body } = last;
  return { hold: { name, ...(JSON.parse(body) as Body) }, origin, stamp };
}

/** The holds of several names, as they were last written. */
export function holdsOf(registers: readonly Register[]): Hold[] {
  const byName = Map.groupBy(
    registers.filter(({ kind }) => kind === HOLD),
    ({ name }) => name,
  );
  return [...byName.values()].flatMap((each) => lastHold(each)?.hold ?? []);
}

type Stamped = Pick<Register, 'origin' | 'stamp'>;

export function isLater(one: Stamped, other: Stamped): boolean {
  return one.stamp === other.stamp ? one.origin > other.origin : one.stamp > other.stamp;
}

/** @param before the last write; null for a new hold */
export function holdRegister(
  { name, ...body }: Hold,
  before: KnownHold | null,
  origin: string,
  now: number,
): Omit<Register, 'version'> {
  const stamp = before === null ? now : Math.max(now, before.stamp + 1);
  const until = Math.max(now, body.expiresAt) + DECISIONS_KEPT_MS;
  const isOpen = body.end === null;
  return { kind: HOLD, name, origin, stamp, isOpen, until, body: JSON.stringify(body satisfies Body) };
}

/** When an open register's hold ends. */
export function endOf({ until }: Pick<Register, 'until'>): number {
  return until - DECISIONS_KEPT_MS;
}

export function isSettled(end: HoldEnd | null): end is SettledHold {
  return end !== null && typeof end === 'object';
}

export function holdState({ name, propertyId, amount, expiresAt, end, also }: Hold): HoldState {
  const entity = entityOf(also);
  return {
    ...{ name, propertyId, amount, expiresAt, settled: isSettled(end) ? end : null },
    ...(entity !== undefined && { entity }),
  };
}

/** A call names one entity at most. */
export function entityOf(also: Hold['also']): string | undefined {
  return also?.find((each) => each.entity !== undefined)?.entity;
}

/** Adds to what is counted: to the last part, if that is of the same minute and one source. */
export function withPart(parts: readonly HoldPart[], added: HoldPart): readonly HoldPart[] {
  if (added.amount === 0) return parts;
  const [last, [source]] = [parts.at(-1), added.taken];
  const isSame =
    last?.minute === added.minute &&
    last.taken.length === 1 &&
    added.taken.length === 1 &&
    last.taken[0]?.[0] === source?.[0];
  if (!isSame) return [...parts, added];
  const amount = last.amount + added.amount;
  return [...parts.slice(0, -1), { ...last, amount, taken: [[source?.[0] ?? null, amount]] }];
}

/**
 * What a part took of each source, in the order of drawing.
 * @param sources undefined: all is on the quota
 * @param overage what is above all of them: on the quota too, and taken last
 */
export function takenOf(
  amount: number,
  draws: readonly Draw[],
  sources: readonly ('quota' | { readonly grant: string })[] | undefined,
  overage: number,
): HoldPart['taken'] {
  const byGrant = new Map(draws.map((each) => [each.grant, each.amount]));
  const onQuota = draws.reduce((rest, each) => rest - each.amount, amount - overage);
  if (sources === undefined || draws.length === 0) return [[null, amount]];
  const taken = sources.flatMap((each): HoldPart['taken'] => {
    const grant = each === 'quota' ? null : each.grant;
    const part = grant === null ? onQuota : (byGrant.get(grant) ?? 0);
    return part > 0 ? [[grant, part]] : [];
  });
  return overage > 0 ? [...taken, [null, overage]] : taken;
}

/**
 * The same on the account of an entity, so that both give back the same to the entity's grants: all else that is taken is of its limit.
 * @param sources what the customer's part is drawn from
 */
export function entitysHoldPart({ taken, ...part }: HoldPart, sources: readonly DrawSource[] = []): HoldPart {
  const own = new Set(
    sources.flatMap((each) => (each !== 'quota' && each.entity !== undefined ? each.grant : [])),
  );
  const same: [string | null, number][] = [];
  for (const [grant, amount] of taken) {
    const source = grant !== null && own.has(grant) ? grant : null;
    const last = same.at(-1);
    if (last?.[0] === source) last[1] += amount;
    else same.push([source, amount]);
  }
  return { ...part, taken: same };
}

export function drawsOf({ minute, taken }: HoldPart): Draw[] {
  return taken.flatMap(([grant, amount]) => (grant === null ? [] : [{ grant, minute, amount }]));
}

/**
 * Splits what is held: what was used, and what is given back. What was taken last goes back first.
 * @param used at most the parts' amounts
 */
export function splitHold(
  parts: readonly HoldPart[],
  used: number,
): { readonly kept: readonly HoldPart[]; readonly back: readonly HoldPart[] } {
  const kept: HoldPart[] = [];
  const back: HoldPart[] = [];
  let rest = used;
  for (const { minute, taken } of parts) {
    const [own, other]: [[string | null, number][], [string | null, number][]] = [[], []];
    for (const [grant, amount] of taken) {
      const part = Math.min(rest, amount);
      rest -= part;
      if (part > 0) own.push([grant, part]);
      if (part < amount) other.push([grant, amount - part]);
    }
    for (const [list, of] of [
      [kept, own],
      [back, other],
    ] as const) {
      if (of.length > 0) list.push({ minute, amount: sumOf(of), taken: of });
    }
  }
  return { kept, back };
}

function sumOf(taken: HoldPart['taken']): number {
  return taken.reduce((sum, [, amount]) => sum + amount, 0);
}
