/**
 * How events travel from an isolate to the organisation's event stream. A recorded event holds references only, so that
 * the hot path makes no text; a batch is text that the stream can store as it came, with the few facts that it counts
 * and searches by. engine/events makes the one from the other.
 */
import type { EventType } from './events.ts';
import type { Location } from './locations.ts';

/** Where a request came from; a request's own place object will do. */
export interface EventPlace {
  readonly country: string | null;
  readonly city: string | null;
  readonly continent: string | null;
}

/** An event as the hot path hands it over. What it refers to must not be changed afterwards: it is read later. */
export interface RecordedEvent {
  /** Unique: an event delivered again changes nothing. */
  readonly id: string;
  readonly time: number;
  readonly envId: string;
  readonly type: EventType;
  /** Stored, but not counted as usage. */
  readonly isError: boolean;
  readonly isWarning: boolean;
  readonly subjectIdentifier: string | null;
  readonly secondarySubjectIdentifiers: readonly string[];
  readonly place: EventPlace;
  readonly planSlugs: readonly string[];
  /** The features that were answered or counted; events with the same `features` text have the same slugs. */
  readonly featureSlugs: readonly string[];
  readonly readDataLocations: readonly Location[];
  readonly writeDataLocations: readonly Location[];
  /** The request's body as understood, made JSON when the event is sent; never a key or a token. */
  readonly request: unknown;
  /**
   * The answer's JSON text is `response + responseRest + ',"features":' + features + '}'`, or where `features` is null
   * `response + responseRest`. What differs from answer to answer (ids, instants) belongs into `response`; what many
   * answers share is kept once where it stands in one of the others.
   */
  readonly response: string;
  readonly responseRest?: string;
  readonly features: string | null;
  /** What went wrong, in words to search by: the error type. */
  readonly error: string | null;
  readonly integrationId: string | null;
  readonly stripeEventType: string | null;
  readonly cfRay: string | null;
}

/** How many events of one type of one day are counted as usage. */
export interface UsageCount {
  /** Start of the day, UTC. */
  readonly dayAt: number;
  readonly type: EventType;
  readonly total: number;
}

/** Events of one environment that are stored together: at most 100 of them, at most ten seconds apart. */
export interface EventGroup {
  readonly envId: string;
  /** JSON text: the ids of the events, in the order of the lines. */
  readonly ids: string;
  readonly count: number;
  /** Times of the oldest and of the newest event. */
  readonly fromAt: number;
  readonly toAt: number;
  readonly usage: readonly UsageCount[];
  /** Every word that one of these events can be found by. */
  readonly terms: string;
  /** One event per line, and what the lines have in common; the form is engine/events' own. */
  readonly lines: string;
  readonly shapes: string;
  /** JSON texts of `features`, each once; the shapes number them. */
  readonly texts: readonly string[];
}

export interface EventBatch {
  readonly orgId: string;
  /** The organisation's first enabled data location, where its stream is made; absent where it is not known. */
  readonly home?: Location;
  readonly groups: readonly EventGroup[];
}
