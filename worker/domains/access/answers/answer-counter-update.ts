/** POST /api/v1/counter-updates: counts usage of an identified customer and answers with the meter. */
import type { CounterUpdateRequest } from '#contracts/public/metering';
import { runAccessPipeline } from '#engine/access/access-pipeline';
import { updateOptions } from '#engine/access/count-options';
import { secondaryNames } from '#engine/access/customer-names';
import { renderUpdate } from '#engine/access/render-update';
import { nearLimitsOf } from '#engine/metering/near-limits-of';
import { CALL_MS } from '#engine/outages/budget';
import type { CallBody } from '../calls/call-bodies.ts';
import { headerKeyOf, withHeaderKey } from '../calls/idempotency-header.ts';
import type { PublicAnswer, PublicCall } from '../calls/public-call.ts';
import { readQuery } from '../calls/read-query.ts';
import { eventIdOf, withoutToken } from '../calls/record-call.ts';
import { accessEffects } from '../effects/production-effects.ts';
import { getCachedVerdict, verifyUserToken } from '../effects/verify-user-token.ts';

const NONE: readonly never[] = [];

/** @throws {ApiError} */
export async function answerCounterUpdate(
  call: PublicCall,
  { sent, value }: CallBody<CounterUpdateRequest>,
): Promise<PublicAnswer> {
  const { authenticated, startedAt, requestId, env, place } = call;
  const query = readQuery(call.query, false);
  const { loaded, key } = authenticated;
  const { userIdentifier, userJwt, feature, property } = value;
  const { country, city, continent } = place;
  const featureSlugs = [feature];
  const idempotencyHeader = headerKeyOf(call);
  const recordedBody = withHeaderKey(sent, idempotencyHeader, '');
  const count = updateOptions(value, idempotencyHeader, startedAt, {
    id: eventIdOf(requestId),
    said: {
      requestId,
      featureSlugs,
      property,
      environmentType: loaded.snapshot.environmentType,
      key: { id: key.id, type: key.type },
      time: startedAt,
      place: { country, city, continent },
      request: withoutToken(recordedBody),
      cfRay: call.request.headers.get('cf-ray'),
    },
  });
  const verdict =
    userJwt === undefined
      ? undefined
      : (getCachedVerdict(loaded, userJwt, startedAt) ??
        (await verifyUserToken(env, loaded, userJwt, startedAt)));
  const askedAt = performance.now();
  const result = await runAccessPipeline(accessEffects(env), {
    loaded,
    userIdentifier,
    verdict,
    place,
    keyType: key.type,
    now: Date.now(),
    endsAt: startedAt + CALL_MS,
    seed: requestId,
    count,
  });
  const { subject, counted, executions, workflowsMs } = result;
  const { customer, facts, identity, resolution } = subject;
  if (counted === null || customer === null) throw new Error('The pipeline counted nothing');
  const { denial, meter, report } = counted;
  const ledgerMs = performance.now() - askedAt - (workflowsMs ?? 0);
  const { text, warnings } = renderUpdate(requestId, counted, result, query);
  return {
    text,
    recordedBody,
    ledgerMs,
    workflowsMs,
    outcome: {
      isError: false,
      isDenied: denial !== null,
      warnings,
      denials: denial === null ? NONE : [{ feature, reason: denial }],
      nearLimits: nearLimitsOf(feature, property, meter),
      subjectIdentifier: customer,
      secondarySubjectIdentifiers: secondaryNames(identity.identifier ?? customer, { customer, facts }),
      planSlugs: resolution?.planSlugs ?? NONE,
      featureSlugs,
      readDataLocations: [report.location],
      writeDataLocations: [report.location],
      response: text,
      features: null,
      executions,
      error: null,
    },
  };
}
