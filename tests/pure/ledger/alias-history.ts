/**
 * Random histories of a customer and its aliases: two emails, or a user id of a Stripe customer that is a created one, so that an alias has
 * an alias. Each counts on its own until a ledger learns whose it is, and again while it is nobody's; in the end all usage must be the
 * customer's.
 */

import { expect } from 'vitest';
import type {
  CounterUpdate,
  CustomerRecords,
  LedgerSite,
  ReplicationBatch,
  UpdateOutcome,
} from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { SharedMemory } from '#engine/cache/shared-memory';
import { isAliasOrigin } from '#engine/ledger/alias-origin';
import { type Random, randomFrom } from '#lab/fixtures/seeded-random';
import { deleteSettled } from '#objects/ledger/delete-settled';
import {
  handoffProgress,
  observeRetirementNotice,
  retireIncarnation,
  retirementNotice,
} from '#objects/ledger/handoff';
import { LocalLedger } from '#objects/ledger/local-ledger';
import { finishAliasMerge, mergeAliasUsage, nextAliasPage } from '#objects/ledger/merge-alias-usage';
import { acknowledgeBatch, nextBatch, receiveBatch, settlementBatch } from '#objects/ledger/replication';
import { expectSame } from './expect-same.ts';
import { HoldHistory, type HoldStep } from './hold-history.ts';
import { copyCustomer, handOffRest } from './ledger-calls.ts';
import { AMOUNTS, heldIn, RESOURCES, spyOnGiveBacks } from './ledger-history.ts';
import { Crash, MemoryStore } from './ledger-memory-store.ts';
import { amountReading, type Decision, METERS, resourceReading } from './usage-account.ts';

const LOCATIONS = ['weur', 'apac', 'sam'] as const satisfies readonly Location[];
const CUSTOMER = 'acme';
/** Whose a name may be. Locations learn it at different times, so one may know an earlier answer than another. */
const EMAILS: Targets = { 'ada@example.com': [CUSTOMER], 'countess~1@example.com': [CUSTOMER] };
const CHAIN: Targets = { user_42: ['cus_1', CUSTOMER], cus_1: [CUSTOMER], 'ada@example.com': [CUSTOMER] };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Targets = Readonly<Record<string, readonly string[]>>;

interface Request {
  readonly update: CounterUpdate;
  readonly firstAt: number;
  readonly identifier: string;
  readonly decisions: Decision[];
  /** The locations that accepted it under the customer, and under an alias. */
  readonly acceptedIn: { readonly customer: Set<Location>; readonly name: Set<Location> };
}

interface Push {
  readonly from: Location;
  readonly to: Location;
  readonly shard: number;
  readonly push: ReplicationBatch;
}

interface Merge {
  readonly location: Location;
  readonly records: CustomerRecords;
}

export class AliasHistory {
  readonly #random: Random;
  readonly #giveBacks = spyOnGiveBacks();
  readonly #startedAt: number;
  #now: number;
  #enabled: Location[];
  #generation = 1;
  readonly #retired = new Set<Location>();
  readonly #shardOf: (identifier: string) => number;
  readonly #stores = new Map<string, MemoryStore>();
  readonly #ledgers = new Map<string, LocalLedger>();
  readonly #requests: Request[] = [];
  /** Null: nothing is held. */
  readonly #holds: HoldHistory | null;
  #pushes: Push[] = [];
  readonly #merges: Merge[] = [];
  readonly #isChained: boolean;
  readonly #targets: Targets;
  readonly #aliases: readonly string[];
  /** When the aliases became known; null before. */
  #linkedAt: number | null = null;
  /** By `location identifier`: whose it is; null: nobody's any more. */
  readonly #known = new Map<string, string | null>();
  #incarnations = 0;

