/**
 * Random histories in which any set of regions follows any other, on a virtual clock: calls are lost, late, repeated or silent,
 * ledgers crash, connections are cut in one direction, the queue delivers late and twice, isolates have old snapshots and clocks
 * differ. Update i adds 4^i, so a lifetime reading says how often each update counts. A history depends on its seed alone.
 */
import type { CounterUpdate, LedgerAnswer, LedgerSite, Regions } from '#contracts/internal/ledger';
import { LOCATIONS as ALL, type Location } from '#contracts/public/locations';
import type { Meter, MeterableValue } from '#contracts/public/values';
import { SharedMemory } from '#engine/cache/shared-memory';
import { readHoldName } from '#engine/ledger/hold-name';
import { type Random, randomFrom } from '#lab/fixtures/seeded-random';
import { CleanUp } from '#objects/ledger/clean-up';
import { serveCopyPage } from '#objects/ledger/copy-pages';
import { observeRetirementNotice } from '#objects/ledger/handoff';
import { LocalLedger } from '#objects/ledger/local-ledger';
import { PeerReplicator } from '#objects/ledger/peer-replicator';
import { receiveBatch } from '#objects/ledger/replication';
import { Retirement } from '#objects/ledger/retirement';
import { Crash, MemoryStore } from './ledger-memory-store.ts';
import { VirtualClock } from './virtual-clock.ts';

const LOCATIONS = ALL.slice(0, 4);
const CUSTOMERS = ['ada', 'grace'];
const LIFETIME: Meter = { limit: 5, periodType: 'lifetime', uniqueResourceIds: false };
const UNIQUE: Meter = { ...LIFETIME, uniqueResourceIds: true };
const METERED: MeterableValue = { state: 'metered', meter: LIFETIME };
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** 4^25 is below 2^53. */
const PER_PROPERTY = 25;
const CALL_MS = 5 * SECOND;
const ERASE_MS = 30 * SECOND;

interface Update {
  readonly number: number;
  readonly customer: string;
  readonly propertyId: string;
  readonly update: CounterUpdate;
  readonly amount: number;
  readonly firstAt: number;
  isAcknowledged: boolean;
}

/** A hold that a client knows, and settles with all of it: so it counts once. */
interface HeldUpdate {
  readonly update: Update;
  readonly name: string;
  readonly location: Location;
}

interface Row {
  readonly location: Location;
  readonly run: string;
  readonly stays: boolean;
}

type Caller = SimulatedLedger | null;

/** A ledger object: what ledger-object.ts does around the algorithm. */
class SimulatedLedger {
  readonly ledger: LocalLedger;
  readonly peers: PeerReplicator;
  readonly retirement: Retirement;
  readonly cleanUp: CleanUp;
  readonly location: Location;
  readonly #history: RegionHistory;
  #alarmAt: number | null = null;
  #isInAlarm = false;

  constructor(history: RegionHistory, location: Location) {
    this.#history = history;
    this.location = location;
    const call: RegionHistory['call'] = (...given) => history.call(...given);
    const effects = {
      receive: (site: LedgerSite, batch: Parameters<typeof receiveBatch>[2]) =>
        call(this, site.location, CALL_MS, (to) => receiveBatch(to.ledger, site, batch, to.now)),
      copy: (site: LedgerSite, request: Parameters<typeof serveCopyPage>[2]) =>
        call(this, site.location, CALL_MS, (to) => serveCopyPage(to.ledger, site, request)),
      observeRetirement: (site: LedgerSite, notice: Parameters<typeof receiveBatch>[2]) =>
        call(this, site.location, CALL_MS, (to) => observeRetirementNotice(to.ledger, site, notice)),
      regions: async () => history.published(location),
      now: () => this.now,
      random: () => history.random.next(),
      wait: (ms: number) => history.clock.wait(ms),
      warn: () => undefined,
    };
    this.ledger = new LocalLedger(
      history.storeOf(location),
      (at) => history.newOrigin(at),
      new SharedMemory(1_000),
      undefined,
      { changed: () => this.arm() },
    );
    this.peers = new PeerReplicator(this.ledger, effects);
    this.cleanUp = new CleanUp(this.ledger, this.peers, effects);
    const events = history.eventsOf(location);
    this.retirement = new Retirement(this.ledger, this.peers, {
      flush: () => this.#flush(),
      get isEmpty() {
        return events.size === 0;
      },
    });
  }

