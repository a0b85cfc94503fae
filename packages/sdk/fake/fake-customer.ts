/** One customer of the fake server: grants and overrides, and usage by the rules of the ledger. */
import type { CustomerFacts, PlanGrant, PropertyOverride } from '#contracts/internal/customer-facts';
import type {
  CounterUpdate,
  KeyRecord,
  LedgerRead,
  LedgerReading,
  ResourceUse,
  UpdateOutcome,
} from '#contracts/internal/ledger';
import type { LedgerLine } from '#contracts/public/customer-ledger';
import type { ChangeMade } from '#contracts/public/customers';
import { type BalanceRecord, balanceFacts } from '#engine/access/balance-record';
import { balancesByOwner } from '#engine/entitlements/facts-for-entity';
import { NO_FACTS } from '#engine/entitlements/no-facts';
import { accountOf, MAX_ENTITIES } from '#engine/ledger/account';
import { aliasOrigin } from '#engine/ledger/alias-origin';
import { hasSeat } from '#engine/ledger/also-counts';
import { CustomerMeters } from '#engine/ledger/customer-meters';
import { decideUpdate } from '#engine/ledger/decide-update';
import { holdNameOf } from '#engine/ledger/hold-name';
import type { Hold, KnownHold } from '#engine/ledger/holds';
import type { KnownPeriod, Periods } from '#engine/ledger/periods';
import { lastUsedAt } from '#engine/ledger/resource-use';
import type { UpdateRecords } from '#engine/ledger/update-records';
import { minuteOf } from '#engine/metering/bucket-widths';

const ORIGIN = 'fake';

interface Entry {
  readonly reason: string;
  readonly createdAt: number;
}
type FakeGrant = PlanGrant & Entry;
type FakeOverride = PropertyOverride & Entry;
/** At most one grant of each plan, and one override of each property. */
interface FakeFacts extends CustomerFacts {
  readonly grants: readonly FakeGrant[];
  readonly overrides: readonly FakeOverride[];
}

export class FakeCustomer {
  /** Canonical. */
  readonly identifier: string;
  /** Null: it was not created by API. */
  created: {
    readonly name: string | null;
    readonly email: string | null;
    readonly userId: string | null;
    readonly createdAt: number;
  } | null = null;
  facts: FakeFacts = { ...NO_FACTS, grants: [], overrides: [] };
  /** Of changes, by idempotency key. */
  readonly receipts = new Map<
    string,
    { readonly at: number; readonly text: string; readonly made: Omit<ChangeMade, 'customer' | 'replayed'> }
  >();
  /** In the order in which they were given. */
  balances: readonly BalanceRecord[] = [];
  /** Of its ledger: what changed its meters, beside what it was given. */
  readonly lines: { readonly propertyId: string; readonly line: LedgerLine }[] = [];
  #hasUsage = false;
  readonly #uses = new Map<string, ResourceUse>();
  readonly #keys = new Map<string, KeyRecord>();
  readonly #holds = new Map<string, Hold>();
  readonly #entities = new Map<string, FakeCustomer>();
  /** In which meters that roll over were counted. */
  readonly periods: KnownPeriod[] = [];
  readonly meters: CustomerMeters;

