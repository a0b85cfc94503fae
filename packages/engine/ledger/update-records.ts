/** What a decision reads and writes of a customer's records. */
import type { KeyRecord, ResourceUse } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import type { CustomerMeters } from './customer-meters.ts';
import type { Hold, KnownHold } from './holds.ts';
import type { OutageShares } from './outage-shares.ts';

/** What a decision counts on: a customer's account, or that of one of the customer's entities. */
export interface Account {
  readonly meters: CustomerMeters;
  readonly records: UpdateRecords;
}

/** Access to the customer's stored records. The implementation assigns versions on write. */
export interface UpdateRecords {
  /** The ledger's own origin. */
  readonly origin: string;
  /** The uses of all origins. */
  findUses(propertyId: string, resourceId: string): readonly ResourceUse[];
  /** @param others the resource's uses before this write */
  putUse(use: Unversioned<ResourceUse>, others: readonly ResourceUse[]): void;
  /** The account of one of the customer's entities; null if it has none, and the customer has as many as are allowed. */
  accountOf(entity: string): Account | null;
  /** Whether what was counted for the entity was erased lately. */
  isErased(entity: string): boolean;
  findKeys(text: string): readonly KeyRecord[];
  putKey(record: Unversioned<KeyRecord>): void;
  /** Of what is left, while other locations are silent; null: none is. */
  readonly shares: OutageShares | null;
  /** A new hold's name, which says where it is. @param id of the caller, unique */
  holdName(id: string): string;
  findHold(name: string): KnownHold | null;
  /** @param before the last write; null for a new hold */
  putHold(hold: Hold, before: KnownHold | null, now: number): void;
  /**
   * Who changes what an origin has held: that origin, or whoever does it in its place. `here` is this ledger, and null that it is not known
   * yet.
   */
  changerOf(known: KnownHold): Location | 'here' | null;
}

export type Unversioned<Stored extends { readonly version: number }> = Omit<Stored, 'version'>;
