/**
 * RPC between the Worker and ledger objects, and between ledger objects. Objects of different versions exchange these
 * messages during a deployment: only add fields, or read the old name too (durable-objects/ledger/former-names.ts).
 * See durable-objects/README.md, "Ledger".
 */

import type { EnvironmentType } from '../console/environment-type.ts';
import type { ApiKeyType } from '../public/api-key-type.ts';
import type { Location } from '../public/locations.ts';
import type { Warning } from '../public/subjects.ts';
import type { Meter, MeterableValue } from '../public/values.ts';
import type { CallerFacts, FactsUpdate } from './customer-facts.ts';
import type { EventPlace } from './event-batch.ts';

/** Addresses a ledger and lists its peers, as the caller's snapshot knows them. The object keeps the newest one it sees. */
export interface LedgerSite {
  readonly environmentId: string;
  readonly location: Location;
  readonly shard: number;
  /** The snapshot's generation. When two callers disagree about the locations, the higher generation wins. */
  readonly generation: number;
  /** Enabled data locations of the environment, this one among them. */
  readonly locations: readonly Location[];
  /** Absent in calls of earlier versions. */
  readonly leaving?: LeavingLocations | undefined;
  /** Ledger objects per location. Absent until a caller has sent it. */
  readonly shards?: number;
  /** Of the snapshot. Earlier ledgers ignore it, and keep void facts. */
  readonly factsEpoch?: number | undefined;
}

/**
 * Locations whose ledgers are being retired, each with the name of that work: until it is done, they may have usage that nobody else
 * has. A location that was enabled again meanwhile is still among them: it was disabled in between.
 */
export type LeavingLocations = Readonly<Partial<Record<Location, string>>>;

/** What changes of a site when locations are enabled or disabled. */
export type Regions = Pick<LedgerSite, 'generation' | 'locations' | 'leaving'>;

/**
 * One change of a customer's usage: either `by` or `resourceId`. It counts for the property, independent of the plan. A
 * resource counts both as a resource (for meters of unique resources) and as one use (for all other meters).
 */
export interface CounterUpdate {
  readonly propertyId: string;
  /** A safe integer; 1 if neither this nor a resource is set. A negative amount is limited to the known total. */
  readonly by?: number | undefined;
  readonly resourceId?: string | undefined;
  /** Releases the resource; does nothing if it is not in use. */
  readonly release?: boolean | undefined;
  /** Idempotency key: kept for 24 hours and replicated. `bodyHash` tells a retry from another request with the same key. */
  readonly key?: { readonly text: string; readonly bodyHash: string } | undefined;
  /** The property's value under the customer's current plans: read after the update, and checked by `enforce`. */
  readonly value: MeterableValue;
  /** The window to read after the update if `value` is on or off. Absent in calls of earlier versions. */
  readonly usageMeter?: MeterWindow | undefined;
  /** What a billing window of `value` is counted from, and the end of a trial, as in MeterWindow. */
  readonly anchorAt?: number | undefined;
  readonly trialEndAt?: number | undefined;
  /** Count only what fits: `on` always fits, `off` never, `metered` up to the limit. */
  readonly enforce: boolean;
  /** What usage is drawn from, in order; absent if the customer has no grants of the property. Earlier versions draw from none. */
  readonly sources?: readonly DrawSource[] | undefined;
  /** When the usage occurred, epoch milliseconds, and so where it counts; absent: now. Earlier versions count it now. */
  readonly occurredAt?: number | undefined;
  /** The amount is held, or changes what is. Only through `decideHoldText`, which earlier versions do not have. */
  readonly hold?: HoldAction | undefined;
  /** Of a hold that was made under another name of the customer: what the customer's ledger reads, that name included. */
  readonly customerReading?: LedgerReading | undefined;
  /**
   * Gives back what the update under this key counted: where it counted, and to what it drew from. Only once, so its own key is derived from
   * this one (engine/ledger/give-back-of.ts). Only through `decideTogetherText`.
   */
  readonly givesBack?: string | undefined;
  /**
   * Adds nothing: what is used above quota and grants in the window counts as drawn from this grant instead, as far as it lasts. Only through
   * `decideTogetherText`.
   */
  readonly paysOverage?: GrantSource | undefined;
  /** All of it is counted with the update, or nothing is. Only through `decideTogetherText`, which earlier versions do not have. */
  readonly also?: readonly AlsoCount[] | undefined;
}

