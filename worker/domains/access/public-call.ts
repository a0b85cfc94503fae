/** A call of the public API as its answers are made from, and the envelope of its refusals (DESIGN section 10). */
import type { PublicError } from '#contracts/access';
import type { RecordedEvent } from '#contracts/event-batch';
import type { Env } from '#worker/env';
import type { ApiError } from '#worker/http/api-error';
import type { Place } from '#worker/http/place';
import type { Authenticated } from './authenticate-key.ts';

export interface PublicCall {
  readonly env: Env;
  readonly request: Request;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Without its question mark. */
  readonly query: string | undefined;
  readonly place: Place;
  readonly authenticated: Authenticated;
}

/** What the event stream is told of the call; the rest of the event is the same for all. */
export type Outcome = Pick<
  RecordedEvent,
  | 'type'
  | 'isError'
  | 'isWarning'
  | 'subjectIdentifier'
  | 'secondarySubjectIdentifiers'
  | 'planSlugs'
  | 'featureSlugs'
  | 'readDataLocations'
  | 'writeDataLocations'
  | 'response'
  | 'responseRest'
  | 'features'
  | 'error'
>;

export interface PublicAnswer {
  /** The body, JSON. */
  readonly text: string;
  readonly outcome: Outcome;
  /** How long the ledger was waited for. */
  readonly ledgerMs: number;
}

export function errorBody(error: ApiError, requestId: string): PublicError {
  const { issues } = error.detail;
  return {
    status: 'error',
    requestId,
    errorType: error.errorType,
    message: error.message,
    ...(issues === undefined ? {} : { issues: [...issues] }),
  };
}
