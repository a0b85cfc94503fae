/**
 * Random histories of a customer and of two other names, each with a ledger of its own until somebody says whose names
 * they are: whatever is used when and where under which name, it comes to one figure with the customer.
 */
import { expect } from 'vitest';
import type {
  CounterUpdate,
  CustomerRecords,
  LedgerPush,
  LedgerSite,
  UpdateOutcome,
} from '#contracts/ledger';
import type { Location } from '#contracts/locations';
import { isCarried } from '#engine/ledger/carried-origin';
import { adoptUsage, finishCarry, finishPage, nextCarry } from '#objects/ledger/carry-usage';
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
import type { StoredLink } from '#objects/ledger/ledger-store';
import { LocalLedger } from '#objects/ledger/local-ledger';
import { AMOUNTS, type Random, RESOURCES, randomFrom } from './ledger-history';
import { Crash, MemoryStore } from './ledger-memory-store';
import { amountReading, type Decision, METERS, resourceReading } from './usage-account';

const LOCATIONS = ['weur', 'apac', 'sam'] as const satisfies readonly Location[];
const CUSTOMER = 'cus_1';
const NAMES = ['ada@example.com', 'countess~1@example.com'];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Request {
  readonly update: CounterUpdate;
  readonly firstAt: number;
  readonly identifier: string;
  readonly decisions: Decision[];
  /** Where it was accepted under the customer, and where under the name. */
  readonly acceptedIn: { readonly customer: Set<Location>; readonly name: Set<Location> };
}

interface Push {
  readonly from: Location;
  readonly to: Location;
  readonly shard: number;
  readonly push: LedgerPush;
}

interface Carry {
  readonly location: Location;
  readonly records: CustomerRecords;
  readonly link: StoredLink;
}