/** What an update also counts: on another meter of its customer, or on the account of one of the customer's entities. */
export interface AlsoCount extends WindowAnchor {
  readonly propertyId: string;
  /** On this entity's account; absent: on the customer's own. */
  readonly entity?: string | undefined;
  /**
   * For each one that the update counts, in thousandths: rounded up, and down where the update gives back. Absent: as much as the update,
   * and its resource.
   */
  readonly per?: number | undefined;
  /** Only entities that are a resource in use of this property of the customer fit. */
  readonly seat?: string | undefined;
  /** These and the window's anchor as in CounterUpdate, of this property. */
  readonly value: MeterableValue;
  readonly usageMeter?: MeterWindow | undefined;
  readonly customerReading?: LedgerReading | undefined;
  readonly sources?: readonly DrawSource[] | undefined;
}

/**
 * A hold counts its amount at once, until it is settled with what was used, or ends by the clock. The amount of the action is `by` of its
 * update: what to hold, to add to it, or what was used.
 */
export type HoldAction =
  | {
      readonly kind: 'open';
      /** Part of its name, and unique. */
      readonly id: string;
      /** How long it lasts, milliseconds from now. */
      readonly lastsMs: number;
      /** Hold what is left, if that is less and at least 1. */
      readonly orLess: boolean;
    }
  | {
      readonly kind: 'extend';
      readonly name: string;
      /** From now; a hold never ends earlier than it would have. */
      readonly lastsMs: number;
      /** A repetition with the same key adds nothing; with another amount or duration it is a `conflict`. */
      readonly key: string | null;
    }
  | { readonly kind: 'settle'; readonly name: string; readonly onExcess: OnExcess };

/** What happens to usage above a hold: all of it is refused, only the hold is counted, or all is counted. */
export type OnExcess = 'reject' | 'cap' | 'overflow';

/** A hold, as its ledger answers it. */
export interface HoldState {
  readonly name: string;
  /** Whose account it also counts on; absent: of no entity. */
  readonly entity?: string;
  /** Of the property that it counts on. */
  readonly propertyId: string;
  /** All that is or was held. */
  readonly amount: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** Null: it is not settled. */
  readonly settled: SettledHold | null;
}

/** A hold, and the customer that it counts for: as its ledger names it. */
export interface FoundHold {
  readonly customer: string;
  readonly hold: HoldState;
}

export interface SettledHold {
  readonly amount: number;
  /** Of the amount held: what was not used. */
  readonly released: number;
  /** What was used above the quota and all grants. */
  readonly overage: number;
}

/** The quota of the customer's plans, or a grant that has started, has not ended and is not frozen. */
export type DrawSource = 'quota' | GrantSource;

export interface GrantSource {
  /** An id of Tessera's own: no text that others chose. */
  readonly grant: string;
  /** What the grant is of, in all. A safe integer of at least 0. */
  readonly amount: number;
  /** What answers call it, if not by its own id: the application's own text. */
  readonly name?: string;
  /** Whose it is: its draws count on the entity's account, too. Absent: the customer's. Earlier versions do not draw on the entity's account. */
  readonly entity?: string;
  /** Where it is in the order of drawing; of meters that roll over, whose ledger adds what was rolled. */
  readonly order?: readonly [priority: number, endsAt: number | null];
}

/** What was left of an earlier window of a meter that rolls over: a grant that ledgers compute (engine/ledger/rolled-grants.ts). */
export interface RolledGrant {
  /** `roll:<property id>:<start of the window>` */
  readonly grant: string;
  readonly amount: number;
  /** Start of the window, epoch milliseconds. */
  readonly from: number;
  /** Since when it can be used, and until when; null: without an end. */
  readonly startsAt: number;
  readonly endsAt: number | null;
}

/** What usage of a minute drew from a grant. Negative: given back. */
export interface Draw {
  readonly grant: string;
  readonly minute: number;
  readonly amount: number;
}

export interface LedgerRead {
  readonly propertyId: string;
  readonly meter: MeterWindow;
  /** On the account of the call's entity. Earlier versions read the customer's. */
  readonly ofEntity?: true | undefined;
  /** With `ofEntity`: also whether the entity is a resource in use of this property of the customer. */
  readonly seat?: string | undefined;
}

