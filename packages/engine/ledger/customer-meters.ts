/**
 * One customer's meters in memory: per property, the usage buckets of every origin, and how many resources were last used
 * in each minute. Changes are collected until the ledger stores them, in the transaction that made them.
 */
import type {
  CountedPart,
  Draw,
  DrawSource,
  LedgerReading,
  MeterWindow,
  ReadDraws,
  RolledGrant,
  UsageBucket,
} from '#contracts/internal/ledger';
import type { IsCut } from '../metering/billing-cuts.ts';
import { BucketSeries } from '../metering/bucket-series.ts';
import { minuteOf, type Reach } from '../metering/bucket-widths.ts';
import { reachOf, readWindow } from '../metering/read-window.ts';
import type { MeterPeriod } from '../metering/window-of.ts';
import { isOfEntity } from './account.ts';
import { drawName, readDrawName, splitGiveBack } from './draws.ts';
import { ENDED_WITHIN_MS, type Hold } from './holds.ts';
import { NOTHING, OpenHolds, type Taken } from './open-holds.ts';
import type { Periods } from './periods.ts';
import type { Period } from './rolled-grants.ts';
import { type BucketShare, usageToGiveBack } from './usage-to-give-back.ts';

/** Anchors, and calendar windows of time zones, that a property was read by lately: of two plans, or of a cycle that was restarted. */
const MAX_NAMED = 8;

/** By what a property was read that begins between full hours or days. */
export interface NamedWindows {
  /** Epoch milliseconds. */
  readonly anchors: Iterable<number>;
  readonly zoned: Iterable<MeterPeriod>;
  /** What rolls over of them, and the meter as it rolled over lately; null: not known. */
  readonly periods: readonly Period[];
  readonly rolling: MeterWindow | null;
}

/** Where windows of a customer may begin, by what calls named and the anchors that it has besides. `now` in minutes. */
export type CutsBy = (identifier: string, named: NamedWindows, now: number) => IsCut;

interface Named {
  readonly anchors: Set<number>;
  /** By what they are. */
  readonly windows: Map<string, MeterPeriod>;
  /** As it rolled over lately. */
  rolling: MeterWindow | null;
}

/** How many resources in use were last used in this minute. */
export interface InUseCount {
  readonly minute: number;
  readonly count: number;
}

export interface BucketChanges {
  readonly buckets: readonly UsageBucket[];
  readonly removed: readonly Pick<UsageBucket, 'propertyId' | 'origin' | 'start'>[];
}

/** What a give-back removes. */
export interface GiveBack {
  readonly givenBack: readonly BucketShare[];
  /** What it gives back to grants. */
  readonly draws: readonly Draw[];
  /** What stays, because grants paid for it that are no sources any more. */
  readonly lost: number;
}

const QUOTA_ONLY: readonly DrawSource[] = ['quota'];
const NO_DRAWS: readonly Draw[] = [];
const NONE: ReadonlyMap<string, BucketSeries> = new Map();
const NO_DRAWN: ReadonlyMap<string, ReadonlyMap<string, BucketSeries>> = new Map();
const NO_ROLLED: readonly RolledGrant[] = [];

interface Besides {
  readonly holds?: readonly Hold[];
  readonly periods?: Periods | null;
}

export class CustomerMeters {
  readonly identifier: string;
  readonly periods: Periods | null;
  readonly #origins = new Map<string, Map<string, BucketSeries>>();
  /** By property: what each grant counts as drawn from it. The series are those of its name in `#origins`. */
  readonly #drawn = new Map<string, Map<string, ReadonlyMap<string, BucketSeries>>>();
  readonly #inUse = new Map<string, BucketSeries>();
  readonly #holds = new OpenHolds();
  readonly #countInUse: (propertyId: string) => readonly InUseCount[];
  readonly #cutsBy: CutsBy | null;
  readonly #touched = new Set<string>();
  /** Of the properties that were counted or read by billing window, or by calendar window of a time zone, or that roll over. */
  readonly #named = new Map<string, Named>();

  /**
   * @param buckets the stored buckets, ordered by start
   * @param countInUse reads the resources in use from storage, ordered by minute
   * @param cutsBy asked when buckets are merged that billing windows read; null: they are merged like all others
   * @param besides what else the readings depend on: the holds that are open, and the periods of meters that roll over; null: none does
   */
  constructor(
    identifier: string,
    buckets: readonly UsageBucket[],
    countInUse: (propertyId: string) => readonly InUseCount[],
    cutsBy: CutsBy | null = null,
    { holds = [], periods = null }: Besides = {},
  ) {
    this.periods = periods;
    this.identifier = identifier;
    for (const hold of holds) this.#holds.put(hold);
    this.#cutsBy = cutsBy;
    this.#countInUse = countInUse;
    for (const bucket of buckets) this.#seriesOf(bucket.propertyId, bucket.origin).put(bucket);
  }

