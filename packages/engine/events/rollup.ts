/**
 * What happened in one environment during a minute, an hour or a day: the figures that charts show without reading events.
 * Roll-ups of a period merge into those of the next wider one, which keep the outcomes of each narrower period. Counts are exact
 * however roll-ups are merged; only lists of names are bounded, and drop the smallest counts.
 */
import type { EventOutcome, EventType } from '#contracts/console/events';
import { LatencyHistogram } from './latency-histogram.ts';

/** In the order of stored counts. */
export const OUTCOMES = ['allowed', 'denied', 'warning', 'error'] as const satisfies readonly EventOutcome[];
export type OutcomeCounts = Record<EventOutcome, number>;

export function noEvents(): OutcomeCounts {
  return { allowed: 0, denied: 0, warning: 0, error: 0 };
}

export function addCounts(to: OutcomeCounts, added: Readonly<OutcomeCounts>): void {
  for (const outcome of OUTCOMES) to[outcome] += added[outcome];
}

/** Names in one list of a roll-up: countries, plans and so on. */
const MAX_NAMES = 500;
const MAX_CUSTOMERS = 200;

type Counts = [name: string, count: number][];
type Lists = 'plans' | 'countries' | 'locations' | 'warnings' | 'customers';
const LISTS = ['plans', 'countries', 'locations', 'warnings', 'customers'] as const satisfies Lists[];

interface SeriesEntry {
  /** Position of the narrower period within this one. */
  readonly part: number;
  readonly type: EventType;
  readonly counts: OutcomeCounts;
}

/** The stored form: arrays, because names are chosen by users and may be any property name. */
interface StoredFigures {
  /** Absent if only latencies were read. */
  readonly series?: [part: number, type: EventType, ...counts: number[]][];
  readonly latency: [bin: number, count: number][];
  /** Absent if it is 0. */
  readonly answered?: number | null;
}
interface StoredLists {
  readonly features: [slug: string, allowed: number, denied: number][];
  readonly lists: { readonly [Name in Lists]: Counts };
}

/** Two JSON texts, because most charts need no lists, which are most of the text. */
export interface RollupText {
  /** Outcomes and latencies; in roll-ups of earlier versions also the lists. */
  readonly body: string;
  /** Features and names; null if they are not wanted. */
  readonly lists: string | null;
}

export class Rollup {
  readonly #series = new Map<string, SeriesEntry>();
  readonly latency = new LatencyHistogram();
  /** Answers that clients have given from their caches. No events, so neither counted nor billed as calls. */
  answered = 0;
  readonly features = new Map<string, { allowed: number; denied: number }>();
  readonly #lists: { readonly [Name in Lists]: Map<string, number> } = {
    plans: new Map(),
    countries: new Map(),
    locations: new Map(),
    warnings: new Map(),
    customers: new Map(),
  };

  static read(text: RollupText): Rollup {
    const rollup = new Rollup();
    rollup.add(text);
    return rollup;
  }

  /** Merges a stored roll-up of the same period. A chart reads hundreds, so it is added without being built first. */
  add({ body, lists }: RollupText): void {
    const figures = JSON.parse(body) as StoredFigures & Partial<StoredLists>;
    const names = lists === null ? figures : (JSON.parse(lists) as StoredLists);
    for (const [part, type, ...numbers] of figures.series ?? []) {
      const counts = this.#countsOf(part, type);
      for (let index = 0; index < OUTCOMES.length; index++)
        counts[OUTCOMES[index] as EventOutcome] += numbers[index] ?? 0;
    }
    this.latency.addEntries(figures.latency);
    this.answered += figures.answered ?? 0;
    for (const [slug, allowed, denied] of names.features ?? []) {
      this.countFeature(slug, false, allowed);
      this.countFeature(slug, true, denied);
    }
    for (const list of LISTS)
      for (const [name, count] of names.lists?.[list] ?? []) this.count(list, name, count);
  }

  write(): RollupText & { readonly lists: string } {
    const figures: StoredFigures = {
      series: [...this.#series.values()].map(({ part, type, counts }) => [
        ...([part, type] as const),
        ...OUTCOMES.map((outcome) => counts[outcome]),
      ]),
      latency: this.latency.entries(),
      ...(this.answered > 0 && { answered: this.answered }),
    };
    const lists: StoredLists = {
      features: largest(this.features, ({ allowed, denied }) => allowed + denied, MAX_NAMES).map(
        ([slug, { allowed, denied }]) => [slug, allowed, denied],
      ),
      lists: {
        plans: this.largest('plans', MAX_NAMES),
        countries: this.largest('countries', MAX_NAMES),
        locations: this.largest('locations', MAX_NAMES),
        warnings: this.largest('warnings', MAX_NAMES),
        customers: this.largest('customers', MAX_CUSTOMERS),
      },
    };
    return { body: JSON.stringify(figures), lists: JSON.stringify(lists) };
  }

  get series(): Iterable<SeriesEntry> {
    return this.#series.values();
  }

  countEvents(part: number, type: EventType, outcome: EventOutcome, count: number): void {
    this.#countsOf(part, type)[outcome] += count;
  }

  count(list: Lists, name: string, count: number): void {
    const counts = this.#lists[list];
    counts.set(name, (counts.get(name) ?? 0) + count);
  }

  countFeature(slug: string, isDenied: boolean, count: number): void {
    const known = this.features.get(slug) ?? { allowed: 0, denied: 0 };
    known[isDenied ? 'denied' : 'allowed'] += count;
    this.features.set(slug, known);
  }

  /** The most frequent names first; equal counts by name. */
  largest(list: Lists, limit: number): Counts {
    return largest(this.#lists[list], (count) => count, limit);
  }

  /** The most frequent features first. */
  largestFeatures(limit: number): { slug: string; allowed: number; denied: number }[] {
    return largest(this.features, ({ allowed, denied }) => allowed + denied, limit).map(([slug, counts]) => ({
      slug,
      ...counts,
    }));
  }

  /** @param part position of the other roll-up's period within this one; absent if both cover the same period */
  merge(other: Rollup, part?: number): void {
    for (const entry of other.#series.values()) {
      addCounts(this.#countsOf(part ?? entry.part, entry.type), entry.counts);
    }
    this.latency.merge(other.latency);
    this.answered += other.answered;
    for (const [slug, { allowed, denied }] of other.features) {
      this.countFeature(slug, false, allowed);
      this.countFeature(slug, true, denied);
    }
    for (const list of LISTS) {
      for (const [name, count] of other.#lists[list]) this.count(list, name, count);
    }
  }

  /** Keeps a roll-up that grows bounded in memory. Not part of `merge`: it sorts, and a reader merges hundreds. */
  bound(): void {
    const { customers } = this.#lists;
    if (customers.size <= 2 * MAX_CUSTOMERS) return;
    const kept = new Set(this.largest('customers', MAX_CUSTOMERS).map(([name]) => name));
    for (const name of customers.keys()) if (!kept.has(name)) customers.delete(name);
  }

  #countsOf(part: number, type: EventType): OutcomeCounts {
    const key = `${part} ${type}`;
    let entry = this.#series.get(key);
    if (entry === undefined) {
      entry = { part, type, counts: noEvents() };
      this.#series.set(key, entry);
    }
    return entry.counts;
  }
}

function largest<Value>(
  counts: ReadonlyMap<string, Value>,
  sizeOf: (value: Value) => number,
  limit: number,
): [string, Value][] {
  return [...counts]
    .sort(([one, a], [other, b]) => sizeOf(b) - sizeOf(a) || (one < other ? -1 : 1))
    .slice(0, limit);
}
