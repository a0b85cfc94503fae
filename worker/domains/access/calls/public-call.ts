/** A call of the public API, and its answer. */

import type { RecordedEvent } from '#contracts/internal/event-batch';
import type { Place } from '#engine/access/place';
import type { Env } from '#worker/env';
import type { Refusal } from '#worker/http/api-error';
import type { Authenticated } from './authenticate-key.ts';
import type { CallAllowance } from './limit-calls.ts';

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
  /** Null: the call is not recorded, or each of its parts is. */
  readonly outcome: Outcome | null;
  /** The body to record. */
  readonly recordedBody: unknown;
  /** Time spent on ledger calls. */
  readonly ledgerMs: number;
  /** Time spent on workflows; absent in environments without any. */
  readonly workflowsMs?: number | undefined;
  /** Undefined: 200. With 304 the body is not sent. */
  readonly status?: 304 | 404 | undefined;
  /** What the call is refused with, although its body is recorded. */
  readonly refusal?: Refusal | undefined;
  readonly etag?: string | undefined;
  /** Of a batch some of whose parts were beyond a limit: when they can be sent again. */
  readonly retryAfterS?: number | undefined;
  /** Of a batch: what counts as a call each. */
  readonly parts?: readonly PublicPart[] | undefined;
  /** What is left of the key's limit, if the handler took calls. */
  readonly allowance?: CallAllowance | undefined;
}

/** One call of a batch. */
export interface PublicPart extends PublicAnswer {
  readonly requestId: string;
  readonly totalMs: number;
}
