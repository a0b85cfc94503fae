/** What calls that count share: counter updates, and calls about holds. */
import type { UpdateEvent } from '#contracts/internal/ledger';
import { runAccessPipeline } from '#engine/access/access-pipeline';
import type { CountOptions } from '#engine/access/access-request';
import { secondaryNames } from '#engine/access/customer-names';
import { renderUpdate } from '#engine/access/render-update';
import { nearLimitsOf } from '#engine/metering/near-limits-of';
import { CALL_MS } from '#engine/outages/budget';
import type { PublicAnswer, PublicCall } from '../calls/public-call.ts';
import { readQuery } from '../calls/read-query.ts';
import { eventIdOf, withoutToken } from '../calls/record-call.ts';
import { accessEffects } from '../effects/production-effects.ts';
import { getCachedVerdict, verifyUserToken } from '../effects/verify-user-token.ts';

const NONE: readonly never[] = [];

/** Whom a call counts for: one of both. */
export interface CountedSubject {
  readonly userIdentifier?: string | undefined;
  readonly userJwt?: string | undefined;
  readonly entityId?: string | undefined;
}

/** @param recordedBody the body as its event records it @throws {ApiError} */
export async function answerCount(
  call: PublicCall,
  { userIdentifier, userJwt, entityId }: CountedSubject,
  options: Omit<CountOptions, 'event'>,
  recordedBody: unknown,
): Promise<PublicAnswer> {
  const { authenticated, startedAt, requestId, env, place } = call;
  const query = readQuery(call.query, false);
  const { loaded, key } = authenticated;
  const { feature, property } = options.count;
  const featureSlugs = countedFeatures(call, options);
  const count = {
    ...options,
    event: { id: eventIdOf(requestId), said: eventBaseOf(call, options, featureSlugs, recordedBody) },
  };
  const verdict =
    userJwt === undefined
      ? undefined
      : (getCachedVerdict(loaded, userJwt, startedAt) ??
        (await verifyUserToken(env, loaded, userJwt, startedAt)));
  const askedAt = performance.now();
  const result = await runAccessPipeline(accessEffects(env), {
    loaded,
    userIdentifier,
    entityId,
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
  const { denial, meter, costs, report } = counted;
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
      nearLimits: nearLimitsOf(feature, property, meter, costs),
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

/** The feature of the update, then that of the meter that pays for it if it is another one. */
function countedFeatures(
  { authenticated: { loaded } }: PublicCall,
  { count: { feature, property } }: Pick<CountOptions, 'count'>,
): readonly string[] {
  const cost = loaded.prepared?.featureBySlug.get(feature)?.propertyByKey.get(property)?.cost;
  const payer = cost?.payer.feature.slug ?? feature;
  return payer === feature ? [feature] : [feature, payer];
}

function eventBaseOf(
  { authenticated: { key, loaded }, requestId, startedAt, place, request }: PublicCall,
  { count: { property, hold } }: Pick<CountOptions, 'count'>,
  featureSlugs: readonly string[],
  recordedBody: unknown,
): NonNullable<CountOptions['event']>['said'] {
  const { country, city, continent } = place;
  return {
    requestId,
    featureSlugs,
    property,
    isSettling: hold?.kind === 'settle',
    environmentType: loaded.snapshot.environmentType,
    key: { id: key.id, type: key.type },
    time: startedAt,
    place: { country, city, continent },
    request: withoutToken(recordedBody),
    cfRay: request.headers.get('cf-ray'),
  } satisfies Partial<UpdateEvent>;
}