/** What a ledger reads by: counters do not know limits. */
export interface MeterWindow extends Omit<Meter, 'limit'> {
  /** What earlier windows have left if nothing is known of them; needed with `rollover` alone. Earlier versions ignore both. */
  readonly limit?: number | undefined;
  /** As in Meter. Earlier versions read calendar windows by UTC. */
  readonly zone?: string | undefined;
  /** What billing windows are counted from, epoch milliseconds. Absent: the first of the month, UTC. */
  readonly anchorAt?: number | undefined;
  /**
   * Set: a trial, from `anchorAt` until then, is one billing window, and those after it are counted from its end. Epoch milliseconds.
   * Earlier versions begin a window at each anniversary of `anchorAt`.
   */
  readonly trialEndAt?: number | undefined;
}

/** What a meter's billing windows follow. */
export type WindowAnchor = Pick<MeterWindow, 'anchorAt' | 'trialEndAt'>;

/** One customer, one transaction: the updates in order, then the reads. */
export interface LedgerCall {
  readonly site: LedgerSite;
  /** The customer's canonical identifier. It determines the shard. */
  readonly customer: string;
  /** One of the customer's, whose account the call uses, too. Only through `decideTogetherText`. */
  readonly entity?: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly updates: readonly CounterUpdate[];
  readonly reads: readonly LedgerRead[];
  /**
   * The hash of a long list of reads (durable-objects/read-lists.ts), which is left out if the ledger may know it. Earlier versions
   * then read nothing.
   */
  readonly listHash?: string | undefined;
  /** The version of the customer facts that the caller used; absent when the environment has no customer facts. */
  readonly facts?: CallerFacts | undefined;
  /** Names the event of the call's only update, and its event stream. */
  readonly event?: EventName | undefined;
  /** Decide no limit while a peer may have more usage of the customer. Earlier versions decide on what they have. */
  readonly wholeOnly?: boolean | undefined;
}

/** What is read of one of a customer's entities. */
export interface EntityReadings {
  readonly entity: string;
  /** One for each read. */
  readonly readings: readonly LedgerReading[];
}

/** What is equal in most calls that only read: everything but the customer, the instant and the facts. */
export type LedgerQuery = Pick<LedgerCall, 'site' | 'reads'>;

/** Another customer of a ledger object, to read in the same call. */
export interface Companion {
  /** The canonical identifier. */
  readonly customer: string;
  /** Version of the customer facts that the caller uses; absent in an environment without any. */
  readonly factsVersion?: number | undefined;
}

export interface EventName {
  readonly id: string;
  readonly orgId: string;
  /** The organisation's first enabled data location. */
  readonly home?: Location | undefined;
}

/**
 * The event of an update, without the ledger's decision. The ledger stores it in the transaction that counts, and keeps it
 * until the event stream has it: the isolate that recorded it may be evicted before it sends the event.
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
  /** Absent in events of earlier versions, as are the next two. The key of the counted property. */
  readonly property?: string;
  /** The feature's `enabled` is off. Absent if it is on, and in events of earlier versions. */
  readonly isFeatureOff?: true | undefined;
  readonly environmentType?: EnvironmentType;
  readonly key?: { readonly id: string; readonly type: ApiKeyType };
  /** What the update draws from; absent without balances, and in events of earlier versions. */
  readonly sources?: readonly DrawSource[];
  /** It settles a hold. */
  readonly isSettling?: boolean;
  /** The meter that pays for the update; absent without one, and in events of earlier versions. */
  readonly costs?: {
    readonly propertyId: string;
    readonly feature: string;
    readonly property: string;
    /** Of one. */
    readonly thousandths: number;
    readonly sources?: readonly DrawSource[];
  };
  /** The request's body, without its token. */
  readonly request: unknown;
  /** The answer's warnings, without those of the ledger. */
  readonly warnings: readonly Warning[];
  readonly cfRay: string | null;
}

export interface LedgerReading {
  /** Never below 0. */
  readonly used: number;
  /**
   * Recurring and billing windows: the end. Trailing windows: when the next amount leaves, null when nothing is used. Lifetime: null.
   */
  readonly resetsAt: number | null;
  /** Part of `used`, which includes it. Absent if nothing was ever drawn from a grant. */
  readonly draws?: ReadDraws;
  /** Part of `used`, and of `draws`: what open holds have taken. Absent without any. Earlier versions take it for used. */
  readonly held?: ReadHeld;
  /** Of a meter that rolls over: what can be used now of earlier windows. Absent without any. */
  readonly rolled?: readonly RolledGrant[];
  /** Of a read with `seat`: the entity has none. */
  readonly isUnseated?: true | undefined;
}

