/**
 * Random histories of customers' meters in three locations, compared with a plain list of the decided updates. A history
 * depends on its seed alone, so that a failing one can be replayed.
 */

import { expect, vi } from 'vitest';
import type {
  CounterUpdate,
  KeyRecord,
  LedgerCall,
  LedgerReading,
  LedgerSite,
  ReplicationAck,
  ReplicationBatch,
  UpdateOutcome,
  UsageBucket,
} from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { SharedMemory } from '#engine/cache/shared-memory';
import { accountOf } from '#engine/ledger/account';
import { CustomerMeters } from '#engine/ledger/customer-meters';
import { entityOf } from '#engine/ledger/holds';
import { billingWindow } from '#engine/metering/billing-window';
import { bucketEnd, minuteOf } from '#engine/metering/bucket-widths';
import { reachOf } from '#engine/metering/read-window';
import { type Random, randomFrom } from '#lab/fixtures/seeded-random';
import { deleteSettled } from '#objects/ledger/delete-settled';
import {
  handoffProgress,
  observeRetirementNotice,
  retireIncarnation,
  retirementNotice,
} from '#objects/ledger/handoff';
import type { LedgerStore } from '#objects/ledger/ledger-store';
import { LocalLedger } from '#objects/ledger/local-ledger';
import { acknowledgeBatch, nextBatch, receiveBatch, settlementBatch } from '#objects/ledger/replication';
import { expectSame } from './expect-same.ts';
import { drawnBy, someSources, withoutZeros } from './grant-draws.ts';
import { HoldHistory, type HoldStep } from './hold-history.ts';
import { copyCustomer, handOffRest } from './ledger-calls.ts';
import { Crash, MemoryStore } from './ledger-memory-store.ts';
import { RegisterHistory } from './register-history.ts';
import { couldRollOver, rolledIn, rolling } from './rollover-history.ts';
import {
  ANCHORS,
  amountReading,
  BILLED_METERS,
  type Decision,
  METERS,
  resourceReading,
  type WindowedMeter,
} from './usage-account.ts';

const LOCATIONS = ['weur', 'apac', 'sam'] as const satisfies readonly Location[];
const CUSTOMERS = ['ada@example.com', '__proto__'];
export const AMOUNTS = 'prop_amounts';
export const RESOURCES = 'prop_resources';
const CREDITS = 'prop_credits';
const ENTITIES = ['user_7', 'user@8'];
const LIFETIME = { periodType: 'lifetime', uniqueResourceIds: false } as const;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** One update of a caller, and all its attempts. */
interface Request {
  readonly customer: string;
  readonly update: CounterUpdate;
  readonly firstAt: number;
  readonly decisions: Decision[];
}

interface Message {
  readonly from: Location;
  readonly to: Location;
  readonly push: ReplicationBatch;
  readonly sentAt: number;
  /** Set when the acknowledgement is under way. */
  readonly answer: ReplicationAck | null;
}

export interface HistoryStore extends LedgerStore {
  /** The next transaction fails after its last write. */
  crashesNext: boolean;
  /** The last committed state of every keyed decision, including deleted ones. */
  readonly decided: Iterable<KeyRecord & { readonly customer: string }>;
  readonly buckets: readonly (UsageBucket & { readonly customer: string })[];
}

type Known = readonly Pick<UsageBucket, 'start' | 'amount'>[];

/** Records which usage each give-back removes. Each history asks for it: Vitest restores every spy after a file. */
export const spyOnGiveBacks = () => vi.spyOn(CustomerMeters.prototype, 'usageToGiveBack');

/** What a history has beside updates. */
export type HistoryKind = 'registers' | 'grants' | 'billing' | 'holds' | 'also' | 'rollover';

export class History {
  readonly random: Random;
  now: number;
  readonly #giveBacks = spyOnGiveBacks();
  readonly #stores = new Map<Location, HistoryStore>();
  readonly #ledgers = new Map<Location, LocalLedger>();
  readonly #requests: Request[] = [];
  /** Null: the history writes none. */
  readonly #registers: RegisterHistory | null;
  /** Null: nothing is held. */
  readonly #holds: HoldHistory | null;
  /** Null: the customers have no grants. */
  readonly #grantDice: Random | null;
  /** Null: updates count nothing else. */
  readonly #alsoDice: Random | null;
  /** Of customers, and of their entities. */
  readonly #accounts: readonly string[];
  #messages: Message[] = [];
  readonly #cut = new Set<string>();
  #incarnations = 0;
  #enabled: Location[];
  #generation = 1;
  #wasDisabled = false;
  /** When ledgers have to be told of a location that was enabled. */
  #toldBy = Number.POSITIVE_INFINITY;
  #retiringSince = 0;
  /** Disabled, with an unfinished handoff. */
  readonly #retiring = new Set<Location>();
  /** Enabled again before the handoff was finished. */
  readonly #rejoining = new Set<Location>();
  /** The locations that callers with an older snapshot send. */
  #before: { readonly generation: number; readonly locations: Location[] } | null = null;

