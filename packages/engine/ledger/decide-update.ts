/**
 * Decides one counter update and counts it: is the idempotency key known, does the update fit the limit, what does it add. Limits are
 * decided and meters are read as of now, also for usage that occurred earlier; it counts where it occurred.
 * Runs synchronously inside the ledger's transaction, one update at a time.
 */
import type {
  AlsoCount,
  AlsoCounted,
  AlsoOutcome,
  CountedPart,
  CounterUpdate,
  KeyRecord,
  LedgerReading,
  UpdateOutcome,
} from '#contracts/internal/ledger';
import { minuteOf } from '../metering/bucket-widths.ts';
import { lacksResourceId } from '../metering/lacks-resource-id.ts';
import { type AlsoPart, accountsOf, alsoPartsOf, entitysPart, hasSeat, unscaledBy } from './also-counts.ts';
import { winningDecision } from './conflicting-decisions.ts';
import type { CustomerMeters } from './customer-meters.ts';
import { decideHold } from './decide-hold.ts';
import { alsoToGiveBack, decisionToGiveBack, shareToGiveBack } from './give-back-of.ts';
import {
  alsoHoldName,
  entityOf,
  entitysHoldPart,
  type HeldAlso,
  type Hold,
  type HoldPart,
  holdState,
  MAX_OPEN_HOLDS,
} from './holds.ts';
import { currentUse } from './resource-use.ts';
import type { Account, UpdateRecords } from './update-records.ts';
import {
  addition,
  atMostLeft,
  type Change,
  count,
  drawn,
  entitysChange,
  fits,
  giveBack,
  giveBackOf,
  isTooLarge,
  NO_CHANGE,
  overagePayment,
  partOf,
  readWindowOf,
  type WithEntity,
} from './usage-change.ts';

const NO_USE = { stamp: 0, at: 0, isHeld: false, key: null };
const NONE: readonly never[] = [];

/** What a part of the update would count. */
interface Planned extends WithEntity {
  /** Whose account it is; undefined: the customer's own. */
  readonly entity?: string | undefined;
  readonly change: Change;
  /** By its own meter. */
  readonly fits: boolean;
  readonly isUnseated?: boolean;
  /** Of an entity's: that of its customer, of the same property. */
  readonly owner?: Planned | undefined;
}

export function decideUpdate(
  meters: CustomerMeters,
  asked: CounterUpdate,
  now: number,
  records: UpdateRecords,
): UpdateOutcome {
  const { key, hold } = asked;
  if (hold !== undefined && hold.kind !== 'open') return decideHold(meters, asked, hold, now, records);
  if (key !== undefined) {
    const known = winningDecision(records.findKeys(key.text), now);
    if (known !== null) return replay(known, key.bodyHash);
  }
  if (hold !== undefined && meters.openHoldsAt(now) >= MAX_OPEN_HOLDS)
    return { kind: 'hold-refused', why: 'too-many' };
  const { givesBack } = asked;
  const given = givesBack === undefined ? undefined : decisionToGiveBack(asked, givesBack, records, now);
  if (given === null) return { kind: 'nothing-to-give-back' };
  const whole = given === undefined ? asked : { ...asked, also: alsoToGiveBack(given, asked) };
  const own = { meters, records };
  const accounts = accountsOf(own, whole.also);
  if (accounts === null) return { kind: 'too-many-entities' };
  const also = alsoPartsOf({ ...own, update: whole }, accounts, whole.by ?? 1);
  const entitys = entitysPart(also, whole);
  const update =
    hold?.orLess === true ? withWhatIsLeft({ ...own, update: whole, entitys }, also, now) : whole;

  const planned = plan({ ...own, update, entitys }, now, given);
  const others = alsoPlanned(planned, accounts, now, given);
  if (isTooMuch(planned) || others.some(isTooMuch)) return { kind: 'too-large' };
  const accepted = planned.fits && others.every((each) => each.fits);
  const held = accepted ? countAll(planned, others, now) : null;
  const counts = others.map((each) => alsoCountedOf(each, accepted, now));
  const counted = countedOf(planned, accepted, now);
  if (key !== undefined) {
    records.putKey({
      ...{ text: key.text, bodyHash: key.bodyHash, origin: records.origin, at: now, accepted },
      ...counted,
      isReverted: false,
      ...(held !== null && { hold: holdOf(held) }),
      ...(counts.length > 0 && { also: counts }),
    });
  }
  const { applied, value, reading, draws, lost } = counted;
  return {
    ...{ kind: 'decided', accepted, replayed: false, applied, at: now, value, reading },
    ...(draws && { draws }),
    ...(lost !== undefined && { lost }),
    ...(held !== null && { hold: holdState(held) }),
    ...(counts.length > 0 && { also: counts.map(alsoOutcomeOf) }),
  };
}

