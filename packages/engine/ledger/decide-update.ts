/**
 * Decides one counter update and counts it: is the idempotency key known, does the update fit the limit, what does it add. Limits are
 * decided and meters are read as of now, also for usage that occurred earlier; it counts where it occurred.
 * Runs synchronously inside the ledger's transaction, one update at a time.
 */
import type { CounterUpdate, KeyRecord, UpdateOutcome } from '#contracts/internal/ledger';
import { minuteOf } from '../metering/bucket-widths.ts';
import { lacksResourceId } from '../metering/lacks-resource-id.ts';
import { winningDecision } from './conflicting-decisions.ts';
import type { CustomerMeters } from './customer-meters.ts';
import { decideHold } from './decide-hold.ts';
import { type Hold, holdState, MAX_OPEN_HOLDS } from './holds.ts';
import { currentUse } from './resource-use.ts';
import type { UpdateRecords } from './update-records.ts';
import {
  addition,
  type Change,
  count,
  drawn,
  fits,
  giveBack,
  isTooLarge,
  NO_CHANGE,
  partOf,
  readWindowOf,
} from './usage-change.ts';

const NO_USE = { stamp: 0, at: 0, isHeld: false, key: null };

export function decideUpdate(
  meters: CustomerMeters,
  update: CounterUpdate,
  now: number,
  records: UpdateRecords,
): UpdateOutcome {
  const { key, propertyId, value, hold } = update;
  if (hold !== undefined && hold.kind !== 'open') return decideHold(meters, update, hold, now, records);
  if (key !== undefined) {
    const known = winningDecision(records.findKeys(key.text), now);
    if (known !== null) return replay(known, key.bodyHash);
  }
  if (hold !== undefined && meters.openHoldsAt(now) >= MAX_OPEN_HOLDS)
    return { kind: 'hold-refused', why: 'too-many' };
  const window = readWindowOf(update);
  if (window !== undefined) meters.observe(propertyId, window);
  const isCountable = !lacksResourceId(update);
  const change = isCountable ? changeOf(meters, update, now, records) : NO_CHANGE;
  if (isTooLarge(meters, update, change)) return { kind: 'too-large' };

  // Without a limit nobody is kept out for what cannot be counted.
  const isUnlimited = value.state === 'on' || (value.state === 'off' && !update.enforce);
  const accepted = isCountable ? !update.enforce || fits(meters, update, change, now, records) : isUnlimited;
  const at = update.occurredAt ?? now;
  if (accepted) count(meters, update, change, now, records);
  const applied = accepted ? change.applied : 0;
  const held =
    accepted && hold !== undefined ? newHold(update, change, records.holdName(hold.id), now) : null;
  if (held !== null) {
    records.putHold(held, null, now);
    meters.putHold(held);
  }
  const reading = window === undefined ? null : meters.read(propertyId, window, now);
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
      minute: minuteOf(at),
      ...(change.givenBack.length > 0 && { givenBack: change.givenBack }),
      ...(accepted && change.draws.length > 0 && { draws: change.draws }),
      ...(accepted && change.lost > 0 && { lost: change.lost }),
      holdChange: accepted ? changeOfUse(change) : null,
      isReverted: false,
      ...(held !== null && { hold: { name: held.name, expiresAt: held.expiresAt } }),
    });
  }
  const draws = accepted && change.draws.length > 0 ? { draws: change.draws } : undefined;
  return {
    ...{ kind: 'decided', accepted, replayed: false, applied, at: now, value, reading },
    ...draws,
    ...(accepted && change.lost > 0 && { lost: change.lost }),
    ...(held !== null && { hold: holdState(held) }),
  };
}

function newHold(
  { propertyId, hold, sources }: CounterUpdate,
  change: Change,
  name: string,
  now: number,
): Hold {
  const lastsMs = hold?.kind === 'open' ? hold.lastsMs : 0;
  return {
    ...{ name, propertyId, amount: change.counted, expiresAt: now + lastsMs, end: null, extended: [] },
    parts: [partOf(change, sources, now)],
  };
}

function replay(known: KeyRecord, bodyHash: string): UpdateOutcome {
  if (known.bodyHash !== bodyHash) return { kind: 'conflict' };
  const { accepted, applied, at, value, reading, draws, lost, hold, propertyId } = known;
  const drawn = { ...(draws && { draws }), ...(lost !== undefined && { lost }) };
  const held = hold && { hold: { ...hold, propertyId, amount: applied, settled: null } };
  return { kind: 'decided', accepted, replayed: true, applied, at, value, reading, ...drawn, ...held };
}

function changeOf(
  meters: CustomerMeters,
  update: CounterUpdate,
  now: number,
  records: UpdateRecords,
): Change {
  return update.resourceId === undefined
    ? addition(meters, update, now, records)
    : resourceChange(meters, update, update.resourceId, now, records);
}

/** A release is written even if the resource is not in use here: another location may know of a use. */
function resourceChange(
  meters: CustomerMeters,
  update: CounterUpdate,
  resourceId: string,
  now: number,
  records: UpdateRecords,
): Change {
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
      ...drawn(meters, update, 1, now, records),
      use,
      uses,
    };
  if (!isInUse) return { ...NO_CHANGE, use, uses };
  return { ...NO_CHANGE, ...giveBack(meters, update, 1, occurredAt), applied: -1, use, uses };
}

function changeOfUse({ use, uses }: Change): KeyRecord['holdChange'] {
  if (use === null) return null;
  const own = uses.find((each) => each.origin === use.origin);
  const { stamp, at, isHeld, key } = own ?? NO_USE;
  return { resourceId: use.resourceId, stamp: use.stamp, before: { stamp, at, isHeld, key } };
}
