/**
 * Plays a history in one or more locations: after each operation, its outcome and every meter there are what the reference model says by what
 * that location knows, to the unit; and in the end, when all have heard each other, everywhere.
 */
import type { BalanceFacts } from '#contracts/internal/customer-facts';
import type { ReplicationBatch } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { Refusal } from '#engine/access/api-error';
import type { Counted } from '#engine/access/count-usage';
import { balancesByOwner } from '#engine/entitlements/facts-for-entity';
import { ENTITY_GRANT } from '#engine/ledger/account';
import { acknowledgeBatch, nextBatch, receiveBatch } from '#objects/ledger/replication';
import { Crash } from '../ledger/ledger-memory-store.ts';
import { countedOf, Difference, expectedOf, same, shown, stateIn } from './compare-answers.ts';
import type { Action, Jump, Operation, Update } from './operations.ts';
import { ENTITIES, Product, propertyOf, subscriptionFacts } from './product.ts';
import { minuteStart, recurring } from './reference-calendar.ts';
import { Knowledge } from './reference-knowledge.ts';
import { type ReferenceGrant, ReferenceLedger } from './reference-ledger.ts';
import type { Subscription } from './reference-plans.ts';
import { nextChange, type Zone } from './reference-zones.ts';
import type { MeterName, Shop } from './shop.ts';

const LOCATIONS = ['weur', 'apac', 'sam'] as const satisfies readonly Location[];
const HOUR = 3_600_000;
const METERS: readonly MeterName[] = ['credits', 'chat', 'calls'];

export interface Begin {
  readonly shop: Shop;
  readonly startsAt: number;
  /** How many. */
  readonly locations: number;
}

const NOTHING: Update = {
  ...{ meter: 'calls', by: 0, enforce: false, hasKey: false, ageMs: 0 },
  ...{ entity: null, isAlias: false, crashes: false },
};

/** How often an operation did something, by its kind. */
export type Tally = Map<string, number>;

interface KeyedUpdate {
  readonly key: string;
  readonly at: number;
  readonly action: Update;
}

interface Message {
  readonly from: Location;
  readonly to: Location;
  readonly batch: ReplicationBatch;
  /** What had been done when it was sent. */
  readonly deeds: number;
  readonly sentAt: number;
}

export class BalanceHistory {
  readonly #product: Product;
  readonly #knowledge: Knowledge;
  readonly #model: ReferenceLedger;
  /** Of the other name, as long as nobody knows whose it is. */
  #alias: ReferenceLedger | null;
  readonly #tally: Tally;
  readonly #keyed: KeyedUpdate[] = [];
  readonly #holds: string[] = [];
  /** Grants of which something was taken back. */
  readonly #shrunk = new Set<string>();
  readonly #zone: Zone;
  #now: number;

  #locations: readonly [Location, ...Location[]];
  #here: Location;
  #messages: Message[] = [];

  constructor({ shop, startsAt, locations }: Begin, tally: Tally = new Map()) {
    this.#locations = LOCATIONS.slice(0, locations) as unknown as [Location, ...Location[]];
    [this.#here] = this.#locations;
    this.#product = new Product(shop, this.#locations, LOCATIONS);
    this.#knowledge = new Knowledge(this.#locations, LOCATIONS);
    this.#model = new ReferenceLedger(shop, this.#knowledge);
    this.#alias = new ReferenceLedger(shop, this.#knowledge);
    this.#zone = shop.zone;
    this.#now = startsAt;
    this.#tally = tally;
  }

  /** @throws {Difference} */
  async play(operations: readonly Operation[]): Promise<void> {
    for (const [index, operation] of operations.entries()) {
      this.#now += operation.after;
      this.#goTo(this.#locations[operation.at % this.#locations.length]!);
      const where = `operation ${index}, ${operation.kind} at ${new Date(this.#now).toISOString()}`;
      const isDone = await this.#do(operation, index, where);
      if (isDone) this.#tally.set(operation.kind, (this.#tally.get(operation.kind) ?? 0) + 1);
      this.#compareAll(where);
    }
    this.#hearEachOther();
    for (const each of this.#locations) {
      this.#goTo(each);
      this.#compareAll(`in the end, in ${each}`);
      this.#checkBounds();
    }
  }

  #goTo(location: Location): void {
    this.#here = location;
    this.#knowledge.here = location;
  }

