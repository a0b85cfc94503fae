/**
 * Records the event of every authenticated call of the public API. Refused requests are recorded without their body, which
 * can be large, hostile or not JSON; the response names the fields. The event contains references;
 * its text is built when the batch is sent. The ledger also records the event of a counted update under the same id, and
 * the stream stores it once.
 */
import type { CallTimings } from '#contracts/internal/event-batch';
import type { PublicEndpoint } from '#contracts/public/endpoint';
import { errorBody } from '#engine/access/api-error';
import { recordEvent } from '#worker/domains/events/record-event';
import type { Refusal } from '#worker/http/api-error';
import { hasToken } from './call-bodies.ts';
import type { Outcome, PublicCall } from './public-call.ts';

const NONE: readonly never[] = [];

type CallType = NonNullable<PublicEndpoint['recordedAs']>;

interface CallRecord {
  readonly type: CallType;
  readonly isHold?: boolean | undefined;
  /** As it was sent; null for a refused request. */
  readonly body: unknown;
  readonly outcome: Outcome;
  readonly timings: CallTimings;
}

/** Written field by field: a spread costs as much as the rest. */
export function recordCall(
  context: ExecutionContext,
  call: PublicCall,
  { type, isHold = false, body, outcome, timings }: CallRecord,
): void {
  const { loaded, key } = call.authenticated;
  const { orgId, environmentId, environmentType, locations } = loaded.snapshot;
  recordEvent(call.env, context, orgId, locations[0], {
    id: mayBeCounted(type, outcome) ? `${eventIdOf(call.requestId)}u` : eventIdOf(call.requestId),
    time: call.startedAt,
    envId: environmentId,
    environmentType,
    type,
    isHold,
    key,
    timings,
    isError: outcome.isError,
    isDenied: outcome.isDenied,
    warnings: outcome.warnings,
    denials: outcome.denials,
    nearLimits: outcome.nearLimits,
    executions: outcome.executions,
    subjectIdentifier: outcome.subjectIdentifier,
    secondarySubjectIdentifiers: outcome.secondarySubjectIdentifiers,
    place: call.place,
    planSlugs: outcome.planSlugs,
    featureSlugs: outcome.featureSlugs,
    readDataLocations: outcome.readDataLocations,
    writeDataLocations: outcome.writeDataLocations,
    request: withoutToken(body),
    response: outcome.response,
    responseRest: outcome.responseRest,
    features: outcome.features,
    error: outcome.error,
    integrationId: null,
    stripeEventType: null,
    cfRay: call.request.headers.get('cf-ray'),
  });
}

/** One request is one event, and either id can be derived from the other. */
export function eventIdOf(requestId: string): string {
  return `evt${requestId.slice('req'.length)}`;
}

/** The request that an access check's event records. */
export function requestIdOf(eventId: string): string {
  return `req${eventId.slice('evt'.length)}`;
}

/** An update without a ledger's response may have been counted. The plain id then belongs to the ledger's event. */
function mayBeCounted(type: CallType, { error }: Outcome): boolean {
  return type === 'cu' && error === 'unavailable';
}

export function refusalOutcome(error: Refusal, requestId: string): Outcome {
  return {
    isError: true,
    isDenied: false,
    warnings: NONE,
    denials: NONE,
    nearLimits: null,
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

/** Tokens are redacted. */
export function withoutToken(body: unknown): unknown {
  return hasToken(body) ? { ...body, userJwt: '[redacted]' } : (body ?? null);
}