export interface ReadHeld {
  /** In the window. */
  readonly amount: number;
  /** When the first of them ends, epoch milliseconds. */
  readonly until: number;
  /** Absent if they drew from no grant. */
  readonly draws?: ReadDraws;
}

export interface ReadDraws {
  /** From all grants, in the window. */
  readonly inWindow: number;
  /** By grant, ever, also those that have ended. */
  readonly grants: Readonly<Record<string, number>>;
}

export type UpdateOutcome =
  | {
      readonly kind: 'decided';
      /** False: the update was enforced and did not fit. Nothing was counted. */
      readonly accepted: boolean;
      /** The key is known: this repeats the first answer, possibly another location's. */
      readonly replayed: boolean;
      /** Added to the count: `by`, or less if a negative amount exceeded the total; 0 if nothing changed. */
      readonly applied: number;
      /** When and against which value the update was decided; for a replay, the first time. */
      readonly at: number;
      readonly value: MeterableValue;
      /** The usage after the update; null if `value` is not metered and the update names no window. */
      readonly reading: LedgerReading | null;
      /** What it drew from grants, or gave back to them. Absent without any. */
      readonly draws?: readonly Draw[];
      /** Of a give-back: what it leaves where it is, since grants that ended or are frozen paid for it. Absent if nothing. */
      readonly lost?: number;
      /** The hold after the update, if that is about one; absent for one that was refused. */
      readonly hold?: HoldState;
      /** One for each that the update also counts, in their order. Absent without any. */
      readonly also?: readonly AlsoOutcome[];
    }
  /** The customer has as many entities as are allowed, and this is another one. Nothing was counted. */
  | { readonly kind: 'too-many-entities' }
  /** Of `givesBack`: no update of the property under that key has counted an amount within a day. */
  | { readonly kind: 'nothing-to-give-back' }
  /** The hold cannot be changed so. Nothing was counted. */
  | {
      readonly kind: 'hold-refused';
      readonly why: HoldRefusal;
      readonly hold?: HoldState;
      /** Of `away`: the location to call instead. Absent if it is not known yet. */
      readonly at?: Location;
    }
  /** The key was used for another request: a 409. Nothing was counted. */
  | { readonly kind: 'conflict' }
  /** The count would exceed 2^53 - 1: a 400. Nothing was counted. */
  | { readonly kind: 'too-large' };

/** These are as in the outcome of the update. */
export interface AlsoOutcome {
  readonly propertyId: string;
  readonly entity?: string;
  /** Whether it fits: an enforced update is accepted only if all do. */
  readonly fits: boolean;
  /** The entity has no seat. Nothing that adds to its usage fits then. */
  readonly isUnseated?: true;
  readonly applied: number;
  readonly value: MeterableValue;
  readonly reading: LedgerReading | null;
  readonly draws?: readonly Draw[];
  readonly lost?: number;
}

/**
 * unknown: this ledger has no such hold. away: another location has it. over: it has ended. settled: with another amount. too-many: the
 * customer has as many as are allowed. too-often: it was extended as often as is allowed.
 */
export type HoldRefusal = 'unknown' | 'away' | 'over' | 'settled' | 'too-many' | 'too-often';

export type LedgerAnswer =
  | {
      readonly kind: 'answered';
      /** One per update. */
      readonly outcomes: readonly UpdateOutcome[];
      /** One per read. */
      readonly readings: readonly LedgerReading[];
      /** False: a peer that may have more usage of this customer was not reachable, so the readings may be low. */
      readonly isWhole: boolean;
      /** Set when the caller used other facts than the ledger has. The reads were answered. */
      readonly facts?: FactsUpdate | undefined;
    }
  /** The caller used other facts than the ledger has. Nothing was counted. */
  | { readonly kind: 'outdated'; readonly facts: FactsUpdate }
  /** The storage has no room for idempotency keys. Nothing was counted; another location would fill up as well. */
  | { readonly kind: 'full' }
  /** Of `wholeOnly`: a peer that may have more usage was not reachable. Nothing was counted. */
  | { readonly kind: 'incomplete' }
  /** The ledger does not know the reads under `listHash`. Nothing was counted: send them. */
  | { readonly kind: 'unlisted' }
  /** This location is disabled. Nothing was counted; call one of these locations, with these regions. Earlier versions name the locations only. */
  | ({ readonly kind: 'moved' } & Pick<Regions, 'locations'> & Partial<Regions>);

