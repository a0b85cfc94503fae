/** POST /api/v1/access-checks: from the request's body to the answer and its event. */
import type { AccessCheckRequest } from '#contracts/public/access';
import type { Location } from '#contracts/public/locations';
import type { AccessEffects } from '#engine/access/access-effects';
import { runAccessPipeline } from '#engine/access/access-pipeline';
import type { AccessRequest, AccessResult } from '#engine/access/access-request';
import type { CallQuery } from '#engine/access/call-query';
import { consumeOptions } from '#engine/access/count-options';
import { secondaryNames } from '#engine/access/customer-names';
import { denialOf } from '#engine/access/denial';
import { type RenderedCheck, renderCheck, textOf } from '#engine/access/render-check';
import type { Verdict } from '#engine/identity/check-claims';
import { CALL_MS } from '#engine/outages/budget';
import { nearestLocation } from '#engine/regions/nearest-location';
import type { CallBody } from '../calls/call-bodies.ts';
import { headerKeyOf, withHeaderKey } from '../calls/idempotency-header.ts';
import type { PublicAnswer, PublicCall } from '../calls/public-call.ts';
import { readQuery } from '../calls/read-query.ts';
import { accessEffects } from '../effects/production-effects.ts';
import { getCachedVerdict, verifyUserToken } from '../effects/verify-user-token.ts';

const NOWHERE: readonly never[] = [];

/** @throws {ApiError} at once, or by its promise */
export function answerAccessCheck(
  call: PublicCall,
  body: CallBody<AccessCheckRequest>,
): PublicAnswer | Promise<PublicAnswer> {
  return answerCheck(call, body, textOf);
}

type WriteAnswer = (rendered: RenderedCheck, result: AccessResult) => string;

/**
 * An access check in the shape of any protocol.
 * @param write the body of the answer; the event has the access check's own
 * @throws {ApiError} at once, or by its promise
 */
export function answerCheck(
  call: PublicCall,
  body: CallBody<AccessCheckRequest>,
  write: WriteAnswer,
): PublicAnswer | Promise<PublicAnswer> {
  const { loaded } = call.authenticated;
  const { userJwt } = body.value;
  if (userJwt === undefined) return checkAs(call, body, undefined, write);
  const verdict = getCachedVerdict(loaded, userJwt, call.startedAt);
  if (verdict !== undefined) return checkAs(call, body, verdict, write);
  return verifyUserToken(call.env, loaded, userJwt, call.startedAt).then((found) =>
    checkAs(call, body, found, write),
  );
}

/**
 * The check of a subject whose token is verified.
 * @param verdict undefined without a token
 * @param effects default: those of the isolate
 * @throws {ApiError} at once, or by its promise
 */
export function checkAs(
  call: PublicCall,
  body: CallBody<AccessCheckRequest>,
  verdict: Verdict | undefined,
  write: WriteAnswer,
  effects: AccessEffects = accessEffects(call.env),
): PublicAnswer | Promise<PublicAnswer> {
  const { authenticated, requestId, place, query } = call;
  const asked = readQuery(query, true);
  const { userIdentifier, entityId, features, consistency, consume, context } = body.value;
  const idempotencyHeader = consume === undefined ? null : headerKeyOf(call);
  const request: AccessRequest = {
    loaded: authenticated.loaded,
    userIdentifier,
    entityId,
    verdict,
    features,
    consistency,
    place,
    context,
    now: Date.now(),
    endsAt: call.startedAt + CALL_MS,
    keyType: authenticated.key.type,
    seed: requestId,
    isUsageShown: authenticated.key.type === 'secret' && asked.isExplained,
    count: consume === undefined ? undefined : consumeOptions(consume, idempotencyHeader, call.startedAt),
  };
  const askedAt = performance.now();
  const running = runAccessPipeline(effects, request);
  const check = { call, query: asked, body, idempotencyHeader, now: request.now, askedAt };
  return running instanceof Promise
    ? running.then((result) => answerOf(check, result, write))
    : answerOf(check, running, write);
}

interface RunningCheck {
  readonly call: PublicCall;
  readonly query: CallQuery;
  readonly body: CallBody<AccessCheckRequest>;
  readonly idempotencyHeader: string | null;
  readonly now: number;
  /** Of the monotonic clock: when the pipeline began. */
  readonly askedAt: number;
}

function answerOf(
  { call, query, body, idempotencyHeader, now, askedAt }: RunningCheck,
  result: AccessResult,
  write: WriteAnswer,
): PublicAnswer {
  const { sent, value } = body;
  const { features, consume, include } = value;
  const { authenticated, requestId } = call;
  const { subject, usage, workflowsMs } = result;
  const ledgerMs = usage === null ? 0 : performance.now() - askedAt - (workflowsMs ?? 0);

  const rendered = renderCheck(authenticated, result, { requestId, now, query, include });
  const { isDenied, denials } = denialOf({
    count: rendered.featureSlugs.length,
    denied: rendered.denied,
    areNamed: features !== undefined,
    counted: consume?.feature ?? null,
  });
  return {
    text: write(rendered, result),
    recordedBody: consume === undefined ? sent : withHeaderKey(sent, idempotencyHeader, 'consume'),
    ledgerMs,
    workflowsMs,
    outcome: {
      isError: false,
      isDenied,
      warnings: rendered.warnings,
      denials,
      nearLimits: rendered.nearLimits,
      subjectIdentifier: subject.customer,
      secondarySubjectIdentifiers: usage === null ? NOWHERE : namesOf(result),
      planSlugs: rendered.planSlugs,
      featureSlugs: rendered.featureSlugs,
      readDataLocations:
        usage === null ? snapshotLocation(call) : usage.location === null ? NOWHERE : [usage.location],
      writeDataLocations: result.counted === null ? NOWHERE : [result.counted.report.location],
      response: rendered.head,
      responseRest: rendered.shared,
      features: rendered.features,
      executions: result.executions,
      error: null,
    },
  };
}

function namesOf({ subject }: AccessResult): readonly string[] {
  const { identity, customer, facts } = subject;
  const { identifier } = identity;
  return identifier === null || customer === null ? NOWHERE : secondaryNames(identifier, { customer, facts });
}

/** Without a ledger, the answer was read from the environment's snapshot, from the nearest replica. */
function snapshotLocation({ place, authenticated }: PublicCall): readonly Location[] {
  const nearest = nearestLocation(place, authenticated.loaded.snapshot.locations);
  return nearest === null ? NOWHERE : [nearest];
}
