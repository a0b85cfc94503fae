/** A call of the public API, its answer, and the body of its errors. */

import type { RecordedEvent } from '#contracts/internal/event-batch';
import type { PublicError } from '#contracts/public/access';
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

/** The part of a call's event that depends on its answer. */
export type Outcome = Pick<
  RecordedEvent,
  | 'isError'
  | 'isDenied'
  | 'warnings'
  | 'denials'
  | 'nearLimits'
  | 'executions'
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
  /** Null: the call is not recorded. */
  readonly outcome: Outcome | null;
  /** The body to record. */
  readonly recordedBody: unknown;
  /** Time spent on ledger calls. */
  readonly ledgerMs: number;
  /** Time spent on workflows; absent in environments without any. */
  readonly workflowsMs?: number | undefined;
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
