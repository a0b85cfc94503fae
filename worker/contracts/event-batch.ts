/**
 * How recorded events travel from an isolate to the organisation's event stream: compact, and with the long answer
 * texts that many events share standing once.
 */
import type { EventType } from './events.ts';
import type { Location } from './locations.ts';

export interface RecordedEvent {
  /** Unique: a batch delivered again changes nothing. */
  readonly id: string;
  readonly time: number;
  readonly envId: string;
  readonly type: EventType;
  readonly isError: boolean;
  readonly isWarning: boolean;
  readonly subjectIdentifier: string | null;
  readonly secondarySubjectIdentifiers: readonly string[];
  readonly countryCode: string | null;
  readonly city: string | null;
  readonly continent: string | null;
  readonly planSlugs: readonly string[];
  readonly featureSlugs: readonly string[];
  readonly readDataLocations: readonly Location[];
  readonly writeDataLocations: readonly Location[];
  /** JSON text of the request's body as understood; never a key or a token. */
  readonly request: string;
  /** JSON text of the answer; where `features` is given, without its closing brace and without the `features` member. */
  readonly response: string;
  /** Index into the batch's texts: the JSON text of the answer's `features`. Null: `response` is whole. */
  readonly features: number | null;
  readonly integrationId: string | null;
  readonly stripeEventType: string | null;
  readonly cfRay: string | null;
}

export interface EventBatch {
  readonly orgId: string;
  readonly events: readonly RecordedEvent[];
  readonly texts: readonly string[];
}