  /** @returns whether there was anything to do */
  async #do(operation: Operation, index: number, where: string): Promise<boolean> {
    switch (operation.kind) {
      case 'update':
        return this.#update(operation, operation.hasKey ? `key ${index}` : null, where);
      case 'repeat': {
        const keyed = pickOf(this.#keyed, operation.which);
        if (keyed === undefined) return false;
        // The age grows with each repetition, as with `ageMs` of the call.
        const action = { ...keyed.action, crashes: false };
        return this.#update(action, keyed.key, where);
      }
      case 'give back':
        return this.#giveBackOf(operation, where);
      case 'hold':
        return this.#hold(operation, `${index}`, where);
      case 'extend':
      case 'settle':
        return this.#changeHold(operation, where);
      case 'alarm':
        this.#model.endHolds(this.#now);
        this.#product.ledgerOf(this.#here).endHolds(this.#now);
        return true;
      case 'restart':
        // Its shares are in memory.
        for (const each of this.#models) each.forgetShares();
        this.#product.restart(this.#here, index % 3 === 0 ? 1 : 10_000);
        return true;
      case 'grant':
        return this.#grant(operation, index, where);
      case 'change grant': {
        const grant = pickOf(this.#model.grants, operation.which);
        if (grant === undefined) return false;
        this.#model.changeGrant(grant, operation.to, this.#now);
        this.#tellFacts();
        return true;
      }
      case 'take back':
        return this.#takeBack(operation, where);
      case 'link':
        return this.#link(operation.updates, index, where);
      case 'location':
        return this.#toggle(LOCATIONS[operation.which]!);
      case 'seat':
        return this.#seat(operation);
      case 'jump':
        return this.#jump(operation);
      case 'send': {
        const to = this.#locations[operation.to % this.#locations.length]!;
        const message = this.#sent(this.#here, to);
        if (message !== null) this.#messages.push(message);
        return message !== null;
      }
      case 'deliver':
        return this.#deliver(operation);
      case 'silence':
        if (operation.isSilent === this.#product.silent.has(this.#here)) return false;
        // It begins with something that the other does not answer.
        if (operation.isSilent) await this.#update(NOTHING, null, where);
        this.#product.silent[operation.isSilent ? 'add' : 'delete'](this.#here);
        for (const each of this.#models) each.setSilence(operation.isSilent);
        return true;
      case 'close':
        for (const grant of this.#model.grants)
          if (grant.endsAt !== null && grant.endsAt <= this.#now) grant.isClosed = true;
        this.#tellFacts();
        return true;
      default:
        return this.#subscribe(operation);
    }
  }

  async #update(action: Update, key: string | null, where: string): Promise<boolean> {
    const { meter, by, enforce, ageMs, entity, isAlias, crashes } = action;
    const before = this.#keyed.find((each) => each.key === key);
    const isKnown = before !== undefined && this.#now - before.at < 24 * HOUR;
    const change = {
      ...{ by, enforce, entity, isAlias },
      ...(key !== null && { idempotencyKey: key }),
      ...(ageMs > 0 && { occurredAt: this.#now - ageMs, ageMs }),
    };
    const count = () => this.#product.count(this.#here, meter, change, this.#now);
    if (crashes) {
      this.#product.storeOf(this.#here).crashesNext = true;
      await count().catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error;
      });
      return true;
    }
    const expected = this.#modelOf(isAlias).update(action, key, this.#now);
    if (expected === 'skip') return false;
    if (key !== null && !isKnown) this.#keyed.push({ key, at: this.#now, action });
    same(countedOf(await outcomeOf(count)), expectedOf(expected, meter), where);
    if (isAlias && this.#alias !== null) this.#compareAll(`${where}, the other name`, true);
    return true;
  }

  async #giveBackOf({ which, by }: Extract<Action, { kind: 'give back' }>, where: string): Promise<boolean> {
    const keyed = pickOf(this.#keyed, which);
    if (keyed === undefined) return false;
    const { meter, entity, isAlias } = keyed.action;
    const expected = this.#modelOf(isAlias).giveBackOf(keyed.key, by, this.#now);
    if (expected === 'skip') return false;
    const change = { enforce: false, givesBack: keyed.key, entity, isAlias, ...(by !== null && { by }) };
    const found = await outcomeOf(() => this.#product.count(this.#here, meter, change, this.#now));
    same(countedOf(found), expectedOf(expected, meter), where);
    return typeof expected === 'object';
  }

  async #hold(action: Extract<Action, { kind: 'hold' }>, id: string, where: string): Promise<boolean> {
    const { meter, amount, orLess, lastsMs, entity } = action;
    const expected = this.#model.hold(action, this.#now);
    const hold = { kind: 'open', id, lastsMs, orLess } as const;
    const change = { by: amount, enforce: true, entity, hold };
    const found = await outcomeOf(() => this.#product.count(this.#here, meter, change, this.#now));
    same(countedOf(found), expectedOf(expected, meter), where);
    if (typeof found === 'object' && found.hold != null) this.#holds.push(found.hold.name);
    return true;
  }

  async #changeHold(
    operation: Extract<Action, { kind: 'extend' | 'settle' }>,
    where: string,
  ): Promise<boolean> {
    if (this.#holds.length === 0) return false;
    // Mostly one of the last ones: others have ended.
    const index = this.#holds.length - 1 - (operation.which % Math.min(3, this.#holds.length));
    const name = this.#holds[index]!;
    const { meter, entity, place } = this.#model.holdAt(index);
    this.#goTo(place);
    const amount = BigInt(operation.amount);
    const isExtending = operation.kind === 'extend';
    const expected = isExtending
      ? this.#model.extend(index, amount, operation.lastsMs, this.#now)
      : this.#model.settle(index, amount, operation.onExcess, this.#now);
    const hold = isExtending
      ? ({ kind: 'extend', name, lastsMs: operation.lastsMs, key: null } as const)
      : ({ kind: 'settle', name, onExcess: operation.onExcess } as const);
    const change = { by: operation.amount, enforce: isExtending, entity, hold };
    const found = await outcomeOf(() => this.#product.count(this.#here, meter, change, this.#now));
    same(countedOf(found, true), expectedOf(expected, meter, true), where);
    return typeof expected === 'object';
  }

  async #grant(action: Extract<Action, { kind: 'grant' }>, index: number, where: string): Promise<boolean> {
    const { meter, amount, category, priority, startsInMs, lastsMs, needsPlan, entity } = action;
    const startsAt = this.#now + startsInMs;
    const endsAt = lastsMs === null ? null : startsAt + lastsMs;
    const id = `${entity === null ? 'bal' : ENTITY_GRANT}_${String(index).padStart(4, '0')}`;
    const named = { id, meter, amount: BigInt(amount), category, startsAt, endsAt, priority, needsPlan };
    const grant = { ...named, entity, isFrozen: false, isClosed: false };
    this.#model.grants.push(grant);
    this.#tellFacts();
    if (action.paysOverage && entity === null) await this.#payOverage(grant, where);
    return true;
  }

  /** As the Worker does once the grant is stored. */
  async #payOverage(grant: ReferenceGrant, where: string): Promise<void> {
    const { id, meter } = grant;
    const expected = this.#model.payOverage(grant, this.#now);
    if (expected === 'skip') return;
    const change = {
      ...{ enforce: false, isCorrection: true, entity: null, idempotencyKey: `overage ${id}` },
      paysOverage: { grant: id, amount: Number(grant.amount) },
    };
    const found = await outcomeOf(() => this.#product.count(this.#here, meter, change, this.#now));
    same(countedOf(found), expectedOf(expected, 'credits'), `${where}: pays overage`);
  }

  #takeBack({ which, amount }: Extract<Action, { kind: 'take back' }>, where: string): boolean {
    const grant = pickOf(this.#model.grants, which);
    if (grant === undefined) return false;
    const left = this.#product.leftOf(this.#here, balanceFacts(grant), this.#now);
    const applied = this.#model.takeBack(grant, BigInt(amount), this.#now);
    this.#shrunk.add(grant.id);
    same(Math.min(amount, left), applied, where);
    this.#tellFacts();
    return true;
  }

  #subscribe(
    operation: Extract<Action, { kind: 'subscribe' | 'cancel' | 'move anchor' | 'quantity' }>,
  ): boolean {
    const { subscriptions } = this.#model.plans;
    const { plan } = operation;
    const known = subscriptions.get(plan);
    if ((known === undefined) !== (operation.kind === 'subscribe')) return false;
    if (operation.kind === 'cancel') subscriptions.delete(plan);
    else subscriptions.set(plan, this.#changed(operation, known));
    this.#tellFacts();
    return true;
  }

  #changed(
    operation: Extract<Action, { kind: 'subscribe' | 'move anchor' | 'quantity' }>,
    known: Subscription | undefined,
  ): Subscription {
    const { quantity } = 'quantity' in operation ? operation : known!;
    if (operation.kind === 'quantity') {
      const { former, quantity: before } = known!;
      if (before === quantity) return known!;
      return { ...known!, quantity, former: [...former, { until: this.#now, quantity: before }] };
    }
    // Billing periods begin with whole minutes.
    const from = minuteStart(this.#now);
    const trialMs = operation.kind === 'subscribe' ? operation.trialMs : null;
    const to = trialMs === null ? from : minuteStart(this.#now + trialMs);
    return { quantity, anchor: to, trial: to === from ? null : { from, to }, former: [] };
  }

  #seat({ entity, isTaken }: Extract<Action, { kind: 'seat' }>): Promise<boolean> {
    this.#model.seat(entity, isTaken, this.#now);
    const change = { resourceId: entity, release: !isTaken, enforce: false, entity: null };
    return this.#product.count(this.#here, 'seats', change, this.#now).then(() => true);
  }

  get #models(): readonly ReferenceLedger[] {
    return this.#alias === null ? [this.#model] : [this.#model, this.#alias];
  }

  #modelOf(isAlias: boolean): ReferenceLedger {
    return (isAlias ? this.#alias : null) ?? this.#model;
  }

  /** Soon after it was first used: what is older is stored by hours, whatever the customer's periods begin with. */
  async #link(updates: readonly Update[], index: number, where: string): Promise<boolean> {
    if (this.#alias === null || this.#now - (this.#alias.oldestUse ?? this.#now) > 2 * HOUR) return false;
    for (const [place, update] of updates.entries())
      await this.#update(update, update.hasKey ? `key ${index} ${place}` : null, where);
    const here = this.#here;
    this.#hearEachOther();
    this.#product.link();
    this.#model.absorb(this.#alias);
    this.#alias = null;
    this.#hearEachOther();
    this.#goTo(here);
    return true;
  }

  #toggle(location: Location): boolean {
    const isEnabled = this.#locations.includes(location);
    const enabled = LOCATIONS.filter((each) =>
      each === location ? !isEnabled : this.#locations.includes(each),
    );
    if (enabled.length === 0) return false;
    this.#locations = enabled as unknown as [Location, ...Location[]];
    this.#messages = this.#messages.filter(({ from, to }) => from !== location && to !== location);
    for (const each of LOCATIONS) {
      this.#goTo(each);
      for (const model of this.#models) model.setSilence(false);
    }
    this.#knowledge.setLocations(enabled, this.#product.setLocations(enabled, this.#now));
    this.#goTo(isEnabled ? this.#locations[0] : location);
    return true;
  }

  #jump({ to, offMs }: Extract<Action, { kind: 'jump' }>): boolean {
    const at = this.#jumpTo(to);
    if (at === null) return false;
    this.#now = Math.max(this.#now, at + offMs);
    return true;
  }

  #jumpTo(to: Jump): number | null {
    const now = this.#now;
    const pro = this.#model.plans.subscriptions.get('pro');
    const endOf = (anchor: number) =>
      recurring({ kind: 'billing', months: 1 }, { anchor, trialEnd: null, zone: 'UTC' }, now).to;
    switch (to) {
      case 'month': {
        const cycle = { anchor: 0, trialEnd: null, zone: this.#zone };
        return recurring({ kind: 'month' }, cycle, now).to;
      }
      case 'anchor':
        return endOf(pro?.anchor ?? 0);
      case 'trial':
        return pro?.trial?.to ?? null;
      case 'clock':
        return nextChange(now);
      case 'february': {
        const year = new Date(now).getUTCFullYear();
        return [year, year + 1].map((each) => Date.UTC(each, 2, 1)).find((at) => at > now)!;
      }
    }
  }

  /** As what changes them tells ledgers and isolates. */
  #tellFacts(): void {
    const {
      grants,
      plans: { subscriptions },
    } = this.#model;
    // By then Stripe has said that a trial is over.
    for (const [plan, each] of subscriptions)
      if (each.trial !== null && each.trial.to <= this.#now)
        subscriptions.set(plan, { ...each, trial: null });
    const open = grants.filter(({ isClosed }) => !isClosed);
    this.#product.facts = {
      ...{ version: this.#product.facts.version + 1, grants: [], overrides: [] },
      ...(open.length > 0 && balancesByOwner(open.map(balanceFacts))),
      stripe: {
        ...{ integrationId: 'int_1', customerId: 'cus_1', email: null, isNamedByEmail: false },
        subscriptions: [...subscriptions].map(([plan, each]) => subscriptionFacts(plan, each)),
      },
    };
  }

  #sent(from: Location, to: Location): Message | null {
    if (from === to) return null;
    const batch = nextBatch(this.#product.ledgerOf(from), to, this.#now);
    return batch && { from, to, batch, deeds: this.#knowledge.deeds, sentAt: this.#now };
  }

  #deliver({ which, isLost, isAnswered, stays }: Extract<Action, { kind: 'deliver' }>): boolean {
    // A call ends long before.
    this.#messages = this.#messages.filter(({ sentAt }) => this.#now - sentAt < HOUR);
    const message = pickOf(this.#messages, which);
    if (message === undefined) return false;
    if (!stays) this.#messages = this.#messages.filter((each) => each !== message);
    if (!isLost) this.#receive(message, isAnswered);
    return !isLost;
  }

  #receive({ from, to, batch, deeds }: Message, isAnswered: boolean): void {
    this.#goTo(to);
    const site = this.#product.siteOf(to);
    const answer = receiveBatch(this.#product.ledgerOf(to), site, batch, this.#now);
    this.#knowledge.learn(from, deeds);
    if (isAnswered) acknowledgeBatch(this.#product.ledgerOf(from), to, batch, answer);
  }

  #hearEachOther(): void {
    for (const from of this.#locations)
      for (const to of this.#locations) {
        const message = this.#sent(from, to);
        if (message !== null) this.#receive(message, true);
        // What it has not to be told, it knows.
        this.#goTo(to);
        this.#knowledge.learn(from, this.#knowledge.deeds);
      }
  }

  /** Locations that did not know of each other may have drawn more than there is: at most what was on its way. */
  #checkBounds(): void {
    for (const grant of this.#model.grants) {
      if (this.#shrunk.has(grant.id)) continue;
      const { over, most } = this.#model.overdrawnOf(grant, this.#now);
      if (over > most)
        throw new Difference(`${grant.id} was drawn ${over} beyond what it has, with ${most} on their way`);
    }
  }

  #compareAll(where: string, isAlias = false): void {
    const model = this.#modelOf(isAlias);
    for (const entity of ENTITIES) {
      const answers = this.#product.answers(this.#here, { entity, isAlias }, this.#now);
      for (const meter of METERS) {
        const expected = model.stateOf(meter, entity, this.#now);
        const isListed = model.attachedGrants(meter, entity).length > 0 || expected.lines.length > 1;
        const found = stateIn(answers[meter]);
        same(found, shown(expected, isListed), `${where}: ${meter} of ${entity ?? 'all'}`);
      }
    }
  }
}

function pickOf<Item>(items: readonly Item[], which: number): Item | undefined {
  return items[which % items.length];
}

function balanceFacts({
  meter,
  amount,
  isFrozen,
  isClosed: _,
  needsPlan,
  entity,
  ...grant
}: ReferenceGrant): BalanceFacts {
  return {
    ...{ ...grant, propertyId: propertyOf(meter), amount: Number(amount) },
    ...(isFrozen && { isFrozen: true }),
    ...(needsPlan && { needsPlan: true }),
    ...(entity !== null && { entity }),
  };
}

async function outcomeOf(count: () => Promise<Counted>): Promise<Counted | string> {
  try {
    return await count();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.code === 'idempotency-key-reused' ? 'conflict' : error.code;
  }
}
