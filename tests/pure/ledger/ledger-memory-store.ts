/** A ledger store in memory for the model-based tests. Its transactions can be made to fail. */
import type {
  BucketPosition,
  CopyPosition,
  CustomerRecords,
  KeyRecord,
  Register,
  RegisterName,
  ResourceUse,
  UsageBucket,
} from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { entityAccounts, readAccount } from '#engine/ledger/account';
import { isAliasOrigin } from '#engine/ledger/alias-origin';
import { DECISIONS_KEPT_MS } from '#engine/ledger/conflicting-decisions';
import type { BucketChanges } from '#engine/ledger/customer-meters';
import { ERASED, isErasedBucket } from '#engine/ledger/erased-entities';
import { HOLD } from '#engine/ledger/holds';
import type {
  Changes,
  CopyPage,
  CustomerResource,
  ErasedEntity,
  LedgerStore,
  OpenRegister,
  ResourceName,
  StoredAlias,
  StoredCustomer,
  StoredState,
} from '#objects/ledger/ledger-store';
import type { PageRoom } from '#objects/ledger/page-room';

interface CustomerRows {
  readonly number: number;
  readonly identifier: string;
  readonly buckets: Map<string, UsageBucket>;
  readonly uses: Map<string, { readonly use: ResourceUse; isInUse: boolean; isKept: boolean }>;
  readonly keys: Map<string, KeyRecord>;
  readonly registers: Map<string, Register>;
  alias: StoredAlias | null;
}

export class Crash extends Error {
  override readonly name = 'Crash';
}

const isRelease = ({ isHeld, stamp }: ResourceUse) => !isHeld && stamp > 0;
const id = (...parts: readonly (string | number)[]) => JSON.stringify(parts);
type OnceName = Pick<StoredAlias, 'identifier' | 'target' | 'key'>;
const onceId = ({ identifier, target, key = '' }: OnceName) => id(identifier, target, key);

export class MemoryStore implements LedgerStore {
  /** The next transaction fails after its last write, like a crash before the commit. */
  crashesNext = false;
  writes = 0;
  #state: StoredState | null = null;
  readonly #customers = new Map<string, CustomerRows>();
  readonly #copiedFrom = new Map<string, readonly Location[]>();
  /** Versions under which records replicate. */
  readonly #relays = new WeakMap<object, number>();
  readonly #decided = new Map<string, KeyRecord & { readonly customer: string }>();
  #once: readonly StoredAlias[] = [];
  #lastNumber = 0;
  #undo: (() => void)[] | null = null;

