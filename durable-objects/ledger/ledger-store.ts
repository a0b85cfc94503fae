/**
 * What the ledger's algorithm needs of storage. The object supplies it with SQLite, tests with memory. All is synchronous;
 * whatever is written is written inside `transaction`, all of it or nothing.
 */
import type {
  CellRecord,
  CopyPosition,
  CustomerRecords,
  KeyRecord,
  LedgerSite,
  MarkRecord,
} from '#contracts/ledger';
import type { Location } from '#contracts/locations';
import type { HeldCount } from '#engine/ledger/customer-meters';

export interface StoredSelf {
  /** Of this life of the ledger; null where it was closed and nothing has been counted since. */
  readonly origin: string | null;
  /** No higher version was given. */
  readonly sequence: number;
  readonly site: LedgerSite;
  /** Lives of the environment's ledgers, as origins, that are known to have ended. */
  readonly ended: readonly string[];
}

export interface StoredPeer {
  readonly location: Location;
  /** As it last named itself; null until it has answered. */
  readonly origin: string | null;
  /** The highest own version that it has acknowledged, or that it copies for itself. */
  readonly cursor: number;
  /** It has been a peer for as long as this ledger has counted: all that was ever counted here is pushed to it. */
  readonly isFromStart: boolean;
  /** The same the other way: nothing needs to be copied from it. */
  readonly isWhole: boolean;
  /** All that it wrote before this instant is known everywhere, as it last said. */
  readonly settledAt: number;
  /** All that was written here before this instant is known to it. */
  readonly ackedAt: number;
  /** Its location is turned off, and it has not said that it is closed: it may be turned on again as it was. */
  readonly isOff?: boolean;
  /** Of a ledger that is closing: the last customer, by number, that it has taken. */
  readonly handedOver: number;
}

export interface StoredCustomer {
  readonly cells: readonly CellRecord[];
  readonly link: StoredLink | null;
  /** Peers whose records of this customer have all been copied. */
  readonly copiedFrom: readonly Location[];
}

/** An identifier that is another name of a customer. */
export interface StoredLink {
  readonly identifier: string;
  /** The customer: the first that was said. */
  readonly target: string;
  /** Rises with every change of the identifier's records. */
  readonly changed: number;
  /** What `changed` was when the customer's ledger last had everything. */
  readonly carried: number;
}

export interface LedgerStore {
  transaction<Result>(work: () => Result): Result;
  /** Forgets what it remembers of the storage: a transaction has failed. */
  forget(): void;

  loadSelf(): StoredSelf | null;
  saveSelf(self: StoredSelf): void;
  loadPeers(): readonly StoredPeer[];
  savePeer(peer: StoredPeer): void;
  deletePeer(location: Location): void;

  hasCustomer(identifier: string): boolean;
  /** Null: nothing is stored. */
  loadCustomer(identifier: string): StoredCustomer | null;
  /** Nothing happens where nothing is stored of the customer. */
  saveCopiedFrom(identifier: string, locations: readonly Location[]): void;
  /** Forgets of all customers what was copied. */
  clearCopiedFrom(): void;
  /** Customers by number, for handing over. */
  customersAfter(
    number: number,
    limit: number,
  ): readonly { readonly number: number; readonly identifier: string }[];

  /** Nothing happens where nothing is stored of the customer. */
  saveLink(link: StoredLink): void;
  /** Links with changes that were not carried. */
  uncarried(limit: number): readonly StoredLink[];

  /** @param relay of what was carried over to the customer here: the own version as which peers are told it; else null */
  putCell(identifier: string, cell: CellRecord, relay: number | null): void;
  deleteCell(identifier: string, cell: Pick<CellRecord, 'propertyId' | 'origin' | 'start'>): void;
  /** Resources in use, by the minute of their last use, in order. */
  countHeld(identifier: string, propertyId: string): readonly HeldCount[];
  findMarks(identifier: string, propertyId: string, resourceId: string): readonly MarkRecord[];
  /**
   * @param heldBy the origin whose mark now counts; null where the resource is not in use
   * @param relay as of a cell
   */
  putMark(identifier: string, mark: MarkRecord, heldBy: string | null, relay: number | null): void;
  findKeys(identifier: string, text: string): readonly KeyRecord[];
  putKey(identifier: string, key: KeyRecord, relay: number | null): void;
  /** Keys under which both origins have decided. */
  sharedKeys(one: string, other: string): readonly { readonly customer: string; readonly text: string }[];

  /** Own records above a version, and relayed ones, in the order of the versions that were given here. */
  changesAfter(origin: string, version: number, limit: number): Changes;
  /** The highest version that was given to an own record or relay; 0 where there are none. */
  lastVersion(origin: string): number;
  /** All records of a customer, page by page. @param limit about how many keys and how many marks are on a page */
  copyOf(identifier: string, after: CopyPosition | null, limit: number): CopyPage;

  /**
   * Deletes keys decided before an instant, the oldest first, but for those of an origin above a version, and those that
   * are yet to be carried.
   */
  deleteKeys(
    before: number,
    unless: { readonly origin: string; readonly after: number },
    limit: number,
  ): void;
  /**
   * Resources with a mark that says released and was written before an instant, the oldest first. Not those of which a mark
   * was carried over: it may come again.
   */
  releasedBefore(identifier: string, stamp: number, limit: number): readonly ResourceName[];
  deleteMarks(identifier: string, marks: readonly MarkRecord[]): void;
  /** Deletes everything but what `saveSelf` is given next. */
  erase(): void;
}

export interface ResourceName {
  readonly propertyId: string;
  readonly resourceId: string;
}

export interface CopyPage {
  readonly records: CustomerRecords;
  readonly next: CopyPosition | null;
}

export interface Changes {
  readonly customers: readonly CustomerRecords[];
  /** The version up to which nothing is missing from them. */
  readonly upTo: number;
  readonly isAll: boolean;
}
