/** A ledger's storage in memory, with transactions that can fail: what the model-based test runs the ledger on. */
import type { CellRecord, CopyPosition, CustomerRecords, KeyRecord, MarkRecord } from '#contracts/ledger';
import type { Location } from '#contracts/locations';
import { isCarried } from '#engine/ledger/carried-origin';
import type {
  Changes,
  CopyPage,
  LedgerStore,
  ResourceName,
  StoredCustomer,
  StoredLink,
  StoredPeer,
  StoredSelf,
} from '#objects/ledger/ledger-store';

interface CustomerRows {
  readonly number: number;
  readonly identifier: string;
  copiedFrom: readonly Location[];
  readonly cells: Map<string, CellRecord>;
  readonly marks: Map<string, { readonly mark: MarkRecord; isHeld: boolean }>;
  readonly keys: Map<string, KeyRecord>;
  link: StoredLink | null;
}

export class Crash extends Error {
  override readonly name = 'Crash';
}

const isCarriedMark = ({ origin }: MarkRecord) => isCarried(origin);
const id = (...parts: readonly (string | number)[]) => JSON.stringify(parts);

export class MemoryStore implements LedgerStore {
  /** Set: the next transaction fails when all is written, as a machine that dies before the commit. */
  crashesNext = false;
  writes = 0;
  #self: StoredSelf | null = null;
  readonly #peers = new Map<Location, StoredPeer>();
  readonly #customers = new Map<string, CustomerRows>();
  /** Of records that were carried over to a customer here. */
  readonly #relays = new WeakMap<object, number>();
  readonly #decided = new Map<string, KeyRecord & { readonly customer: string }>();
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

  loadSelf(): StoredSelf | null {
    return this.#self;
  }

