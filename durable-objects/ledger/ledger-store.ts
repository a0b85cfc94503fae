/**
 * The storage interface of the ledger's algorithm: SQLite in the object, memory in tests. Synchronous. All writes
 * happen inside `transaction` and commit or roll back together.
 */
import type {
  CopyPosition,
  CustomerRecords,
  KeyRecord,
  LedgerSite,
  Register,
  RegisterName,
  ResourceUse,
  UsageBucket,
} from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import type { BucketChanges, InUseCount } from '#engine/ledger/customer-meters';
import type { PageRoom } from './page-room.ts';

export interface StoredState {
  /** The current incarnation's origin; null after retirement, until something is counted again. */
  readonly origin: string | null;
  /** Versions up to here were assigned. Higher ones are those of records that replicate. */
  readonly sequence: number;
  readonly site: LedgerSite;
  /** Origins of retired incarnations of the environment's ledgers. */
  readonly retired: readonly string[];
  /** The other locations. */
  readonly peers: readonly StoredPeer[];
}

export interface StoredPeer {
  readonly location: Location;
  /** The peer's origin in its last message; null before its first. */
  readonly origin: string | null;
  /** The highest own version that the peer has acknowledged, or that it copies itself. */
  readonly cursor: number;
  /** The peer has existed since this ledger's first count, so it receives everything by replication. */
  readonly isFromStart: boolean;
  /** The reverse: the peer replicates everything to us, so nothing needs to be copied. */
  readonly isWhole: boolean;
  /** All locations know everything that the peer wrote before this instant. */
  readonly settledAt: number;
  /** The peer knows everything that was written here before this instant. */
  readonly ackedAt: number;
  /** The peer's location is disabled, and its ledger has announced its retirement. */
  readonly hasLeft?: boolean;
  /** The peer's location is disabled. Read by earlier versions only. */
  readonly isOff?: boolean;
  /** During a handoff: the number of the last customer that the peer has received. */
  readonly handoffCursor: number;
}

export interface StoredCustomer {
  readonly buckets: readonly UsageBucket[];
  readonly alias: StoredAlias | null;
  /** What is open, and what else was written under its names. */
  readonly registers: readonly Register[];
  /** Peers from which this customer was copied completely. */
  readonly copiedFrom: readonly Location[];
}

/** An identifier that is an alias of a customer, or whose usage another one goes on with. */
export interface StoredAlias {
  readonly identifier: string;
  /** The customer. */
  readonly target: string;
  /** Incremented with every change of the alias's records. */
  readonly changed: number;
  /** The value of `changed` at the last complete merge. */
  readonly merged: number;
  /** The identifier carried the user id `target`, which goes on with what was counted until then: merged once. */
  readonly isOnce?: true;
  /** Instead: `target` accepted this key, and the customer's final decision is sent to it, so that it reverts its own. */
  readonly key?: string;
}

export interface LedgerStore {
  /**
   * @param isPlain the work counts usage and nothing else. Only what `putOwn` stores is written all or nothing then; new
   * customers, names, the state and aliases may remain of work that fails, since they say nothing about usage.
   */
  transaction<Result>(work: () => Result, isPlain?: boolean): Result;
  /** Drops caches after a failed transaction. */
  forget(): void;

  loadState(): StoredState | null;
  saveState(state: StoredState): void;

  hasCustomer(identifier: string): boolean;
  /** Accounts of entities of a customer. */
  countEntities(customer: string): number;
  /** The accounts of a customer's entities, after one of them, in their order. */
  entityAccounts(customer: string, after: string | null, limit: number): readonly string[];
  loadCustomer(identifier: string): StoredCustomer;
  /** Also for a customer without records. Those that were saved longest ago may be forgotten. */
  saveCopiedFrom(identifier: string, locations: readonly Location[]): void;
  /** Clears `copiedFrom` of all customers. */
  clearCopiedFrom(): void;
  /** Customers by number, for a handoff. */
  customersAfter(
    number: number,
    limit: number,
  ): readonly { readonly number: number; readonly identifier: string }[];

  /** No effect if nothing is stored for the identifier. */
  saveAlias(alias: StoredAlias): void;
  /**
   * Its usage, or its final decision under one key, is to be merged into that of another name once. No effect if nothing is stored for
   * the identifier.
   */
  saveOnce(identifier: string, target: string, key?: string): void;
  /** No effect if the same was saved again since. */
  deleteOnce(alias: StoredAlias): void;
  /** Aliases with changes that are not merged yet, and what is to be merged once. */
  unmergedAliases(limit: number): readonly StoredAlias[];

