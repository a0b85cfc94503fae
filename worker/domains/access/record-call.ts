/**
 * What the event stream is told of a call of the public API, once its key is known: every answer, and every request that
 * was refused. Only references are kept here; the text is made when the events are sent.
 */
import { recordEvent } from '#worker/domains/events/record-event';
import type { ApiError } from '#worker/http/api-error';
import { errorBody, type Outcome, type PublicCall } from './public-call.ts';

const NONE: readonly never[] = [];

/** @param body as it was sent */
export function recordCall(
  context: ExecutionContext,
  call: PublicCall,
  body: unknown,
  outcome: Outcome,
): void {
  const { orgId, environmentId, locations } = call.authenticated.loaded.snapshot;
  recordEvent(call.env, context, orgId, locations[0], {
    id: `evt${call.requestId.slice('req'.length)}`, // one request is one event: either id leads to the other
    time: call.startedAt,
    envId: environmentId,
    ...outcome,
    secondarySubjectIdentifiers: NONE,
    place: call.place,
    request: withoutToken(body),
    integrationId: null,
    stripeEventType: null,
    cfRay: call.request.headers.get('cf-ray'),
  });
}

export function refusalOutcome(type: Outcome['type'], error: ApiError, requestId: string): Outcome {
  return {
    type,
    isError: true,
    isWarning: false,
    subjectIdentifier: null,
    planSlugs: NONE,
    featureSlugs: NONE,
    readDataLocations: NONE,
    writeDataLocations: NONE,
    response: JSON.stringify(errorBody(error, requestId)),
    features: null,
    error: error.errorType,
  };
}

/** A token is a credential: that one was sent is recorded, not which. */
function withoutToken(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('userJwt' in body)) return body ?? null;
  return { ...body, userJwt: '[redacted]' };
}