/** @param owner of an entity's part: its customer's */
function plan(part: WithEntity, now: number, given?: CountedPart, owner?: Planned): Planned {
  const change = changeIn(part, now, given);
  return judged(
    part,
    owner === undefined ? change : entitysChange(part, change, owner, given, now),
    now,
    owner,
  );
}

/** @param given what it gives back; undefined: it says so itself */
function changeIn(part: WithEntity, now: number, given: CountedPart | undefined): Change {
  const { meters, update } = part;
  const { paysOverage } = update;
  const window = readWindowOf(update);
  if (window !== undefined) meters.observe(update.propertyId, window);
  if (given !== undefined) return giveBackOf(meters, update, given);
  if (paysOverage !== undefined) return overagePayment(meters, update, paysOverage, now);
  return lacksResourceId(update) ? NO_CHANGE : changeOf(part, now);
}

function judged(part: WithEntity, change: Change, now: number, owner: Planned | undefined): Planned {
  const { value, enforce } = part.update;
  // Without a limit nobody is kept out for what cannot be counted.
  const isUnlimited = value.state === 'on' || (value.state === 'off' && !enforce);
  const isFitting = lacksResourceId(part.update) ? isUnlimited : !enforce || fits(part, change, now);
  return { ...part, change, fits: isFitting, owner };
}

function alsoPlanned(
  own: Planned,
  accounts: readonly Account[],
  now: number,
  given: KeyRecord | undefined,
): readonly Planned[] {
  const parts = alsoPartsOf(own, accounts, own.change.applied);
  // A customer's part comes before that of its entity.
  const planned: Planned[] = [];
  for (const [index, part] of parts.entries()) {
    const { entity } = part.also;
    const counted = given?.also?.[index];
    const owner = entity === undefined ? undefined : customersPart([own, ...planned], part.update);
    const entitys = entity === undefined ? entitysPart(parts, part.update) : undefined;
    const by = given && counted && -shareToGiveBack(counted, given, own.update);
    const update = by === undefined ? part.update : { ...part.update, by };
    const each = plan({ ...part, update, entitys }, now, counted, owner);
    const isUnseated = !hasSeat(own.records, part.also);
    // What is given back is taken of anybody.
    const isRefused = isUnseated && own.update.enforce && each.change.counted > 0;
    planned.push({ ...each, entity, isUnseated, fits: each.fits && !isRefused });
  }
  return planned;
}

function customersPart(planned: readonly Planned[], { propertyId }: CounterUpdate): Planned | undefined {
  return planned.find((each) => each.entity === undefined && each.update.propertyId === propertyId);
}

function isTooMuch({ meters, update, change }: Planned): boolean {
  return isTooLarge(meters, update, change);
}

/** @returns what is held then; null if the update holds nothing */
function countAll(planned: Planned, others: readonly Planned[], now: number): Hold | null {
  for (const { meters, update, change, records } of [planned, ...others])
    count(meters, update, change, now, records);
  const { hold, also = NONE } = planned.update;
  if (hold?.kind !== 'open') return null;
  const name = planned.records.holdName(hold.id);
  const made = newHold(planned, name, now);
  const held = also.length === 0 ? made : { ...made, also: also.map(heldAlsoOf) };
  putHold(planned, held, now);
  for (const [index, each] of others.entries())
    putHold(each, newHold(each, alsoHoldName(name, index), now), now);
  return held;
}

function heldAlsoOf({ propertyId, entity, per }: AlsoCount): HeldAlso {
  return { propertyId, ...(entity !== undefined && { entity }), ...(per !== undefined && { per }) };
}

function putHold({ meters, records }: Account, hold: Hold, now: number): void {
  records.putHold(hold, null, now);
  meters.putHold(hold);
}

function newHold(planned: Planned, name: string, now: number): Hold {
  const { update, change } = planned;
  const { propertyId, hold } = update;
  const lastsMs = hold?.kind === 'open' ? hold.lastsMs : 0;
  return {
    ...{ name, propertyId, amount: change.counted, expiresAt: now + lastsMs, end: null, extended: [] },
    parts: [heldBy(planned, now)],
  };
}

function heldBy({ update, change, owner }: Planned, now: number): HoldPart {
  return owner === undefined
    ? partOf(change, update.sources, now)
    : entitysHoldPart(partOf(owner.change, owner.update.sources, now), owner.update.sources);
}