  /** @param relay the version under which the record replicates to peers; null if it does not */
  putBucket(identifier: string, bucket: UsageBucket, relay: number | null): void;
  deleteBucket(identifier: string, bucket: Pick<UsageBucket, 'propertyId' | 'origin' | 'start'>): void;
  /** Stores what the ledger has counted itself. */
  putOwn(identifier: string, changes: BucketChanges): void;
  /** Resources in use, grouped and ordered by the minute of their last use. */
  countInUse(identifier: string, propertyId: string): readonly InUseCount[];
  findUses(identifier: string, propertyId: string, resourceId: string): readonly ResourceUse[];
  /**
   * @param usedBy the origin of the winning use; null if the resource is not in use
   * @param isKept the resource has a use from an alias, which may be merged again: its releases are never deleted
   * @param relay as in putBucket
   */
  putUse(
    identifier: string,
    use: ResourceUse,
    usedBy: string | null,
    isKept: boolean,
    relay: number | null,
  ): void;
  findKeys(identifier: string, text: string): readonly KeyRecord[];
  putKey(identifier: string, key: KeyRecord, relay: number | null): void;
  /** Whose hold it is. Null: nobody's. */
  ownerOfHold(name: string): string | null;
  /** The records of all origins. */
  findRegisters(identifier: string, name: RegisterName): readonly Register[];
  /** Once one is not open, earlier ones of other origins under its name are none any more. */
  putRegister(identifier: string, register: Register, relay: number | null): void;
  /** The last ones of their names, if open, in the order of their ends. @param until of those that were to be open until then at most */
  openRegisters(until: number): readonly OpenRegister[];
  /** Keys under which this origin and another one have decided. */
  contestedKeys(origin: string): readonly { readonly customer: string; readonly text: string }[];
  /** The lowest version under which a key replicates; null if none does. */
  firstKeyChange(): number | null;

  /** Records that replicate under a version above this one, in that order. */
  changesAfter(version: number, limit: number): Changes;
  /** The highest version under which a record replicates; 0 if none does. */
  lastChange(): number;
  /** All records of a customer, page by page. @param room what the page takes is taken from it */
  copyOf(identifier: string, after: CopyPosition | null, room: PageRoom): CopyPage;

  /**
   * When the oldest stored key was decided, or the oldest release written that is not kept, or, as if it were kept as long, a register
   * that is not open; null without any.
   */
  oldestSettling(): number | null;
  /**
   * Deletes keys decided before an instant, oldest first. Keeps those that replicate under a version above this one, and keys of aliases
   * that are not merged yet.
   * @returns how many
   */
  deleteKeys(before: number, version: number, limit: number): number;
  /**
   * Resources with a release written before an instant, oldest first, without those that are kept.
   */
  releasedBefore(stamp: number, limit: number): readonly CustomerResource[];
  deleteUses(identifier: string, uses: readonly ResourceUse[]): void;
  /** Deletes registers that are not open and may be deleted from an instant on, oldest first. Keeps some, as `deleteKeys`. @returns how many */
  deleteRegisters(before: number, version: number, limit: number): number;
  /**
   * Deletes what was counted on an account before an instant, and the account itself if nothing is left.
   * @param isWhole false: an empty account stays, since its number must not be another's
   */
  eraseRecords(identifier: string, before: number, isWhole: boolean): void;
  /** Registers that say what was erased, and may be deleted from an instant on; oldest first. */
  erasedEntities(before: number, limit: number): readonly ErasedEntity[];
  /** When the first account of an entity that is stored was made; null without any. */
  oldestEntity(): number | null;
  /** Accounts of entities by number, of those that were made before an instant. */
  entitiesAfter(
    number: number,
    madeBefore: number,
    limit: number,
  ): readonly { readonly number: number; readonly identifier: string }[];
  /** Whether any resource is in use on the account. */
  hasUses(identifier: string): boolean;
  /** Deletes everything; the caller writes the state again with `saveState`. */
  erase(): void;
}

export interface ResourceName {
  readonly propertyId: string;
  readonly resourceId: string;
}

export interface ErasedEntity {
  readonly customer: string;
  readonly entity: string;
  readonly before: number;
}

export interface OpenRegister extends Pick<Register, 'kind' | 'name' | 'origin' | 'until'> {
  readonly customer: string;
}

export interface CustomerResource extends ResourceName {
  readonly customer: string;
}

export interface CopyPage {
  readonly records: CustomerRecords;
  readonly next: CopyPosition | null;
}

export interface Changes {
  readonly customers: readonly CustomerRecords[];
  /** The batch is complete up to this version. */
  readonly upTo: number;
  readonly isAll: boolean;
}
