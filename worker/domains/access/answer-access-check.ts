/** POST /api/v1/access-checks: from the body to the answer. Waits for a ledger only where the answer depends on one. */
import { type AccessCheckRequest, accessCheckRequestSchema } from '#contracts/access';
import { type CustomerFacts, type FactsInUse, NO_FACTS } from '#contracts/customer-facts';
import type { Location } from '#contracts/locations';
import type { Consume } from '#contracts/metering';
import { reasonOf } from '#contracts/warnings';
import { nearestLocation } from '#engine/regions/nearest-location';
import { type Counted, countUsage } from '#worker/domains/metering/count-usage';
import { byProperty, INCOMPLETE, readUsage, type Usage, warnOnce } from '#worker/domains/metering/read-usage';
import { ApiError, invalidField } from '#worker/http/api-error';
import { parse } from '#worker/http/parse';
import { type Asked, askByFacts } from './ask-by-facts.ts';
import {
  type CheckContext,
  hasSameReads,
  identifyCheck,
  needsLedger,
  type ResolvedCheck,
  resolveCheck,
  textOf,
  writeCheck,
} from './check-access.ts';
import { notFoundWarnings, secondaryNames } from './customer-names.ts';
import { keyOfHeader } from './idempotency-header.ts';
import type { PublicAnswer, PublicCall } from './public-call.ts';
import { recallCustomer } from './recall-customer.ts';
import { findVerdict, reachVerdict } from './token-verdict.ts';

/** @throws {ApiError} */
export async function answerAccessCheck(call: PublicCall, body: unknown): Promise<PublicAnswer> {
  const { authenticated, requestId, startedAt, query } = call;
  const request = parse(accessCheckRequestSchema, body === undefined ? {} : body);
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
  const { now } = context;
  const identified = identifyCheck(authenticated, request, context);
  const { identifier } = identified.identity;
  const { snapshot } = authenticated.loaded;
  const resolve = (facts: CustomerFacts, customer: string) =>
    resolveCheck(authenticated, identified, facts, customer, now);

  const askedAt = performance.now();
  let resolved: ResolvedCheck;
  let consumed: Counted | null = null;
  let usage: Usage | null = null;
  let names: readonly string[] = NOWHERE;
  if (identifier === null) {
    resolved = resolveCheck(authenticated, identified, NO_FACTS, null, now);
    refuseConsuming(call, request, resolved);
  } else {
    const first = recallCustomer(snapshot, identifier, now, resolve);
    resolved = first;
    refuseConsuming(call, request, first);
    if (request.consume !== undefined || needsLedger(authenticated, first)) {
      const isStrict = request.consistency === 'strict';
      const { env, place } = call;
      const { warnings } = identified;
      const subject = { env, snapshot, identifier, place, isStrict, now, warnings };
      const asked = await askByFacts<ResolvedCheck<string>, Answered>(subject, first, {
        resolve,
        isAnswered: hasSameReads,
        ask: (standing, facts) =>
          request.consume === undefined
            ? read(call, request, standing, { now, facts })
            : consume(call, request, request.consume, standing, { now, facts }),
      });
      resolved = asked.standing;
      consumed = asked.result.consumed;
      usage = asked.result.usage;
      names = secondaryNames(identifier, asked.standing);
      warnings.push(...notFoundWarnings(snapshot, identifier, asked.standing, warnings));
    }
  }
  const ledgerMs = usage === null ? 0 : performance.now() - askedAt;

  const checked = writeCheck(authenticated, resolved, context, usage?.readings ?? null, consumed);
  const wrote = consumed === null ? NOWHERE : [consumed.report.location];
  return {
    text: textOf(checked),
    ledgerMs,
    outcome: {
      type: 'ac',
      isError: false,
      isWarning: checked.warnings.length > 0,
      subjectIdentifier: resolved.customer,
      secondarySubjectIdentifiers: names,
      planSlugs: checked.planSlugs,
      featureSlugs: checked.featureSlugs,
      readDataLocations:
        usage === null ? snapshotLocation(call) : usage.location === null ? NOWHERE : [usage.location],
      writeDataLocations: wrote,
      response: checked.head,
      responseRest: checked.shared,
      features: checked.features,
      error: null,
    },
  };
}

const NOWHERE: readonly never[] = [];

interface Answered {
  readonly usage: Usage;
  readonly consumed: Counted | null;
}

interface Going {
  readonly now: number;
  readonly facts: FactsInUse | undefined;
}

async function read(
  { env, authenticated, place }: PublicCall,
  { consistency = 'local' }: AccessCheckRequest,
  { customer, reads, warnings }: ResolvedCheck<string>,
  { now, facts }: Going,
): Promise<Asked<Answered>> {
  const question = { customer, place, reads, now, consistency, facts };
  const usage = await readUsage(env, authenticated.loaded.snapshot, question, warnings);
  return { result: { usage, consumed: null }, news: usage.news, isFromLedger: usage.location !== null };
}

/** Takes what fits, and reads all meters of the answer after it, in one call of the ledger. */
async function consume(
  { env, authenticated, place, request: { headers } }: PublicCall,
  { consistency }: AccessCheckRequest,
  count: Consume,
  { customer, resolution, reads, warnings }: ResolvedCheck<string>,
  { now, facts }: Going,
): Promise<Asked<Answered>> {
  if (resolution === null) throw nothingDeployed();
  const idempotencyKey = keyOfHeader({ headers }, count.idempotencyKey, 'consume.idempotencyKey');
  const counted = await countUsage(
    env,
    authenticated.loaded.snapshot,
    resolution,
    { ...count, idempotencyKey, enforce: true },
    'consume',
    { customer, place, isStrict: consistency === 'strict', reads, now, facts },
  );
  if ('outdated' in counted) return { result: null, news: counted.outdated, isFromLedger: true };
  const { report } = counted;
  if (!report.isWhole) warnOnce(warnings, INCOMPLETE);
  const usage = { readings: byProperty(reads, report.readings), location: report.location };
  return { result: { usage, consumed: counted }, news: undefined, isFromLedger: true };
}

/** @throws {ApiError} where usage is to be taken, and none can be */
function refuseConsuming(
  { authenticated }: PublicCall,
  { consume: count, userJwt }: AccessCheckRequest,
  { customer, resolution, warnings }: ResolvedCheck,
): void {
  if (count === undefined) return;
  if (authenticated.key.type !== 'secret') {
    throw new ApiError('forbidden', 'Usage is counted with a secret key only');
  }
  if (customer === null) {
    const [why] = warnings;
    if (userJwt !== undefined && why !== undefined) throw invalidField('userJwt', reasonOf(why));
    throw invalidField(
      'consume',
      'Needs a userIdentifier, or a userJwt that can be verified: an anonymous session has no usage',
    );
  }
  if (resolution === null) throw nothingDeployed();
}

/** Without a ledger, what was read is the environment itself, from the replica nearest to the caller. */
function snapshotLocation({ place, authenticated }: PublicCall): readonly Location[] {
  const nearest = nearestLocation(place, authenticated.loaded.snapshot.locations);
  return nearest === null ? NOWHERE : [nearest];
}

function nothingDeployed(): ApiError {
  return invalidField('consume.feature', 'Nothing is deployed to this environment yet');
}
