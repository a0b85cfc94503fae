/**
 * Decides what happens to a hold after it was made: it is extended, settled, or ends by the clock. What it counted stays where it was
 * counted, so a settlement gives the rest back to exactly the minute and the grants that it came from. What was used is never lost: also a
 * hold that has ended can be settled for a day, and then counts anew.
 *
 * What a hold also holds, on other meters or accounts, are holds of their own, which end by themselves and are changed with it.
 */
import type {
  AlsoCount,
  AlsoOutcome,
  CounterUpdate,
  Draw,
  HoldAction,
  HoldRefusal,
  SettledHold,
  UpdateOutcome,
} from '#contracts/internal/ledger';
import { alsoUpdateOf, hasSeat, scaledBy } from './also-counts.ts';
import type { CustomerMeters } from './customer-meters.ts';
import {
  alsoHoldName,
  drawsOf,
  entitysHoldPart,
  type HeldAlso,
  type Hold,
  type HoldEnd,
  type HoldPart,
  holdState,
  isSettled,
  type KnownHold,
  MAX_EXTENSIONS,
  SETTLED_WITHIN_MS,
  splitHold,
  withPart,
} from './holds.ts';
import type { Account, UpdateRecords } from './update-records.ts';
import {
  addition,
  type Change,
  count,
  entitysChange,
  fits,
  isTooLarge,
  NO_CHANGE,
  partOf,
  QUOTA_ONLY,
  readWindowOf,
  takeShare,
  type WithEntity,
} from './usage-change.ts';

type Extension = Extract<HoldAction, { kind: 'extend' }>;
type Settlement = Extract<HoldAction, { kind: 'settle' }>;

/** One action of a hold on one account, with all that deciding it needs. Its amount is `by` of its update. */
interface Deciding extends WithEntity {
  readonly now: number;
  readonly known: KnownHold;
  /** Of an entity that needs a seat and has none. */
  readonly isUnseated?: boolean;
  /** What it is of another hold's; undefined: it is the hold itself. */
  readonly held?: HeldAlso;
}

/** A hold, and what it also holds. */
interface Whole extends Deciding {
  readonly also: readonly AlsoDeciding[];
}

interface AlsoDeciding extends Deciding {
  readonly held: HeldAlso;
}

/** @param update its amount is `by`; its value is that of the hold's property under the customer's current plans */
export function decideHold(
  meters: CustomerMeters,
  update: CounterUpdate,
  action: Extension | Settlement,
  now: number,
  records: UpdateRecords,
): UpdateOutcome {
  const known = records.findHold(action.name);
  if (known === null) return { kind: 'hold-refused', why: 'unknown' };
  const at = records.changerOf(known);
  if (at !== 'here') return { kind: 'hold-refused', why: 'away', ...(at !== null && { at }) };
  observe(meters, update);
  const whole = wholeOf({ meters, update, now, records, known });
  for (const each of whole.also) observe(each.meters, each.update);
  return action.kind === 'extend' ? extend(whole, action) : settle(whole, action);
}

function observe(meters: CustomerMeters, update: CounterUpdate): void {
  const window = readWindowOf(update);
  if (window !== undefined) meters.observe(update.propertyId, window);
}

/** Each customer's part with that of its entity. */
function wholeOf(deciding: Deciding): Whole {
  const parts = alsoDecidingOf(deciding);
  const withEntity = <Kind extends Deciding>(part: Kind): Kind => ({
    ...part,
    entitys: parts.find(
      ({ held, update }) => held.entity !== undefined && update.propertyId === part.update.propertyId,
    ),
  });
  const also = parts.map((each) => (each.held.entity === undefined ? withEntity(each) : each));
  return { ...withEntity(deciding), also };
}