  transaction<Result>(work: () => Result): Result {
    if (this.#undo !== null) throw new Error('A transaction within a transaction');
    const undo: (() => void)[] = [];
    this.#undo = undo;
    try {
      const result = work();
      if (this.crashesNext) throw new Crash('before the commit');
      return result;
    } catch (error) {
      for (const step of undo.reverse()) step();
      throw error;
    } finally {
      this.crashesNext = false;
      this.#undo = null;
    }
  }

  forget(): void {}

  loadState(): StoredState | null {
    return this.#state;
  }

  saveState(state: StoredState): void {
    const before = this.#state;
    this.#write(() => {
      this.#state = before;
    });
    this.#state = state;
  }

  hasCustomer(identifier: string): boolean {
    return this.#customers.has(identifier);
  }

  countEntities(customer: string): number {
    return this.entityAccounts(customer, null, Number.POSITIVE_INFINITY).length;
  }

  entityAccounts(customer: string, after: string | null, limit: number): readonly string[] {
    const { from, to } = entityAccounts(customer);
    const all = [...this.#customers.keys()].filter((each) => each > (after ?? from) && each < to);
    return all.sort().slice(0, limit);
  }

  loadCustomer(identifier: string): StoredCustomer {
    const rows = this.#customers.get(identifier);
    const buckets = [...(rows?.buckets.values() ?? [])].sort((one, other) => one.start - other.start);
    const all = [...(rows?.registers.values() ?? [])];
    const open = new Set(all.filter(({ isOpen }) => isOpen).map(({ kind, name }) => id(kind, name)));
    const registers = all.filter(({ kind, name }) => kind === 'period' || open.has(id(kind, name)));
    const copiedFrom = this.#copiedFrom.get(identifier) ?? [];
    return { buckets, registers, copiedFrom, alias: rows?.alias ?? null };
  }

  clearCopiedFrom(): void {
    for (const identifier of this.#copiedFrom.keys()) this.#delete(this.#copiedFrom, identifier);
  }

  saveCopiedFrom(identifier: string, locations: readonly Location[]): void {
    this.#set(this.#copiedFrom, identifier, locations);
  }

  customersAfter(number: number, limit: number): { number: number; identifier: string }[] {
    return [...this.#customers.values()].filter((rows) => rows.number > number).slice(0, limit);
  }

  saveAlias(alias: StoredAlias): void {
    const rows = this.#customers.get(alias.identifier);
    if (rows === undefined) return;
    const before = rows.alias;
    this.#write(() => {
      rows.alias = before;
    });
    rows.alias = alias;
  }

  saveOnce(identifier: string, target: string, key?: string): void {
    if (!this.#customers.has(identifier)) return;
    const alias = { identifier, target, merged: 0, isOnce: true as const, ...(key !== undefined && { key }) };
    const { changed = 0 } = this.#once.find((each) => onceId(each) === onceId(alias)) ?? {};
    this.#setOnce([...this.#othersOnce(alias), { ...alias, changed: changed + 1 }]);
  }

  deleteOnce(alias: StoredAlias): void {
    const isChanged = (each: StoredAlias) => alias.key === undefined && each.changed !== alias.changed;
    const others = this.#othersOnce(alias);
    this.#setOnce(this.#once.filter((each) => others.includes(each) || isChanged(each)));
  }

  #othersOnce(alias: OnceName): StoredAlias[] {
    return this.#once.filter((each) => onceId(each) !== onceId(alias));
  }

  #setOnce(once: readonly StoredAlias[]): void {
    const before = this.#once;
    this.#write(() => {
      this.#once = before;
    });
    this.#once = once;
  }

  unmergedAliases(limit: number): StoredAlias[] {
    const aliases = [...this.#customers.values()].flatMap(({ alias }) =>
      alias !== null && alias.changed > alias.merged ? alias : [],
    );
    return [...aliases, ...this.#once].slice(0, limit);
  }

  putBucket(identifier: string, bucket: UsageBucket, relay: number | null): void {
    const kept = this.#relayed(bucket, relay);
    this.#set(this.#rows(identifier).buckets, id(bucket.propertyId, bucket.origin, bucket.start), kept);
  }

  putOwn(identifier: string, { buckets, removed }: BucketChanges): void {
    for (const bucket of removed) this.deleteBucket(identifier, bucket);
    for (const bucket of buckets) this.putBucket(identifier, bucket, bucket.version);
  }

  #relayed<Kind extends object>(record: Kind, relay: number | null): Kind {
    const kept = { ...record };
    if (relay !== null) this.#relays.set(kept, relay);
    return kept;
  }

  /** The version under which it replicates; 0 if it does not. */
  #place(record: object): number {
    return this.#relays.get(record) ?? 0;
  }

  deleteBucket(identifier: string, bucket: Pick<UsageBucket, 'propertyId' | 'origin' | 'start'>): void {
    this.#delete(this.#rows(identifier).buckets, id(bucket.propertyId, bucket.origin, bucket.start));
  }

  countInUse(identifier: string, propertyId: string): { minute: number; count: number }[] {
    const counts = new Map<number, number>();
    for (const { use, isInUse } of this.#customers.get(identifier)?.uses.values() ?? []) {
      const minute = Math.floor(use.at / 60_000);
      if (isInUse && use.propertyId === propertyId) counts.set(minute, (counts.get(minute) ?? 0) + 1);
    }
    return [...counts].sort(([one], [other]) => one - other).map(([minute, count]) => ({ minute, count }));
  }

  findUses(identifier: string, propertyId: string, resourceId: string): ResourceUse[] {
    return this.#uses(identifier, propertyId, resourceId).map(({ use }) => use);
  }

  putUse(
    identifier: string,
    given: ResourceUse,
    usedBy: string | null,
    isKept: boolean,
    relay: number | null,
  ): void {
    const use = this.#relayed(given, relay);
    const { propertyId, resourceId, origin } = use;
    const { uses } = this.#rows(identifier);
    this.#set(uses, id(propertyId, resourceId, origin), { use, isInUse: false, isKept: false });
    for (const row of this.#uses(identifier, propertyId, resourceId)) {
      const before = { isInUse: row.isInUse, isKept: row.isKept };
      this.#write(() => Object.assign(row, before));
      Object.assign(row, { isInUse: row.use.origin === usedBy, isKept });
    }
  }

  findKeys(identifier: string, text: string): KeyRecord[] {
    const keys = this.#customers.get(identifier)?.keys.values() ?? [];
    return [...keys].filter((key) => key.text === text);
  }

  findRegisters(identifier: string, { kind, name }: RegisterName): Register[] {
    const registers = this.#customers.get(identifier)?.registers.values() ?? [];
    return [...registers].filter((each) => each.kind === kind && each.name === name);
  }

  ownerOfHold(name: string): string | null {
    const isMade = ({ origin }: Register) => !isAliasOrigin(origin);
    const hold = { kind: HOLD, name };
    return (
      [...this.#customers.keys()].find((identifier) => this.findRegisters(identifier, hold).some(isMade)) ??
      null
    );
  }

  openRegisters(until: number): OpenRegister[] {
    const isLast = (identifier: string, one: Register) =>
      this.findRegisters(identifier, one).every((each) => each.stamp <= one.stamp);
    return [...this.#customers.values()]
      .flatMap(({ identifier, registers }) =>
        [...registers.values()]
          .filter((each) => each.isOpen && each.until <= until && isLast(identifier, each))
          .map((each) => ({ ...each, customer: identifier })),
      )
      .sort((one, other) => one.until - other.until);
  }

  putRegister(identifier: string, given: Register, relay: number | null): void {
    const { kind, name, origin } = given;
    for (const each of given.isOpen ? [] : this.findRegisters(identifier, given)) {
      if (!each.isOpen || each.stamp >= given.stamp) continue;
      const place = this.#place(each) || null;
      this.#set(
        this.#rows(identifier).registers,
        id(kind, name, each.origin),
        this.#relayed({ ...each, isOpen: false }, place),
      );
    }
    this.#set(this.#rows(identifier).registers, id(kind, name, origin), this.#relayed(given, relay));
  }

  contestedKeys(origin: string): { customer: string; text: string }[] {
    return [...this.#customers.values()].flatMap(({ identifier, keys }) => {
      const textsOf = (isOwn: boolean) =>
        new Set(
          [...keys.values()].filter((key) => (key.origin === origin) === isOwn).map(({ text }) => text),
        );
      const others = textsOf(false);
      return [...textsOf(true)]
        .filter((text) => others.has(text))
        .map((text) => ({ customer: identifier, text }));
    });
  }

  firstKeyChange(): number | null {
    const places = [...this.#customers.values()]
      .flatMap(({ keys }) => [...keys.values()])
      .map((key) => this.#place(key))
      .filter((place) => place > 0);
    return places.length === 0 ? null : Math.min(...places);
  }

  putKey(identifier: string, given: KeyRecord, relay: number | null): void {
    const key = this.#relayed(given, relay);
    this.#set(this.#rows(identifier).keys, id(key.text, key.origin, key.at), key);
    this.#set(this.#decided, id(identifier, key.text, key.origin, key.at), { ...key, customer: identifier });
  }

  /** For questions of tests: also what was deleted since. */
  get decided(): Iterable<KeyRecord & { readonly customer: string }> {
    return this.#decided.values();
  }

  changesAfter(version: number, limit: number): Changes {
    const versions = [...this.#customers.values()]
      .flatMap(recordsOf)
      .map((record) => this.#place(record))
      .filter((place) => place > version)
      .sort((one, other) => one - other);
    const isAll = versions.length <= limit;
    const upTo = versions[Math.min(limit, versions.length) - 1] ?? version;
    const isSent = (record: object) => this.#place(record) > version && this.#place(record) <= upTo;
    const customers = [...this.#customers.values()].map(
      (rows): CustomerRecords => ({
        customer: rows.identifier,
        buckets: [...rows.buckets.values()].filter(isSent),
        holds: [...rows.uses.values()].map(({ use }) => use).filter(isSent),
        keys: [...rows.keys.values()].filter(isSent),
        registers: [...rows.registers.values()].filter(isSent),
      }),
    );
    return {
      customers: customers.filter(
        ({ buckets, holds, keys, registers = [] }) =>
          buckets.length + holds.length + keys.length + registers.length > 0,
      ),
      upTo,
      isAll,
    };
  }

  lastChange(): number {
    return Math.max(
      0,
      ...[...this.#customers.values()].flatMap(recordsOf).map((record) => this.#place(record)),
    );
  }

  copyOf(identifier: string, after: CopyPosition | null, room: PageRoom): CopyPage {
    const rows = this.#customers.get(identifier);
    const aliasOf = after === null ? rows?.alias?.target : undefined;
    const owner = aliasOf === undefined ? { customer: identifier } : { customer: identifier, aliasOf };
    const records = {
      ...owner,
      buckets: [] as UsageBucket[],
      keys: [] as KeyRecord[],
      holds: [] as ResourceUse[],
      registers: [] as Register[],
    };
    const left = <Item>(items: Iterable<Item>, place: (item: Item) => string, from: string | null) =>
      room.take(
        [...items]
          .filter((item) => from === null || place(item) > from)
          .sort((one, other) => (place(one) < place(other) ? -1 : 1)),
        place,
      );
    if (after === null || after.kind === 'buckets') {
      const from = after?.bucket ?? null;
      const { taken, isAll } = left(rows?.buckets.values() ?? [], bucketPlace, from && bucketPlace(from));
      records.buckets = taken;
      if (!isAll) return { records, next: { kind: 'buckets', bucket: taken.at(-1) ?? from } };
    }
    if (after === null || after.kind === 'buckets' || after.kind === 'keys') {
      const from = after?.kind === 'keys' ? after.text : null;
      const { taken, isAll } = left(rows?.keys.values() ?? [], ({ text }) => text, from);
      records.keys = taken;
      if (!isAll) return { records, next: { kind: 'keys', text: taken.at(-1)?.text ?? from ?? '' } };
    }
    if (after?.kind !== 'registers') {
      const from = after?.kind === 'holds' ? after : null;
      const place = (use: ResourceName) => id(use.propertyId, use.resourceId);
      const all = [...(rows?.uses.values() ?? [])].map(({ use }) => use);
      const { taken, isAll } = left(all, place, from && place(from));
      records.holds = taken;
      const last: ResourceName = taken.at(-1) ?? from ?? { propertyId: '', resourceId: '' };
      if (!isAll) return { records, next: { kind: 'holds', ...last } };
    }
    const from = after?.kind === 'registers' ? after.register : null;
    const place = ({ kind, name }: RegisterName) => id(kind, name);
    const { taken, isAll } = left(rows?.registers.values() ?? [], place, from && place(from));
    records.registers = taken;
    const register = taken.at(-1) ?? from ?? { kind: '', name: '' };
    return { records, next: isAll ? null : { kind: 'registers', register } };
  }

  oldestSettling(): number | null {
    const instants = [...this.#customers.values()].flatMap((rows) => [
      ...[...rows.keys.values()].map(({ at }) => at),
      ...[...rows.uses.values()].flatMap(({ use, isKept }) => (isRelease(use) && !isKept ? use.stamp : [])),
      ...[...rows.registers.values()].flatMap(({ isOpen, until }) =>
        isOpen ? [] : until - DECISIONS_KEPT_MS,
      ),
    ]);
    return instants.length === 0 ? null : Math.min(...instants);
  }

  deleteKeys(before: number, version: number, limit: number): number {
    let left = limit;
    for (const rows of this.#customers.values()) {
      for (const [place, key] of rows.keys) {
        if (left === 0) return limit;
        if (key.at >= before) continue;
        if (this.#place(key) > version) continue;
        if (rows.alias !== null && rows.alias.changed > rows.alias.merged) continue;
        this.#delete(rows.keys, place);
        left -= 1;
      }
    }
    return limit - left;
  }

  deleteRegisters(before: number, version: number, limit: number): number {
    let left = limit;
    for (const rows of this.#customers.values()) {
      for (const [place, register] of rows.registers) {
        if (left === 0) return limit;
        if (register.isOpen || register.until >= before || this.#place(register) > version) continue;
        if (rows.alias !== null && rows.alias.changed > rows.alias.merged) continue;
        this.#delete(rows.registers, place);
        left -= 1;
      }
    }
    return limit - left;
  }

  releasedBefore(stamp: number, limit: number): CustomerResource[] {
    return [...this.#customers]
      .flatMap(([customer, rows]) =>
        [...rows.uses.values()].flatMap(({ use, isKept }) => (isKept ? [] : { ...use, customer })),
      )
      .filter((use) => isRelease(use) && use.stamp < stamp)
      .slice(0, limit);
  }

  deleteUses(identifier: string, uses: readonly ResourceUse[]): void {
    for (const { propertyId, resourceId, origin } of uses) {
      this.#delete(this.#rows(identifier).uses, id(propertyId, resourceId, origin));
    }
  }

  eraseRecords(identifier: string, before: number, isWhole: boolean): void {
    const rows = this.#customers.get(identifier);
    if (rows === undefined) return;
    for (const [place, each] of rows.buckets)
      if (isErasedBucket(each, before)) this.#delete(rows.buckets, place);
    for (const [place, { use }] of rows.uses) if (use.stamp < before) this.#delete(rows.uses, place);
    for (const [place, { stamp }] of rows.registers) if (stamp < before) this.#delete(rows.registers, place);
    const isEmpty = rows.buckets.size + rows.uses.size + rows.registers.size === 0;
    if (isEmpty && isWhole) {
      this.#delete(this.#customers, identifier);
      this.#delete(this.#copiedFrom, identifier);
    }
  }

  erasedEntities(before: number, limit: number): ErasedEntity[] {
    return [...this.#customers]
      .flatMap(([customer, { registers }]) =>
        [...registers.values()]
          .filter(({ kind, isOpen, until }) => kind === ERASED && !isOpen && until < before)
          .map(({ name, stamp }) => ({ customer, entity: name, before: stamp })),
      )
      .slice(0, limit);
  }

  oldestEntity(): number | null {
    return this.entitiesAfter(0, 1, 1).length === 0 ? null : 0;
  }

  /** It does not know when they were made. */
  entitiesAfter(number: number, _madeBefore: number, limit: number) {
    const isEntity = ({ identifier }: CustomerRows) => readAccount(identifier).entity !== undefined;
    return this.customersAfter(number, Number.POSITIVE_INFINITY)
      .filter((each) => isEntity(each as CustomerRows))
      .slice(0, limit);
  }

  hasUses(identifier: string): boolean {
    return [...(this.#customers.get(identifier)?.uses.values() ?? [])].some(({ use }) => use.isHeld);
  }

  erase(): void {
    const state = this.#state;
    this.#write(() => {
      this.#state = state;
    });
    this.#state = null;
    for (const each of this.#once) this.deleteOnce(each);
    for (const identifier of this.#customers.keys()) this.#delete(this.#customers, identifier);
    this.clearCopiedFrom();
  }

  /** For questions of tests: all buckets that are stored. */
  get buckets(): readonly (UsageBucket & { readonly customer: string })[] {
    return [...this.#customers].flatMap(([customer, rows]) =>
      [...rows.buckets.values()].map((bucket) => ({ ...bucket, customer })),
    );
  }

  /** For questions of tests. */
  get keyCount(): number {
    return [...this.#customers.values()].reduce((count, { keys }) => count + keys.size, 0);
  }

  #uses(identifier: string, propertyId: string, resourceId: string) {
    return [...(this.#customers.get(identifier)?.uses.values() ?? [])].filter(
      ({ use }) => use.propertyId === propertyId && use.resourceId === resourceId,
    );
  }

  #rows(identifier: string): CustomerRows {
    let rows = this.#customers.get(identifier);
    if (rows === undefined) {
      this.#lastNumber += 1;
      rows = {
        number: this.#lastNumber,
        identifier,
        buckets: new Map(),
        uses: new Map(),
        keys: new Map(),
        registers: new Map(),
        alias: null,
      };
      this.#set(this.#customers, identifier, rows);
    }
    return rows;
  }

  #set<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
    const before = map.get(key);
    this.#write(() => {
      if (before === undefined) map.delete(key);
      else map.set(key, before);
    });
    map.set(key, value);
  }

  #delete<Key, Value>(map: Map<Key, Value>, key: Key): void {
    const before = map.get(key);
    if (before === undefined) return;
    this.#write(() => map.set(key, before));
    map.delete(key);
  }

  #write(undo: () => void): void {
    if (this.#undo === null) throw new Error('Written outside of a transaction');
    this.writes += 1;
    this.#undo.push(undo);
  }
}

function recordsOf({ buckets, uses, keys, registers }: CustomerRows): object[] {
  const written = [...uses.values()].map(({ use }) => use);
  return [...buckets.values(), ...written, ...keys.values(), ...registers.values()];
}

function bucketPlace({ propertyId, origin, start }: BucketPosition): string {
  return id(propertyId, origin, String(start).padStart(12, '0'));
}