  get now(): number {
    return this.#history.clock.now + this.#history.skewOf(this.location);
  }

  get isAlive(): boolean {
    return this.#history.ledgerAt(this.location) === this;
  }

  async #flush(): Promise<boolean> {
    const events = this.#history.eventsOf(this.location);
    const sent = [...events];
    if (sent.length === 0) return true;
    await this.#history.clock.wait(this.#history.delay());
    if (!this.isAlive) return new Promise(() => undefined);
    if (this.#history.happens(0.2)) return false;
    for (const event of sent) events.delete(event);
    return events.size === 0;
  }

  arm(): void {
    if (this.#isInAlarm) return;
    const due = [this.peers.dueAt(), this.cleanUp.dueAt()].filter((at) => at !== null);
    if (due.length === 0) return;
    const at = Math.max(
      ...[Math.min(...due) - this.#history.skewOf(this.location), this.#history.clock.now + 20],
    );
    if (this.#alarmAt !== null && this.#alarmAt <= at) return;
    this.#alarmAt = at;
    this.#history.clock.at(at, () => {
      if (this.isAlive && this.#alarmAt === at) void this.alarm();
    });
  }

  async alarm(): Promise<void> {
    this.#alarmAt = null;
    this.#isInAlarm = true;
    try {
      const { clock } = this.#history;
      await Promise.race([this.peers.replicate(), clock.wait(SECOND)]);
      if (!this.isAlive) return;
      await this.cleanUp.run();
      if (!this.isAlive) return;
      this.ledger.commit(() => this.ledger.state.saveProgress());
    } catch (error) {
      this.#history.survive(this.location, error);
    } finally {
      this.#isInAlarm = false;
    }
    if (this.isAlive) this.arm();
  }

  /** As Ledger.answerText. */
  async answer(
    site: LedgerSite,
    customer: string,
    now: number,
    update: Update | null,
  ): Promise<LedgerAnswer> {
    const { ledger } = this;
    if (ledger.state.isNewer(site)) ledger.commit(() => ledger.observe(site));
    if (ledger.copies.peersToCopy(customer).length > 0) await this.peers.copy(customer);
    if (!this.isAlive) return new Promise(() => undefined);
    const updates = update === null ? [] : [update.update];
    const call = { site, customer, now, updates, reads: [] };
    if (ledger.isReading(call)) return ledger.read(call);
    const [answer] = ledger.apply([call]);
    if (answer?.kind !== 'answered') return answer!;
    if (update !== null && answer.outcomes[0]?.kind === 'decided' && !answer.outcomes[0].replayed) {
      this.#history.eventsOf(this.location).add(`${update.number}`);
    }
    return answer;
  }

  rejoin(site: LedgerSite): void {
    this.ledger.commit(() => {
      this.ledger.observe(site);
      this.ledger.copies.forget();
    });
  }

  async erase(site: LedgerSite): Promise<boolean> {
    const isErased = await this.retirement.erase(site, false);
    if (isErased && this.#history.eventsOf(this.location).size > 0) {
      this.#history.differences.push(`events of ${this.location} were deleted`);
      this.#history.eventsOf(this.location).clear();
    }
    return isErased;
  }
}

export class RegionHistory {
  readonly random: Random;
  readonly clock: VirtualClock;
  readonly differences: string[] = [];
  readonly #stores = new Map<Location, MemoryStore>();
  readonly #ledgers = new Map<Location, SimulatedLedger>();
  readonly #events = new Map<Location, Set<string>>();
  readonly #skews = new Map<Location, number>();
  readonly #published = new Map<Location, Regions>();
  readonly #updates: Update[] = [];
  /** Not settled yet, as far as their clients know. */
  readonly #held = new Set<HeldUpdate>();
  readonly #cut = new Set<string>();
  readonly #isolates: Regions[] = [];
  /** The database. */
  #generation = 1;
  #locations: readonly Location[];
  #before: readonly Location[];
  readonly #rows = new Map<string, Row>();
  #incarnations = 0;
  #runs = 0;
  #isCalm = false;

  readonly #hasHolds: boolean;

  constructor(seed: number, kinds: readonly 'holds'[] = []) {
    this.#hasHolds = kinds.includes('holds');
    this.random = randomFrom(seed);
    this.clock = new VirtualClock(Date.UTC(2026, 0, 1) + this.random.below(24) * HOUR);
    this.#locations = this.#someLocations();
    this.#before = this.#locations;
    for (const location of LOCATIONS) {
      this.#stores.set(location, new MemoryStore());
      this.#events.set(location, new Set());
      this.#skews.set(location, this.happens(0.5) ? 0 : this.random.below(4 * MINUTE) - 2 * MINUTE);
      this.#ledgers.set(location, new SimulatedLedger(this, location));
    }
    for (let isolate = 0; isolate < 3; isolate++) this.#isolates.push(this.#regions());
    this.#publish();
  }

  get acknowledged(): number {
    return this.#updates.filter(({ isAcknowledged }) => isAcknowledged).length;
  }

  async play(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      await this.#step();
      await this.clock.advance(this.#pause());
    }
    await this.#heal();
    if (this.#hasHolds) await this.#settleAll();
    this.#check('after healing');
    await this.clock.advance(80 * HOUR);
    this.#check('after the clean-up');
  }

  async #step(): Promise<void> {
    const dice = this.random.next();
    if (dice < 0.38) void this.#count();
    else if (dice < 0.46) void this.#retry();
    else if (dice < 0.56) this.#move();
    else if (dice < 0.68) this.#isolates[this.random.below(3)] = this.#regions();
    else if (dice < 0.76) this.#restart(this.random.pick(LOCATIONS));
    else if (dice < 0.86) this.#toggleCut();
    else if (dice < 0.92) this.#stores.get(this.random.pick(LOCATIONS))!.crashesNext = true;
    else if (dice < 0.97 && dice > 0.94 && this.#hasHolds)
      for (const each of this.#held) void this.#settle(each);
    else if (dice < 0.97) void this.#read();
    else for (const row of this.#rows.values()) this.#deliver(row, 0);
  }

  /** A handoff ends within a day, because the others delete shared keys after that. */
  #pause(): number {
    const dice = this.random.next();
    if (dice < 0.5) return this.random.below(300);
    if (dice < 0.8) return this.random.below(5 * SECOND);
    if (dice < 0.97) return this.random.below(2 * MINUTE);
    if (this.#rows.size === 0 && this.happens(0.3)) return this.random.below(30 * HOUR);
    return this.random.below(20 * MINUTE);
  }

  // What ledgers ask of the world.

  storeOf(location: Location): MemoryStore {
    return this.#stores.get(location)!;
  }

  eventsOf(location: Location): Set<string> {
    return this.#events.get(location)!;
  }

  ledgerAt(location: Location): SimulatedLedger | undefined {
    return this.#ledgers.get(location);
  }

  skewOf(location: Location): number {
    return this.#skews.get(location) ?? 0;
  }

  published(location: Location): Regions | null {
    return this.#published.get(location) ?? null;
  }

  newOrigin(location: Location): string {
    this.#incarnations += 1;
    return `${location}/${this.#incarnations}`;
  }

  happens(chance: number): boolean {
    return !this.#isCalm && this.random.next() < chance;
  }

  delay(): number {
    const isLate = this.happens(0.1);
    return 1 + this.random.below(isLate ? 20 * SECOND : 150);
  }

  /** A call of a ledger that may be lost, late, repeated or silent. Nothing of a caller that has ended goes on. */
  call<Result>(
    from: Caller,
    to: Location,
    ms: number,
    work: (ledger: SimulatedLedger) => Result | Promise<Result>,
    mayRepeat = true,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      const end = (finish: () => void) => {
        if (isOver) return;
        isOver = true;
        if (from === null || from.isAlive) finish();
      };
      const fail = (what: string) => end(() => reject(new Error(what)));
      this.clock.after(ms, () => fail('silent'));
      const run = async (answers: boolean) => {
        const ledger = this.#ledgers.get(to)!;
        try {
          const result = await work(ledger);
          if (!answers || !ledger.isAlive || this.happens(0.06)) return;
          this.clock.after(this.delay(), () => {
            if (ledger.isAlive) end(() => resolve(result));
          });
        } catch (error) {
          this.survive(to, error);
          fail('failed');
        }
      };
      if (this.#isCut(from, to) || this.happens(0.04)) {
        if (this.random.next() < 0.5) this.clock.after(this.delay(), () => fail('lost'));
        return;
      }
      if (mayRepeat && this.happens(0.04)) {
        this.clock.after(this.delay() + this.random.below(10 * SECOND), () => void run(false));
      }
      this.clock.after(this.delay(), () => void run(true));
    });
  }

  survive(location: Location, error: unknown): void {
    if (!(error instanceof Crash)) throw error;
    if (this.random.next() < 0.6) this.#restart(location);
  }

  // The world.

  #restart(location: Location): void {
    this.storeOf(location).crashesNext = false;
    const ledger = new SimulatedLedger(this, location);
    this.#ledgers.set(location, ledger);
    ledger.arm();
  }

  #toggleCut(): void {
    const from = this.random.next() < 0.3 ? 'worker' : this.random.pick(LOCATIONS);
    const way = `${from} ${this.random.pick(LOCATIONS)}`;
    if (!this.#cut.delete(way)) this.#cut.add(way);
  }

  #isCut(from: Caller, to: Location): boolean {
    return this.#cut.has(`${from?.location ?? 'worker'} ${to}`);
  }

  #regions(): Regions {
    const leaving = [...this.#rows.values()].flatMap(({ location, run, stays }) =>
      stays ? [] : [[location, run] as const],
    );
    return {
      generation: this.#generation,
      locations: this.#locations,
      leaving: Object.fromEntries(leaving),
    };
  }