/** What the hold also holds, as far as this ledger knows it. Its limits are those that the update names; without any it has none. */
function alsoDecidingOf({ meters, records, update, known, now }: Deciding): AlsoDeciding[] {
  const { hold } = known;
  return (hold.also ?? []).flatMap((held, index) => {
    const account = accountOf({ meters, records }, held);
    const also = account?.records.findHold(alsoHoldName(hold.name, index)) ?? null;
    if (account === null || also === null) return [];
    const given: AlsoCount = update.also?.find(isOf(held)) ?? { ...held, value: { state: 'on' } };
    const other = alsoUpdateOf(update, { ...given, per: held.per }, update.by ?? 0);
    return [{ ...account, update: other, now, known: also, held, isUnseated: !hasSeat(records, given) }];
  });
}

/** An account may not be copied yet: what it also holds would stay there. What an entity held may be erased. */
function isAllHere({ also, known, records }: Whole): boolean {
  return (known.hold.also ?? []).every(
    (each) =>
      also.some(({ held }) => held === each) || (each.entity !== undefined && records.isErased(each.entity)),
  );
}

function accountOf(own: Account, { entity }: HeldAlso): Account | null {
  return entity === undefined ? own : own.records.accountOf(entity);
}

function isOf({ propertyId, entity }: HeldAlso) {
  return (each: AlsoCount) => each.propertyId === propertyId && each.entity === entity;
}

/** Gives back all that a hold has counted on its account. @returns what is known of it then */
export function endHold(
  meters: CustomerMeters,
  known: KnownHold,
  end: 'expired' | 'replaced',
  records: UpdateRecords,
  now: number,
): KnownHold {
  giveBack({ meters, records }, known.hold, known.hold.parts);
  return write({ meters, records, now, known }, { end, parts: [] });
}

/** Ends a hold with what it also holds. */
export function endWhole(own: Account, known: KnownHold, end: 'expired' | 'replaced', now: number): void {
  const { name, also = [] } = known.hold;
  endHold(own.meters, known, end, own.records, now);
  for (const [index, each] of also.entries()) {
    const account = accountOf(own, each);
    const other = account?.records.findHold(alsoHoldName(name, index));
    if (account !== null && other?.hold.end === null)
      endHold(account.meters, other, end, account.records, now);
  }
}

function extend(whole: Whole, { lastsMs, key }: Extension): UpdateOutcome {
  const { update, now, known } = whole;
  const { hold } = known;
  const { by: amount = 0 } = update;
  const knownKey = hold.extended.find((each) => each.key === key);
  if (knownKey !== undefined) {
    const isSame = knownKey.amount === amount && knownKey.lastsMs === lastsMs;
    return isSame ? decided(whole, hold, { isReplayed: true }) : { kind: 'conflict' };
  }
  if (hold.end !== null || hold.expiresAt <= now) return refused('over', hold);
  if (!isAllHere(whole)) return refused('away', hold);
  const extensions = changesOf(whole, extensionOf);
  const areFitting = extensions.map(({ deciding, change }) => isFitting(deciding, change));
  const also = areFitting.slice(1);
  if (areFitting.includes(false)) return decided(whole, hold, { isRefused: true, also });
  const extended =
    key === null || amount === 0 ? hold.extended : [...hold.extended, { key, amount, lastsMs }];
  const partsOf = ({ deciding, added }: Changing) => withPart(deciding.known.hold.parts, added);
  const mostParts = Math.max(...extensions.map((each) => partsOf(each).length));
  if (Math.max(mostParts, extended.length) > MAX_EXTENSIONS) return refused('too-often', hold);
  if (extensions.some(({ deciding, change }) => isTooLarge(deciding.meters, deciding.update, change)))
    return { kind: 'too-large' };
  const expiresAt = Math.max(hold.expiresAt, now + lastsMs);
  const [own] = extensions.map((each) => {
    const { deciding, change } = each;
    count(deciding.meters, deciding.update, change, now, deciding.records);
    const before = deciding.known.hold;
    const more = { amount: before.amount + change.counted, parts: partsOf(each), expiresAt };
    return write(deciding, deciding === whole ? { ...more, extended } : more);
  });
  const { change } = extensions[0] as (typeof extensions)[number];
  return decided(whole, (own as KnownHold).hold, { applied: change.counted, draws: change.draws });
}