  constructor(seed: number, kinds: readonly 'holds'[] = []) {
    this.#random = randomFrom(seed);
    this.#holds = kinds.includes('holds') ? new HoldHistory(seed) : null;
    this.#now = Date.UTC(2024, this.#random.below(12), 1 + this.#random.below(28)) + this.#random.below(DAY);
    this.#enabled = LOCATIONS.slice(0, 1 + this.#random.below(3));
    this.#startedAt = this.#now;
    this.#isChained = this.#random.next() < 0.5;
    this.#targets = this.#isChained ? CHAIN : EMAILS;
    this.#aliases = Object.keys(this.#targets);
    const isApart = this.#random.next() < 0.6;
    this.#shardOf = (identifier) => (isApart && identifier === CUSTOMER ? 1 : 0);
    for (const location of LOCATIONS) {
      for (const shard of [0, 1]) {
        this.#stores.set(`${location} ${shard}`, new MemoryStore());
        this.#restart(location, shard);
      }
    }
  }

  step(): void {
    this.#now += 10 + this.#random.below(2000);
    this.#hold();
    const dice = this.#random.next();
    if (dice < 0.4) this.#request();
    else if (dice < 0.52) this.#retry();
    else if (dice < 0.62) this.#push();
    else if (dice < 0.72) this.#deliver();
    else if (dice < (this.#isChained ? 0.77 : 0.78)) this.#setAlias();
    else if (dice < 0.78) this.#separate();
    else if (dice < 0.88) this.#mergeSome(false);
    else if (dice < 0.91) this.#repeatMerge();
    else if (dice < 0.94) this.#restart(this.#random.pick(this.#enabled), this.#random.below(2));
    else if (dice < 0.96) this.#toggleLocation();
    else this.#advance();
  }

  /** Delivers all messages and merges until nothing is pending. */
  heal(): void {
    this.#linkedAt ??= this.#now;
    for (const name of this.#aliases) {
      const told = this.#enabled.filter((location) => this.#known.has(`${location} ${name}`));
      for (const location of told.length > 0 ? told : [this.#random.pick(this.#enabled)])
        if (!this.#known.get(`${location} ${name}`)) this.#setAliasAt(location, name);
    }
    for (const push of this.#pushes.splice(0)) this.#take(push);
    while (this.#merges.length > 0) this.#repeatMerge();
    for (const location of this.#enabled) {
      for (const identifier of [CUSTOMER, ...this.#aliases]) this.#copy(location, identifier);
    }
    this.#mergeAndReplicateAll();
  }

  #mergeAndReplicateAll(): void {
    for (let round = 0; round < 30; round++) {
      let isQuiet = true;
      for (const location of this.#enabled) if (this.#mergeAll(location, true)) isQuiet = false;
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
    throw new Error('Replication and merges never became quiet');
  }

  check(): void {
    for (const step of this.#holds?.settleAll(this.#now) ?? []) this.#changeHold(step);
    if (this.#holds !== null) this.#mergeAndReplicateAll();
    const expected = (now: number) =>
      METERS.map((meter) => {
        if (meter.uniqueResourceIds)
          return { ...resourceReading(this.#winning(RESOURCES), meter, now), held: 0 };
        const held = this.#names.flatMap((name) => this.#holds?.countedAt(name, now) ?? []) as Decision[];
        const reading = amountReading([...this.#winning(AMOUNTS), ...held], meter, now);
        const parts = this.#names.flatMap((name) => this.#holds?.heldAt(name, now) ?? []);
        return { ...reading, held: heldIn(parts, meter, now) };
      });
    for (const ahead of [0, 61 * 60_000, 3 * DAY, 400 * DAY]) {
      const now = this.#now + ahead;
      for (const location of this.#enabled) {
        expectSame(this.#readings(location, now), expected(now), `${location} in ${ahead}`);
      }
    }
    for (const location of this.#enabled) {
      this.#restart(location, this.#shardOf(CUSTOMER));
      expectSame(this.#readings(location, this.#now), expected(this.#now), `${location} restarted`);
    }
    this.#now += 3 * DAY;
    // What a restart forgot of its peers' progress, its alarm has learned again.
    this.#mergeAndReplicateAll();
    this.#endHolds();
    this.#mergeAndReplicateAll();
    this.#cleanUpAll();
    for (const location of this.#enabled) {
      for (const shard of [0, 1]) this.#checkNothingIsOpen(this.#stores.get(`${location} ${shard}`)!);
      expectSame(this.#readings(location, this.#now), expected(this.#now), `${location} cleaned up`);
    }
  }

  /** A user id that another customer has now leaves what was held at the former one: there it is over by the clock. */
  #checkNothingIsOpen(store: MemoryStore): void {
    const open = store.openRegisters(Number.POSITIVE_INFINITY);
    const isLeft = ({ customer, origin }: (typeof open)[number]) =>
      customer === 'cus_1' && origin.endsWith('~user_42');
    expect(open.filter((each) => !isLeft(each))).toEqual([]);
  }

  get acknowledged(): number {
    return this.#requests.filter((request) => request.decisions.length > 0).length;
  }

  /** One winning decision per request, whichever identifier and location decided it. */
  #winning(propertyId: string): Decision[] {
    const winning = this.#winningDecisions();
    return this.#requests
      .filter(({ update }) => update.propertyId === propertyId)
      .flatMap(({ decisions, update: { key } }) => {
        const accepted = decisions.filter(({ outcome }) => outcome.accepted && !outcome.replayed);
        if (key === undefined || accepted.length === 0) return accepted;
        const counted = winning.get(key.text) ?? [];
        expectSame(counted.length, 1, `times that ${key.text} counts`);
        return accepted.filter(({ outcome }) => outcome.at === counted[0]);
      })
      .sort((one, other) => one.outcome.at - other.outcome.at);
  }

  /** By key: when each decision was made that counted and was not reverted. */
  #winningDecisions(): Map<string, number[]> {
    const last = new Map<string, { text: string; version: number; at: number; counts: boolean }>();
    for (const store of this.#stores.values()) {
      for (const key of store.decided) {
        if (isAliasOrigin(key.origin)) continue;
        const id = JSON.stringify([key.text, key.origin, key.at]);
        if ((last.get(id)?.version ?? 0) >= key.version) continue;
        last.set(id, { ...key, counts: key.accepted && !key.isReverted });
      }
    }
    const winning = new Map<string, number[]>();
    for (const { text, at, counts } of last.values()) {
      if (counts) winning.set(text, [...(winning.get(text) ?? []), at]);
    }
    return winning;
  }

  #readings(location: Location, now: number) {
    const shard = this.#shardOf(CUSTOMER);
    const answer = this.#ledger(location, shard).read({
      site: this.#site(location, shard),
      customer: CUSTOMER,
      now,
      updates: [],
      reads: METERS.map((meter) => ({ propertyId: meter.uniqueResourceIds ? RESOURCES : AMOUNTS, meter })),
    });
    if (answer.kind !== 'answered') throw new Error('The location is enabled');
    return answer.readings.map(({ used, resetsAt, held }) => ({ used, resetsAt, held: held?.amount ?? 0 }));
  }

  /** The customer and its aliases. */
  get #names(): readonly string[] {
    return [CUSTOMER, ...this.#aliases];
  }

  /** Does something with a hold of any name, or ends those that are over as an object's alarm does. */
  #hold(): void {
    if (this.#holds === null) return;
    if (this.#random.next() < 0.1) this.#endHolds();
    const step = this.#holds.next(this.#names, this.#now);
    if (step !== null) this.#changeHold(step);
  }

  #endHolds(): void {
    if (this.#holds === null) return;
    for (const location of this.#enabled)
      for (const shard of [0, 1]) {
        const ledger = this.#ledger(location, shard);
        if (ledger.nextHoldEnd <= this.#now) ledger.endHolds(this.#now);
      }
  }

  /** As the Worker does: where the hold was made, or where a disabled location has handed it to, or where that one says. */
  #changeHold({ customer, location: own, update: change, observe }: HoldStep): void {
    const isEnabled = own !== null && this.#enabled.includes(own);
    const first = own === null ? this.#random.pick(this.#enabled) : isEnabled ? own : this.#enabled[0]!;
    const shard = this.#shardOf(customer);
    const meters = METERS.filter((meter) => !meter.uniqueResourceIds);
    const meter = { ...this.#random.pick(meters), limit: 10 + this.#random.below(40) };
    const update = {
      propertyId: AMOUNTS,
      value: { state: 'metered', meter } as const,
      ...change,
    };
    const use = (location: Location) => {
      const site = this.#site(location, shard);
      this.#copy(location, customer);
      const call = { site, customer, now: this.#now, updates: [update], reads: [] };
      const [answer] = this.#ledger(location, shard).apply([call]);
      return answer?.kind === 'answered' ? answer.outcomes[0] : undefined;
    };
    const outcome = use(first);
    if (outcome === undefined) return;
    if (outcome.kind !== 'hold-refused' || outcome.at === undefined) observe(outcome, first, this.#now);
    else observe(use(outcome.at)!, outcome.at, this.#now);
  }

  #request(): void {
    const dice = this.#random.next();
    const identifier = dice < 0.5 ? CUSTOMER : this.#random.pick(this.#aliases);
    const acceptedIn = { customer: new Set<Location>(), name: new Set<Location>() };
    const request = { update: this.#someUpdate(), firstAt: this.#now, identifier, decisions: [], acceptedIn };
    this.#requests.push(request);
    this.#attempt(request, identifier);
  }

  /** Retries a request, also under the customer once the aliases are known. Under another alias it would count for each. */
  #retry(): void {
    const keyed = this.#requests.filter(
      ({ update, firstAt }) => update.key !== undefined && this.#now - firstAt < DAY,
    );
    if (keyed.length === 0) return;
    const request = this.#random.pick(keyed);
    const others = this.#linkedAt === null ? [] : [CUSTOMER, CUSTOMER, request.identifier];
    this.#attempt(request, this.#random.pick([request.identifier, ...others]));
  }

  #attempt(request: Request, identifier: string): void {
    const location = this.#random.pick(this.#enabled);
    const shard = this.#shardOf(identifier);
    const ledger = this.#ledger(location, shard);
    const site = this.#site(location, shard);
    ledger.commit(() => ledger.observe(site));
    if (this.#random.next() < 0.9) this.#copy(location, identifier);
    if (this.#random.next() < 0.05) this.#stores.get(`${location} ${shard}`)!.crashesNext = true;
    try {
      this.#giveBacks.mockClear();
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
    const [given] = this.#giveBacks.mock.results;
    const isGiveBack = request.update.by !== undefined && given !== undefined;
    request.decisions.push({
      location,
      update: request.update,
      outcome,
      ...(isGiveBack && { givenBack: given.value.givenBack }),
    });
    if (outcome.replayed || !outcome.accepted || request.update.key === undefined) return;
    request.acceptedIn[identifier === CUSTOMER ? 'customer' : 'name'].add(location);
  }

  #someUpdate(): CounterUpdate {
    const isResource = this.#random.next() < 0.4;
    const meter = {
      ...this.#random.pick(METERS.filter((each) => each.uniqueResourceIds === isResource)),
      limit: this.#random.below(12),
    };
    const number = this.#requests.length;
    return {
      propertyId: isResource ? RESOURCES : AMOUNTS,
      value: { state: 'metered', meter },
      enforce: this.#random.next() < 0.3,
      ...(isResource
        ? { resourceId: `r${this.#random.below(4)}`, release: this.#random.next() < 0.35 }
        : { by: this.#random.next() < 0.25 ? -1 - this.#random.below(6) : this.#random.below(5) }),
      ...(this.#random.next() < 0.6 ? { key: { text: `key ${number}`, bodyHash: 'same' } } : {}),
    };
  }

  /** An alias's ledger learns of the customer. */
  #setAlias(): void {
    if (this.#linkedAt === null && this.#random.next() < 0.6) return;
    this.#linkedAt ??= this.#now;
    this.#setAliasAt(this.#random.pick(this.#enabled), this.#random.pick(this.#aliases));
  }

  #setAliasAt(location: Location, name: string): void {
    const target = this.#random.pick(this.#targets[name]!);
    const before = this.#known.get(`${location} ${name}`);
    this.#known.set(`${location} ${name}`, target);
    const shard = this.#shardOf(name);
    const ledger = this.#ledger(location, shard);
    ledger.commit(() => {
      ledger.observe(this.#site(location, shard));
      if (before === null) ledger.aliases.repeat(name);
      ledger.aliases.set(name, target);
      // The first customer of an email or a Stripe customer is final.
      if (name !== 'user_42') ledger.aliases.set(name, 'cus_of_somebody_else');
    });
  }

  /** An alias is nobody's for a while: what is counted under it is not merged. */
  #separate(): void {
    const known = [...this.#known.keys()];
    if (known.length > 0) this.#known.set(this.#random.pick(known), null);
  }

  #mergeSome(isWhole: boolean): void {
    this.#mergeAll(this.#random.pick(this.#enabled), isWhole);
  }

  /** @returns whether anything was unmerged */
  #mergeAll(location: Location, isWhole: boolean): boolean {
    const isAny = [0, 1].map((shard) => this.#mergeOf(location, shard, isWhole));
    return isAny.includes(true);
  }

  #mergeOf(location: Location, shard: number, isWhole: boolean): boolean {
    const ledger = this.#ledger(location, shard);
    const links = ledger.store.unmergedAliases(10);
    for (const alias of links) {
      const { records, next } = nextAliasPage(ledger, alias, null);
      expect(next).toBeNull();
      if (alias.key === undefined) expect(this.#targets[alias.identifier]).toContain(records.customer);
      if (!isWhole) this.#merges.push({ location, records });
      if (!isWhole && this.#random.next() < 0.4) continue;
      if (this.#mergeAliasUsage({ location, records }) && (isWhole || this.#random.next() < 0.7))
        finishAliasMerge(ledger, alias);
    }
    return links.length > 0;
  }

  /** Delivers a merge that is under way, however old. */
  #repeatMerge(): void {
    if (this.#merges.length === 0) return;
    const index = this.#random.below(this.#merges.length);
    const merge = this.#merges[index]!;
    if (this.#random.next() < 0.7) this.#merges.splice(index, 1);
    this.#mergeAliasUsage(merge);
  }

  #mergeAliasUsage({ location, records }: Merge): boolean {
    const shard = this.#shardOf(records.customer);
    try {
      if (this.#random.next() < 0.05) this.#stores.get(`${location} ${shard}`)!.crashesNext = true;
      const answer = mergeAliasUsage(this.#ledger(location, shard), this.#site(location, shard), records);
      return answer.kind === 'taken';
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      return false;
    }
  }

  #push(): void {
    const shard = this.#random.below(2);
    const [from, to] = [this.#random.pick(this.#enabled), this.#random.pick(this.#enabled)];
    const push = this.#pushOf(from, to, shard);
    if (push !== null) this.#pushes.push({ from, to, shard, push });
  }

  #deliver(): void {
    if (this.#pushes.length === 0) return;
    const index = this.#random.below(this.#pushes.length);
    const push = this.#pushes[index]!;
    if (this.#random.next() < 0.75) this.#pushes.splice(index, 1);
    if (this.#random.next() < 0.8) this.#take(push);
  }

  #take({ from, to, shard, push }: Push): void {
    if (!this.#enabled.includes(from) || !this.#enabled.includes(to)) return;
    const answer = receiveBatch(this.#ledger(to, shard), this.#site(to, shard), push, this.#now);
    if (this.#random.next() < 0.9) acknowledgeBatch(this.#ledger(from, shard), to, push, answer);
  }

  #pushOf(from: Location, to: Location, shard: number): ReplicationBatch | null {
    return from === to
      ? null
      : nextBatch(this.#ledger(from, shard), to, this.#now, 1 + this.#random.below(8));
  }

  /** Like the objects' alarms: no location keeps a key. Releases are kept for aliases. */
  #cleanUpAll(): void {
    for (const location of this.#enabled) {
      for (const shard of [0, 1]) {
        const ledger = this.#ledger(location, shard);
        for (const { location: to } of ledger.state.peers) {
          const push = settlementBatch(ledger, to, this.#now);
          if (push === null) continue;
          const answer = receiveBatch(this.#ledger(to, shard), this.#site(to, shard), push, this.#now);
          acknowledgeBatch(ledger, to, push, answer);
        }
        deleteSettled(ledger, this.#now);
        expect(this.#stores.get(`${location} ${shard}`)!.keyCount, `keys in ${location} ${shard}`).toBe(0);
      }
    }
  }

  #copy(location: Location, identifier: string): void {
    const shard = this.#shardOf(identifier);
    const ledger = this.#ledger(location, shard);
    ledger.commit(() => ledger.observe(this.#site(location, shard)));
    for (const peer of ledger.copies.peersToCopy(identifier)) {
      copyCustomer(ledger, identifier, { ledger: this.#ledger(peer, shard), site: this.#site(peer, shard) });
    }
  }

  /** Disables a location, which hands off at once, or enables one, which starts empty. */
  #toggleLocation(): void {
    const location = this.#random.pick(LOCATIONS);
    const isEnabled = this.#enabled.includes(location);
    if (isEnabled && (this.#enabled.length === 1 || this.#wouldEndBoth(location))) return;
    this.#generation += 1;
    this.#enabled = isEnabled
      ? this.#enabled.filter((each) => each !== location)
      : LOCATIONS.filter((each) => each === location || this.#enabled.includes(each));
    if (!isEnabled) return;
    this.#retired.add(location);
    for (const name of this.#aliases) this.#known.delete(`${location} ${name}`);
    for (const shard of [0, 1]) this.#retire(location, shard);
  }

  /** A key accepted under an alias and under the customer can be reverted only while one of the two incarnations exists. */
  #wouldEndBoth(location: Location): boolean {
    const retired = new Set([...this.#retired, location]);
    const areRetired = (where: Set<Location>) => [...where].some((each) => retired.has(each));
    return this.#requests.some(
      ({ acceptedIn: { customer, name } }) => areRetired(customer) && areRetired(name),
    );
  }

  #retire(from: Location, shard: number): void {
    const ledger = this.#ledger(from, shard);
    ledger.commit(() => ledger.observe(this.#site(from, shard)));
    for (let round = 0; !handoffProgress(ledger).isDrained; round++) {
      if (round > 20) throw new Error('The ledger was never drained');
      for (const { location: to } of ledger.state.peers) {
        const send = (push: ReplicationBatch) => {
          const answer = receiveBatch(this.#ledger(to, shard), this.#site(to, shard), push, this.#now);
          acknowledgeBatch(ledger, to, push, answer);
        };
        for (let push = this.#pushOf(from, to, shard); push !== null; push = this.#pushOf(from, to, shard))
          send(push);
        handOffRest(ledger, to, this.#now, send);
      }
    }
    expect(retireIncarnation(ledger)).toBe(true);
    for (const to of this.#enabled) {
      observeRetirementNotice(this.#ledger(to, shard), this.#site(to, shard), retirementNotice(ledger));
    }
    ledger.erase(() => true);
  }

  /** Stays within a day: keys and releases are stored that long. */
  #advance(): void {
    this.#now = Math.max(
      this.#now,
      Math.min(this.#now + this.#random.below(3 * HOUR), this.#startedAt + 20 * HOUR),
    );
  }

  #restart(location: Location, shard: number): void {
    const newOrigin = () => {
      this.#incarnations += 1;
      return `${location}/${this.#incarnations}`;
    };
    const memory = new SharedMemory(this.#random.next() < 0.3 ? 1 : 10_000);
    const store = this.#stores.get(`${location} ${shard}`)!;
    const ended = this.#ledgers.get(`${location} ${shard}`);
    if (this.#random.next() < 0.5) ended?.commit(() => ended.state.saveProgress());
    const customerOf = (identifier: string) => this.#known.get(`${location} ${identifier}`);
    this.#ledgers.set(
      `${location} ${shard}`,
      new LocalLedger(store, newOrigin, memory, { customerOf, anchorsOf: () => [] }),
    );
  }

  #ledger(location: Location, shard: number): LocalLedger {
    return this.#ledgers.get(`${location} ${shard}`)!;
  }

  #site(location: Location, shard: number): LedgerSite {
    const [generation, locations] = [this.#generation, this.#enabled];
    return { environmentId: 'env_1', location, shard, generation, locations, leaving: {}, shards: 2 };
  }
}