  /** @param periods null: no meter rolls over */
  constructor(identifier: string, periods: Periods | null = null) {
    this.identifier = identifier;
    this.meters = new CustomerMeters(identifier, [], (propertyId) => this.#inUseCounts(propertyId), null, {
      periods,
    });
  }

  get hasData(): boolean {
    const { grants, overrides } = this.facts;
    return this.#hasUsage || grants.length + overrides.length + this.balances.length > 0;
  }

  /** In place of one of the same plan. */
  putGrant(grant: FakeGrant): void {
    const { grants } = this.facts;
    const before = grants.find(({ planId }) => planId === grant.planId);
    const isOn = before !== undefined && (before.until === null || before.until > grant.createdAt);
    const anchorAt = (isOn && before.anchorAt) || grant.createdAt;
    this.removeGrant(grant.planId);
    this.facts = { ...this.facts, grants: [...this.facts.grants, { ...grant, anchorAt }] };
  }

  removeGrant(planId: string): void {
    const grants = this.facts.grants.filter((each) => each.planId !== planId);
    this.facts = { ...this.facts, grants };
  }

  /** In place of one of the same property. */
  putOverride(override: FakeOverride): void {
    this.removeOverride(override.propertyId);
    this.facts = { ...this.facts, overrides: [...this.facts.overrides, override] };
  }

  removeOverride(propertyId: string): void {
    const overrides = this.facts.overrides.filter((each) => each.propertyId !== propertyId);
    this.facts = { ...this.facts, overrides };
  }

  /** In place of the same one. */
  putBalance(balance: BalanceRecord): void {
    const isKnown = this.balances.some(({ id }) => id === balance.id);
    this.balances = isKnown
      ? this.balances.map((each) => (each.id === balance.id ? balance : each))
      : [...this.balances, balance];
    this.facts = { ...this.facts, ...balancesByOwner(this.balances.map(balanceFacts)) };
  }

  /** Takes over what an alias has: grants and overrides, and usage as ledgers merge it. Its own come first. */
  absorb(alias: FakeCustomer): void {
    const { grants, overrides } = this.facts;
    this.facts = { ...this.facts, grants: [], overrides: [] };
    for (const each of [...alias.facts.grants, ...grants]) this.putGrant(each);
    for (const each of [...alias.facts.overrides, ...overrides]) this.putOverride(each);
    for (const each of alias.balances) this.putBalance({ ...each, id: `${each.id}${alias.identifier}` });
    const { buckets } = alias.meters.takeChanges(ORIGIN, () => 1);
    for (const each of buckets)
      this.meters.put({ ...each, origin: aliasOrigin(each.origin, alias.identifier) });
    for (const [place, use] of alias.#uses) {
      if (this.#uses.has(place)) continue;
      this.#uses.set(place, use);
      this.meters.moveUse(use.propertyId, null, lastUsedAt(use));
    }
    for (const [name, hold] of alias.#holds) {
      this.#holds.set(name, hold);
      this.meters.putHold(hold);
    }
    this.lines.push(...alias.lines);
    for (const each of alias.periods) this.putPeriod(each);
    for (const [entity, account] of alias.#entities) this.entity(entity).absorb(account);
    for (const [text, key] of alias.#keys) if (!this.#keys.has(text)) this.#keys.set(text, key);
    this.#hasUsage ||= alias.#hasUsage;
  }

  note(propertyId: string, line: LedgerLine): void {
    this.lines.push({ propertyId, line });
  }

  putPeriod(period: KnownPeriod): void {
    this.periods.push(period);
    this.meters.periods?.put(period);
  }

  count(update: CounterUpdate, now: number): UpdateOutcome {
    const outcome = decideUpdate(this.meters, update, now, this.#records());
    if (outcome.kind !== 'decided') return outcome;
    this.#hasUsage ||= outcome.applied !== 0;
    for (const { entity, applied } of outcome.also ?? [])
      if (entity !== undefined && applied !== 0) this.entity(entity).#hasUsage = true;
    return outcome;
  }

  /** The account of one of its entities, such as a member of a team. */
  entity(entity: string): FakeCustomer {
    const account = this.#entities.get(entity) ?? new FakeCustomer(accountOf(this.identifier, entity));
    this.#entities.set(entity, account);
    return account;
  }

  readEntity(entity: string, { propertyId, meter, seat }: LedgerRead, now: number): LedgerReading {
    const reading = this.entity(entity).meters.read(propertyId, meter, now);
    const isSeated = hasSeat(this.#records(), { seat, entity });
    return isSeated ? reading : { ...reading, isUnseated: true };
  }

  /** Those for which something was counted. */
  entityIds(): string[] {
    return [...this.#entities].flatMap(([id, account]) => (account.#hasUsage ? id : []));
  }

  deleteEntity(entity: string): void {
    this.#entities.delete(entity);
  }

  #records(): UpdateRecords {
    const placeOf = (propertyId: string, resourceId: string) => `${propertyId} ${resourceId}`;
    return {
      origin: ORIGIN,
      accountOf: (entity) => {
        if (!this.#entities.has(entity) && this.#entities.size >= MAX_ENTITIES) return null;
        const account = this.entity(entity);
        return { meters: account.meters, records: account.#records() };
      },
      findUses: (propertyId, resourceId) => {
        const use = this.#uses.get(placeOf(propertyId, resourceId));
        return use === undefined ? [] : [use];
      },
      putUse: (use) => {
        this.#uses.set(placeOf(use.propertyId, use.resourceId), { ...use, version: 1 });
      },
      findKeys: (text) => {
        const key = this.#keys.get(text);
        return key === undefined ? [] : [key];
      },
      putKey: (record) => {
        this.#keys.set(record.text, { ...record, version: 1 });
      },
      shares: null,
      holdName: (id) => holdNameOf({ location: 'weur', shard: 0 }, id),
      findHold: (name) => this.hold(name),
      putHold: (hold) => {
        this.#holds.set(hold.name, hold);
      },
      changerOf: () => 'here',
      isErased: (entity) => !this.#entities.has(entity),
    };
  }

  hold(name: string): KnownHold | null {
    const hold = this.#holds.get(name);
    return hold === undefined ? null : { hold, origin: ORIGIN, stamp: 0 };
  }

  #inUseCounts(propertyId: string): { minute: number; count: number }[] {
    const counts = new Map<number, number>();
    for (const use of this.#uses.values()) {
      if (use.propertyId !== propertyId || !use.isHeld) continue;
      const minute = minuteOf(use.at);
      counts.set(minute, (counts.get(minute) ?? 0) + 1);
    }
    return [...counts]
      .map(([minute, count]) => ({ minute, count }))
      .sort((one, other) => one.minute - other.minute);
  }
}