/** Of the hold and what it also holds, in their order. @param of of one, and of its customer's part if it is an entity's */
function changesOf<Made extends { readonly deciding: Deciding }>(
  whole: Whole,
  of: (deciding: Deciding, owner: Made | undefined) => Made,
): readonly Made[] {
  const made: Made[] = [];
  for (const each of [whole, ...whole.also]) {
    const { propertyId } = each.update;
    const owner = made.find(
      ({ deciding }) => isCustomers(deciding) && deciding.update.propertyId === propertyId,
    );
    made.push(of(each, isCustomers(each) ? undefined : owner));
  }
  return made;
}

function isCustomers({ held }: Deciding): boolean {
  return held?.entity === undefined;
}

interface Changing {
  readonly deciding: Deciding;
  readonly change: Change;
  readonly added: HoldPart;
}

function extensionOf(deciding: Deciding, owner: Changing | undefined): Changing {
  return changing(deciding, deciding.update.by ? deciding.update : null, owner);
}

/** @param update null: nothing is counted */
function changing(deciding: Deciding, update: CounterUpdate | null, owner: Changing | undefined): Changing {
  const { now } = deciding;
  if (update === null) return { deciding, change: NO_CHANGE, added: partOf(NO_CHANGE, undefined, now) };
  const part = { ...deciding, update };
  const alone = addition(part, now);
  if (owner === undefined) return { deciding, change: alone, added: partOf(alone, update.sources, now) };
  const change = entitysChange(
    part,
    alone,
    { change: owner.change, update: owner.deciding.update },
    undefined,
    now,
  );
  return { deciding, change, added: entitysHoldPart(owner.added, owner.deciding.update.sources) };
}

function isFitting(deciding: Deciding, change: Change): boolean {
  return fits(deciding, change, deciding.now) && !(deciding.isUnseated && change.counted > 0);
}

function settle(whole: Whole, { onExcess }: Settlement): UpdateOutcome {
  const { now, known, update } = whole;
  const { by: amount = 0 } = update;
  const { hold } = known;
  const { end } = hold;
  if (isSettled(end)) {
    const isCapped = onExcess === 'cap' && end.amount === Math.min(amount, hold.amount);
    if (end.amount !== amount && !isCapped) return refused('settled', hold);
    return decided(whole, hold, { isReplayed: true, ...settledParts(hold) });
  }
  if (hold.expiresAt + SETTLED_WITHIN_MS <= now) return refused('over', hold);
  if (!isAllHere(whole)) return refused('away', hold);
  if (amount > hold.amount && onExcess === 'reject') return decided(whole, hold, { isRefused: true });
  const used = onExcess === 'cap' ? Math.min(amount, hold.amount) : amount;
  const settlements = changesOf<Settling>(whole, (each, owner) =>
    settlementOf(each, scaledBy(used, each.held?.per), owner),
  );
  if (settlements.some(({ deciding, change }) => isTooLarge(deciding.meters, deciding.update, change)))
    return { kind: 'too-large' };
  const [settled = hold] = settlements.map(applySettlement);
  return decided(whole, settled, settledParts(settled));
}

/** Its change is what was used beyond what is counted already. */
interface Settling extends Changing {
  readonly used: number;
}

function settlementOf(given: Deciding, used: number, owner: Settling | undefined): Settling {
  const { meters, update, now, records } = given;
  const { end, expiresAt } = given.known.hold;
  // What has ended is anybody's: it counts as if it was used now.
  const isOver = end === null && expiresAt <= now;
  const known = isOver ? endHold(meters, given.known, 'expired', records, now) : given.known;
  const excess = Math.max(0, used - countedOf(known.hold));
  const part = { ...given, known };
  return { ...changing(part, excess === 0 ? null : settling(update, excess), owner), used };
}