export class CarryHistory {
  readonly #random: Random;
  readonly #startedAt: number;
  #now: number;
  #enabled: Location[];
  #generation = 1;
  readonly #ended = new Set<Location>();
  readonly #shardOf: (identifier: string) => number;
  readonly #stores = new Map<string, MemoryStore>();
  readonly #ledgers = new Map<string, LocalLedger>();
  readonly #requests: Request[] = [];
  #pushes: Push[] = [];
  readonly #carries: Carry[] = [];
  /** From when on it is known whose names they are. */
  #linkedAt: number | null = null;
  /** `location identifier` */
  readonly #told = new Set<string>();
  #lives = 0;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
    this.#now = Date.UTC(2024, this.#below(12), 1 + this.#below(28)) + this.#below(DAY);
    this.#enabled = LOCATIONS.slice(0, 1 + this.#below(3));
    this.#startedAt = this.#now;
    const isApart = this.#random() < 0.6;
    this.#shardOf = (identifier) => (isApart && identifier === CUSTOMER ? 1 : 0);
    for (const location of LOCATIONS) {
      for (const shard of [0, 1]) {
        this.#stores.set(`${location} ${shard}`, new MemoryStore());
        this.#restart(location, shard);
      }
    }
  }

  step(): void {
    this.#now += 10 + this.#below(2000);
    const dice = this.#random();
    if (dice < 0.4) this.#request();
    else if (dice < 0.52) this.#retry();
    else if (dice < 0.62) this.#push();
    else if (dice < 0.72) this.#deliver();
    else if (dice < 0.78) this.#tell();
    else if (dice < 0.88) this.#carry(false);
    else if (dice < 0.91) this.#repeatCarry();
    else if (dice < 0.94) this.#restart(this.#any(this.#enabled), this.#below(2));
    else if (dice < 0.96) this.#turnOffOrOn();
    else this.#advance();
  }

  /** Everything gets through that somebody has to say. */
  heal(): void {
    this.#linkedAt ??= this.#now;
    for (const name of NAMES) {
      const isTold = this.#enabled.some((location) => this.#told.has(`${location} ${name}`));
      if (!isTold) this.#tellAt(this.#any(this.#enabled), name);
    }
    for (const push of this.#pushes.splice(0)) this.#take(push);
    while (this.#carries.length > 0) this.#repeatCarry();
    for (const location of this.#enabled) {
      for (const identifier of [CUSTOMER, ...NAMES]) this.#copy(location, identifier);
    }
    for (let round = 0; round < 30; round++) {
      let isQuiet = true;
      for (const location of this.#enabled) if (this.#carryAll(location, true)) isQuiet = false;
      for (const shard of [0, 1]) {
        for (const from of this.#enabled) {
          for (const to of this.#enabled) {
            for (
              let push = this.#pushOf(from, to, shard);
              push !== null;
              push = this.#pushOf(from, to, shard)
            ) {
              isQuiet = false;
              this.#take({ from, to, shard, push });
            }
          }
        }
      }
      if (isQuiet) return;
    }
    throw new Error('They never came to rest');
  }

  check(): void {
    const expected = (now: number) =>
      METERS.map((meter) =>
        meter.uniqueResourceIds
          ? resourceReading(this.#standing(RESOURCES), meter, now)
          : amountReading(this.#standing(AMOUNTS), meter, now),
      );
    for (const ahead of [0, 61 * 60_000, 3 * DAY, 400 * DAY]) {
      const now = this.#now + ahead;
      for (const location of this.#enabled) {
        expect(this.#readings(location, now), `${location} in ${ahead}`).toEqual(expected(now));
      }
    }
    for (const location of this.#enabled) {
      this.#restart(location, this.#shardOf(CUSTOMER));
      expect(this.#readings(location, this.#now), `${location} restarted`).toEqual(expected(this.#now));
    }
  }

  get acknowledged(): number {
    return this.#requests.filter((request) => request.decisions.length > 0).length;
  }

  /** Once for each request, whoever decided it under whichever name. */
  #standing(propertyId: string): Decision[] {
    const standing = this.#standingKeys();
    return this.#requests
      .filter(({ update }) => update.propertyId === propertyId)
      .flatMap(({ decisions, update: { key } }) => {
        const accepted = decisions.filter(({ outcome }) => outcome.accepted && !outcome.replayed);
        if (key === undefined || accepted.length === 0) return accepted;
        const counted = standing.get(key.text) ?? [];
        expect(counted.length, `times that ${key.text} counts`).toBe(1);
        return accepted.filter(({ outcome }) => outcome.at === counted[0]);
      })
      .sort((one, other) => one.outcome.at - other.outcome.at);
  }

  /** When those decisions were made, by their keys, that counted and were not taken back. */
  #standingKeys(): Map<string, number[]> {
    const last = new Map<string, { text: string; version: number; at: number; stands: boolean }>();
    for (const store of this.#stores.values()) {
      for (const key of store.decided) {
        if (isCarried(key.origin)) continue;
        const id = JSON.stringify([key.text, key.origin, key.at]);
        if ((last.get(id)?.version ?? 0) >= key.version) continue;
        last.set(id, { ...key, stands: key.accepted && !key.isTakenBack });
      }
    }
    const standing = new Map<string, number[]>();
    for (const { text, at, stands } of last.values()) {
      if (stands) standing.set(text, [...(standing.get(text) ?? []), at]);
    }
    return standing;
  }

  #readings(location: Location, now: number) {
    const shard = this.#shardOf(CUSTOMER);
    const answer = this.#ledger(location, shard).read({
      ...{ site: this.#site(location, shard), customer: CUSTOMER, now, updates: [] },
      reads: METERS.map((meter) => ({ propertyId: meter.uniqueResourceIds ? RESOURCES : AMOUNTS, meter })),
    });
    if (answer.kind !== 'answered') throw new Error('The location is turned on');
    return answer.readings;
  }

  #request(): void {
    const dice = this.#random();
    const identifier = dice < 0.5 ? CUSTOMER : NAMES[dice < 0.85 ? 0 : 1]!;
    const acceptedIn = { customer: new Set<Location>(), name: new Set<Location>() };
    const request = { update: this.#someUpdate(), firstAt: this.#now, identifier, decisions: [], acceptedIn };
    this.#requests.push(request);
    this.#attempt(request, identifier);
  }

  /** Again, under any of the names once it is known that they are. */
  #retry(): void {
    const keyed = this.#requests.filter(
      ({ update, firstAt }) => update.key !== undefined && this.#now - firstAt < DAY,
    );
    if (keyed.length === 0) return;
    const request = this.#any(keyed);
    const others = this.#linkedAt === null ? [] : [CUSTOMER, CUSTOMER, request.identifier];
    this.#attempt(request, this.#any([request.identifier, ...others]));
  }

  #attempt(request: Request, identifier: string): void {
    const location = this.#any(this.#enabled);
    const shard = this.#shardOf(identifier);
    const ledger = this.#ledger(location, shard);
    const site = this.#site(location, shard);
    ledger.commit(() => ledger.hear(site));
    if (this.#random() < 0.9) this.#copy(location, identifier);
    if (this.#random() < 0.05) this.#stores.get(`${location} ${shard}`)!.crashesNext = true;
    try {
      const [answer] = ledger.apply([
        { site, customer: identifier, now: this.#now, updates: [request.update], reads: [] },
      ]);
      const [outcome] = answer?.kind === 'answered' ? answer.outcomes : [];
      if (outcome?.kind !== 'decided') throw new Error(`Not decided: ${JSON.stringify(outcome)}`);
      this.#note(request, identifier, location, outcome);
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }

  #note(
    request: Request,
    identifier: string,
    location: Location,
    outcome: Extract<UpdateOutcome, { kind: 'decided' }>,
  ): void {
    request.decisions.push({ location, update: request.update, outcome });
    if (outcome.replayed || !outcome.accepted || request.update.key === undefined) return;
    request.acceptedIn[identifier === CUSTOMER ? 'customer' : 'name'].add(location);
  }

  #someUpdate(): CounterUpdate {
    const isResource = this.#random() < 0.4;
    const meter = {
      ...this.#any(METERS.filter((each) => each.uniqueResourceIds === isResource)),
      limit: this.#below(12),
    };
    const number = this.#requests.length;
    return {
      propertyId: isResource ? RESOURCES : AMOUNTS,
      value: { state: 'metered', meter },
      enforce: this.#random() < 0.3,
      ...(isResource
        ? { resourceId: `r${this.#below(4)}`, release: this.#random() < 0.35 }
        : { by: this.#random() < 0.25 ? -1 - this.#below(6) : this.#below(5) }),
      ...(this.#random() < 0.6 ? { key: { text: `key ${number}`, bodyHash: 'same' } } : {}),
    };
  }

  /** A ledger of a name is told whose it is. */
  #tell(): void {
    if (this.#linkedAt === null && this.#random() < 0.6) return;
    this.#linkedAt ??= this.#now;
    this.#tellAt(this.#any(this.#enabled), this.#any(NAMES));
  }

  #tellAt(location: Location, name: string): void {
    this.#told.add(`${location} ${name}`);
    const shard = this.#shardOf(name);
    const ledger = this.#ledger(location, shard);
    ledger.commit(() => {
      ledger.hear(this.#site(location, shard));
      ledger.linkTo(name, CUSTOMER);
      ledger.linkTo(name, 'cus_of_somebody_else'); // the first that was said holds
    });
  }

  #carry(isWhole: boolean): void {
    this.#carryAll(this.#any(this.#enabled), isWhole);
  }

  /** @returns whether there was anything to carry */
  #carryAll(location: Location, isWhole: boolean): boolean {
    const names = this.#shardOf(NAMES[0]!);
    const ledger = this.#ledger(location, names);
    const links = ledger.store.uncarried(10);
    for (const link of links) {
      const { records, next } = nextCarry(ledger, link, null);
      expect(next).toBeNull();
      expect(records.customer).toBe(CUSTOMER);
      if (!isWhole) this.#carries.push({ location, records, link });
      if (!isWhole && this.#random() < 0.4) continue;
      if (this.#adopt({ location, records, link }) && (isWhole || this.#random() < 0.7))
        finishCarry(ledger, link);
    }
    return links.length > 0;
  }

  /** What was on its way, however old, comes now. */
  #repeatCarry(): void {
    if (this.#carries.length === 0) return;
    const index = this.#below(this.#carries.length);
    const carry = this.#carries[index]!;
    if (this.#random() < 0.7) this.#carries.splice(index, 1);
    this.#adopt(carry);
  }

  #adopt({ location, records, link }: Carry): boolean {
    const shard = this.#shardOf(CUSTOMER);
    try {
      if (this.#random() < 0.05) this.#stores.get(`${location} ${shard}`)!.crashesNext = true;
      const answer = adoptUsage(this.#ledger(location, shard), this.#site(location, shard), records);
      if (answer.kind === 'moved') return false;
      finishPage(this.#ledger(location, this.#shardOf(link.identifier)), link, answer);
      return true;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      return false;
    }
  }

  #push(): void {
    const shard = this.#below(2);
    const [from, to] = [this.#any(this.#enabled), this.#any(this.#enabled)];
    const push = this.#pushOf(from, to, shard);
    if (push !== null) this.#pushes.push({ from, to, shard, push });
  }

  #deliver(): void {
    if (this.#pushes.length === 0) return;
    const index = this.#below(this.#pushes.length);
    const push = this.#pushes[index]!;
    if (this.#random() < 0.75) this.#pushes.splice(index, 1);
    if (this.#random() < 0.8) this.#take(push);
  }

  #take({ from, to, shard, push }: Push): void {
    if (!this.#enabled.includes(from) || !this.#enabled.includes(to)) return;
    const answer = receivePush(this.#ledger(to, shard), this.#site(to, shard), push, this.#now);
    if (this.#random() < 0.9) finishPush(this.#ledger(from, shard), to, push, answer);
  }

  #pushOf(from: Location, to: Location, shard: number): LedgerPush | null {
    return from === to ? null : nextPush(this.#ledger(from, shard), to, this.#now, 1 + this.#below(8));
  }

  #copy(location: Location, identifier: string): void {
    const shard = this.#shardOf(identifier);
    const ledger = this.#ledger(location, shard);
    ledger.commit(() => ledger.hear(this.#site(location, shard)));
    for (const peer of ledger.peersToCopy(identifier, this.#now)) {
      const request = { from: speaker(ledger), customer: identifier, after: null };
      takePage(
        ledger,
        peer,
        givePage(this.#ledger(peer, shard), this.#site(peer, shard), request),
        this.#now,
      );
    }
  }

  /** One that is turned off hands over at once; one that is turned on knows nothing. */
  #turnOffOrOn(): void {
    const location = this.#any(LOCATIONS);
    const isOn = this.#enabled.includes(location);
    if (isOn && (this.#enabled.length === 1 || this.#wouldEndBoth(location))) return;
    this.#generation += 1;
    this.#enabled = isOn
      ? this.#enabled.filter((each) => each !== location)
      : LOCATIONS.filter((each) => each === location || this.#enabled.includes(each));
    if (!isOn) return;
    this.#ended.add(location);
    for (const name of NAMES) this.#told.delete(`${location} ${name}`);
    for (const shard of [0, 1]) this.#close(location, shard);
  }

  /** What was accepted under a name and under the customer can be taken back only while one of the two is there. */
  #wouldEndBoth(location: Location): boolean {
    const ended = new Set([...this.#ended, location]);
    const areGone = (where: Set<Location>) => [...where].some((each) => ended.has(each));
    return this.#requests.some(({ acceptedIn: { customer, name } }) => areGone(customer) && areGone(name));
  }

  #close(from: Location, shard: number): void {
    const ledger = this.#ledger(from, shard);
    ledger.commit(() => ledger.hear(this.#site(from, shard)));
    for (let round = 0; !drainProgress(ledger).isDrained; round++) {
      if (round > 20) throw new Error('It was never drained');
      for (const { location: to } of ledger.self.peers) {
        const send = (push: LedgerPush) => {
          const answer = receivePush(this.#ledger(to, shard), this.#site(to, shard), push, this.#now);
          finishPush(ledger, to, push, answer);
        };
        for (let push = this.#pushOf(from, to, shard); push !== null; push = this.#pushOf(from, to, shard))
          send(push);
        let part: PartCustomer | null = null;
        for (;;) {
          const next = nextHandOver(ledger, to, this.#now, part);
          if (next === null) break;
          send(next.push);
          part = next.part;
        }
      }
    }
    expect(endLife(ledger)).toBe(true);
    for (const to of this.#enabled) {
      hearClosingWord(this.#ledger(to, shard), this.#site(to, shard), closingWord(ledger));
    }
    ledger.erase();
  }

  /** Keys, and releases of resources, are remembered for a day. */
  #advance(): void {
    this.#now = Math.max(this.#now, Math.min(this.#now + this.#below(3 * HOUR), this.#startedAt + 20 * HOUR));
  }

  #restart(location: Location, shard: number): void {
    const newOrigin = () => {
      this.#lives += 1;
      return `${location}/${this.#lives}`;
    };
    const memory = this.#random() < 0.3 ? 1 : 10_000;
    const store = this.#stores.get(`${location} ${shard}`)!;
    const customerOf = (identifier: string) =>
      this.#told.has(`${location} ${identifier}`) ? CUSTOMER : null;
    this.#ledgers.set(`${location} ${shard}`, new LocalLedger(store, newOrigin, memory, customerOf));
  }

  #ledger(location: Location, shard: number): LocalLedger {
    return this.#ledgers.get(`${location} ${shard}`)!;
  }

  #site(location: Location, shard: number): LedgerSite {
    const generation = this.#generation;
    return { environmentId: 'env_1', location, shard, generation, locations: this.#enabled, shards: 2 };
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #any<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)]!;
  }
}
