/**
 * What the event stream is told of a call of the public API, once its key is known: every answer, and every request that
 * was refused. Only references are kept here; the text is made when the events are sent. The event of a counted update
 * is kept by its ledger as well, under the same id, and is stored once, whoever comes first.
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
    id: mayBeCounted(outcome) ? `${eventIdOf(call.requestId)}u` : eventIdOf(call.requestId),
    time: call.startedAt,
    envId: environmentId,
    ...outcome,
    place: call.place,
    request: withoutToken(body),
    integrationId: null,
    stripeEventType: null,
    cfRay: call.request.headers.get('cf-ray'),
  });
}

/** One request is one event: either id leads to the other. */
export function eventIdOf(requestId: string): string {
  return `evt${requestId.slice('req'.length)}`;
}

/** An update that no ledger answered may have been counted: then the event of that name is its ledger's. */
function mayBeCounted({ type, error }: Outcome): boolean {
  return type === 'cu' && error === 'unavailable';
}

export function refusalOutcome(type: Outcome['type'], error: ApiError, requestId: string): Outcome {
  return {
    type,
    isError: true,
    isWarning: false,
    subjectIdentifier: null,
    secondarySubjectIdentifiers: NONE,
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
export function withoutToken(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('userJwt' in body)) return body ?? null;
  return { ...body, userJwt: '[redacted]' };
}
