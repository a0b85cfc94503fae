/**
 * Decides what happens to a hold after it was made: it is extended, settled, or ends by the clock. What it counted stays where it was
 * counted, so a settlement gives the rest back to exactly the minute and the grants that it came from. What was used is never lost: also a
 * hold that has ended can be settled for a day, and then counts anew.
 */
import type {
  CounterUpdate,
  Draw,
  HoldAction,
  HoldRefusal,
  SettledHold,
  UpdateOutcome,
} from '#contracts/internal/ledger';
import type { CustomerMeters } from './customer-meters.ts';
import {
  drawsOf,
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
import type { UpdateRecords } from './update-records.ts';
import {
  addition,
  count,
  fits,
  isTooLarge,
  NO_CHANGE,
  partOf,
  QUOTA_ONLY,
  readWindowOf,
  takeShare,
} from './usage-change.ts';

type Extension = Extract<HoldAction, { kind: 'extend' }>;
type Settlement = Extract<HoldAction, { kind: 'settle' }>;

/** One action of a hold, with all that deciding it needs. */
interface Deciding {
  readonly meters: CustomerMeters;
  readonly update: CounterUpdate;
  readonly now: number;
  readonly records: UpdateRecords;
  readonly known: KnownHold;
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
  const window = readWindowOf(update);
  if (window !== undefined) meters.observe(update.propertyId, window);
  const deciding = { meters, update, now, records, known };
  return action.kind === 'extend' ? extend(deciding, action) : settle(deciding, action);
}

/** Gives back all that a hold has counted. @returns what is known of it then */
export function endHold(
  meters: CustomerMeters,
  known: KnownHold,
  end: 'expired' | 'replaced',
  records: UpdateRecords,
  now: number,
): KnownHold {
  giveBack(meters, known.hold, known.hold.parts, records);
  return write(meters, known, { end, parts: [] }, records, now);
}

function extend(deciding: Deciding, { lastsMs, key }: Extension): UpdateOutcome {
  const { meters, update, now, records, known } = deciding;
  const { hold } = known;
  const { by: amount = 0 } = update;
  const knownKey = hold.extended.find((each) => each.key === key);
  if (knownKey !== undefined) {
    const isSame = knownKey.amount === amount && knownKey.lastsMs === lastsMs;
    return isSame ? decided(deciding, hold, { isReplayed: true }) : { kind: 'conflict' };
  }
  if (hold.end !== null || hold.expiresAt <= now) return refused('over', hold);
  const change = amount === 0 ? NO_CHANGE : addition(meters, update, now, records);
  if (!fits(meters, update, change, now, records)) return decided(deciding, hold, { isRefused: true });
  const parts = withPart(hold.parts, partOf(change, update.sources, now));
  const extended =
    key === null || amount === 0 ? hold.extended : [...hold.extended, { key, amount, lastsMs }];
  if (Math.max(parts.length, extended.length) > MAX_EXTENSIONS) return refused('too-often', hold);
  if (isTooLarge(meters, update, change)) return { kind: 'too-large' };
  count(meters, update, change, now, records);
  const expiresAt = Math.max(hold.expiresAt, now + lastsMs);
  const more = { amount: hold.amount + change.counted, parts, expiresAt, extended };
  const changed = write(meters, known, more, records, now);
  return decided(deciding, changed.hold, { applied: change.counted, draws: change.draws });
}

function settle(deciding: Deciding, { onExcess }: Settlement): UpdateOutcome {
  const { meters, update, now, records } = deciding;
  // Also without grants it is said how much of it is above the quota.
  const { by: amount = 0, sources = QUOTA_ONLY } = update;
  let { known } = deciding;
  const { end } = known.hold;
  if (isSettled(end)) {
    const isCapped = onExcess === 'cap' && end.amount === Math.min(amount, known.hold.amount);
    if (end.amount !== amount && !isCapped) return refused('settled', known.hold);
    return decided(deciding, known.hold, { isReplayed: true, ...settledParts(known.hold) });
  }
  if (known.hold.expiresAt + SETTLED_WITHIN_MS <= now) return refused('over', known.hold);
  // What has ended is anybody's: it counts as if it was used now.
  if (end === null && known.hold.expiresAt <= now) known = endHold(meters, known, 'expired', records, now);
  const { hold } = known;
  const counted = hold.parts.reduce((sum, part) => sum + part.amount, 0);
  if (amount > hold.amount && onExcess === 'reject') return decided(deciding, hold, { isRefused: true });
  const used = onExcess === 'cap' ? Math.min(amount, hold.amount) : amount;
  const excess = Math.max(0, used - counted);
  const change =
    excess === 0 ? NO_CHANGE : addition(meters, { ...update, by: excess, sources }, now, records);
  if (isTooLarge(meters, update, change)) return { kind: 'too-large' };
  const { kept, back } = splitHold(hold.parts, Math.min(used, counted));
  giveBack(meters, hold, back, records);
  for (const [grant, taken] of back.flatMap((part) => part.taken))
    takeShare(meters, update, { grant, amount: -taken }, now, records);
  count(meters, update, change, now, records);
  const settled = {
    amount: used,
    released: Math.max(0, hold.amount - used),
    overage: change.overage,
  } satisfies SettledHold;
  const parts = withPart(kept, partOf(change, sources, now));
  const changed = write(meters, known, { end: settled, parts }, records, now);
  return decided(deciding, changed.hold, settledParts(changed.hold));
}

function settledParts({ parts, end }: Hold): { readonly applied: number; readonly draws: readonly Draw[] } {
  return { applied: isSettled(end) ? end.amount : 0, draws: parts.flatMap(drawsOf) };
}

function giveBack(
  meters: CustomerMeters,
  { propertyId }: Hold,
  parts: readonly HoldPart[],
  records: UpdateRecords,
): void {
  for (const part of parts) {
    meters.revert(propertyId, records.origin, part.minute, part.amount);
    const draws = drawsOf(part).map((each) => ({ ...each, amount: -each.amount }));
    meters.draw(propertyId, records.origin, draws);
  }
}

function write(
  meters: CustomerMeters,
  known: KnownHold,
  changed: Partial<Omit<Hold, 'name' | 'propertyId'>> & { readonly end?: HoldEnd },
  records: UpdateRecords,
  now: number,
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
}

function decided(
  { meters, update, now }: Deciding,
  hold: Hold,
  { applied = 0, draws = [], isReplayed, isRefused }: Decided,
): UpdateOutcome {
  const window = readWindowOf(update);
  const reading = window === undefined ? null : meters.read(update.propertyId, window, now);
  return {
    ...{ kind: 'decided', accepted: isRefused !== true, replayed: isReplayed === true, applied, at: now },
    ...{ value: update.value, reading },
    ...(draws.length > 0 && { draws }),
    hold: holdState(hold),
  };
}
