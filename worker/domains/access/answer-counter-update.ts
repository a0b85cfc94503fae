/** POST /api/v1/counter-updates: counts usage of an identified customer and answers with the meter. */
import type { CounterUpdateRequest } from '#contracts/public/metering';
import type { Warning } from '#contracts/public/subjects';
import { warningOf } from '#contracts/public/warnings';
import { runAccessPipeline } from '#engine/access/access-pipeline';
import { secondaryNames } from '#engine/access/customer-names';
import { occurredAtOf } from '#engine/access/occurred-at';
import { nearLimitsOf } from '#engine/metering/near-limits-of';
import { writeUpdateAnswer } from '#engine/metering/write-update-answer';
import { CALL_MS } from '#engine/outages/budget';
import type { CallBody } from './call-bodies.ts';
import { headerKeyOf, withHeaderKey } from './idempotency-header.ts';
import { accessEffects } from './production-effects.ts';
import type { PublicAnswer, PublicCall } from './public-call.ts';
import { readQuery } from './read-query.ts';
import { eventIdOf, withoutToken } from './record-call.ts';
import { getCachedVerdict, verifyUserToken } from './verify-user-token.ts';

const NONE: readonly never[] = [];
const USAGE_INCOMPLETE: readonly Warning[] = [warningOf('usage-incomplete')];

/** @throws {ApiError} */
export async function answerCounterUpdate(
  call: PublicCall,
  { sent, value }: CallBody<CounterUpdateRequest>,
): Promise<PublicAnswer> {
  const { authenticated, startedAt, requestId, env, place } = call;
  const query = readQuery(call.query, false);
  const { loaded, key } = authenticated;
  const { userIdentifier, userJwt, enforce = false, ...count } = value;
  const occurredAt = occurredAtOf(value, '', startedAt);
  const verdict =
    userJwt === undefined
      ? undefined
      : (getCachedVerdict(loaded, userJwt, startedAt) ??
        (await verifyUserToken(env, loaded, userJwt, startedAt)));
  const { country, city, continent } = place;
  const featureSlugs = [count.feature];
  const askedAt = performance.now();
  const idempotencyHeader = headerKeyOf(call);
  const recordedBody = withHeaderKey(sent, idempotencyHeader, '');
  const { subject, counted, identityWarnings, warnings, executions, workflowsMs } = await runAccessPipeline(
    accessEffects(env),
    {
      loaded,
      userIdentifier,
      verdict,
      place,
      keyType: key.type,
      now: Date.now(),
      endsAt: startedAt + CALL_MS,
      seed: requestId,
      count: {
        kind: 'update',
        count: { ...count, enforce, occurredAt },
        idempotencyHeader,
        event: {
          id: eventIdOf(requestId),
          said: {
            requestId,
            featureSlugs,
            property: count.property,
            environmentType: loaded.snapshot.environmentType,
            key: { id: key.id, type: key.type },
            time: startedAt,
            place: { country, city, continent },
            request: withoutToken(recordedBody),
            cfRay: call.request.headers.get('cf-ray'),
          },
        },
      },
    },
  );
  const { customer, facts, identity, resolution } = subject;
  if (counted === null || customer === null) throw new Error('The pipeline counted nothing');
  const { accepted, replayed, applied, denial, meter, report } = counted;
  const ledgerMs = performance.now() - askedAt - (workflowsMs ?? 0);
  const all = identityWarnings.concat(query.warnings, warnings, report.isWhole ? NONE : USAGE_INCOMPLETE);

  const text = writeUpdateAnswer(requestId, { accepted, replayed, applied, denial, meter }, all);
  return {
    text,
    recordedBody,
    ledgerMs,
    workflowsMs,
    outcome: {
      isError: false,
      isDenied: denial !== null,
      warnings: all,
      denials: denial === null ? NONE : [{ feature: count.feature, reason: denial }],
      nearLimits: nearLimitsOf(count.feature, count.property, meter),
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
