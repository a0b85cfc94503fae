/**
 * What happened in one environment during a minute, an hour or a day: the figures that charts show without reading events.
 * Roll-ups of a period merge into those of the next wider one, which keep the outcomes of each narrower period. Counts are exact
 * however roll-ups are merged; only lists of names are bounded, and drop the smallest counts.
 */
import type { EventOutcome, EventType } from '#contracts/console/events';
import { Breakdown, type StoredBreakdown } from './breakdown.ts';
import { otherKeyOf } from './drawn-from-balances.ts';
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

/** How a workflow's run ended, in the order of stored counts, which is append-only. */
export const RUN_STATUSES = ['done', 'failed', 'killed', 'lost', 'skipped'] as const;

/** Names in one list of a roll-up: countries, plans and so on. */
const MAX_NAMES = 500;
const MAX_CUSTOMERS = 200;
/** Minutes of an hour. */
const MAX_PARTS = 60;

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
  readonly causes?: StoredBreakdown | undefined;
}
/** Those that are optional are absent if they are empty, and in roll-ups of earlier versions. */
interface StoredLists {
  readonly named?: StoredBreakdown | undefined;
  readonly routes?: StoredBreakdown | undefined;
  readonly runs?: StoredBreakdown | undefined;
  readonly draws?: StoredBreakdown | undefined;
  readonly lists: { readonly [Name in Lists]: Counts };
}

/** Two JSON texts, because most charts need no lists, which are most of the text. */
export interface RollupText {
  /** Outcomes and latencies; in roll-ups of earlier versions also the lists. */
  readonly body: string;
  /** Names, features, routes and runs; null if they are not wanted. */
  readonly lists: string | null;
}

export class Rollup {
  readonly #series = new Map<string, SeriesEntry>();
  readonly latency = new LatencyHistogram();
  /** Answers that clients have given from their caches. No events, so neither counted nor billed as calls. */
  answered = 0;
  /** Denied calls by the narrower period's position; the columns are DENIAL_CAUSES. */
  readonly causes = new Breakdown();
  /** Calls by the slug of a feature that they name; the columns are allowed, then DENIAL_CAUSES. */
  readonly named = new Breakdown();
  /** Calls with their latency by the location that served them and the caller's continent: 'enam AS'. */
  readonly routes = new Breakdown();
  /** Workflow runs with their time by workflow; the columns are RUN_STATUSES. */
  readonly runs = new Breakdown();
  /** What calls took from balances, by meter and balance (drawn-from-balances.ts); the columns are taken, then given back. */
  readonly draws = new Breakdown();
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
    this.causes.read(figures.causes);
    this.named.read(names.named);
    this.routes.read(names.routes);
    this.runs.read(names.runs);
    this.draws.read(names.draws);
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
      causes: this.causes.write(MAX_PARTS),
    };
    const lists: StoredLists = {
      named: this.named.write(MAX_NAMES),
      routes: this.routes.write(MAX_NAMES),
      runs: this.runs.write(MAX_NAMES),
      draws: this.draws.write(MAX_NAMES, otherKeyOf),
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

  /** The most frequent names first; equal counts by name. */
  largest(list: Lists, limit: number): Counts {
    return largest(this.#lists[list], limit);
  }

  /** @param part position of the other roll-up's period within this one; absent if both cover the same period */
  merge(other: Rollup, part?: number): void {
    for (const entry of other.#series.values()) {
      addCounts(this.#countsOf(part ?? entry.part, entry.type), entry.counts);
    }
    this.latency.merge(other.latency);
    this.answered += other.answered;
    this.causes.merge(other.causes, part?.toString());
    this.named.merge(other.named);
    this.routes.merge(other.routes);
    this.runs.merge(other.runs);
    this.draws.merge(other.draws);
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

function largest(counts: ReadonlyMap<string, number>, limit: number): Counts {
  return [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)).slice(0, limit);
}