  /** Approximate memory use, in buckets. */
  get weight(): number {
    let weight = 8;
    for (const series of this.#origins.values()) for (const each of series.values()) weight += 8 + each.size;
    for (const series of this.#inUse.values()) weight += 8 + series.size;
    return weight + 8 * (this.#holds.size + (this.periods?.size ?? 0));
  }

  read(propertyId: string, meter: MeterWindow, now: number): LedgerReading {
    this.observe(propertyId, meter);
    const series = this.#seriesFor(propertyId, meter.uniqueResourceIds);
    if (meter.uniqueResourceIds) return readWindow(meter, now, series);
    const drawn = this.#drawn.get(propertyId);
    const isHeld = this.#holds.has(propertyId);
    const ended = isHeld ? this.#holds.seriesOf(propertyId, now) : null;
    const reading = readWindow(meter, now, ended === null ? series : [...series, ended]);
    const rolled = this.rolled(propertyId, meter, now);
    if (drawn === undefined && !isHeld && rolled.length === 0) return reading;
    const reach = reachOf(meter, now);
    const over = isHeld ? this.#holds.endedAt(propertyId, reach, now) : NOTHING;
    const held = isHeld ? this.#holds.heldAt(propertyId, reach, now) : undefined;
    return {
      ...reading,
      ...(drawn && { draws: this.#readDraws(propertyId, drawn, reach, over) }),
      ...(held && { held }),
      ...(rolled.length > 0 && { rolled }),
    };
  }

  /** What can be used now of what earlier windows have left. */
  rolled(propertyId: string, meter: MeterWindow, now: number): readonly RolledGrant[] {
    if (meter.rollover === undefined || this.periods === null) return NO_ROLLED;
    this.observe(propertyId, meter);
    const drawn = this.#drawn.get(propertyId) ?? NO_DRAWN;
    return this.periods.rolled(propertyId, meter, now, {
      taken: (reach) => {
        const over = this.#holds.endedAt(propertyId, reach, now);
        let inWindow = -over.inWindow;
        for (const series of drawn.values()) inWindow += sumOf(series, reach.from, reach.to);
        const used = sumOf(this.#origins.get(propertyId) ?? NONE, reach.from, reach.to) - over.amount;
        return { used, drawn: inWindow };
      },
      drawnBefore: (grant, minute) => {
        const reach = { from: Number.NEGATIVE_INFINITY, to: minute };
        const over = this.#holds.endedAt(propertyId, reach, now, reach).grants.get(grant) ?? 0;
        return Math.max(0, sumOf(drawn.get(grant) ?? NONE, reach.from, minute) - over);
      },
    });
  }

  #readDraws(
    propertyId: string,
    drawn: ReadonlyMap<string, ReadonlyMap<string, BucketSeries>>,
    { from, to }: Reach,
    over: Taken,
  ): ReadDraws {
    let inWindow = -over.inWindow;
    const grants: Record<string, number> = {};
    for (const [grant, series] of drawn) {
      inWindow += sumOf(series, from, to);
      // Of two decisions under one key, the one that was given back may be reverted later.
      const total = this.total(drawName(propertyId, grant)) - (over.grants.get(grant) ?? 0);
      grants[grant] = Math.max(0, total);
    }
    return { inWindow, grants };
  }

  /** Open holds, also those that have just ended by the clock. */
  openHoldsAt(now: number): number {
    return this.#holds.countOf(now - ENDED_WITHIN_MS);
  }

  /** What is known of a hold has changed: once it has an end, its usage is usage like any other. */
  putHold(hold: Hold): void {
    this.#holds.put(hold);
  }

  /** Call before the property is counted: from then on, its buckets are not merged across the beginning of such a window. */
  observe(propertyId: string, meter: MeterWindow): void {
    const { periodType, periodCount, periodLength, anchorAt, trialEndAt, zone, rollover } = meter;
    const isZoned = periodType === 'rolling' && zone !== undefined;
    if (periodType !== 'billing' && !isZoned && rollover === undefined) return;
    let named = this.#named.get(propertyId);
    if (named === undefined) {
      named = nothingNamed();
      this.#named.set(propertyId, named);
    }
    const { anchors, windows } = named;
    if (rollover !== undefined) named.rolling = meter;
    if (isZoned) {
      const name = `${zone} ${periodCount} ${periodLength}`;
      if (windows.has(name)) return;
      if (windows.size >= MAX_NAMED) windows.clear();
      windows.set(name, { periodType, periodCount, periodLength, zone });
      this.#inUse.delete(propertyId);
      return;
    }
    for (const each of [anchorAt, trialEndAt]) {
      if (each === undefined || anchors.has(each)) continue;
      if (anchors.size >= MAX_NAMED) anchors.clear();
      anchors.add(each);
      // Read again from storage, which has the minute of each.
      this.#inUse.delete(propertyId);
    }
  }

  /** The sum over all origins and all time. Negative if more was given back than this ledger has received. */
  total(propertyId: string): number {
    let total = 0;
    for (const series of this.#origins.get(propertyId)?.values() ?? []) total += series.total;
    return total;
  }

  /**
   * Adds to the usage of `origin`, the ledger's own: to the bucket that covers the instant, which may be older than others.
   * @param at epoch milliseconds
   * @returns the minute of the instant
   */
  add(propertyId: string, origin: string, at: number, amount: number): number {
    const series = this.#seriesOf(propertyId, origin);
    const minute = minuteOf(at);
    this.#touched.add(propertyId);
    if (series.add(minute, amount)) series.tidy(series.newest, this.#cutsOf(propertyId));
    return minute;
  }

  /**
   * Chooses the usage that a give-back removes. See worker/domains/metering/README.md, "Metering". What grants have drawn that are no
   * sources any more stays, and what is only held. What entities' grants have paid that are no sources is not looked at: it is not the caller's.
   */
  usageToGiveBack(
    propertyId: string,
    reach: Reach,
    amount: number,
    sources: readonly DrawSource[] = QUOTA_ONLY,
  ): GiveBack {
    const series = this.#seriesFor(propertyId, false);
    const held = this.#holds.seriesOf(propertyId);
    const drawn = this.#drawn.get(propertyId);
    const others = othersGrants(drawn?.keys() ?? [], sources);
    const heldOfOthers = others.size === 0 ? null : this.#holds.seriesOf(propertyId, undefined, others);
    const draws: BucketSeries[] = [];
    const without: BucketSeries[] = [];
    for (const [grant, each] of drawn ?? []) (others.has(grant) ? without : draws).push(...each.values());
    // What others' grants have paid of what is held is in both.
    const given = [...series, held, heldOfOthers].filter((each) => each !== null);
    const shares = usageToGiveBack(given, reach, amount, draws, without);
    if (drawn === undefined) return { givenBack: shares, draws: NO_DRAWS, lost: 0 };
    const givenBack: BucketShare[] = [];
    const backDraws: Draw[] = [];
    let lost = 0;
    for (const { minute, amount: share } of shares) {
      const bucket = this.#bucketAt(propertyId, minute);
      const part = splitGiveBack(share, minute, bucket.used, bucket.drawn, sources);
      if (part.given > 0) givenBack.push({ minute, amount: part.given });
      backDraws.push(...part.draws);
      lost += share - part.given;
    }
    return { givenBack, draws: backDraws, lost };
  }

  /**
   * Which of the usage of one decision a give-back removes: what of it is still in its bucket, and of that what its grants still take back.
   * @param amount at most what the decision counted
   */
  partToGiveBack(
    propertyId: string,
    { minute, counted, draws = NO_DRAWS }: CountedPart,
    amount: number,
    sources: readonly DrawSource[] = QUOTA_ONLY,
  ): GiveBack {
    const bucket = this.#bucketAt(propertyId, minute);
    const drawn = new Map(
      draws.map((each) => [each.grant, Math.min(each.amount, bucket.drawn.get(each.grant) ?? 0)]),
    );
    const onQuota = Math.min(
      draws.reduce((rest, each) => rest - each.amount, counted),
      [...bucket.drawn.values()].reduce((rest, each) => rest - each, bucket.used),
    );
    const used = [...drawn.values()].reduce((sum, each) => sum + each, Math.max(0, onQuota));
    const part = splitGiveBack(amount, minute, used, drawn, sources);
    const givenBack = part.given === 0 ? [] : [{ minute, amount: part.given }];
    return { givenBack, draws: part.draws, lost: amount - part.given };
  }

  /** Counts draws by `origin`, the ledger's own. */
  draw(propertyId: string, origin: string, draws: readonly Draw[]): void {
    for (const { grant, minute, amount } of draws)
      this.revert(drawName(propertyId, grant), origin, minute, -amount);
  }

  /** Subtracts what `origin`, the ledger's own, counted in a minute, or gives back of other origins' usage. */
  revert(propertyId: string, origin: string, minute: number, amount: number): void {
    this.#touched.add(propertyId);
    const series = this.#seriesOf(propertyId, origin);
    if (series.add(minute, -amount)) series.tidy(series.newest, this.#cutsOf(propertyId));
  }

  /** @returns as BucketSeries.put */
  put(bucket: UsageBucket): readonly number[] | false {
    return this.#seriesOf(bucket.propertyId, bucket.origin).put(bucket);
  }

  /** Updates the resources in use: last use moved, resource released, or resource taken. Null: not in use. */
  moveUse(propertyId: string, before: number | null, after: number | null): void {
    const inUse = this.#inUse.get(propertyId);
    if (inUse === undefined) return;
    if (before !== null) inUse.add(minuteOf(before), -1);
    if (after !== null && inUse.add(minuteOf(after), 1)) inUse.tidy(inUse.newest, this.#cutsOf(propertyId));
    inUse.forgetChanges();
  }

  /** The changes of `origin`, the ledger's own, since the last call. */
  takeChanges(origin: string, nextVersion: () => number): BucketChanges {
    const buckets: UsageBucket[] = [];
    const removed: BucketChanges['removed'][number][] = [];
    for (const propertyId of this.#touched) {
      const changes = this.#seriesOf(propertyId, origin).takeChanges(nextVersion);
      for (const bucket of changes.buckets) buckets.push({ ...bucket, propertyId, origin });
      for (const start of changes.removed) removed.push({ propertyId, origin, start });
    }
    this.#touched.clear();
    return { buckets, removed };
  }

  /** Usage, and what grants have drawn of it, in the time of the widest bucket that covers a minute. */
  #bucketAt(
    propertyId: string,
    minute: number,
  ): { readonly used: number; readonly drawn: ReadonlyMap<string, number> } {
    const origins = this.#origins.get(propertyId) ?? NONE;
    const grants = [...(this.#drawn.get(propertyId) ?? [])];
    let [from, to] = [minute, minute + 1];
    for (const each of [origins, ...grants.map(([, series]) => series)]) {
      for (const series of each.values()) {
        const around = series.around(minute);
        if (around === null) continue;
        from = Math.min(from, around.from);
        to = Math.max(to, around.to);
      }
    }
    const held = this.#holds.heldIn(propertyId, { from, to });
    return {
      used: sumOf(origins, from, to) - held.amount,
      drawn: new Map(
        grants.map(([grant, series]) => [grant, sumOf(series, from, to) - (held.grants.get(grant) ?? 0)]),
      ),
    };
  }

  #seriesFor(propertyId: string, isUnique: boolean): readonly BucketSeries[] {
    if (isUnique) return [this.#inUseOf(propertyId)];
    const origins = this.#origins.get(propertyId);
    return origins === undefined ? [] : [...origins.values()];
  }

  #inUseOf(propertyId: string): BucketSeries {
    let inUse = this.#inUse.get(propertyId);
    if (inUse === undefined) {
      const counts = this.#countInUse(propertyId);
      inUse = BucketSeries.of(
        counts.map(({ minute, count }) => ({ start: minute, width: 0, amount: count, version: 0 })),
      );
      inUse.compact(inUse.newest, this.#cutsOf(propertyId)?.(inUse.newest));
      inUse.forgetChanges();
      this.#inUse.set(propertyId, inUse);
    }
    return inUse;
  }

  #noteDraws(name: string, series: ReadonlyMap<string, BucketSeries>): void {
    const draw = readDrawName(name);
    if (draw === null) return;
    const grants = this.#drawn.get(draw.propertyId) ?? new Map();
    this.#drawn.set(draw.propertyId, grants.set(draw.grant, series));
  }

  /** Undefined for a property that no such window reads. @param name the property's id, or that of draws from its usage */
  #cutsOf(name: string): ((now: number) => IsCut) | undefined {
    const cutsBy = this.#cutsBy;
    if (cutsBy === null) return undefined;
    const propertyId = readDrawName(name)?.propertyId ?? name;
    const named = this.#named.get(propertyId);
    const periods = this.periods?.of(propertyId) ?? [];
    if (named === undefined && periods.length === 0) return undefined;
    const { anchors, windows, rolling } = named ?? nothingNamed();
    return (now) => cutsBy(this.identifier, { anchors, zoned: windows.values(), periods, rolling }, now);
  }

  #seriesOf(propertyId: string, origin: string): BucketSeries {
    let origins = this.#origins.get(propertyId);
    if (origins === undefined) {
      origins = new Map();
      this.#origins.set(propertyId, origins);
      this.#noteDraws(propertyId, origins);
    }
    let series = origins.get(origin);
    if (series === undefined) {
      series = new BucketSeries();
      origins.set(origin, series);
    }
    return series;
  }
}

function nothingNamed(): Named {
  return { anchors: new Set(), windows: new Map(), rolling: null };
}

/** Of entities, none of which is a source. */
function othersGrants(grants: Iterable<string>, sources: readonly DrawSource[]): ReadonlySet<string> {
  const others = new Set<string>();
  for (const grant of grants) {
    const isSource = () => sources.some((each) => each !== 'quota' && each.grant === grant);
    if (isOfEntity(grant) && !isSource()) others.add(grant);
  }
  return others;
}

function sumOf(series: ReadonlyMap<string, BucketSeries>, from: number, to: number): number {
  let sum = 0;
  for (const each of series.values()) sum += each.sum(from, to);
  return sum;
}