/** Also without grants it is said how much of it is above the quota. */
function settling({ sources = QUOTA_ONLY, ...update }: CounterUpdate, by: number): CounterUpdate {
  return { ...update, by, sources };
}

function countedOf({ parts }: Hold): number {
  return parts.reduce((sum, part) => sum + part.amount, 0);
}

function applySettlement({ deciding, used, change, added }: Settling): Hold {
  const { meters, update, now, records, known } = deciding;
  const { hold } = known;
  const { kept, back } = splitHold(hold.parts, Math.min(used, countedOf(hold)));
  giveBack(deciding, hold, back);
  for (const [grant, taken] of back.flatMap((part) => part.taken))
    takeShare(meters, update, { grant, amount: -taken }, now, records);
  count(meters, update, change, now, records);
  const settled = {
    amount: used,
    released: Math.max(0, hold.amount - used),
    overage: change.overage,
  } satisfies SettledHold;
  return write(deciding, { end: settled, parts: withPart(kept, added) }).hold;
}

function settledParts({ parts, end }: Hold): { readonly applied: number; readonly draws: readonly Draw[] } {
  return { applied: isSettled(end) ? end.amount : 0, draws: parts.flatMap(drawsOf) };
}

function giveBack({ meters, records }: Account, { propertyId }: Hold, parts: readonly HoldPart[]): void {
  for (const part of parts) {
    meters.revert(propertyId, records.origin, part.minute, part.amount);
    const draws = drawsOf(part).map((each) => ({ ...each, amount: -each.amount }));
    meters.draw(propertyId, records.origin, draws);
  }
}

function write(
  { meters, records, known, now }: Omit<Deciding, 'update'>,
  changed: Partial<Omit<Hold, 'name' | 'propertyId'>> & { readonly end?: HoldEnd },
): KnownHold {
  const hold = { ...known.hold, ...changed };
  records.putHold(hold, known, now);
  meters.putHold(hold);
  return { hold, origin: records.origin, stamp: Math.max(now, known.stamp + 1) };
}

function refused(why: HoldRefusal, hold: Hold): UpdateOutcome {
  return { kind: 'hold-refused', why, hold: holdState(hold) };
}

interface Decided {
  readonly applied?: number;
  readonly draws?: readonly Draw[];
  /** It repeats what was decided before. */
  readonly isReplayed?: true;
  /** It did not fit, and the hold stays as it was. */
  readonly isRefused?: true;
  /** Which of what it also holds did fit. */
  readonly also?: readonly boolean[];
}

function decided(
  whole: Whole,
  hold: Hold,
  { applied = 0, draws = [], isReplayed, isRefused, also = [] }: Decided,
): UpdateOutcome {
  return {
    ...{
      kind: 'decided',
      accepted: isRefused !== true,
      replayed: isReplayed === true,
      applied,
      at: whole.now,
    },
    ...{ value: whole.update.value, reading: readingOf(whole) },
    ...(draws.length > 0 && { draws }),
    hold: holdState(hold),
    ...(whole.also.length > 0 && {
      also: whole.also.map((each, index) => alsoOutcomeOf(each, also[index] ?? true)),
    }),
  };
}

function readingOf({ meters, update, now }: Deciding) {
  const window = readWindowOf(update);
  return window === undefined ? null : meters.read(update.propertyId, window, now);
}

function alsoOutcomeOf(deciding: AlsoDeciding, isFittingAlone: boolean): AlsoOutcome {
  const { update, held, records, known, isUnseated } = deciding;
  const hold = records.findHold(known.hold.name)?.hold ?? known.hold;
  const draws = hold.parts.flatMap(drawsOf);
  return {
    ...{ propertyId: update.propertyId, fits: isFittingAlone, value: update.value },
    ...{ applied: isSettled(hold.end) ? hold.end.amount : hold.amount, reading: readingOf(deciding) },
    ...(held.entity !== undefined && { entity: held.entity }),
    ...(isUnseated && { isUnseated }),
    ...(draws.length > 0 && { draws }),
  };
}
