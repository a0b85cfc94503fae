/** The public answer for a meterable property, from the customer's value and the ledger's reading. */
import type { ReadDraws, ReadHeld, RolledGrant, WindowAnchor } from '#contracts/internal/ledger';
import type { BalanceLine } from '#contracts/public/balance-lines';
import type { Meter, MeterableValue, PeriodLength, PeriodType } from '#contracts/public/values';
import type { OrderedSource } from '../balances/drawing-order.ts';
import {
  quotaHeldOf,
  quotaUsedOf,
  type ReadBalances,
  readBalances,
  type SourceLine,
} from '../balances/read-balances.ts';
import { overageLimit } from '../values/kinds/overage.ts';
import { type MeterPeriod, windowOf } from './window-of.ts';

/**
 * `on` and `off` have `allowed`, and `used` if usage was read. What is on and costs what cannot be paid is `off`. `metered` always has all nine fields. `held` is beside `used`, where something is. Fields that do not apply are null: count and
 * length of a lifetime meter, `resetsAt` of a lifetime meter and of a trailing window without usage.
 */
export type MeterAnswer =
  | { state: 'on'; allowed: true; used?: number; held?: number; entity?: EntityAnswer; costs?: CostAnswer }
  | { state: 'off'; allowed: false; used?: number; held?: number; costs?: CostAnswer }
  | MeteredAnswer;

export interface MeteredAnswer {
  state: 'metered';
  /** used < limit or less overage than is allowed, and what one costs can be paid */
  allowed: boolean;
  limit: number;
  used: number;
  held?: number;
  remaining: number;
  periodType: PeriodType;
  periodCount: number | null;
  periodLength: PeriodLength | null;
  resetsAt: number | null;
  /** Usage above the limit and all balances; absent if there is none, and where there are no balances and no overage is allowed. */
  overage?: number;
  /** How much overage is allowed; null: any amount. Absent: none. */
  overageLimit?: number | null;
  /** Where an entity's limit applies, too, and `allowed` is false. */
  limitOf?: LimitOwner;
  /** Where each entity has a limit. */
  entity?: EntityAnswer;
  /** What usage is taken from, in the order of drawing; where it was asked for and the customer has balances. */
  balances?: BalanceLine[];
  /** Where each one costs something. */
  costs?: CostAnswer;
}

/** Whose limit refuses, where an entity's and its customer's apply. */
export type LimitOwner = 'customer' | 'entity';

/** What each entity may use, and what the one of the call has used. */
export interface EntityAnswer
  extends Partial<Pick<MeteredAnswer, 'used' | 'held' | 'remaining' | 'allowed' | 'resetsAt'>> {
  /** Null: the call names none. Then the limit is all that is said. */
  readonly id: string | null;
  readonly limit: number;
  /** False: it needs a seat and has none. Absent otherwise. */
  readonly hasSeat?: false;
}

/** What one of a meter costs, and whether that is left. */
export interface CostAnswer {
  readonly feature: string;
  readonly property: string;
  /** Of one; at most three decimal places. */
  readonly per: number;
  /** Whether one can be paid. */
  readonly allowed: boolean;
  /** Of the meter that pays; absent if it is on or off. */
  readonly remaining?: number;
}

/** What counts against the limit of an answered meter: what is used and what is held. */
export function takenIn({ used, held = 0 }: Pick<MeteredAnswer, 'used' | 'held'>): number {
  return used + held;
}

/** A ledger's count for one property in the current window. */
export interface MeterReading {
  /** With what is held. */
  used: number;
  /** Trailing windows: when the oldest usage leaves the window, if the ledger knows. Billing windows: the end of the one that was read. */
  resetsAt?: number | null | undefined;
  draws?: ReadDraws | undefined;
  held?: ReadHeld | undefined;
  rolled?: readonly RolledGrant[] | undefined;
  /** Of an entity that needs a seat and has none. */
  isUnseated?: true | undefined;
}

/** What is the customer's own. */
export interface MeterOwner {
  /** What a billing window is counted from; without it and without a reading, the first of the month. */
  readonly anchor?: WindowAnchor | undefined;
  /** The customer's balances among them: limit, usage and what remains include them. */
  readonly sources?: readonly OrderedSource[] | undefined;
  /** Whether the answer lists the sources. */
  readonly isListed?: boolean | undefined;
}

/** Of a metered value, a missing reading counts as no usage. A negative one counts as zero. */
export function readMeter(
  value: MeterableValue,
  reading: MeterReading | undefined,
  now: number,
  owner: MeterOwner = NOBODY,
): MeterAnswer {
  const usage = reading === undefined ? {} : { used: usedOf(reading), ...heldField(heldOf(reading)) };
  if (value.state === 'on') return { state: 'on', allowed: true, ...usage };
  if (value.state === 'off') return { state: 'off', allowed: false, ...usage };
  const { meter } = value;
  const { anchor, sources } = owner;
  const isLifetime = meter.periodType === 'lifetime';
  const window = anchor === undefined ? meter : { ...meter, ...anchor };
  const read = sources === undefined ? null : readSources(sources, meter, reading);
  const { lines, ...left } = read ?? { lines: [], ...readQuota(meter, reading) };
  return {
    state: 'metered',
    ...left,
    periodType: meter.periodType,
    periodCount: isLifetime ? null : meter.periodCount || 1,
    periodLength: isLifetime ? null : (meter.periodLength ?? null),
    resetsAt: resetOf(window, reading, now),
    ...(read !== null && owner.isListed === true && { balances: lines.map(answeredLine) }),
  };
}