/**
 * Usage bucket: one origin's total of one property in one period. State-based CRDT: only the origin writes it, and a merge
 * keeps the highest version.
 */
export interface UsageBucket {
  readonly propertyId: string;
  readonly origin: string;
  /** Minutes since the epoch. */
  readonly start: number;
  /** Width index of engine/metering/bucket-widths. A wider bucket includes the narrower ones that it covers. */
  readonly width: number;
  readonly amount: number;
  readonly version: number;
}

/**
 * Resource in use: whether an origin last took or released a resource. Only the origin writes it. A resource is a
 * last-writer-wins register over its uses: the highest `stamp` wins, then the origin that sorts last.
 */
export interface ResourceUse {
  readonly propertyId: string;
  readonly resourceId: string;
  readonly origin: string;
  /** 0: reverted; the use no longer takes part. */
  readonly stamp: number;
  /** When the resource was last used. */
  readonly at: number;
  /** Whether the resource is in use. Earlier versions read this name, as they do `holds` and `holdChange`. */
  readonly isHeld: boolean;
  /** The idempotency key of the update that wrote it, if any. */
  readonly key: string | null;
  readonly version: number;
}

/** What a decision counted on one meter, with what is needed to revert it. */
export interface CountedPart {
  readonly propertyId: string;
  readonly applied: number;
  readonly value: MeterableValue;
  readonly reading: LedgerReading | null;
  /** Added to the bucket that contains `minute`; a give-back is removed from the buckets of `givenBack` instead. */
  readonly counted: number;
  readonly minute: number;
  /** Missing in additions, and in decisions of earlier versions. */
  readonly givenBack?: readonly { readonly minute: number; readonly amount: number }[];
  /** What the decision drew from grants, or gave back to them. Missing without any, and in decisions of earlier versions. */
  readonly draws?: readonly Draw[];
  /** The stamp of the use that the decision wrote, and the use before it; null if it wrote none. */
  readonly holdChange: {
    readonly resourceId: string;
    readonly stamp: number;
    readonly before: Pick<ResourceUse, 'stamp' | 'at' | 'isHeld' | 'key'>;
  } | null;
  /** As in UpdateOutcome; missing in decisions of earlier versions. */
  readonly lost?: number;
}

/** What it also counted. */
export interface AlsoCounted extends CountedPart {
  readonly entity?: string;
  readonly fits: boolean;
  readonly isUnseated?: true;
}

/** One origin's decision under an idempotency key. */
export interface KeyRecord extends CountedPart {
  readonly text: string;
  readonly origin: string;
  readonly at: number;
  readonly bodyHash: string;
  readonly accepted: boolean;
  readonly isReverted: boolean;
  /** What the decision held; missing without, and in decisions of earlier versions. */
  readonly hold?: { readonly name: string; readonly expiresAt: number; readonly entity?: string };
  /** Missing without any, and in decisions of earlier versions. */
  readonly also?: readonly AlsoCounted[];
  readonly version: number;
}

/**
 * What one origin last wrote of something that changes, such as a hold (engine/ledger/holds.ts). Only the origin writes it, and a merge keeps its
 * highest version. Of the origins' records the highest `stamp` wins, then the origin that sorts last. A ledger stores and replicates
 * kinds that it does not know, for a later release.
 */
export interface Register {
  readonly kind: string;
  readonly name: string;
  readonly origin: string;
  readonly stamp: number;
  /** It may not be deleted yet, whatever its age. */
  readonly isOpen: boolean;
  /**
   * Once it is not open, it may be deleted when all locations know everything that was written before this instant. Epoch milliseconds,
   * at least a day after the write: messages with earlier states end within a day.
   */
  readonly until: number;
  /** JSON; the kind says what it means. */
  readonly body: string;
  readonly version: number;
}