/** What is left of all meters, if that is less than the amount; at least 1, which does not fit where nothing is left. */
function withWhatIsLeft(own: WithEntity, also: readonly AlsoPart[], now: number): CounterUpdate {
  const others = also.filter((each) => each.also.entity === undefined);
  const left = others.map((each) =>
    unscaledBy(atMostLeft({ ...each, entitys: entitysPart(also, each.update) }, now), each.also.per),
  );
  return { ...own.update, by: Math.max(1, Math.min(atMostLeft(own, now), ...left)) };
}

function countedOf({ meters, update, change }: Planned, accepted: boolean, now: number): CountedPart {
  const { propertyId, value, occurredAt = now } = update;
  const { applied, counted, givenBack, draws, lost } = change;
  const window = readWindowOf(update);
  const reading: LedgerReading | null = window === undefined ? null : meters.read(propertyId, window, now);
  const minute = minuteOf(occurredAt);
  if (!accepted) return { propertyId, applied: 0, value, reading, counted: 0, minute, holdChange: null };
  return {
    ...{ propertyId, applied, value, reading, counted, minute, holdChange: changeOfUse(change) },
    ...(givenBack.length > 0 && { givenBack }),
    ...(draws.length > 0 && { draws }),
    ...(lost > 0 && { lost }),
  };
}

function alsoCountedOf(planned: Planned, accepted: boolean, now: number): AlsoCounted {
  const { entity, fits, isUnseated } = planned;
  return {
    ...countedOf(planned, accepted, now),
    fits,
    ...(entity !== undefined && { entity }),
    ...(isUnseated === true && { isUnseated }),
  };
}

function alsoOutcomeOf(counted: AlsoCounted): AlsoOutcome {
  const { propertyId, entity, fits, isUnseated, applied, value, reading, draws, lost } = counted;
  return {
    ...{ propertyId, fits, applied, value, reading },
    ...(entity !== undefined && { entity }),
    ...(isUnseated && { isUnseated }),
    ...(draws && { draws }),
    ...(lost !== undefined && { lost }),
  };
}

function holdOf({ name, expiresAt, also }: Hold): NonNullable<KeyRecord['hold']> {
  const entity = entityOf(also);
  return { name, expiresAt, ...(entity !== undefined && { entity }) };
}

function replay(known: KeyRecord, bodyHash: string): UpdateOutcome {
  if (known.bodyHash !== bodyHash) return { kind: 'conflict' };
  const { accepted, applied, at, value, reading, draws, lost, hold, propertyId, also } = known;
  return {
    ...{ kind: 'decided', accepted, replayed: true, applied, at, value, reading },
    ...(draws && { draws }),
    ...(lost !== undefined && { lost }),
    ...(hold && { hold: { ...hold, propertyId, amount: applied, settled: null } }),
    ...(also && { also: also.map(alsoOutcomeOf) }),
  };
}

function changeOf(part: WithEntity, now: number): Change {
  const { resourceId } = part.update;
  return resourceId === undefined ? addition(part, now) : resourceChange(part, resourceId, now);
}

/** A release is written even if the resource is not in use here: another location may know of a use. */
function resourceChange(part: WithEntity, resourceId: string, now: number): Change {
  const { update, records } = part;
  const { propertyId, release = false, key, occurredAt = now } = update;
  const uses = records.findUses(propertyId, resourceId);
  const before = currentUse(uses);
  const isInUse = before?.isHeld === true;
  const use = {
    propertyId,
    resourceId,
    // Must win over every known use, even one written by a clock that runs ahead.
    stamp: before === null ? now : Math.max(now, before.stamp + 1),
    at: before === null || !isInUse ? occurredAt : Math.max(occurredAt, before.at),
    origin: records.origin,
    isHeld: !release,
    key: key?.text ?? null,
  };
  if (!release)
    return {
      ...NO_CHANGE,
      counted: 1,
      applied: isInUse ? 0 : 1,
      ...drawn(part, 1, now),
      use,
      uses,
    };
  if (!isInUse) return { ...NO_CHANGE, use, uses };
  return { ...NO_CHANGE, ...giveBack(part, 1, occurredAt), applied: -1, use, uses };
}

function changeOfUse({ use, uses }: Change): KeyRecord['holdChange'] {
  if (use === null) return null;
  const own = uses.find((each) => each.origin === use.origin);
  const { stamp, at, isHeld, key } = own ?? NO_USE;
  return { resourceId: use.resourceId, stamp: use.stamp, before: { stamp, at, isHeld, key } };
}
