/**
 * What the event stream is told of a call of the public API, once its key is known: every check, and every request that
 * was refused. Only references are kept here; the text is made when the events are sent.
 */
import type { RecordedEvent } from '#contracts/event-batch';
import { nearestLocation } from '#engine/regions/nearest-location';
import { recordEvent } from '#worker/domains/events/record-event';
import type { Env } from '#worker/env';
import type { ApiError } from '#worker/http/api-error';
import type { Place } from '#worker/http/place';
import type { Authenticated } from './authenticate-key.ts';
import type { CheckedAccess } from './check-access.ts';
import { type Call, errorBody } from './public-call.ts';

interface Known {
  readonly request: Request;
  readonly call: Call;
  readonly authenticated: Authenticated;
  readonly place: Place;
  /** As it was sent. */
  readonly body: unknown;
}

export function recordCheck(
  env: Env,
  context: ExecutionContext,
  known: Known & { readonly checked: CheckedAccess },
): void {
  const { checked } = known;
  record(env, context, known, {
    isError: false,
    isWarning: checked.warnings.length > 0,
    subjectIdentifier: checked.identity.identifier,
    planSlugs: checked.planSlugs,
    featureSlugs: checked.featureSlugs,
    response: checked.head,
    features: checked.features,
    error: null,
  });
}

export function recordRefusal(
  env: Env,
  context: ExecutionContext,
  known: Known & { readonly error: ApiError },
): void {
  record(env, context, known, {
    isError: true,
    isWarning: false,
    subjectIdentifier: null,
    planSlugs: NONE,
    featureSlugs: NONE,
    response: JSON.stringify(errorBody(known.error, known.call.requestId)),
    features: null,
    error: known.error.errorType,
  });
}

type Outcome = Pick<
  RecordedEvent,
  | 'isError'
  | 'isWarning'
  | 'subjectIdentifier'
  | 'planSlugs'
  | 'featureSlugs'
  | 'response'
  | 'features'
  | 'error'
>;

const NONE: readonly never[] = [];

function record(env: Env, context: ExecutionContext, known: Known, outcome: Outcome): void {
  const { orgId, environmentId, locations } = known.authenticated.loaded.snapshot;
  const read = nearestLocation(known.place, locations);
  recordEvent(env, context, orgId, locations[0], {
    id: `evt${known.call.requestId.slice('req'.length)}`, // one request is one event: either id leads to the other
    time: known.call.startedAt,
    envId: environmentId,
    type: 'ac',
    ...outcome,
    secondarySubjectIdentifiers: NONE,
    place: known.place,
    readDataLocations: read === null ? NONE : [read],
    writeDataLocations: NONE,
    request: withoutToken(known.body),
    integrationId: null,
    stripeEventType: null,
    cfRay: known.request.headers.get('cf-ray'),
  });
}

/** A token is a credential: that one was sent is recorded, not which. */
function withoutToken(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('userJwt' in body)) return body ?? null;
  return { ...body, userJwt: '[redacted]' };
}
