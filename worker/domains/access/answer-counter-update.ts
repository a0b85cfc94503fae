/** POST /api/v1/counter-updates: counts what an identified customer has used, and says where the meter stands. */
import type { CustomerFacts } from '#contracts/customer-facts';
import { counterUpdateRequestSchema } from '#contracts/metering';
import type { Warning } from '#contracts/subjects';
import { reasonOf } from '#contracts/warnings';
import { writeUpdateAnswer } from '#engine/metering/write-update-answer';
import { type Counted, countUsage } from '#worker/domains/metering/count-usage';
import { INCOMPLETE } from '#worker/domains/metering/read-usage';
import { ApiError, invalidField } from '#worker/http/api-error';
import { parse } from '#worker/http/parse';
import { type Asked, askByFacts } from './ask-by-facts.ts';
import { standingOf } from './check-access.ts';
import { notFoundWarnings, secondaryNames } from './customer-names.ts';
import { keyOfHeader } from './idempotency-header.ts';
import { identifySubject } from './identify-subject.ts';
import type { PublicAnswer, PublicCall } from './public-call.ts';
import { recallCustomer } from './recall-customer.ts';
import { eventIdOf, withoutToken } from './record-call.ts';
import { findVerdict, reachVerdict } from './token-verdict.ts';

/** @throws {ApiError} */
export async function answerCounterUpdate(call: PublicCall, body: unknown): Promise<PublicAnswer> {
  const { authenticated, startedAt, requestId } = call;
  const { loaded, key } = authenticated;
  if (key.type !== 'secret') throw new ApiError('forbidden', 'Usage is counted with a secret key only');
  const request = parse(counterUpdateRequestSchema, body === undefined ? {} : body);
  const { userJwt } = request;
  const warnings: Warning[] = [];
  const verdict =
    userJwt === undefined
      ? undefined
      : (findVerdict(loaded, userJwt, startedAt) ?? (await reachVerdict(loaded, userJwt, startedAt)));
  const { identifier, ...identity } = identifySubject(request, verdict, key.type, warnings);
  if (identifier === null) {
    const [why] = warnings;
    throw invalidField('userJwt', why === undefined ? 'Cannot be verified' : reasonOf(why));
  }
  const { prepared } = loaded;
  if (prepared === null) throw invalidField('feature', 'Nothing is deployed to this environment yet');

  const { snapshot } = loaded;
  const now = Date.now();
  const { environmentType } = snapshot;
  const resolve = (facts: CustomerFacts, customer: string) => ({
    ...{ customer, facts },
    resolution: standingOf(prepared, identity, facts, environmentType, now).resolution,
  });
  const first = recallCustomer(snapshot, identifier, now, resolve);
  const count = {
    ...request,
    idempotencyKey: keyOfHeader(call.request, request.idempotencyKey, 'idempotencyKey'),
    enforce: request.enforce ?? false,
  };
  const { env, place } = call;
  const { country, city, continent } = place;
  const said = {
    requestId,
    time: startedAt,
    place: { country, city, continent },
    featureSlugs: [request.feature],
    request: withoutToken(body),
    cfRay: call.request.headers.get('cf-ray'),
  };
  const id = eventIdOf(requestId);
  const askedAt = performance.now();
  const subject = { env, snapshot, identifier, place, isStrict: false, now, warnings };
  const { standing, result } = await askByFacts(subject, first, {
    resolve,
    isAnswered: () => false,
    async ask(standing, facts): Promise<Asked<Counted>> {
      const { customer, resolution } = standing;
      const event = {
        id,
        said: {
          ...said,
          subjectIdentifier: customer,
          secondarySubjectIdentifiers: secondaryNames(identifier, standing),
          planSlugs: resolution.planSlugs,
          warnings: [...warnings, ...notFoundWarnings(snapshot, identifier, standing, warnings)],
        },
      };
      const question = { customer, place, isStrict: false, now, facts, event };
      const counted = await countUsage(env, snapshot, resolution, count, '', question);
      return 'outdated' in counted
        ? { result: null, news: counted.outdated, isFromLedger: true }
        : { result: counted, news: undefined, isFromLedger: true };
    },
  });
  const { accepted, replayed, meter, report } = result;
  const ledgerMs = performance.now() - askedAt;
  warnings.push(...notFoundWarnings(snapshot, identifier, standing, warnings));
  if (!report.isWhole) warnings.push(INCOMPLETE);

  const text = writeUpdateAnswer(requestId, { accepted, replayed, meter }, warnings);
  return {
    text,
    ledgerMs,
    outcome: {
      type: 'cu',
      isError: false,
      isWarning: warnings.length > 0,
      subjectIdentifier: standing.customer,
      secondarySubjectIdentifiers: secondaryNames(identifier, standing),
      planSlugs: standing.resolution.planSlugs,
      featureSlugs: [request.feature],
      readDataLocations: [report.location],
      writeDataLocations: [report.location],
      response: text,
      features: null,
      error: null,
    },
  };
}
