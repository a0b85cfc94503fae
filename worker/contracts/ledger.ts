/**
 * What the Worker asks of a ledger object and what ledger objects say to each other (DESIGN section 6). Never a client's:
 * these are shapes of RPC. Objects of other versions of this code may send them, so fields are only added.
 */
import type { FactsInUse, FactsNews } from './customer-facts.ts';
import type { EventPlace } from './event-batch.ts';
import type { Location } from './locations.ts';
import type { Warning } from './subjects.ts';
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
  /** How many ledgers the environment has in each. Absent where nobody said so yet. */
  readonly shards?: number;
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
  /** What the caller believes of the customer; absent where nothing is to be believed of anybody. */
  readonly facts?: FactsInUse | undefined;
  /** The event of the one update that it brings, and whose event stream it belongs into. */
  readonly event?: EventName | undefined;
}

export interface EventName {
  readonly id: string;
  readonly orgId: string;
  /** The organisation's first enabled data location. */
  readonly home?: Location | undefined;
}

/**
 * What the event of an update says besides what the ledger decides. The ledger keeps it in the transaction that counts,
 * until the event stream has it; the isolate that made it may be gone before it could tell the stream.
 */
export interface UpdateEvent {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly subjectIdentifier: string;
  readonly secondarySubjectIdentifiers: readonly string[];
  readonly place: EventPlace;
  readonly planSlugs: readonly string[];
  readonly featureSlugs: readonly string[];
  /** The request's body, without its token. */
  readonly request: unknown;
  /** Of the answer, but for what the ledger itself has to warn of. */
  readonly warnings: readonly Warning[];
  readonly cfRay: string | null;
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
      /** The reads were answered, but the caller went by other facts than hold. */
      readonly facts?: FactsNews | undefined;
    }
  /** The updates were meant by other facts than hold: nothing was done. */
  | { readonly kind: 'outdated'; readonly facts: FactsNews }
  /** This location was turned off: nothing was done; ask one of these. */
  | { readonly kind: 'moved'; readonly locations: readonly Location[] };

/** The total of one origin in one stretch of time. Only its origin changes it; the highest version is right. */
export interface CellRecord {
  readonly propertyId: string;
  readonly origin: string;
  /** Minutes since the epoch. */
  readonly start: number;
  /** Index of engine/metering/cell-grid's widths. A wider cell holds all that stood in the narrower ones it covers. */
  readonly width: number;
  readonly amount: number;
  readonly version: number;
}

/**
 * What one origin last said of a resource. Only its origin changes it; the highest version is right. Of several origins'
 * marks the one with the highest `stamp`, then the origin that sorts last, says whether the resource is in use.
 */
export interface MarkRecord {
  readonly propertyId: string;
  readonly resourceId: string;
  readonly origin: string;
  /** 0: the origin took back what it had said; the mark says nothing. */
  readonly stamp: number;
  /** When it was last used. */
  readonly at: number;
  readonly isHeld: boolean;
  /** The idempotency key under which it was said, if any. */
  readonly key: string | null;
  readonly version: number;
}

/** One location's decision under an idempotency key, and what it would have to take back. */
export interface KeyRecord {
  readonly text: string;
  readonly origin: string;
  readonly at: number;
  readonly bodyHash: string;
  readonly accepted: boolean;
  readonly applied: number;
  readonly value: MeterableValue;
  readonly reading: LedgerReading | null;
  readonly propertyId: string;
  /** What was added to the cell that holds `minute`. */
  readonly counted: number;
  readonly minute: number;
  /** The stamp that the origin's mark was given, and the mark as it was before; null where none was touched. */
  readonly marked: {
    readonly resourceId: string;
    readonly stamp: number;
    readonly before: Pick<MarkRecord, 'stamp' | 'at' | 'isHeld' | 'key'>;
  } | null;
  readonly isTakenBack: boolean;
  readonly version: number;
}

export interface CustomerRecords {
  readonly customer: string;
  /** Whose other name it is, where that is known: all of this is carried over to that customer. */
  readonly linkedTo?: string;
  readonly cells: readonly CellRecord[];
  readonly marks: readonly MarkRecord[];
  readonly keys: readonly KeyRecord[];
}

/** Who speaks: a location, and which of the lives that its ledger may have had (null: nothing is stored there yet). */
export interface LedgerSpeaker {
  readonly location: Location;
  readonly origin: string | null;
}

/** What is to be known elsewhere: absolute, so that once more or out of order does no harm. */
export interface LedgerPush {
  readonly from: LedgerSpeaker;
  readonly customers: readonly CustomerRecords[];
  /** Taking this push acknowledges all that the sender has up to this version. */
  readonly upTo: number;
  /** When it was put together; null where more is waiting behind it. */
  readonly asOf: number | null;
  /** Of a ledger that is closing: the last of its customers that has now been handed over. */
  readonly handedOver: number | null;
  /** All that the sender wrote before this instant has been acknowledged by all its peers. */
  readonly settledAt: number;
  /** Lives of ledgers that have ended: nothing of theirs changes any more. */
  readonly ended?: readonly string[];
}

export type LedgerPushAnswer =
  | {
      readonly kind: 'taken';
      /** Of the receiver. */
      readonly origin: string;
      /** What others decided, as the receiver knows it, under keys that the push brought. */
      readonly rivals: readonly CustomerRecords[];
      /** All that the receiver wrote before this instant has been acknowledged by all its peers. */
      readonly settledAt?: number;
      readonly ended?: readonly string[];
      /** Where the environment's ledgers are, where the receiver knows better than the sender. */
      readonly news?: Pick<LedgerSite, 'generation' | 'locations'>;
    }
  /** The receiver's location was turned off. */
  | { readonly kind: 'moved'; readonly generation: number; readonly locations: readonly Location[] };

/** What a customer's ledger says to what was carried over to it. */
export type LedgerAdoption =
  | {
      readonly kind: 'taken';
      /** What the customer's ledgers decided, in lives that have ended, under keys that were carried: it stands. */
      readonly rivals: readonly KeyRecord[];
      readonly ended: readonly string[];
    }
  /** The location was turned off. */
  | { readonly kind: 'moved' };

/** Copy on use: everything a peer knows of one customer, page by page. */
export interface LedgerCopyRequest {
  readonly from: LedgerSpeaker;
  readonly customer: string;
  /** Where to go on, as the last page said; null for the first. */
  readonly after: CopyPosition | null;
}

/** Cells come first, then keys by their texts, then marks by their resources; a page never parts those of one. */
export type CopyPosition =
  | { readonly kind: 'keys'; readonly text: string }
  | { readonly kind: 'marks'; readonly propertyId: string; readonly resourceId: string };

export interface LedgerCopyPage {
  readonly records: CustomerRecords;
  readonly next: CopyPosition | null;
  readonly ended?: readonly string[];
  readonly news?: Pick<LedgerSite, 'generation' | 'locations'>;
  /** The asked object keeps the asking location among its peers, and pushes to it what changes from now on. */
  readonly isRegistered: boolean;
  /** It has pushed to it, or will push, all that it ever counted: nothing needs to be copied. */
  readonly isAllPushed: boolean;
}

/** What a ledger that is closing still has to hand over; `isDrained` when there is nothing. */
export interface DrainProgress {
  readonly isDrained: boolean;
  /** Peers that have not taken everything yet. */
  readonly waitingFor: readonly Location[];
}