  saveSelf(self: StoredSelf): void {
    const before = this.#self;
    this.#write(() => {
      this.#self = before;
    });
    this.#self = self;
  }

  loadPeers(): readonly StoredPeer[] {
    return [...this.#peers.values()];
  }

  savePeer(peer: StoredPeer): void {
    this.#set(this.#peers, peer.location, peer);
  }

  deletePeer(location: Location): void {
    this.#delete(this.#peers, location);
  }

  hasCustomer(identifier: string): boolean {
    return this.#customers.has(identifier);
  }

  loadCustomer(identifier: string): StoredCustomer | null {
    const rows = this.#customers.get(identifier);
    if (rows === undefined) return null;
    const cells = [...rows.cells.values()].sort((one, other) => one.start - other.start);
    return { cells, copiedFrom: rows.copiedFrom, link: rows.link };
  }

  clearCopiedFrom(): void {
    for (const rows of this.#customers.values()) {
      const before = rows.copiedFrom;
      this.#write(() => {
        rows.copiedFrom = before;
      });
      rows.copiedFrom = [];
    }
  }

  saveCopiedFrom(identifier: string, locations: readonly Location[]): void {
    const rows = this.#customers.get(identifier);
    if (rows === undefined) return;
    const before = rows.copiedFrom;
    this.#write(() => {
      rows.copiedFrom = before;
    });
    rows.copiedFrom = locations;
  }

  customersAfter(number: number, limit: number): { number: number; identifier: string }[] {
    return [...this.#customers.values()].filter((rows) => rows.number > number).slice(0, limit);
  }

  saveLink(link: StoredLink): void {
    const rows = this.#customers.get(link.identifier);
    if (rows === undefined) return;
    const before = rows.link;
    this.#write(() => {
      rows.link = before;
    });
    rows.link = link;
  }

  uncarried(limit: number): StoredLink[] {
    return [...this.#customers.values()]
      .flatMap(({ link }) => (link !== null && link.changed > link.carried ? link : []))
      .slice(0, limit);
  }

  putCell(identifier: string, cell: CellRecord, relay: number | null): void {
    const kept = this.#relayed(cell, relay);
    this.#set(this.#rows(identifier).cells, id(cell.propertyId, cell.origin, cell.start), kept);
  }

  #relayed<Kind extends object>(record: Kind, relay: number | null): Kind {
    const kept = { ...record };
    if (relay !== null) this.#relays.set(kept, relay);
    return kept;
  }

  /** The version that it was given here; 0 for one of another origin that is not relayed. */
  #place(record: { origin: string; version: number }, origin: string): number {
    return this.#relays.get(record) ?? (record.origin === origin ? record.version : 0);
  }

  deleteCell(identifier: string, cell: Pick<CellRecord, 'propertyId' | 'origin' | 'start'>): void {
    this.#delete(this.#rows(identifier).cells, id(cell.propertyId, cell.origin, cell.start));
  }

  countHeld(identifier: string, propertyId: string): { minute: number; count: number }[] {
    const counts = new Map<number, number>();
    for (const { mark, isHeld } of this.#customers.get(identifier)?.marks.values() ?? []) {
      const minute = Math.floor(mark.at / 60_000);
      if (isHeld && mark.propertyId === propertyId) counts.set(minute, (counts.get(minute) ?? 0) + 1);
    }
    return [...counts].sort(([one], [other]) => one - other).map(([minute, count]) => ({ minute, count }));
  }

  findMarks(identifier: string, propertyId: string, resourceId: string): MarkRecord[] {
    return this.#marks(identifier, propertyId, resourceId).map(({ mark }) => mark);
  }

  putMark(identifier: string, given: MarkRecord, heldBy: string | null, relay: number | null): void {
    const mark = this.#relayed(given, relay);
    const { propertyId, resourceId, origin } = mark;
    const { marks } = this.#rows(identifier);
    this.#set(marks, id(propertyId, resourceId, origin), { mark, isHeld: false });
    for (const row of this.#marks(identifier, propertyId, resourceId)) {
      const before = row.isHeld;
      this.#write(() => {
        row.isHeld = before;
      });
      row.isHeld = row.mark.origin === heldBy;
    }
  }

  findKeys(identifier: string, text: string): KeyRecord[] {
    const keys = this.#customers.get(identifier)?.keys.values() ?? [];
    return [...keys].filter((key) => key.text === text);
  }

  sharedKeys(one: string, other: string): { customer: string; text: string }[] {
    return [...this.#customers.values()].flatMap(({ identifier, keys }) => {
      const of = (origin: string) =>
        new Set([...keys.values()].filter((key) => key.origin === origin).map((key) => key.text));
      const others = of(other);
      return [...of(one)].filter((text) => others.has(text)).map((text) => ({ customer: identifier, text }));
    });
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

  changesAfter(origin: string, version: number, limit: number): Changes {
    const versions = [...this.#customers.values()]
      .flatMap((rows) => [
        ...[...rows.cells.values()],
        ...[...rows.marks.values()].map(({ mark }) => mark),
        ...rows.keys.values(),
      ])
      .map((record) => this.#place(record, origin))
      .filter((place) => place > version)
      .sort((one, other) => one - other);
    const isAll = versions.length <= limit;
    const upTo = versions[Math.min(limit, versions.length) - 1] ?? version;
    const isSent = (record: { origin: string; version: number }) =>
      this.#place(record, origin) > version && this.#place(record, origin) <= upTo;
    const customers = [...this.#customers.values()].map(
      (rows): CustomerRecords => ({
        customer: rows.identifier,
        cells: [...rows.cells.values()].filter(isSent),
        marks: [...rows.marks.values()].map(({ mark }) => mark).filter(isSent),
        keys: [...rows.keys.values()].filter(isSent),
      }),
    );
    return {
      customers: customers.filter(({ cells, marks, keys }) => cells.length + marks.length + keys.length > 0),
      upTo,
      isAll,
    };
  }

  lastVersion(origin: string): number {
    return Math.max(
      0,
      ...[...this.#customers.values()]
        .flatMap((rows) => [
          ...rows.cells.values(),
          ...[...rows.marks.values()].map(({ mark }) => mark),
          ...rows.keys.values(),
        ])
        .map((record) => this.#place(record, origin)),
    );
  }

  copyOf(identifier: string, after: CopyPosition | null, limit: number): CopyPage {
    const rows = this.#customers.get(identifier);
    const cells = after === null ? [...(rows?.cells.values() ?? [])] : [];
    const allKeys = [...(rows?.keys.values() ?? [])];
    const texts = [...new Set(allKeys.map((key) => key.text))].sort();
    const isKeyLeft = (text: string) => after === null || (after.kind === 'keys' && text > after.text);
    const linkedTo = after === null ? rows?.link?.target : undefined;
    const whose = linkedTo === undefined ? { customer: identifier } : { customer: identifier, linkedTo };
    const sentTexts = texts.filter(isKeyLeft).slice(0, limit);
    const keys = allKeys.filter((key) => sentTexts.includes(key.text));
    if (sentTexts.length === limit) {
      const next = { kind: 'keys', text: sentTexts.at(-1)! } as const;
      return { records: { ...whose, cells, marks: [], keys }, next };
    }
    const allMarks = [...(rows?.marks.values() ?? [])].map(({ mark }) => mark);
    const place = (mark: ResourceName) => id(mark.propertyId, mark.resourceId);
    const isMarkLeft = (mark: MarkRecord) => after?.kind !== 'marks' || place(mark) > place(after);
    const places = [...new Set(allMarks.filter(isMarkLeft).map(place))].sort().slice(0, limit);
    const marks = allMarks.filter((mark) => places.includes(place(mark)));
    const last = marks.find((mark) => place(mark) === places.at(-1));
    const next = last === undefined || places.length < limit ? null : ({ kind: 'marks', ...last } as const);
    return { records: { ...whose, cells, marks, keys }, next };
  }

  deleteKeys(before: number, unless: { origin: string; after: number }, limit: number): void {
    let left = limit;
    for (const rows of this.#customers.values()) {
      for (const [place, key] of rows.keys) {
        if (left === 0) return;
        if (key.at >= before) continue;
        if (this.#place(key, unless.origin) > unless.after) continue;
        if (rows.link !== null && rows.link.changed > rows.link.carried) continue;
        this.#delete(rows.keys, place);
        left -= 1;
      }
    }
  }

  releasedBefore(identifier: string, stamp: number, limit: number): ResourceName[] {
    return [...(this.#customers.get(identifier)?.marks.values() ?? [])]
      .map(({ mark }) => mark)
      .filter((mark) => !mark.isHeld && mark.stamp > 0 && mark.stamp < stamp)
      .filter((mark) => !this.findMarks(identifier, mark.propertyId, mark.resourceId).some(isCarriedMark))
      .slice(0, limit);
  }

  deleteMarks(identifier: string, marks: readonly MarkRecord[]): void {
    for (const { propertyId, resourceId, origin } of marks) {
      this.#delete(this.#rows(identifier).marks, id(propertyId, resourceId, origin));
    }
  }

  erase(): void {
    this.#self = null;
    this.#peers.clear();
    this.#customers.clear();
  }

  /** For questions of tests: all cells that are stored. */
  get cells(): readonly (CellRecord & { readonly customer: string })[] {
    return [...this.#customers].flatMap(([customer, rows]) =>
      [...rows.cells.values()].map((cell) => ({ ...cell, customer })),
    );
  }

  #marks(identifier: string, propertyId: string, resourceId: string) {
    return [...(this.#customers.get(identifier)?.marks.values() ?? [])].filter(
      ({ mark }) => mark.propertyId === propertyId && mark.resourceId === resourceId,
    );
  }

  #rows(identifier: string): CustomerRows {
    let rows = this.#customers.get(identifier);
    if (rows === undefined) {
      this.#lastNumber += 1;
      rows = {
        number: this.#lastNumber,
        identifier,
        copiedFrom: [],
        cells: new Map(),
        marks: new Map(),
        keys: new Map(),
        link: null,
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