const NOBODY: MeterOwner = {};

type Left = Pick<
  MeteredAnswer,
  'allowed' | 'limit' | 'used' | 'held' | 'remaining' | 'overage' | 'overageLimit'
>;
type Limited = Pick<Meter, 'limit' | 'overage'>;

function readQuota({ limit, overage }: Limited, reading: MeterReading | undefined): Left {
  const taken = quotaTakenOf(reading);
  const held = quotaHeldIn(reading);
  const said = { limit, used: taken - held, ...heldField(held), remaining: Math.max(0, limit - taken) };
  return overage === undefined
    ? { allowed: taken < limit, ...said }
    : { allowed: taken < limit + overageLimit(overage), ...said, ...overageFields(taken - limit, overage) };
}

/** @param overage negative: there is none */
function overageFields(
  overage: number,
  allowed: Meter['overage'],
): Pick<MeteredAnswer, 'overage' | 'overageLimit'> {
  const most = overageLimit(allowed);
  return {
    ...(overage > 0 && { overage }),
    ...(most > 0 && { overageLimit: Number.isFinite(most) ? most : null }),
  };
}

/** How much more is allowed above the limit and all balances. Negative: more was counted than is allowed. */
export function overageLeft({ overage = 0, overageLimit = 0 }: MeteredAnswer): number {
  return (overageLimit ?? Number.POSITIVE_INFINITY) - overage;
}

/** 0 is not said. */
function heldField(held: number): { held?: number } {
  return held === 0 ? {} : { held };
}

function readSources(
  sources: readonly OrderedSource[],
  { limit: quota, overage: allowed }: Limited,
  reading: MeterReading | undefined,
): Left & Pick<ReadBalances, 'lines'> {
  const counted = { used: takenOf(reading), draws: reading?.draws, held: reading?.held };
  const { limit, used, held, remaining, overage, lines } = readBalances(sources, quota, counted);
  const said = { limit, used, ...heldField(held), remaining, ...overageFields(overage, allowed) };
  return { allowed: remaining > 0 || overage < overageLimit(allowed), ...said, lines };
}

function answeredLine({
  source,
  amount,
  used,
  held,
  remaining,
  endsAt,
  rolledFrom,
}: SourceLine): BalanceLine {
  const said =
    source === 'quota'
      ? { kind: source }
      : {
          ...{ kind: 'balance' as const, id: source.name ?? source.grant },
          ...(source.entity !== undefined && { entityId: source.entity }),
        };
  const rolled = rolledFrom === undefined ? {} : { source: 'rollover' as const, rolledFrom };
  return { ...said, ...rolled, amount, used, ...heldField(held), remaining, endsAt };
}

function resetOf(meter: MeterPeriod, reading: MeterReading | undefined, now: number): number | null {
  if (meter.periodType === 'fixed') return trailingReset(reading, now);
  return meter.periodType === 'billing' ? billingReset(meter, reading, now) : windowOf(meter, now).resetsAt;
}

/** When the answer says that it resets, so that the order of drawing stays until then. What leaves a trailing window has no end. */
export function endsAt(meter: MeterPeriod, reading: MeterReading | undefined, now: number): number | null {
  return meter.periodType === 'billing' ? billingReset(meter, reading, now) : windowOf(meter, now).resetsAt;
}

/** The ledger's word comes first: a decision that is replayed was made under the anchor of then. */
export function billingReset(
  meter: MeterPeriod,
  reading: MeterReading | undefined,
  now: number,
): number | null {
  const resetsAt = reading?.resetsAt ?? null;
  return resetsAt !== null && resetsAt > now ? resetsAt : windowOf(meter, now).resetsAt;
}

/** As `takenOf`, without what balances paid for: the customer may have none of them any more. */
export function quotaTakenOf(reading: MeterReading | undefined): number {
  return reading?.draws === undefined
    ? takenOf(reading)
    : quotaUsedOf({ ...reading, used: takenOf(reading) });
}

/** As `heldOf`, of what counts against the quota. */
export function quotaHeldIn(reading: MeterReading | undefined): number {
  return reading?.draws === undefined ? heldOf(reading) : quotaHeldOf({ ...reading, used: takenOf(reading) });
}

/** What is used, without what is held. */
export function usedOf(reading: MeterReading | undefined): number {
  return takenOf(reading) - heldOf(reading);
}

/** What counts against a limit: the reading's count, with what is held; 0 if it is missing, negative or not a number. */
export function takenOf(reading: MeterReading | undefined): number {
  return reading !== undefined && reading.used > 0 ? reading.used : 0;
}

/** At most what is counted: a location may know of a hold before it knows of its usage. */
export function heldOf(reading: MeterReading | undefined): number {
  const held = reading?.held?.amount ?? 0;
  return held > 0 ? Math.min(held, takenOf(reading)) : 0;
}

/** Null once the reset has passed: it does not tell when the next usage leaves. */
export function trailingReset(reading: MeterReading | undefined, now: number): number | null {
  if (reading === undefined || reading.used <= 0) return null;
  const resetsAt = reading.resetsAt ?? null;
  return resetsAt !== null && resetsAt > now ? resetsAt : null;
}
