/** POST /api/v1/counter-updates: counts what an identified customer has used, and says where the meter stands. */
import { counterUpdateRequestSchema } from '#contracts/metering';
import type { Warning } from '#contracts/subjects';
import { plansOf } from '#engine/entitlements/plans-of';
import { resolve } from '#engine/entitlements/resolve';
import { countUsage } from '#worker/domains/metering/count-usage';
import { INCOMPLETE } from '#worker/domains/metering/read-usage';
import { ApiError, invalidField } from '#worker/http/api-error';
import { parse } from '#worker/http/parse';
import { keyOfHeader } from './idempotency-header.ts';
import { identifySubject } from './identify-subject.ts';
import type { PublicAnswer, PublicCall } from './public-call.ts';
import { findVerdict, reachVerdict } from './token-verdict.ts';

/** @throws {ApiError} */
export async function answerCounterUpdate(call: PublicCall, body: unknown): Promise<PublicAnswer> {
  const { authenticated, startedAt, requestId } = call;
  const { loaded, key } = authenticated;
  if (key.type !== 'secret') throw new ApiError('forbidden', 'Usage is counted with a secret key only');
  const request = parse(counterUpdateRequestSchema, body ?? {});
  const { userJwt } = request;
  const warnings: Warning[] = [];
  const verdict =
    userJwt === undefined
      ? undefined
      : (findVerdict(loaded, userJwt, startedAt) ?? (await reachVerdict(loaded, userJwt, startedAt)));
  const { identifier, ...identity } = identifySubject(request, verdict, key.type, warnings);
  if (identifier === null) throw invalidField('userJwt', warnings[0]?.message ?? 'Cannot be verified');
  const { prepared } = loaded;
  if (prepared === null) throw invalidField('feature', 'Nothing is deployed to this environment yet');

  const resolution = resolve(prepared, plansOf(prepared, identity));
  const askedAt = performance.now();
  const { accepted, replayed, meter, report } = await countUsage(
    call.env,
    loaded.snapshot,
    resolution,
    {
      ...request,
      idempotencyKey: keyOfHeader(call.request, request.idempotencyKey, 'idempotencyKey'),
      enforce: request.enforce ?? false,
    },
    '',
    { customer: identifier, place: call.place, isStrict: false, now: Date.now() },
  );
  const ledgerMs = performance.now() - askedAt;
  if (!report.isWhole) warnings.push(INCOMPLETE);

  const text = JSON.stringify({ status: 'success', requestId, accepted, replayed, meter, warnings });
  return {
    text,
    ledgerMs,
    outcome: {
      type: 'cu',
      isError: false,
      isWarning: warnings.length > 0,
      subjectIdentifier: identifier,
      planSlugs: resolution.planSlugs,
      featureSlugs: [request.feature],
      readDataLocations: [report.location],
      writeDataLocations: [report.location],
      response: text,
      features: null,
      error: null,
    },
  };
}
