/**
 * The periods in which a customer's meters that roll over were decided, with their limits: usage does not know limits. Each is a register, so
 * that every location has it. It is written with the first decision of a period, and when the limit has changed.
 */
import type { MeterWindow, Register, RolledGrant } from '#contracts/internal/ledger';
import type { Rollover } from '#contracts/public/rollover';
import { DAY_MS } from '../durations.ts';
import { isLater } from './holds.ts';
import { type Period, type RolledUsage, rolledGrants } from './rolled-grants.ts';

/** The kind of their registers. */
export const PERIOD = 'period';

/** 13 months; and what rolls over for good needs them as long. */
const KEPT_MS = 400 * DAY_MS;
const KEPT_FOR_GOOD_MS = 36_500 * DAY_MS;
const MONTH_MS = 31 * DAY_MS;

/** As the last of all locations wrote it. */
export interface KnownPeriod extends Period {
  readonly propertyId: string;
  readonly origin: string;
  readonly stamp: number;
}

type Body = Pick<Period, 'endsAt' | 'firstLimit' | 'limit'>;

/** A property id has no such character. */
const SEPARATOR = '/';
const NONE: readonly never[] = [];

/** Of several properties and periods: each as it was last written. */
export function periodsOf(registers: readonly Register[]): KnownPeriod[] {
  const last = new Map<string, Register>();
  for (const each of registers) {
    const known = last.get(each.name);
    if (each.kind === PERIOD && (known === undefined || isLater(each, known))) last.set(each.name, each);
  }
  return [...last.values()].map(({ name, origin, stamp, body }) => {
    const [propertyId = '', startsAt] = name.split(SEPARATOR);
    return { propertyId, startsAt: Number(startsAt), origin, stamp, ...(JSON.parse(body) as Body) };
  });
}

export function periodRegister(
  { propertyId, startsAt, origin, stamp, endsAt, firstLimit, limit }: KnownPeriod,
  rollover: Rollover,
): Omit<Register, 'version'> {
  return {
    ...{ kind: PERIOD, name: propertyId + SEPARATOR + startsAt, origin, stamp, isOpen: false },
    until: endsAt + keptMs(rollover),
    body: JSON.stringify({ endsAt, firstLimit, limit } satisfies Body),
  };
}

function keptMs({ lasts, times = 1 }: Rollover): number {
  return lasts === 'forever' ? KEPT_FOR_GOOD_MS : Math.max(KEPT_MS, (lasts.months * times + 1) * MONTH_MS);
}

/** One customer's, in memory. */
export class Periods {
  /** By property, in order. */
  readonly #byProperty = new Map<string, KnownPeriod[]>();

  constructor(periods: readonly KnownPeriod[] = []) {
    for (const each of periods) this.put(each);
  }

  get size(): number {
    let size = 0;
    for (const periods of this.#byProperty.values()) size += periods.length;
    return size;
  }

  find(propertyId: string, startsAt: number): KnownPeriod | undefined {
    return this.of(propertyId).find((each) => each.startsAt === startsAt);
  }

  /** Of a property, in order. */
  of(propertyId: string): readonly KnownPeriod[] {
    return this.#byProperty.get(propertyId) ?? NONE;
  }

  /** Replaces what is known of the period, unless that was written later. */
  put(period: KnownPeriod): void {
    const known = this.find(period.propertyId, period.startsAt);
    if (known !== undefined && isLater(known, period)) return;
    const others = this.of(period.propertyId).filter((each) => each !== known);
    this.#byProperty.set(
      period.propertyId,
      [...others, period].sort((one, other) => one.startsAt - other.startsAt),
    );
  }

  /** Of what is known no longer, whether or not it is deleted yet, nothing is left: so every location comes to the same. */
  rolled(propertyId: string, meter: MeterWindow, now: number, usage: RolledUsage): readonly RolledGrant[] {
    const { rollover } = meter;
    if (rollover === undefined) return NONE;
    const since = now - keptMs(rollover);
    const known = this.of(propertyId).filter(({ endsAt }) => endsAt > since);
    return rolledGrants(propertyId, meter, now, known, usage);
  }
}