export interface CustomerRecords {
  readonly customer: string;
  /** Set when this identifier is known to be an alias: all records are merged into that customer. */
  readonly aliasOf?: string;
  readonly buckets: readonly UsageBucket[];
  /** Resources in use. */
  readonly holds: readonly ResourceUse[];
  readonly keys: readonly KeyRecord[];
  /** Absent without any, and from earlier versions. */
  readonly registers?: readonly Register[];
}

/** A location and its ledger's current incarnation, named by its origin. Null: nothing is stored there. */
export interface LedgerSender {
  readonly location: Location;
  readonly origin: string | null;
}

/** Changed records for a peer. They are absolute, so a batch may arrive twice or out of order. */
export interface ReplicationBatch {
  readonly from: LedgerSender;
  readonly customers: readonly CustomerRecords[];
  /** Accepting this batch acknowledges all changes of the sender up to this version. */
  readonly upTo: number;
  /** When the batch was read; null if more changes follow. */
  readonly asOf: number | null;
  /** During a handoff: the number of the last customer that is now complete. */
  readonly handoffCursor: number | null;
  /** All peers have acknowledged everything that the sender wrote before this instant. */
  readonly settledAt: number;
  /**
   * Retired incarnations of which the sender has everything, so that their records in this batch no longer change. In the notice of a
   * retirement: the receiver has everything of them, too.
   */
  readonly retired?: readonly string[];
}

/** The reply to the notice of a retirement. */
export interface RetirementAnswer {
  /** The receiver's origin. Another one than before has lost what was handed off to it. */
  readonly origin: string | null;
  /** As in ReplicationAck. */
  readonly newerSite?: Regions;
}

export type ReplicationAck =
  | {
      readonly kind: 'taken';
      /** The receiver's origin. */
      readonly origin: string;
      /** Conflicting decisions of other origins under keys in the batch. */
      readonly conflicts: readonly CustomerRecords[];
      /** All peers have acknowledged everything that the receiver wrote before this instant. */
      readonly settledAt?: number;
      /** As in ReplicationBatch. */
      readonly retired?: readonly string[];
      /** If the receiver knows a newer generation than the sender. */
      readonly newerSite?: Regions;
    }
  /** The receiver's location is disabled, and its ledger has retired. Earlier versions refuse everything there. */
  | ({ readonly kind: 'moved' } & Regions);

/** The reply of a customer's ledger to an alias's usage. */
export type AliasMergeResult =
  | {
      readonly kind: 'taken';
      /** Empty. Read by earlier versions only. */
      readonly conflicts: readonly KeyRecord[];
      readonly retired: readonly string[];
    }
  /** The location is disabled. */
  | { readonly kind: 'moved' };

/** Copy on first use: everything that a peer stores of one customer, page by page. */
export interface LedgerCopyRequest {
  readonly from: LedgerSender;
  readonly customer: string;
  /** `next` of the previous page; null for the first page. */
  readonly after: CopyPosition | null;
}

/**
 * The last record of a page. Pages start with the buckets, then keys by text, then uses by resource, then registers by kind and name. A
 * page never splits the records of one key, resource or register. The caller of a copy sends the position back as it is. An earlier version refuses a position inside the buckets,
 * instead of leaving some out. Another sends empty texts if no key or no use was taken yet.
 */
export type CopyPosition =
  | { readonly kind: 'buckets'; readonly bucket: BucketPosition | null }
  | { readonly kind: 'keys'; readonly text: string }
  | { readonly kind: 'holds'; readonly propertyId: string; readonly resourceId: string }
  | { readonly kind: 'registers'; readonly register: RegisterName };

export type RegisterName = Pick<Register, 'kind' | 'name'>;

export type BucketPosition = Pick<UsageBucket, 'propertyId' | 'origin' | 'start'>;

export interface LedgerCopyPage {
  readonly records: CustomerRecords;
  readonly next: CopyPosition | null;
  readonly retired?: readonly string[];
  readonly newerSite?: Regions;
  /**
   * The serving ledger has registered the caller as a peer and replicates all further changes to it. False: its location is disabled, or
   * it runs an earlier version and has counted nothing.
   */
  readonly isRegistered: boolean;
  /** The serving ledger replicates everything it ever counted to the caller: no further copies are needed. */
  readonly isAllPushed: boolean;
}

/** Progress of a handoff: `isDrained` when every peer has everything. */
export interface HandoffProgress {
  readonly isDrained: boolean;
  /** Peers that have not received everything yet. */
  readonly waitingFor: readonly Location[];
}