  readonly #meters: readonly WindowedMeter[];

  /**
   * @param storeOf the storage of a location, empty
   * @param kinds what else it writes: registers, holds, draws from grants, or what updates also count; that meters of a month roll over; or that it counts by billing window
   */
  constructor(
    seed: number,
    storeOf: (location: Location) => HistoryStore = () => new MemoryStore(),
    kinds: readonly HistoryKind[] = [],
  ) {
    const meters = kinds.includes('billing') ? BILLED_METERS : METERS;
    this.#meters = kinds.includes('rollover') ? meters.map(rolling) : meters;
    this.random = randomFrom(seed);
    this.#registers = kinds.includes('registers') ? new RegisterHistory(seed) : null;
    this.#alsoDice = kinds.includes('also') ? randomFrom(seed + 0.25) : null;
    const entities = this.#alsoDice === null ? [] : ENTITIES;
    this.#accounts = CUSTOMERS.flatMap((each) =>
      [undefined, ...entities].map((entity) => accountOf(each, entity)),
    );
    const someAlso = () => this.#someAlso([2000]).also;
    this.#holds = kinds.includes('holds') ? new HoldHistory(seed, someAlso) : null;
    this.#grantDice = kinds.includes('grants') ? randomFrom(-seed) : null;
    this.now =
      Date.UTC(2023 + this.random.below(3), this.random.below(12), 1 + this.random.below(28)) +
      this.random.below(DAY);
    this.#enabled = this.random.next() < 0.3 ? LOCATIONS.slice(0, 2) : [...LOCATIONS];
    for (const location of LOCATIONS) {
      this.#stores.set(location, storeOf(location));
      this.#restart(location);
    }
  }

  step(): void {
    this.now += 10 + this.random.below(2000);
    if (this.now > this.#toldBy) this.#tell();
    this.#writeRegister();
    this.#hold();
    const dice = this.random.next();
    if (dice < 0.4) this.#request();
    else if (dice < 0.5) this.#retry();
    else if (dice < 0.59) this.#send();
    else if (dice < 0.74) this.#deliver();
    else if (dice < 0.78) this.#restart(this.random.pick(LOCATIONS));
    else if (dice < 0.81) this.#togglePartition();
    else if (dice < 0.83) this.#enable();
    else if (dice < 0.85) this.#disable();
    else if (dice < 0.88) this.#retire(this.random.next() < 0.5);
    else if (dice < 0.89) this.#rejoin();
    else if (dice < 0.91) this.#read();
    else if (dice < 0.93) {
      const location = this.random.pick(this.#enabled);
      this.#mayCrash(location);
      this.#cleanUp(location);
      // Without anything to delete there was no transaction.
      this.#stores.get(location)!.crashesNext = false;
    } else this.#advance();
  }

  /** Delivers all messages and uses every customer in every location, until no location has anything to replicate. */
  heal(): void {
    this.#cut.clear();
    for (const message of this.#messages.splice(0)) {
      if (this.now - message.sentAt <= DAY) this.#exchange(message);
    }
    for (let round = 0; this.#retiring.size > 0; round++) {
      if (round > 20) throw new Error('A location never retired');
      this.#retire(true);
    }
    this.now += 10;
    this.#enable();
    this.#rejoin();
    for (const location of this.#enabled) {
      const ledger = this.#ledger(location);
      ledger.commit(() => ledger.observe(this.#site(location)));
      for (const account of this.#accounts) this.#copy(location, account, 1);
    }
    this.#replicateAll();
  }

  #replicateAll(): void {
    for (let round = 0; round < 20; round++) {
      let isQuiet = true;
      for (const from of this.#enabled) {
        for (const to of this.#enabled) {
          for (let push = this.#pushOf(from, to); push !== null; push = this.#pushOf(from, to)) {
            isQuiet = false;
            this.#exchange({ from, to, push, answer: null });
          }
        }
      }
      if (isQuiet) return;
    }
    throw new Error('Replication never became quiet');
  }

  /** All locations must read the total of the list of updates, now and after windows have moved. */
  check(): void {
    for (const step of this.#holds?.settleAll(this.now) ?? []) this.#changeHold(step, 1);
    if (this.#holds !== null) this.#replicateAll();
    for (const ahead of [0, 61 * MINUTE, 3 * DAY, 31 * DAY, 400 * DAY]) this.#checkAt(this.now + ahead);
    for (const location of LOCATIONS) this.#restart(location);
    this.#checkAt(this.now);
    this.#checkCopies();
    this.#checkStores();
    this.#checkRegisters();
    this.#checkCleanUp();
    this.#checkRegisters();
  }

  get acknowledged(): number {
    return this.#requests.filter((request) => request.decisions.length > 0).length;
  }

  /** Whoever has asked its peers for a customer never does so again, although it was restarted, and nobody has counted anything. */
  #checkCopies(): void {
    for (const location of this.#enabled) {
      for (const account of this.#accounts) {
        const asked = this.#ledger(location).copies.peersToCopy(account);
        expectSame(asked, [], `asked about ${account} in ${location}`);
      }
    }
  }

  /** All stores must have the same buckets, without overlaps. */
  #checkStores(): void {
    const [first, ...others] = this.#enabled.map((location) => {
      const buckets = this.#stores.get(location)!.buckets.map((bucket) => ({
        series: `${bucket.customer} ${bucket.propertyId} ${bucket.origin}`,
        ...bucket,
      }));
      return buckets.sort((one, other) =>
        one.series === other.series ? one.start - other.start : one.series < other.series ? -1 : 1,
      );
    });
    for (const other of others) expectSame(other, first);
    for (const [index, bucket] of first!.entries()) {
      const next = first![index + 1];
      if (next?.series === bucket.series) {
        expect(bucketEnd(bucket.width, bucket.start)).toBeLessThanOrEqual(next.start);
      }
    }
  }

  /** Once everything has expired, no location keeps a key or a release, and all of them read as before. */
  #checkCleanUp(): void {
    this.now += 3 * DAY;
    for (const store of this.#stores.values()) store.crashesNext = false;
    // What a restart forgot of its peers' progress, its alarm has learned again.
    this.#replicateAll();
    for (const location of this.#enabled) this.#cleanUp(location);
    for (const location of this.#enabled) {
      const oldest = this.#stores.get(location)!.oldestSettling();
      // The periods of what rolls over are kept for long.
      if (this.#meters.every(({ rollover }) => rollover === undefined))
        expect(oldest, `the oldest in ${location}`).toBeNull();
      else expect(oldest ?? Infinity, `the oldest in ${location}`).toBeGreaterThan(this.now);
    }
    this.#checkAt(this.now);
    for (const location of LOCATIONS) this.#restart(location);
    this.#checkAt(this.now);
    this.#checkStores();
  }

  #checkRegisters(): void {
    const stores = this.#enabled.map((location) => [location, this.#stores.get(location)!] as const);
    this.#registers?.check(new Map(stores), this.now);
  }

  #checkAt(now: number): void {
    for (const customer of CUSTOMERS) {
      const amounts = this.#winning(customer, AMOUNTS);
      const counted = [...amounts, ...(this.#holds?.countedAt(customer, now) ?? [])] as Decision[];
      const held = this.#holds?.heldAt(customer, now) ?? [];
      const resources = this.#winning(customer, RESOURCES);
      const expected = this.#meters.map((meter) =>
        meter.uniqueResourceIds ? resourceReading(resources, meter, now) : amountReading(counted, meter, now),
      );
      const drawn = drawnBy(amounts);
      if (this.#alsoDice !== null) this.#checkAlso(customer, amounts, now);
      this.#checkRolled(customer, amounts, now);
      for (const location of this.#enabled) {
        const label = `${location} ${customer} at ${new Date(now).toISOString()}`;
        const readings = this.#readings(location, customer, now);
        expectSame(
          readings.map(({ used, resetsAt }) => ({ used, resetsAt })),
          expected,
          label,
        );
        for (const [index, { draws, held: read }] of readings.entries()) {
          const meter = this.#meters[index]!;
          if (!meter.uniqueResourceIds) expectSame(read?.amount ?? 0, heldIn(held, meter, now), label);
          if (draws !== undefined && this.#holds === null)
            expectSame(withoutZeros(draws.grants), drawn, label);
        }
      }
    }
  }

  /** Every location comes to what was left, of the limits that were decided against. */
  #checkRolled(customer: string, amounts: readonly Decision[], now: number): void {
    const decided = this.#requests
      .filter((request) => request.customer === customer && request.update.propertyId === AMOUNTS)
      .flatMap(({ decisions }) => decisions);
    for (const [index, meter] of this.#meters.entries()) {
      if (meter.rollover === undefined) continue;
      const [first, ...others] = this.#enabled.map(
        (location) => this.#readings(location, customer, now)[index]!,
      );
      for (const other of others) expectSame(other.rolled, first!.rolled, `what rolled over of ${customer}`);
      const possible = couldRollOver(decided, amounts, meter, now);
      const amount = rolledIn(first!, meter, now);
      if (possible !== null) expect(possible, `what rolled over of ${customer}`).toContain(amount);
    }
  }

  /** What the same decisions and holds also counted: credits, and calls of each entity. */
  #checkAlso(customer: string, amounts: readonly Decision[], now: number): void {
    const meters = this.#meters.filter((meter) => !meter.uniqueResourceIds);
    for (const entity of [undefined, ...ENTITIES]) {
      const propertyId = entity === undefined ? CREDITS : AMOUNTS;
      const timesOf = (also: CounterUpdate['also'] = []) => {
        const counted = also.find((each) => each.propertyId === propertyId && each.entity === entity);
        return counted === undefined ? 0 : (counted.per ?? 1000) / 1000;
      };
      const decided = amounts.flatMap((decision) => {
        const { outcome } = decision;
        const part = outcome.also?.find((each) => each.propertyId === propertyId && each.entity === entity);
        return part === undefined ? [] : [{ ...decision, outcome: { ...outcome, applied: part.applied } }];
      });
      const held = this.#holds?.heldAt(customer, now, timesOf) ?? [];
      const counted = [...decided, ...(this.#holds?.countedAt(customer, now, timesOf) ?? [])] as Decision[];
      const expected = meters.map((meter) => amountReading(counted, meter, now));
      for (const location of this.#enabled) {
        const label = `${location} ${customer} ${entity ?? CREDITS} at ${new Date(now).toISOString()}`;
        const reads = meters.map((meter) => ({
          ...{ propertyId, meter },
          ...(entity !== undefined && { ofEntity: true as const }),
        }));
        const readings = this.#readingsOf(location, { customer, entity, reads, now });
        const read = readings.map(({ used, resetsAt }) => ({ used, resetsAt }));
        expectSame(read, expected, label);
        expectSame(
          readings.map((each) => each.held?.amount ?? 0),
          meters.map((meter) => heldIn(held, meter, now)),
          label,
        );
      }
    }
  }

  /** The readings of all meters. */
  #readings(location: Location, customer: string, now: number): readonly LedgerReading[] {
    const reads = this.#meters.map((meter) => ({
      propertyId: meter.uniqueResourceIds ? RESOURCES : AMOUNTS,
      meter,
    }));
    return this.#readingsOf(location, { customer, reads, now });
  }

  #readingsOf(
    location: Location,
    call: Pick<LedgerCall, 'customer' | 'entity' | 'reads' | 'now'>,
  ): readonly LedgerReading[] {
    const answer = this.#ledger(location).read({ site: this.#site(location), updates: [], ...call });
    if (answer.kind !== 'answered') throw new Error('The location is enabled');
    return answer.readings;
  }

  /** One decision per request: if several locations accepted it, the one that was not reverted. */
  #winning(customer: string, propertyId: string): Decision[] {
    const winners = this.#winningDecisions(customer);
    return this.#requests
      .filter((request) => request.customer === customer && request.update.propertyId === propertyId)
      .flatMap(({ decisions, update: { key } }) => {
        const accepted = decisions.filter(({ outcome }) => outcome.accepted && !outcome.replayed);
        if (key === undefined || accepted.length === 0) return accepted;
        const counted = winners.get(key.text) ?? [];
        expectSame(counted.length, 1, `times that ${key.text} counts`);
        const [{ origin, at }] = counted as [KeyRecord];
        const isCounted = ({ location, outcome }: Decision) =>
          outcome.at === at && location === locationOf(origin);
        const found = accepted.filter(isCounted);
        expectSame(found.length, 1, `decisions of ${origin} under ${key.text}`);
        this.#checkFirstByName(accepted, locationOf(origin));
        return found;
      })
      .sort((one, other) => one.outcome.at - other.outcome.at);
  }

  /** If no location was ever disabled, the origin that sorts first wins. */
  #checkFirstByName(accepted: readonly Decision[], winner: Location): void {
    if (this.#wasDisabled) return;
    for (const { location } of accepted) expectSame(winner <= location, true);
  }

  /** By key: the decisions that counted and were not reverted, each as stored by its own location. */
  #winningDecisions(customer: string): Map<string, KeyRecord[]> {
    const last = new Map<string, KeyRecord>();
    for (const store of this.#stores.values()) {
      for (const key of store.decided) {
        if (key.customer !== customer) continue;
        const id = `${key.text} ${key.origin} ${key.at}`;
        if ((last.get(id)?.version ?? 0) < key.version) last.set(id, key);
      }
    }
    const winners = new Map<string, KeyRecord[]>();
    for (const key of last.values()) {
      if (!key.accepted || key.isReverted) continue;
      winners.set(key.text, [...(winners.get(key.text) ?? []), key]);
    }
    return winners;
  }

  /** Sends one request, or several in one group. */
  #request(): void {
    const count = this.random.next() < 0.7 ? 1 : 2 + this.random.below(4);
    const requests = Array.from({ length: count }, () => this.#someRequest());
    this.#attempt(requests);
  }

  #someRequest(): Request {
    const customer = this.random.next() < 0.8 ? CUSTOMERS[0]! : CUSTOMERS[1]!;
    const request = { customer, update: this.#someUpdate(), firstAt: this.now, decisions: [] };
    this.#requests.push(request);
    return request;
  }

  /** Repeats a keyed request in any location, whether or not it was answered. */
  #retry(location?: Location, chance?: number): void {
    const keyed = this.#requests.filter(
      ({ update, firstAt }) => update.key !== undefined && this.now - firstAt < DAY,
    );
    if (keyed.length > 0) this.#attempt([this.random.pick(keyed)], location, chance);
  }

  /** @param chance the probability that a peer answers a copy request in time */
  #attempt(requests: readonly Request[], at?: Location, chance = 0.8): void {
    const isLate = at === undefined && this.#retiring.size > 0 && this.random.next() < 0.3;
    const location = at ?? this.random.pick(isLate ? [...this.#retiring] : this.#enabled);
    const site = isLate ? this.#siteBefore(location) : this.#site(location);
    try {
      const outcomes = this.#use(location, requests, site, chance);
      if (outcomes === null) return;
      const given = this.#giveBacks.mock.calls.flatMap(([propertyId], index) =>
        propertyId === AMOUNTS ? [this.#giveBacks.mock.results[index]!.value.givenBack] : [],
      );
      for (const [index, request] of requests.entries()) {
        const outcome = outcomes[index];
        if (outcome?.kind !== 'decided') throw new Error(`Not decided: ${JSON.stringify(outcome)}`);
        const isGiveBack = (request.update.by ?? 0) < 0 && !outcome.replayed;
        request.decisions.push({
          location,
          update: request.update,
          outcome,
          ...(isGiveBack && { givenBack: given.shift() }),
        });
        this.#checkOutcome(request, outcome);
      }
    } catch (error) {
      this.#survive(location, error);
    }
  }

  /** Either the object restarts, or only the commit fails. */
  #survive(location: Location, error: unknown): void {
    if (!(error instanceof Crash)) throw error;
    if (this.random.next() < 0.5) this.#restart(location);
  }

  #mayCrash(location: Location): void {
    if (this.random.next() < 0.08) this.#stores.get(location)!.crashesNext = true;
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
      const drawn = (outcome.draws ?? []).reduce((sum, { amount }) => sum + amount, 0);
      const { used, draws } = outcome.reading!;
      // What grants paid for needs no quota.
      if (drawn < outcome.applied)
        expect(used - (draws?.inWindow ?? 0)).toBeLessThanOrEqual(update.value.meter.limit);
    }
  }

  #someUpdate(): CounterUpdate {
    const isResource = this.random.next() < 0.4;
    const meters = this.#meters.filter((meter) => meter.uniqueResourceIds === isResource);
    const { anchorAt, trialEndAt, ...window } = this.random.pick(meters);
    const meter = { ...window, limit: this.random.below(12) };
    const number = this.#requests.length;
    return {
      propertyId: isResource ? RESOURCES : AMOUNTS,
      value: { state: 'metered', meter },
      anchorAt,
      trialEndAt,
      enforce: this.random.next() < 0.4,
      ...(isResource
        ? { resourceId: `r${this.random.below(4)}`, release: this.random.next() < 0.35 }
        : {
            ...this.#someBy(),
            ...(this.#grantDice && someSources(this.#grantDice)),
          }),
      ...(this.random.next() < 0.5 ? { key: { text: `key ${number}`, bodyHash: `body ${number}` } } : {}),
    };
  }

  /** What is given back is of the update's own meter alone: what else an update gives back depends on what it has. */
  #someBy(): Pick<CounterUpdate, 'by' | 'also'> {
    if (this.random.next() < 0.25) return { by: -1 - this.random.below(6) };
    return { by: this.random.below(5), ...this.#someAlso([250, 1000, 2500]) };
  }

  #someAlso(pers: readonly number[]): Pick<CounterUpdate, 'also'> {
    if (this.#alsoDice === null || this.#alsoDice.next() < 0.3) return {};
    const { next, below, pick } = this.#alsoDice;
    const value = () => ({ state: 'metered', meter: { ...LIFETIME, limit: 20 + below(80) } }) as const;
    const cost = { propertyId: CREDITS, per: pick(pers), value: value() };
    const entity = { propertyId: AMOUNTS, entity: pick(ENTITIES), value: value() };
    const dice = next();
    return { also: dice < 0.3 ? [cost] : dice < 0.6 ? [entity] : [entity, cost] };
  }

  #writeRegister(): void {
    const written = this.#registers?.next(this.#enabled, CUSTOMERS) ?? null;
    if (written === null) return;
    const { location, customer, crashes } = written;
    const ledger = this.#ledger(location);
    this.#stores.get(location)!.crashesNext = crashes;
    this.#registers?.write(ledger, customer, this.now, () => ledger.observe(this.#site(location)));
  }

  /** Does something with a hold, or ends those that are over as an object's alarm does. */
  #hold(): void {
    if (this.#holds === null) return;
    if (this.random.next() < 0.1) {
      const location = this.random.pick(this.#enabled);
      this.#mayCrash(location);
      try {
        this.#ledger(location).endHolds(this.now);
      } catch (error) {
        this.#survive(location, error);
      }
    }
    const step = this.#holds.next(CUSTOMERS, this.now);
    if (step !== null) this.#changeHold(step, 0.8);
  }

  /** As the Worker does: where the hold was made, or where a disabled location has handed it to, or where that one says. */
  #changeHold({ customer, location: own, update: change, observe }: HoldStep, chance: number): void {
    const isEnabled = own !== null && this.#enabled.includes(own);
    let location = own === null ? this.random.pick(this.#enabled) : isEnabled ? own : this.#enabled[0]!;
    const update = { ...this.#someAmount(), ...change };
    const use = () => this.#use(location, [{ customer, update }], this.#site(location), chance)?.[0];
    try {
      let outcome = use();
      if (outcome?.kind === 'hold-refused' && outcome.at !== undefined) {
        location = outcome.at as (typeof LOCATIONS)[number];
        outcome = use();
      }
      if (outcome !== undefined) observe(outcome, location, this.now);
    } catch (error) {
      this.#survive(location, error);
    }
  }

  #someAmount(): CounterUpdate {
    const { anchorAt, trialEndAt, ...window } = this.random.pick(
      this.#meters.filter((meter) => !meter.uniqueResourceIds),
    );
    const value = { state: 'metered', meter: { ...window, limit: 10 + this.random.below(40) } } as const;
    const sources = this.#grantDice && someSources(this.#grantDice);
    return { propertyId: AMOUNTS, value, anchorAt, trialEndAt, enforce: true, ...sources };
  }

  #read(): void {
    const location = this.random.pick(this.#enabled);
    const ledger = this.#ledger(location);
    ledger.commit(() => ledger.observe(this.#site(location)));
    for (const reading of this.#readings(location, CUSTOMERS[0]!, this.now)) {
      expect(reading.used).toBeGreaterThanOrEqual(0);
    }
  }

  /** Like the object: copies the customer from reachable peers, then decides in one transaction. */
  #use(
    location: Location,
    requests: readonly Pick<Request, 'customer' | 'update'>[],
    site: LedgerSite,
    chance: number,
  ): UpdateOutcome[] | null {
    const ledger = this.#ledger(location);
    ledger.commit(() => ledger.observe(site));
    if (!ledger.state.isOpen) return null;
    for (const account of new Set(requests.flatMap(accountsOf))) this.#copy(location, account, chance);
    this.#mayCrash(location);
    this.#giveBacks.mockClear();
    const giving = new Set(
      requests.flatMap(({ customer, update: { by = 1 } }) => (by < 0 ? [customer] : [])),
    );
    const before = new Map([...giving].map((customer) => [customer, this.#known(location, customer)]));
    const answers = ledger.apply(
      requests.map(({ customer, update }) => ({
        site,
        customer,
        entity: entityOf(update.also),
        now: this.now,
        updates: [update],
        reads: [],
      })),
    );
    for (const [customer, known] of before) this.#checkNoCredit(location, customer, known);
    return answers.map((answer) => {
      if (answer.kind !== 'answered') throw new Error('The location is enabled');
      return answer.outcomes[0]!;
    });
  }

  #known(location: Location, customer: string): Known {
    return this.#stores
      .get(location)!
      .buckets.filter((bucket) => bucket.customer === customer && bucket.propertyId === AMOUNTS);
  }

  /** The law of give-backs: no update takes a window below zero, neither now nor when windows have rolled over. */
  #checkNoCredit(location: Location, customer: string, before: Known): void {
    const after = this.#known(location, customer);
    const starts = new Set<number>();
    for (const ahead of [0, 1, 7, 30, 59, 24 * 60, 24 * 3 * 60, 31 * 24 * 60].map(
      (count) => count * MINUTE,
    )) {
      for (const meter of this.#meters) {
        const { from } = reachOf(meter, this.now + ahead);
        if (from <= minuteOf(this.now)) starts.add(from);
      }
    }
    for (const start of starts) {
      const least = Math.min(0, usedSince(before, start));
      const label = `${location} ${customer} since minute ${start}`;
      expect(usedSince(after, start), label).toBeGreaterThanOrEqual(least);
    }
  }

  /** @param chance the probability that a peer answers in time */
  #copy(location: Location, customer: string, chance: number): void {
    const ledger = this.#ledger(location);
    for (const peer of ledger.copies.peersToCopy(customer)) {
      if (this.#isCut(location, peer)) continue;
      if (this.random.next() >= chance) continue;
      copyCustomer(ledger, customer, { ledger: this.#ledger(peer), site: this.#site(peer) });
    }
  }

  #send(): void {
    const from = this.random.pick(this.#enabled);
    const to = this.random.pick(this.#enabled);
    const push = this.#pushOf(from, to);
    if (push !== null) this.#messages.push({ from, to, push, sentAt: this.now, answer: null });
  }

  /** Delivers, duplicates or loses any message. */
  #deliver(): void {
    if (this.#messages.length === 0) return;
    const index = this.random.below(this.#messages.length);
    const message = this.#messages[index]!;
    if (this.random.next() < 0.75) this.#messages.splice(index, 1);
    if (this.random.next() < 0.2 || this.#isCut(message.from, message.to)) return;
    const { from, to, push, sentAt, answer } = message;
    // Calls end long before a key or a release expires.
    if (this.now - sentAt > DAY) return;
    const reached = answer === null ? to : from;
    this.#mayCrash(reached);
    try {
      if (answer !== null) acknowledgeBatch(this.#ledger(from), to, push, answer);
      else
        this.#messages.push({
          ...message,
          answer: receiveBatch(this.#ledger(to), this.#site(to), push, this.now),
        });
    } catch (error) {
      this.#survive(reached, error);
    }
  }

  /** Like the object's alarm. */
  #cleanUp(location: Location): void {
    const ledger = this.#ledger(location);
    try {
      for (const { location: to } of ledger.state.peers) {
        if (this.#isCut(location, to)) continue;
        const push = settlementBatch(ledger, to, this.now);
        if (push !== null) this.#exchange({ from: location, to, push });
      }
      deleteSettled(ledger, this.now);
    } catch (error) {
      this.#survive(location, error);
    }
  }

  #exchange({ from, to, push, answer = null }: Omit<Message, 'answer' | 'sentAt'> & Partial<Message>): void {
    const given = answer ?? receiveBatch(this.#ledger(to), this.#site(to), push, this.now);
    acknowledgeBatch(this.#ledger(from), to, push, given);
  }

  #pushOf(from: Location, to: Location): ReplicationBatch | null {
    return from === to ? null : nextBatch(this.#ledger(from), to, this.now, 1 + this.random.below(8));
  }

  #restart(location: Location): void {
    const newOrigin = () => {
      this.#incarnations += 1;
      return `${location}/${this.#incarnations}`;
    };
    const memory = new SharedMemory(this.random.next() < 0.3 ? 1 : 10_000);
    const store = this.#stores.get(location)!;
    const ended = this.#ledgers.get(location);
    if (this.random.next() < 0.5 && !store.crashesNext) ended?.commit(() => ended.state.saveProgress());
    const facts = { customerOf: () => undefined, anchorsOf: () => ANCHORS };
    this.#ledgers.set(location, new LocalLedger(store, newOrigin, memory, facts));
  }

  #togglePartition(): void {
    const way = [this.random.pick(LOCATIONS), this.random.pick(LOCATIONS)].sort().join();
    if (!this.#cut.delete(way)) this.#cut.add(way);
  }

  #isCut(one: Location, other: Location): boolean {
    return this.#cut.has([one, other].sort().join());
  }

  #enable(): void {
    if (this.#enabled.length === LOCATIONS.length) return;
    const added = LOCATIONS.filter((location) => !this.#enabled.includes(location));
    this.#change([...LOCATIONS]);
    this.#toldBy = this.now + 40 * MINUTE;
    for (const location of this.#retiring) this.#rejoining.add(location);
    this.#retiring.clear();
    // The first call of a new location may be a retry, while it cannot reach any peer.
    for (const location of added) {
      // The list of updates does not know which of two locations wins at the same instant.
      this.now += 1;
      if (this.random.next() < 0.7) this.#retry(location, 0);
    }
  }

  /** Like the queue handler for the locations beside one that was enabled, which is done within the hour that keys are kept for it. */
  #tell(): void {
    this.#toldBy = Number.POSITIVE_INFINITY;
    for (const location of this.#enabled) {
      const ledger = this.#ledger(location);
      try {
        ledger.commit(() => ledger.observe(this.#site(location)));
      } catch (error) {
        this.#survive(location, error);
      }
    }
  }

  /** Like the queue handler for a location that is enabled again. */
  #rejoin(): void {
    for (const location of this.#rejoining) {
      const ledger = this.#ledger(location);
      ledger.commit(() => {
        ledger.observe(this.#site(location));
        ledger.copies.forget();
      });
    }
    this.#rejoining.clear();
  }

  /** One location at a time, and never the last one. */
  #disable(): void {
    if (this.#enabled.length < 2 || this.#retiring.size > 0) return;
    const off = this.random.pick(this.#enabled);
    this.#change(this.#enabled.filter((location) => location !== off));
    this.#retiring.add(off);
    this.#retiringSince = this.now;
    this.#wasDisabled = true;
  }

  #change(enabled: Location[]): void {
    this.#before = { generation: this.#generation, locations: this.#enabled };
    this.#enabled = enabled;
    this.#generation += 1;
  }

  /** Like the object under the queue handler: hands off to reachable peers, and retires when all have everything. */
  #retire(isWhole: boolean): void {
    for (const location of this.#retiring) {
      const ledger = this.#ledger(location);
      const site = this.#site(location);
      ledger.commit(() => ledger.observe(site));
      for (const { location: to } of ledger.state.peers) {
        if (this.#isCut(location, to) || (!isWhole && this.random.next() < 0.3)) continue;
        this.#handOff(location, to);
      }
      if (!handoffProgress(ledger).isDrained || (!isWhole && this.random.next() < 0.3)) continue;
      if (!retireIncarnation(ledger)) continue;
      const notified = site.locations.filter((to) => {
        if (this.#isCut(location, to)) return false;
        observeRetirementNotice(this.#ledger(to), this.#site(to), retirementNotice(ledger));
        return isWhole || this.random.next() < 0.8;
      });
      if (notified.length < site.locations.length) continue;
      ledger.erase(() => true);
      this.#retiring.delete(location);
    }
  }

  #handOff(from: Location, to: Location): void {
    for (let push = this.#pushOf(from, to); push !== null; push = this.#pushOf(from, to)) {
      this.#exchange({ from, to, push, answer: null });
      if (this.random.next() < 0.1) return;
    }
    handOffRest(this.#ledger(from), to, this.now, (push) => this.#exchange({ from, to, push, answer: null }));
  }

  /**
   * Advances time by little, by much, or to a window boundary. A handoff ends within a key's lifetime, because peers delete
   * keys without waiting for a disabled location.
   */
  #advance(): void {
    const before = this.now;
    this.#leap();
    const until = Math.max(before, this.#retiringSince + 20 * HOUR);
    if (this.#retiring.size > 0) this.now = Math.min(this.now, until);
  }

  #leap(): void {
    const next = new Date(this.now);
    const dice = this.random.next();
    if (dice < 0.3) this.now += this.random.below(3 * MINUTE);
    else if (dice < 0.6) this.now += this.random.below(5 * HOUR);
    else if (dice < 0.75) this.now += this.random.below(40 * DAY);
    else if (dice < 0.8) this.now += this.random.below(900 * DAY);
    else {
      const month = Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 1);
      const edge = this.#meters.every(({ anchorAt }) => anchorAt === undefined)
        ? month
        : billingWindow(ANCHORS[0], 1, this.now).resetsAt;
      this.now = Math.max(this.now + 1, edge - 2 + this.random.below(4));
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
}

function accountsOf({ customer, update }: Pick<Request, 'customer' | 'update'>): string[] {
  return [customer, accountOf(customer, entityOf(update.also))];
}

export function heldIn(
  parts: readonly { readonly at: number; readonly amount: number }[],
  meter: WindowedMeter,
  now: number,
): number {
  const { from, to } = reachOf(meter, now);
  return parts.reduce((sum, { at, amount }) => {
    const minute = minuteOf(at);
    return minute >= from && minute < to ? sum + amount : sum;
  }, 0);
}

function locationOf(origin: string): Location {
  return origin.slice(0, origin.indexOf('/')) as Location;
}

/** Not limited to zero. */
function usedSince(buckets: Known, from: number): number {
  return buckets.reduce((sum, { start, amount }) => (start >= from ? sum + amount : sum), 0);
}
