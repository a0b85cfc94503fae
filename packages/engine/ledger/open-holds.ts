/** One customer's open holds in memory: what of the counted usage is only held, and what of it has ended by the clock. */
import type { ReadHeld } from '#contracts/internal/ledger';
import { BucketSeries } from '../metering/bucket-series.ts';
import type { Reach } from '../metering/bucket-widths.ts';
import { type Hold, type HoldPart, isAlsoHold } from './holds.ts';

/** What holds have taken. */
export interface Taken {
  readonly amount: number;
  readonly inWindow: number;
  readonly grants: ReadonlyMap<string, number>;
}

export const NOTHING: Taken = { amount: 0, inWindow: 0, grants: new Map() };

export class OpenHolds {
  readonly #byProperty = new Map<string, Map<string, Hold>>();

  get size(): number {
    let size = 0;
    for (const holds of this.#byProperty.values()) size += holds.size;
    return size;
  }

  /** Without those that go with another one. @param since those that end later */
  countOf(since: number): number {
    let count = 0;
    for (const holds of this.#byProperty.values())
      for (const { name, expiresAt } of holds.values())
        if (expiresAt > since && !isAlsoHold(name)) count += 1;
    return count;
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

  /** What is held; undefined if nothing is. */
  heldAt(propertyId: string, reach: Reach, now: number): ReadHeld | undefined {
    const open = this.#holdsOf(propertyId, ({ expiresAt }) => expiresAt > now);
    if (open.length === 0) return undefined;
    const { amount, inWindow, grants } = takenBy(open, reach);
    const until = open.reduce((first, { expiresAt }) => Math.min(first, expiresAt), Number.POSITIVE_INFINITY);
    return {
      ...{ amount, until },
      ...(grants.size > 0 && { draws: { inWindow, grants: Object.fromEntries(grants) } }),
    };
  }

  /** What has ended by the clock, though no ledger has given it back yet. @param ofGrants as in takenBy */
  endedAt(propertyId: string, reach: Reach, now: number, ofGrants?: Reach): Taken {
    const over = this.#holdsOf(propertyId, ({ expiresAt }) => expiresAt <= now);
    return over.length === 0 ? NOTHING : takenBy(over, reach, ofGrants);
  }

  /**
   * What is held, by minute, as negative usage: together with the usage it is what may be given back. Null without any.
   * @param endedBy only what has ended by the clock by then, though no ledger has given it back yet
   * @param ofGrants instead what these have paid of it, as usage
   */
  seriesOf(
    propertyId: string,
    endedBy = Number.POSITIVE_INFINITY,
    ofGrants?: ReadonlySet<string>,
  ): BucketSeries | null {
    let series: BucketSeries | null = null;
    for (const { parts, expiresAt } of this.#byProperty.get(propertyId)?.values() ?? []) {
      if (expiresAt > endedBy) continue;
      series ??= new BucketSeries();
      for (const { minute, amount, taken } of parts)
        series.add(minute, ofGrants === undefined ? -amount : paidBy(taken, ofGrants));
    }
    return series;
  }

  /** What is held in a range of minutes, in all and of each grant. */
  heldIn(propertyId: string, reach: Reach): Taken {
    return this.has(propertyId)
      ? takenBy(
          this.#holdsOf(propertyId, () => true),
          reach,
          reach,
        )
      : NOTHING;
  }

  #holdsOf(propertyId: string, isMeant: (hold: Hold) => boolean): Hold[] {
    return [...(this.#byProperty.get(propertyId)?.values() ?? [])].filter(isMeant);
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

function paidBy(taken: HoldPart['taken'], grants: ReadonlySet<string>): number {
  return taken.reduce(
    (sum, [grant, amount]) => (grant !== null && grants.has(grant) ? sum + amount : sum),
    0,
  );
}

function isIn({ minute }: HoldPart, { from, to }: Reach): boolean {
  return minute >= from && minute < to;
}
