/** POST /api/v1/access-checks: from the body to the answer. Waits for a ledger only where the answer depends on one. */
import { type AccessCheckRequest, accessCheckRequestSchema } from '#contracts/access';
import type { Location } from '#contracts/locations';
import { nearestLocation } from '#engine/regions/nearest-location';
import { type Counted, countUsage } from '#worker/domains/metering/count-usage';
import { byProperty, INCOMPLETE, readUsage, type Usage } from '#worker/domains/metering/read-usage';
import { ApiError, invalidField } from '#worker/http/api-error';
import { parse } from '#worker/http/parse';
import { type CheckContext, type ResolvedCheck, resolveCheck, writeCheck } from './check-access.ts';
import { keyOfHeader } from './idempotency-header.ts';
import type { PublicAnswer, PublicCall } from './public-call.ts';
import { findVerdict, reachVerdict } from './token-verdict.ts';

/** @throws {ApiError} */
export async function answerAccessCheck(call: PublicCall, body: unknown): Promise<PublicAnswer> {
  const { authenticated, requestId, startedAt, query } = call;
  const request = parse(accessCheckRequestSchema, body ?? {});
  const { userJwt } = request;
  const verdict =
    userJwt === undefined
      ? undefined
      : (findVerdict(authenticated.loaded, userJwt, startedAt) ??
        (await reachVerdict(authenticated.loaded, userJwt, startedAt)));
  const context: CheckContext = {
    requestId,
    now: Date.now(),
    isExplained: query !== undefined && new URLSearchParams(query).get('explain') === '1',
    verdict,
  };
  const resolved = resolveCheck(authenticated, request, context);

  const askedAt = performance.now();
  const consumed = request.consume === undefined ? null : await consume(call, request, resolved, context.now);
  const usage =
    consumed !== null
      ? usageAfter(resolved, consumed)
      : resolved.reads.length === 0
        ? null
        : await read(call, request, resolved, context.now);
  const ledgerMs = consumed === null && usage === null ? 0 : performance.now() - askedAt;

  const checked = writeCheck(authenticated, resolved, context, usage?.readings ?? null, consumed);
  const wrote = consumed === null ? NOWHERE : [consumed.report.location];
  return {
    text: `${checked.head},"features":${checked.features}}`,
    ledgerMs,
    outcome: {
      type: 'ac',
      isError: false,
      isWarning: checked.warnings.length > 0,
      subjectIdentifier: checked.identity.identifier,
      planSlugs: checked.planSlugs,
      featureSlugs: checked.featureSlugs,
      readDataLocations:
        usage === null ? snapshotLocation(call) : usage.location === null ? NOWHERE : [usage.location],
      writeDataLocations: wrote,
      response: checked.head,
      features: checked.features,
      error: null,
    },
  };
}

const NOWHERE: readonly Location[] = [];

function read(
  call: PublicCall,
  request: AccessCheckRequest,
  resolved: ResolvedCheck,
  now: number,
): Promise<Usage> {
  return readUsage(
    call.env,
    call.authenticated.loaded.snapshot,
    {
      customer: resolved.identity.identifier ?? '',
      place: call.place,
      reads: resolved.reads,
      now,
      consistency: request.consistency ?? 'local',
    },
    resolved.warnings,
  );
}

/** Takes what fits, and reads all meters of the answer after it, in one call of the ledger. */
async function consume(
  call: PublicCall,
  request: AccessCheckRequest,
  { identity, resolution, reads }: ResolvedCheck,
  now: number,
): Promise<Counted | null> {
  if (request.consume === undefined) return null;
  if (call.authenticated.key.type !== 'secret') {
    throw new ApiError('forbidden', 'Usage is counted with a secret key only');
  }
  if (identity.identifier === null) {
    throw invalidField(
      'consume',
      'Needs a userIdentifier, or a userJwt that can be verified: an anonymous session has no usage',
    );
  }
  if (resolution === null)
    throw invalidField('consume.feature', 'Nothing is deployed to this environment yet');
  const idempotencyKey = keyOfHeader(call.request, request.consume.idempotencyKey, 'consume.idempotencyKey');
  return countUsage(
    call.env,
    call.authenticated.loaded.snapshot,
    resolution,
    { ...request.consume, idempotencyKey, enforce: true },
    'consume',
    {
      customer: identity.identifier,
      place: call.place,
      isStrict: request.consistency === 'strict',
      reads,
      now,
    },
  );
}

function usageAfter({ reads, warnings }: ResolvedCheck, { report }: Counted): Usage {
  if (!report.isWhole) warnings.push(INCOMPLETE);
  return { readings: byProperty(reads, report.readings), location: report.location };
}

/** Without a ledger, what was read is the environment itself, from the replica nearest to the caller. */
function snapshotLocation({ place, authenticated }: PublicCall): readonly Location[] {
  const nearest = nearestLocation(place, authenticated.loaded.snapshot.locations);
  return nearest === null ? NOWHERE : [nearest];
}
