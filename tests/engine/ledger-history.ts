/**
 * Random histories of a customer's meters in three locations, and the plainest possible account of them: a list of the
 * updates that were decided. A history is made from a seed alone, so that a failing one can be played again.
 */
import { expect } from 'vitest';
import type {
  CellRecord,
  CounterUpdate,
  KeyRecord,
  LedgerPush,
  LedgerPushAnswer,
  LedgerReading,
  LedgerSite,
  UpdateOutcome,
} from '#contracts/ledger';
import type { Location } from '#contracts/locations';
import { cellEnd } from '#engine/metering/cell-grid';
import {
  closingWord,
  drainProgress,
  endLife,
  finishPush,
  givePage,
  hearClosingWord,
  nextHandOver,
  nextPush,
  type PartCustomer,
  receivePush,
  speaker,
  takePage,
} from '#objects/ledger/exchange';
import type { LedgerStore } from '#objects/ledger/ledger-store';
import { LocalLedger } from '#objects/ledger/local-ledger';
import { Crash, MemoryStore } from './ledger-memory-store';
import { amountReading, type Decision, METERS, resourceReading } from './usage-account';

const LOCATIONS = ['weur', 'apac', 'sam'] as const satisfies readonly Location[];
const CUSTOMERS = ['ada@example.com', '__proto__'];
export const AMOUNTS = 'prop_amounts';
export const RESOURCES = 'prop_resources';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export type Random = () => number;

/** mulberry32: small, and the same everywhere. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What one caller wanted once, however often it had to ask. */
interface Request {
  readonly customer: string;
  readonly update: CounterUpdate;
  readonly firstAt: number;
  readonly decisions: Decision[];
}

interface Message {
  readonly from: Location;
  readonly to: Location;
  readonly push: LedgerPush;
  /** Set on its way back. */
  readonly answer: LedgerPushAnswer | null;
}

export interface HistoryStore extends LedgerStore {
  /** Set: the next transaction fails when all is written. */
  crashesNext: boolean;
  /** Every decision under a key that was ever committed, as it stood last, also where it is deleted. */
  readonly decided: Iterable<KeyRecord & { readonly customer: string }>;
  readonly cells: readonly (CellRecord & { readonly customer: string })[];
}

export class History {
  readonly random: Random;
  now: number;
  readonly #stores = new Map<Location, HistoryStore>();
  readonly #ledgers = new Map<Location, LocalLedger>();
  readonly #requests: Request[] = [];
  #messages: Message[] = [];
  readonly #cut = new Set<string>();
  #lives = 0;
  #enabled: Location[];
  #generation = 1;
  #wasTurnedOff = false;
  #closingSince = 0;
  /** Turned off, and not known to have handed over everything. */
  readonly #closing = new Set<Location>();
  /** Turned on again before that. */
  readonly #rejoining = new Set<Location>();
  /** As those say who have not heard of the last change. */
  #before: { readonly generation: number; readonly locations: Location[] } | null = null;