  #publish(): void {
    const regions = this.#regions();
    for (const location of LOCATIONS) {
      this.clock.after(this.delay(), () => {
        if ((this.#published.get(location)?.generation ?? 0) < regions.generation) {
          this.#published.set(location, regions);
        }
      });
    }
  }

  /** As updateDataLocations. */
  #move(): void {
    const before = this.#locations;
    const next = this.#nextLocations();
    this.#before = before;
    const disabled = before.filter((location) => !next.includes(location));
    const staying = before.filter((location) => next.includes(location));
    this.#locations = next;
    this.#generation += 1;
    const told = next.length > staying.length ? staying : [];
    for (const [location, stays] of [
      ...disabled.map((location) => [location, false] as const),
      ...told.map((location) => [location, true] as const),
    ]) {
      this.#runs += 1;
      const row = { location, run: `run_${this.#runs}`, stays };
      this.#rows.set(`${location} ${stays}`, row);
      this.#deliver(row, this.delay());
      if (this.happens(0.2)) this.#deliver(row, this.random.below(30 * MINUTE));
    }
    this.#publish();
  }

  /** The same as before, all others, or any. */
  #nextLocations(): readonly Location[] {
    const dice = this.random.next();
    const others = LOCATIONS.filter((location) => !this.#locations.includes(location));
    if (dice < 0.35) return this.#before;
    return dice < 0.5 && others.length > 0 ? others : this.#someLocations();
  }

  #someLocations(): Location[] {
    const chosen = LOCATIONS.filter(() => this.random.next() < 0.45);
    return chosen.length > 0 ? chosen : [this.random.pick(LOCATIONS)];
  }

  #deliver(row: Row, ms: number): void {
    this.clock.after(ms, () => void this.#retire(row));
  }

  /** As retireLedgers. */
  async #retire(row: Row): Promise<void> {
    const { location, stays } = row;
    const locations = this.#locations;
    const site = this.#siteOf(this.#regions(), location);
    await this.clock.wait(this.delay());
    try {
      const isEnabled = locations.includes(location);
      if (stays) {
        if (isEnabled) {
          await this.call(null, location, CALL_MS, ({ ledger }) => ledger.commit(() => ledger.observe(site)));
        }
      } else if (isEnabled) await this.call(null, location, CALL_MS, (ledger) => ledger.rejoin(site));
      else if (!(await this.call(null, location, ERASE_MS, (ledger) => ledger.erase(site))))
        throw new Error('more');
      const key = `${location} ${stays}`;
      if (this.#rows.get(key) !== row) return;
      this.#rows.delete(key);
      if (stays) return;
      this.#generation += 1;
      this.#publish();
    } catch {
      this.#deliver(row, SECOND + this.random.below(this.#isCalm ? 10 * SECOND : 5 * MINUTE));
    }
  }

  #siteOf(regions: Regions, location: Location): LedgerSite {
    return { environmentId: 'env_1', location, shard: 0, shards: 1, ...regions };
  }

  // Callers.

  /** As the Worker: where the hold was made, or the home location, or where that one says. */
  async #settle(held: HeldUpdate): Promise<void> {
    const { update, name, location } = held;
    const regions = this.random.pick(this.#isolates);
    const first = regions.locations.includes(location) ? location : regions.locations[0]!;
    const settle = { kind: 'settle', name, onExcess: 'overflow' } as const;
    const { propertyId, amount } = update;
    const change = { propertyId, value: METERED, enforce: false, by: amount, hold: settle } as const;
    try {
      const asked = { ...update, update: change };
      let [outcome] = outcomesOf(await this.#ask(regions, first, update.customer, asked, true));
      if (outcome?.kind === 'hold-refused' && outcome.at !== undefined)
        [outcome] = outcomesOf(await this.#ask(regions, outcome.at, update.customer, asked, true));
      if (outcome?.kind !== 'decided') return;
      update.isAcknowledged = true;
      this.#held.delete(held);
    } catch {
      // It is settled later.
    }
  }

  /** Holds an amount, under no key: nobody settles one whose name was lost, and it counts for nothing. */
  async #hold(): Promise<void> {
    const number = this.#updates.length;
    const amount = 4 ** (number % PER_PROPERTY);
    const hold = { kind: 'open', id: `hold${number}`, lastsMs: HOUR, orLess: false } as const;
    const propertyId = `amounts ${Math.floor(number / PER_PROPERTY)}`;
    const update: Update = {
      ...{ number, customer: this.random.pick(CUSTOMERS), propertyId, amount },
      update: { propertyId, value: METERED, enforce: false, by: amount, hold },
      ...{ firstAt: this.clock.now, isAcknowledged: false },
    };
    this.#updates.push(update);
    const regions = this.random.pick(this.#isolates);
    try {
      const answer = await this.#ask(regions, this.random.pick(regions.locations), update.customer, update);
      const [outcome] = outcomesOf(answer);
      if (outcome?.kind !== 'decided' || outcome.hold === undefined) return;
      const { name } = outcome.hold;
      this.#held.add({ update, name, location: readHoldName(name, LOCATIONS)!.location });
    } catch {
      // Its client does not know it.
    }
  }

  async #count(): Promise<void> {
    if (this.#hasHolds && this.random.next() < 0.3) return this.#hold();
    const number = this.#updates.length;
    const isSeat = this.random.next() < 0.2;
    const propertyId = isSeat ? `seats ${number}` : `amounts ${Math.floor(number / PER_PROPERTY)}`;
    const amount = isSeat ? 1 : 4 ** (number % PER_PROPERTY);
    const key = { text: `key ${number}`, bodyHash: 'body' };
    const update: Update = {
      number,
      customer: this.random.pick(CUSTOMERS),
      propertyId,
      amount,
      update: {
        propertyId,
        value: METERED,
        enforce: false,
        ...(isSeat ? { resourceId: 'seat' } : { by: amount }),
        ...(this.random.next() < 0.55 && { key }),
      },
      firstAt: this.clock.now,
      isAcknowledged: false,
    };
    this.#updates.push(update);
    await this.#attempt(update);
    // A client that got no answer tries again at once, elsewhere.
    if (update.update.key !== undefined && this.random.next() < 0.5) await this.#attempt(update);
  }

  async #retry(): Promise<void> {
    const keyed = this.#updates.filter(
      ({ update, firstAt }) => update.key !== undefined && this.clock.now - firstAt < 20 * HOUR,
    );
    if (keyed.length > 0) await this.#attempt(this.random.pick(keyed));
  }

  async #attempt(update: Update): Promise<void> {
    const regions = this.random.pick(this.#isolates);
    const location = this.random.pick(regions.locations);
    try {
      const answer = await this.#ask(regions, location, update.customer, update);
      if (answer?.kind === 'answered' && answer.outcomes[0]?.kind === 'decided') update.isAcknowledged = true;
    } catch {
      // Not acknowledged.
    }
  }

  async #read(): Promise<void> {
    const regions = this.random.pick(this.#isolates);
    const location = this.random.pick(regions.locations);
    await this.#ask(regions, location, this.random.pick(CUSTOMERS), null).catch(() => undefined);
  }

  async #ask(
    regions: Regions,
    location: Location,
    customer: string,
    update: Update | null,
    isAtHome = false,
  ): Promise<LedgerAnswer | null> {
    const now = this.clock.now + this.random.below(2 * SECOND);
    const askAt = (at: Location, by: Regions) =>
      this.call(
        null,
        at,
        CALL_MS,
        (ledger) => ledger.answer(this.#siteOf(by, at), customer, now, update),
        false,
      );
    const answer = await askAt(location, regions);
    if (answer.kind !== 'moved' || answer.locations.length === 0) return answer;
    const { generation = 0, locations, leaving } = answer;
    const newer = generation > regions.generation ? { generation, locations, leaving } : regions;
    return askAt(isAtHome ? locations[0]! : this.random.pick(locations), newer);
  }

  /** Ends all trouble, retires what is leaving and uses every customer in every location. */
  async #heal(): Promise<void> {
    this.#isCalm = true;
    this.#cut.clear();
    for (const store of this.#stores.values()) store.crashesNext = false;
    for (let round = 0; this.#rows.size > 0; round++) {
      if (round > 60) throw new Error(`Never retired: ${JSON.stringify([...this.#rows.values()])}`);
      await this.clock.advance(MINUTE);
      for (const row of this.#rows.values()) if (round % 5 === 4) this.#deliver(row, 0);
    }
    this.#isolates.fill(this.#regions());
    await this.clock.advance(2 * MINUTE);
    for (const location of this.#locations) {
      for (const customer of CUSTOMERS) void this.#ask(this.#regions(), location, customer, null);
    }
    await this.clock.advance(5 * MINUTE);
  }

  /** None is lost that can still be settled. */
  async #settleAll(): Promise<void> {
    for (const each of this.#held) {
      if (this.clock.now > each.update.firstAt + 20 * HOUR) this.#held.delete(each);
      else void this.#settle(each);
    }
    await this.clock.advance(MINUTE);
    for (const { name } of this.#held) this.differences.push(`${name} cannot be settled`);
    // So that the others know.
    await this.clock.advance(5 * MINUTE);
    const over = this.clock.now + 2 * HOUR;
    for (const location of this.#locations) {
      const { ledger } = this.#ledgers.get(location)!;
      while (ledger.nextHoldEnd <= over) ledger.endHolds(over);
    }
    await this.clock.advance(5 * MINUTE);
  }

  #check(when: string): void {
    for (const location of this.#locations) {
      const counts = new Map<string, number>();
      for (const update of this.#updates) {
        const { number, customer, propertyId, amount, isAcknowledged } = update;
        const name = `${customer} ${propertyId}`;
        let used = counts.get(name);
        if (used === undefined) {
          used = this.#usedAt(location, customer, propertyId, LIFETIME);
          counts.set(name, used);
        }
        const isSeat = update.update.resourceId !== undefined;
        const times = isSeat ? used : Math.floor(used / amount) % 4;
        const what = `${location} ${when}: update ${number}${update.update.key ? ' with a key' : ''}`;
        if (times > 1) this.differences.push(`${what} counts ${times} times`);
        if (times === 0 && isAcknowledged)
          this.differences.push(`${what} was acknowledged and counts 0 times`);
        if (isSeat && this.#usedAt(location, customer, propertyId, UNIQUE) !== Math.min(times, 1)) {
          this.differences.push(`${what} is a seat that is not in use`);
        }
      }
      this.#compare(location, when, counts);
    }
    this.#reference = null;
  }

  #reference: { readonly location: Location; readonly counts: ReadonlyMap<string, number> } | null = null;

  #compare(location: Location, when: string, counts: ReadonlyMap<string, number>): void {
    if (this.#reference === null) {
      this.#reference = { location, counts };
      return;
    }
    for (const [name, used] of counts) {
      const other = this.#reference.counts.get(name);
      if (other !== used) {
        this.differences.push(
          `${when}: ${name} is ${used} in ${location}, ${other} in ${this.#reference.location}`,
        );
      }
    }
  }

  #usedAt(location: Location, customer: string, propertyId: string, meter: Meter): number {
    const { ledger } = this.#ledgers.get(location)!;
    const site = this.#siteOf(this.#regions(), location);
    const now = this.clock.now;
    const answer = ledger.read({ site, customer, now, updates: [], reads: [{ propertyId, meter }] });
    return answer.kind === 'answered' ? answer.readings[0]!.used : Number.NaN;
  }
}

function outcomesOf(answer: LedgerAnswer | null) {
  return answer?.kind === 'answered' ? answer.outcomes : [];
}
