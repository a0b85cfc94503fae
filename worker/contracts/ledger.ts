/**
 * What the Worker asks of a ledger object and what ledger objects say to each other (DESIGN section 6). Never a client's:
 * these are shapes of RPC. Objects of other versions of this code may send them, so fields are only added.
 */
import type { Location } from './locations.ts';
import type { Meter, MeterableValue } from './values.ts';

/** Which ledger is asked, and what the caller's snapshot says of its peers; the object remembers the newest. */
export interface LedgerSite {
  readonly environmentId: string;
  readonly location: Location;
  readonly shard: number;
  /** The snapshot's: of two callers that disagree about the locations, the higher one is right. */
  readonly generation: number;
  /** Enabled data locations of the environment, this one among them. */
  readonly locations: readonly Location[];
}

/**
 * One change of a customer's usage: either `by`, or a `resourceId`. It counts for the property whatever plan holds; a
 * resource counts both as a resource (meters of unique resources) and as one use (the other meters).
 */
export interface CounterUpdate {
  readonly propertyId: string;
  /** A safe integer; 1 where neither this nor a resource is given. Negative gives back, at most what is counted here. */
  readonly by?: number | undefined;
  readonly resourceId?: string | undefined;
  /** Gives the resource back; nothing happens where it is not held. */
  readonly release?: boolean | undefined;
  /** Remembered for 24 hours, replicated. `bodyHash` tells a retry from another request that took the same key. */
  readonly key?: { readonly text: string; readonly bodyHash: string } | undefined;
  /** What the customer's plans give the property now: what is read afterwards, and what `enforce` holds against. */
  readonly value: MeterableValue;
  /** Counts only what fits: `on` always, `off` never, `metered` while it stays within the limit. */
  readonly enforce: boolean;
}

export interface LedgerRead {
  readonly propertyId: string;
  readonly meter: Meter;
}

/** All for one customer, in one transaction: the updates in their order, each decided after the one before; then the reads. */
export interface LedgerCall {
  readonly site: LedgerSite;
  /** The canonical identifier of the customer, by which the shard was chosen. */
  readonly customer: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly updates: readonly CounterUpdate[];
  readonly reads: readonly LedgerRead[];
}

export interface LedgerReading {
  /** Never below 0. */
  readonly used: number;
  /**
   * Recurring windows: their end. Trailing windows: when the next used amount leaves, null where nothing is used.
   * Lifetime: null.
   */
  readonly resetsAt: number | null;
}

export type UpdateOutcome =
  | {
      readonly kind: 'decided';
      /** False: it was to be enforced and did not fit; nothing was counted. */
      readonly accepted: boolean;
      /** The key was known: this is the first answer again, also where another location gave it. */
      readonly replayed: boolean;
      /** What was added to the count: `by`, or less where it gave back more than there was; 0 where nothing happened. */
      readonly applied: number;
      /** When it was decided, and against what; of a replay the first time. */
      readonly at: number;
      readonly value: MeterableValue;
      /** After it; null where `value` is not metered. */
      readonly reading: LedgerReading | null;
    }
  /** The key belongs to another request: a 409. Nothing was counted. */
  | { readonly kind: 'conflict' }
  /** The count would pass 2^53 - 1: a 400. Nothing was counted. */
  | { readonly kind: 'too-large' };

export type LedgerAnswer =
  | {
      readonly kind: 'answered';
      /** One for each update. */
      readonly outcomes: readonly UpdateOutcome[];
      /** One for each read. */
      readonly readings: readonly LedgerReading[];
      /** False: a peer that may know more of this customer could not be asked yet, and this is what stands here. */
      readonly isWhole: boolean;
    }
  /** This location was turned off: nothing was done; ask one of these. */
  | { readonly kind: 'moved'; readonly locations: readonly Location[] };