  /** @param storeOf the storage of a location, empty */
  constructor(seed: number, storeOf: (location: Location) => HistoryStore = () => new MemoryStore()) {
    this.random = randomFrom(seed);
    this.now = Date.UTC(2023 + this.#below(3), this.#below(12), 1 + this.#below(28)) + this.#below(DAY);
    this.#enabled = this.random() < 0.3 ? LOCATIONS.slice(0, 2) : [...LOCATIONS];
    for (const location of LOCATIONS) {
      this.#stores.set(location, storeOf(location));
      this.#restart(location);
    }
  }

  step(): void {
    this.now += 10 + this.#below(2000);
    const dice = this.random();
    if (dice < 0.4) this.#request();
    else if (dice < 0.5) this.#retry();
    else if (dice < 0.59) this.#send();
    else if (dice < 0.74) this.#deliver();
    else if (dice < 0.78) this.#restart(this.#any(LOCATIONS));
    else if (dice < 0.81) this.#togglePartition();
    else if (dice < 0.83) this.#turnOn();
    else if (dice < 0.85) this.#turnOff();
    else if (dice < 0.88) this.#close(this.random() < 0.5);
    else if (dice < 0.89) this.#rejoin();
    else if (dice < 0.91) this.#read();
    else this.#advance();
  }

  /** Everything gets through, every customer is used everywhere, until nobody has anything to say. */
  heal(): void {
    this.#cut.clear();
    for (const message of this.#messages.splice(0)) this.#carry(message);
    for (let round = 0; this.#closing.size > 0; round++) {
      if (round > 20) throw new Error('A location was never closed');
      this.#close(true);
    }
    this.now += 10;
    this.#turnOn();
    this.#rejoin();
    for (const location of this.#enabled) {
      const ledger = this.#ledger(location);
      ledger.commit(() => ledger.hear(this.#site(location)));
      for (const customer of CUSTOMERS) this.#copy(location, customer, 1);
    }
    for (let round = 0; round < 20; round++) {
      let isQuiet = true;
      for (const from of this.#enabled) {
        for (const to of this.#enabled) {
          for (let push = this.#pushOf(from, to); push !== null; push = this.#pushOf(from, to)) {
            isQuiet = false;
            this.#carry({ from, to, push, answer: null });
          }
        }
      }
      if (isQuiet) return;
    }
    throw new Error('The locations never came to rest');
  }

  /** All locations read what the list of updates comes to: now, and when windows will have moved. */
  check(): void {
    for (const ahead of [0, 61 * MINUTE, 3 * DAY, 31 * DAY, 400 * DAY]) this.#checkAt(this.now + ahead);
    for (const location of LOCATIONS) this.#restart(location);
    this.#checkAt(this.now);
    this.#checkStores();
  }

  get acknowledged(): number {
    return this.#requests.filter((request) => request.decisions.length > 0).length;
  }

  /** All stores hold the same cells, and none that another one covers. */
  #checkStores(): void {
    const [first, ...others] = this.#enabled.map((location) => {
      const cells = this.#stores.get(location)!.cells.map((cell) => ({
        series: `${cell.customer} ${cell.propertyId} ${cell.origin}`,
        ...cell,
      }));
      return cells.sort((one, other) =>
        one.series === other.series ? one.start - other.start : one.series < other.series ? -1 : 1,
      );
    });
    for (const other of others) expect(other).toEqual(first);
    for (const [index, cell] of first!.entries()) {
      const next = first![index + 1];
      if (next?.series === cell.series) {
        expect(cellEnd(cell.width, cell.start)).toBeLessThanOrEqual(next.start);
      }
    }
  }

  #checkAt(now: number): void {
    for (const customer of CUSTOMERS) {
      const amounts = this.#standing(customer, AMOUNTS);
      const resources = this.#standing(customer, RESOURCES);
      const expected = METERS.map((meter) =>
        meter.uniqueResourceIds ? resourceReading(resources, meter, now) : amountReading(amounts, meter, now),
      );
      for (const location of this.#enabled) {
        const label = `${location} ${customer} at ${new Date(now).toISOString()}`;
        expect(this.#readings(location, customer, now), label).toEqual(expected);
      }
    }
  }

  /** Of all meters. */
  #readings(location: Location, customer: string, now: number): readonly LedgerReading[] {
    const reads = METERS.map((meter) => ({
      propertyId: meter.uniqueResourceIds ? RESOURCES : AMOUNTS,
      meter,
    }));
    const answer = this.#ledger(location).read({
      site: this.#site(location),
      customer,
      now,
      updates: [],
      reads,
    });
    if (answer.kind !== 'answered') throw new Error('The location is turned on');
    return answer.readings;
  }

  /** One decision for each request: where several locations accepted it, the one that none of them took back. */
  #standing(customer: string, propertyId: string): Decision[] {
    const standing = this.#standingKeys(customer);
    return this.#requests
      .filter((request) => request.customer === customer && request.update.propertyId === propertyId)
      .flatMap(({ decisions, update: { key } }) => {
        const accepted = decisions.filter(({ outcome }) => outcome.accepted && !outcome.replayed);
        if (key === undefined || accepted.length === 0) return accepted;
        const counted = standing.get(key.text) ?? [];
        expect(counted.length, `times that ${key.text} counts`).toBe(1);
        const [{ origin, at }] = counted as [KeyRecord];
        const isCounted = ({ location, outcome }: Decision) =>
          outcome.at === at && location === locationOf(origin);
        const found = accepted.filter(isCounted);
        expect(found, `the decision of ${origin} under ${key.text}`).toHaveLength(1);
        this.#checkFirstByName(accepted, locationOf(origin));
        return found;
      })
      .sort((one, other) => one.outcome.at - other.outcome.at);
  }

  /** Where nobody was ever turned off it is the location whose name sorts first. */
  #checkFirstByName(accepted: readonly Decision[], standing: Location): void {
    if (this.#wasTurnedOff) return;
    for (const { location } of accepted) expect(standing <= location).toBe(true);
  }

  /** Decisions that counted and were not taken back, by their keys; each as its own location has it. */
  #standingKeys(customer: string): Map<string, KeyRecord[]> {
    const last = new Map<string, KeyRecord>();
    for (const store of this.#stores.values()) {
      for (const key of store.decided) {
        if (key.customer !== customer) continue;
        const id = `${key.text} ${key.origin} ${key.at}`;
        if ((last.get(id)?.version ?? 0) < key.version) last.set(id, key);
      }
    }
    const standing = new Map<string, KeyRecord[]>();
    for (const key of last.values()) {
      if (!key.accepted || key.isTakenBack) continue;
      standing.set(key.text, [...(standing.get(key.text) ?? []), key]);
    }
    return standing;
  }

  /** One, or several that arrive together. */
  #request(): void {
    const count = this.random() < 0.7 ? 1 : 2 + this.#below(4);
    const requests = Array.from({ length: count }, () => this.#someRequest());
    this.#attempt(requests);
  }

  #someRequest(): Request {
    const customer = this.random() < 0.8 ? CUSTOMERS[0]! : CUSTOMERS[1]!;
    const request = { customer, update: this.#someUpdate(), firstAt: this.now, decisions: [] };
    this.#requests.push(request);
    return request;
  }

  /** A keyed request again, wherever, whether or not an answer had come. */
  #retry(location?: Location, chance?: number): void {
    const keyed = this.#requests.filter(
      ({ update, firstAt }) => update.key !== undefined && this.now - firstAt < DAY,
    );
    if (keyed.length > 0) this.#attempt([this.#any(keyed)], location, chance);
  }

  /** @param chance that a peer that may know of the customer answers in time */
  #attempt(requests: readonly Request[], at?: Location, chance = 0.8): void {
    const isLate = at === undefined && this.#closing.size > 0 && this.random() < 0.3;
    const location = at ?? this.#any(isLate ? [...this.#closing] : this.#enabled);
    const site = isLate ? this.#siteBefore(location) : this.#site(location);
    try {
      const outcomes = this.#use(location, requests, site, chance);
      if (outcomes === null) return;
      for (const [index, request] of requests.entries()) {
        const outcome = outcomes[index];
        if (outcome?.kind !== 'decided') throw new Error(`Not decided: ${JSON.stringify(outcome)}`);
        request.decisions.push({ location, update: request.update, outcome });
        this.#checkOutcome(request, outcome);
      }
    } catch (error) {
      this.#survive(location, error);
    }
  }

  /** The machine may die before the commit, or only the commit may fail. */
  #survive(location: Location, error: unknown): void {
    if (!(error instanceof Crash)) throw error;
    if (this.random() < 0.5) this.#restart(location);
  }

  #mayCrash(location: Location): void {
    if (this.random() < 0.08) this.#stores.get(location)!.crashesNext = true;
  }

  #checkOutcome({ update, decisions }: Request, outcome: Decision['outcome']): void {
    if (outcome.replayed) {
      const same = decisions.filter((other) => !other.outcome.replayed && other.outcome.at === outcome.at);
      expect(same.map((other) => ({ ...other.outcome, replayed: true }))).toContainEqual(outcome);
      return;
    }
    expect(outcome.at).toBe(this.now);
    const { by } = update;
    if (by !== undefined && by < 0) expect(outcome.applied).toBeGreaterThanOrEqual(by);
    if (by !== undefined && by >= 0) expect(outcome.applied).toBe(outcome.accepted ? by : 0);
    if (update.enforce && outcome.accepted && outcome.applied > 0 && update.value.state === 'metered') {
      expect(outcome.reading!.used).toBeLessThanOrEqual(update.value.meter.limit);
    }
  }

  #someUpdate(): CounterUpdate {
    const isResource = this.random() < 0.4;
    const meters = METERS.filter((meter) => meter.uniqueResourceIds === isResource);
    const meter = { ...this.#any(meters), limit: this.#below(12) };
    const number = this.#requests.length;
    return {
      propertyId: isResource ? RESOURCES : AMOUNTS,
      value: { state: 'metered', meter },
      enforce: this.random() < 0.4,
      ...(isResource
        ? { resourceId: `r${this.#below(4)}`, release: this.random() < 0.35 }
        : { by: this.random() < 0.25 ? -1 - this.#below(6) : this.#below(5) }),
      ...(this.random() < 0.5 ? { key: { text: `key ${number}`, bodyHash: `body ${number}` } } : {}),
    };
  }

  #read(): void {
    const location = this.#any(this.#enabled);
    const ledger = this.#ledger(location);
    ledger.commit(() => ledger.hear(this.#site(location)));
    for (const reading of this.#readings(location, CUSTOMERS[0]!, this.now)) {
      expect(reading.used).toBeGreaterThanOrEqual(0);
    }
  }

  /** As the object does: copies what may be missing from whoever can be reached, then decides in one transaction. */
  #use(
    location: Location,
    requests: readonly Pick<Request, 'customer' | 'update'>[],
    site: LedgerSite,
    chance: number,
  ): UpdateOutcome[] | null {
    const ledger = this.#ledger(location);
    ledger.commit(() => ledger.hear(site));
    if (!ledger.self.isOpen) return null;
    for (const customer of new Set(requests.map((request) => request.customer)))
      this.#copy(location, customer, chance);
    this.#mayCrash(location);
    const answers = ledger.apply(
      requests.map(({ customer, update }) => ({
        site,
        customer,
        now: this.now,
        updates: [update],
        reads: [],
      })),
    );
    return answers.map((answer) => {
      if (answer.kind !== 'answered') throw new Error('The location is turned on');
      return answer.outcomes[0]!;
    });
  }

  /** @param chance that a peer answers in time */
  #copy(location: Location, customer: string, chance: number): void {
    const ledger = this.#ledger(location);
    for (const peer of ledger.peersToCopy(customer, this.now)) {
      if (this.#isCut(location, peer)) continue;
      if (this.random() >= chance) continue;
      const from = speaker(ledger);
      let after = null;
      do {
        const page = givePage(this.#ledger(peer), this.#site(peer), { from, customer, after });
        takePage(ledger, peer, page, this.now);
        after = page.next;
      } while (after !== null);
    }
  }

  #send(): void {
    const from = this.#any(this.#enabled);
    const to = this.#any(this.#enabled);
    const push = this.#pushOf(from, to);
    if (push !== null) this.#messages.push({ from, to, push, answer: null });
  }

  /** Any of the messages on their way: it arrives, arrives and is sent once more, or is lost. */
  #deliver(): void {
    if (this.#messages.length === 0) return;
    const index = this.#below(this.#messages.length);
    const message = this.#messages[index]!;
    if (this.random() < 0.75) this.#messages.splice(index, 1);
    if (this.random() < 0.2 || this.#isCut(message.from, message.to)) return;
    const { from, to, push, answer } = message;
    const reached = answer === null ? to : from;
    this.#mayCrash(reached);
    try {
      if (answer !== null) finishPush(this.#ledger(from), to, push, answer);
      else
        this.#messages.push({
          ...message,
          answer: receivePush(this.#ledger(to), this.#site(to), push, this.now),
        });
    } catch (error) {
      this.#survive(reached, error);
    }
  }

  #carry({ from, to, push, answer }: Message): void {
    const given = answer ?? receivePush(this.#ledger(to), this.#site(to), push, this.now);
    finishPush(this.#ledger(from), to, push, given);
  }

  #pushOf(from: Location, to: Location): LedgerPush | null {
    return from === to ? null : nextPush(this.#ledger(from), to, this.now, 1 + this.#below(8));
  }

  #restart(location: Location): void {
    const newOrigin = () => {
      this.#lives += 1;
      return `${location}/${this.#lives}`;
    };
    const memory = this.random() < 0.3 ? 1 : 10_000;
    this.#ledgers.set(location, new LocalLedger(this.#stores.get(location)!, newOrigin, memory));
  }

  #togglePartition(): void {
    const way = [this.#any(LOCATIONS), this.#any(LOCATIONS)].sort().join();
    if (!this.#cut.delete(way)) this.#cut.add(way);
  }

  #isCut(one: Location, other: Location): boolean {
    return this.#cut.has([one, other].sort().join());
  }

  #turnOn(): void {
    if (this.#enabled.length === LOCATIONS.length) return;
    const added = LOCATIONS.filter((location) => !this.#enabled.includes(location));
    this.#change([...LOCATIONS]);
    for (const location of this.#closing) this.#rejoining.add(location);
    this.#closing.clear();
    // What reaches a new location first may be a retry, while it can reach nobody.
    for (const location of added) if (this.random() < 0.7) this.#retry(location, 0);
  }

  /** As the queue does when it comes to a location that is turned on again. */
  #rejoin(): void {
    for (const location of this.#rejoining) {
      const ledger = this.#ledger(location);
      ledger.commit(() => {
        ledger.hear(this.#site(location));
        ledger.forgetCopies();
      });
    }
    this.#rejoining.clear();
  }

  /** One at a time, and never the last two. */
  #turnOff(): void {
    if (this.#enabled.length < 2 || this.#closing.size > 0) return;
    const off = this.#any(this.#enabled);
    this.#change(this.#enabled.filter((location) => location !== off));
    this.#closing.add(off);
    this.#closingSince = this.now;
    this.#wasTurnedOff = true;
  }

  #change(enabled: Location[]): void {
    this.#before = { generation: this.#generation, locations: this.#enabled };
    this.#enabled = enabled;
    this.#generation += 1;
  }

  /** As the object does when the queue tells it: hands over what can be handed over, and is deleted when nothing is left. */
  #close(isWhole: boolean): void {
    for (const location of this.#closing) {
      const ledger = this.#ledger(location);
      const site = this.#site(location);
      ledger.commit(() => ledger.hear(site));
      for (const { location: to } of ledger.self.peers) {
        if (this.#isCut(location, to) || (!isWhole && this.random() < 0.3)) continue;
        this.#handOver(location, to);
      }
      if (!drainProgress(ledger).isDrained || (!isWhole && this.random() < 0.3)) continue;
      if (!endLife(ledger)) continue;
      const isTold = site.locations.filter((to) => {
        if (this.#isCut(location, to)) return false;
        hearClosingWord(this.#ledger(to), this.#site(to), closingWord(ledger));
        return isWhole || this.random() < 0.8;
      });
      if (isTold.length < site.locations.length) continue;
      ledger.erase();
      this.#closing.delete(location);
    }
  }

  #handOver(from: Location, to: Location): void {
    for (let push = this.#pushOf(from, to); push !== null; push = this.#pushOf(from, to)) {
      this.#carry({ from, to, push, answer: null });
      if (this.random() < 0.1) return;
    }
    let part: PartCustomer | null = null;
    for (;;) {
      const next = nextHandOver(this.#ledger(from), to, this.now, part);
      if (next === null) return;
      this.#carry({ from, to, push: next.push, answer: null });
      part = next.part;
    }
  }

  /**
   * Far, near, and to just before or after the edges of windows. What was turned off hands over within the time for which
   * keys are remembered: who has never heard of it keeps none for it.
   */
  #advance(): void {
    const before = this.now;
    this.#leap();
    const until = Math.max(before, this.#closingSince + 20 * HOUR);
    if (this.#closing.size > 0) this.now = Math.min(this.now, until);
  }

  #leap(): void {
    const next = new Date(this.now);
    const dice = this.random();
    if (dice < 0.3) this.now += this.#below(3 * MINUTE);
    else if (dice < 0.6) this.now += this.#below(5 * HOUR);
    else if (dice < 0.75) this.now += this.#below(40 * DAY);
    else if (dice < 0.8) this.now += this.#below(900 * DAY);
    else {
      const edge = Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 1);
      this.now = Math.max(this.now + 1, edge - 2 + this.#below(4));
    }
  }

  #ledger(location: Location): LocalLedger {
    return this.#ledgers.get(location)!;
  }

  #siteBefore(location: Location): LedgerSite {
    const before = this.#before ?? { generation: this.#generation, locations: this.#enabled };
    return { environmentId: 'env_1', location, shard: 0, ...before };
  }

  #site(location: Location): LedgerSite {
    return {
      environmentId: 'env_1',
      location,
      shard: 0,
      generation: this.#generation,
      locations: this.#enabled,
    };
  }

  #below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  #any<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)]!;
  }
}

function locationOf(origin: string): Location {
  return origin.slice(0, origin.indexOf('/')) as Location;
}
