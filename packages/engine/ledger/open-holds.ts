/** One customer's open holds in memory: what of the counted usage is only held, and what of it has ended by the clock. */
import type { LedgerReading, ReadDraws } from '#contracts/internal/ledger';
import { BucketSeries } from '../metering/bucket-series.ts';
import type { Reach } from '../metering/read-window.ts';
import type { Hold, HoldPart } from './holds.ts';

/** What holds have taken. */
interface Taken {
  readonly amount: number;
  readonly inWindow: number;
  readonly grants: ReadonlyMap<string, number>;
}

const NOTHING: Taken = { amount: 0, inWindow: 0, grants: new Map() };

export class OpenHolds {
  readonly #byProperty = new Map<string, Map<string, Hold>>();

  get size(): number {
    let size = 0;
    for (const holds of this.#byProperty.values()) size += holds.size;
    return size;
  }

  has(propertyId: string): boolean {
    return this.#byProperty.has(propertyId);
  }

  /** One that has an end is forgotten. */
  put(hold: Hold): void {
    const { propertyId, name } = hold;
    const holds = this.#byProperty.get(propertyId) ?? new Map<string, Hold>();
    if (hold.end === null) holds.set(name, hold);
    else holds.delete(name);
    if (holds.size === 0) this.#byProperty.delete(propertyId);
    else this.#byProperty.set(propertyId, holds);
  }

  /** A reading without what has ended by the clock, though no ledger has given it back yet. */
  read(
    propertyId: string,
    reach: Reach,
    now: number,
    { used, draws, ...reading }: LedgerReading,
  ): LedgerReading {
    const open: Hold[] = [];
    const over: Hold[] = [];
    for (const hold of this.#byProperty.get(propertyId)?.values() ?? [])
      (hold.expiresAt > now ? open : over).push(hold);
    const [ended, held] = [takenBy(over, reach), takenBy(open, reach)];
    return {
      ...reading,
      used: Math.max(0, used - ended.amount),
      ...(draws && { draws: without(draws, ended) }),
      ...(open.length > 0 && {
        held: {
          amount: held.amount,
          until: open.reduce((first, { expiresAt }) => Math.min(first, expiresAt), Number.POSITIVE_INFINITY),
          ...(held.grants.size > 0 && {
            draws: { inWindow: held.inWindow, grants: Object.fromEntries(held.grants) },
          }),
        },
      }),
    };
  }

  /** What is held, by minute, as negative usage: what is left beside it may be given back. Null without any. */
  seriesOf(propertyId: string): BucketSeries | null {
    const holds = this.#byProperty.get(propertyId);
    if (holds === undefined) return null;
    const series = new BucketSeries();
    for (const { parts } of holds.values()) for (const each of parts) series.add(each.minute, -each.amount);
    return series;
  }

  /** What is held in a range of minutes, in all and of each grant. */
  heldIn(propertyId: string, reach: Reach): Taken {
    const holds = this.#byProperty.get(propertyId);
    return holds === undefined ? NOTHING : takenBy([...holds.values()], reach, reach);
  }
}

/** @param ofGrants the minutes of which draws are summed; a grant has no window */
function takenBy(holds: readonly Hold[], reach: Reach, ofGrants?: Reach): Taken {
  let [amount, inWindow] = [0, 0];
  const grants = new Map<string, number>();
  for (const { parts } of holds) {
    for (const part of parts) {
      const isInWindow = isIn(part, reach);
      if (isInWindow) amount += part.amount;
      if (ofGrants !== undefined && !isIn(part, ofGrants)) continue;
      for (const [grant, taken] of part.taken) {
        if (grant === null) continue;
        grants.set(grant, (grants.get(grant) ?? 0) + taken);
        if (isInWindow) inWindow += taken;
      }
    }
  }
  return { amount, inWindow, grants };
}

function isIn({ minute }: HoldPart, { from, to }: Reach): boolean {
  return minute >= from && minute < to;
}

function without({ inWindow, grants }: ReadDraws, ended: Taken): ReadDraws {
  const left = Object.entries(grants).map(([grant, drawn]) => [
    grant,
    Math.max(0, drawn - (ended.grants.get(grant) ?? 0)),
  ]);
  return { inWindow: Math.max(0, inWindow - ended.inWindow), grants: Object.fromEntries(left) };
}
