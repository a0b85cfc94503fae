/**
 * How events travel from an isolate to the organisation's event stream. A recorded event has references only, so that the hot
 * path serialises nothing. A batch is text that the stream stores unchanged, plus the fields that it counts and searches by.
 * engine/events converts recorded events to batches.
 */
import type { EnvironmentType } from '../console/environment-type.ts';
import type { EventType } from '../console/events.ts';
import type { WorkflowExecution } from '../console/workflow-executions.ts';
import type { ApiKeyType } from '../public/api-key-type.ts';
import type { Location } from '../public/locations.ts';
import type { Denial } from '../public/verdict.ts';

/** Where a request came from. */
export interface EventPlace {
  readonly country: string | null;
  readonly city: string | null;
  readonly continent: string | null;
}

/** How long the parts of a call took, in milliseconds; as in Server-Timing. */
export interface CallTimings {
  readonly totalMs: number;
  readonly authMs: number;
  readonly snapshotMs: number;
  readonly ledgerMs: number;
  /** Absent if no workflow ran. */
  readonly workflowsMs?: number | undefined;
  readonly evaluateMs: number;
  /** Answers that the client has given from its caches since its last call; absent if it did not say. */
  readonly answered?: number | undefined;
  /** Whether the environment's snapshot had to be fetched first. */
  readonly isCold: boolean;
}

/** A meter of which at least 80% is used. */
export interface NearLimit {
  /** The feature's slug. */
  readonly feature: string;
  /** The property's key. */
  readonly property: string;
  readonly used: number;
  readonly limit: number;
}

/** How a workflow's runs ended. The stream compares the killed ones with all. */
export interface RunMark {
  readonly workflowId: string;
  /** When the call started, epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Why the run was killed; null if it ended by itself. */
  readonly killed: string | null;
  /** Consecutive runs of a group that ended alike: 1 if absent, as from the previous release. */
  readonly runs?: number;
  /** From the previous release only: the runner did not answer. */
  readonly isLost?: true;
}

/** An event as recorded on the hot path. It is serialised later, so referenced objects must not change. */
export interface RecordedEvent {
  /** Unique. Ids of access checks contain their time. */
  readonly id: string;
  readonly time: number;
  readonly envId: string;
  readonly environmentType: EnvironmentType | null;
  readonly type: EventType;
  /** The call is about a hold. */
  readonly isHold?: boolean | undefined;
  /** Null for events without a call. */
  readonly key: { readonly id: string; readonly type: ApiKeyType } | null;
  /** Null for events without a call, and for those that a ledger sent in place of an isolate. */
  readonly timings: CallTimings | null;
  /** Stored, but not counted as usage. */
  readonly isError: boolean;
  readonly isDenied: boolean;
  readonly warnings: readonly { readonly code: string }[];
  /** The features of the answer that are not allowed. */
  readonly denials: readonly Denial[];
  /** Meters of the event's features of which at least 80% is used; null if no meter was read. */
  readonly nearLimits: readonly NearLimit[] | null;
  /** Executions of the workflows that ran in the call. */
  readonly executions?: readonly WorkflowExecution[] | undefined;
  readonly subjectIdentifier: string | null;
  readonly secondarySubjectIdentifiers: readonly string[];
  readonly place: EventPlace;
  readonly planSlugs: readonly string[];
  /** The features checked or counted. Events with the same `features` text have the same slugs. */
  readonly featureSlugs: readonly string[];
  readonly readDataLocations: readonly Location[];
  readonly writeDataLocations: readonly Location[];
  /** The parsed request body, serialised when the event is sent; never a key or a token. */
  readonly request: unknown;
  /**
   * The response body is `response + responseRest + ',"features":' + features + '}'`, or `response + responseRest` if
   * `features` is null. `response` has what differs per response (ids, instants); the other two are deduplicated in storage.
   */
  readonly response: string;
  readonly responseRest?: string | undefined;
  readonly features: string | null;
  /** The error type, a search term. */
  readonly error: string | null;
  readonly integrationId: string | null;
  readonly stripeEventType: string | null;
  readonly cfRay: string | null;
}

/**
 * Events of one environment, formed once in the isolate that recorded them. The same group travels by RPC or through the queue, or
 * both ways: the stream stores it once.
 */
export interface EventGroup {
  /** The idempotency key of delivery. Absent in groups of earlier versions, whose `ids` are those of all events. */
  readonly id?: string;
  readonly envId: string;
  /**
   * JSON array: ids of events that another group may contain too, in the order of the lines. Those are counter updates, which
   * ledgers send again, and payment-provider events, which are processed again.
   */
  readonly ids: string;
  readonly count: number;
  /** Times of the oldest and of the newest event. */
  readonly fromAt: number;
  readonly toAt: number;
  /** Absent if no workflow ran. */
  readonly runs?: readonly RunMark[];
  /** Every search term of these events, separated by spaces. */
  readonly terms: string;
  /** One event per line, and the shapes that the lines refer to. The format is private to engine/events. */
  readonly lines: string;
  readonly shapes: string;
  /** Distinct JSON texts of `features`. Shapes refer to them by index. */
  readonly texts: readonly string[];
}

/** A stream's answer to a batch. One of the previous release is the number of new events only. */
export interface Appended {
  /** New events. */
  readonly added: number;
  /** How long an isolate is to gather events before it sends the next batch. */
  readonly pauseMs: number;
}

export interface EventBatch {
  readonly orgId: string;
  /** The organisation's first enabled data location, where its stream is created; absent if unknown. */
  readonly home?: Location;
  readonly groups: readonly EventGroup[];
}
