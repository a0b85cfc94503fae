/**
 * Calls a customer's ledger in the nearest data location. If it fails or is silent, a read goes to the next location, too. An update
 * does so only with an idempotency key, because the first location may already have counted it. For the same reason a refusal of
 * another location is believed only if the first one does not answer, asked once more if it has failed. A ledger that is overloaded is
 * no outage: its load would only move to the next location, so no other one is called. At most one other location is called.
 */
import { type FactsUpdate, upgradeFacts } from '#contracts/internal/customer-facts';
import type { LedgerAnswer } from '#contracts/internal/ledger';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { Location } from '#contracts/public/locations';
import type {
  CompanionReadings,
  LedgerFailure,
  LedgerRequest,
  LedgerResult,
} from '#engine/access/ledger-call';
import { shardOf } from '#engine/ledger/shard-of';
import { isOverloaded } from '#engine/outages/breakers';
import { CALL_MS, HEDGE_READ_MS, HEDGE_UPDATE_MS, READ_MS, stageEnd } from '#engine/outages/budget';
import { inTime, SilentError } from '#engine/outages/in-time';
import { locationsByDistance, nearestLocation } from '#engine/regions/nearest-location';
import { type LedgerPlace, type LedgerReads, ledgerStub, noteSilentLedger } from '#objects/stubs';
import { systemClock } from '#runtime/clock';
import type { Env } from '#worker/env';
import { Refusal, retryAfter } from '#worker/http/api-error';

/** The number for environments from before it was stored. */
export const DEFAULT_SHARDS = 16;
const NONE: readonly never[] = [];

/** Names the ledger object that a call goes to first, in this isolate. */
export function nearestLedger(
  { environmentId, locations, ledgerShards = DEFAULT_SHARDS }: EnvironmentSnapshot,
  { customer, place }: Pick<LedgerRequest, 'customer' | 'place'>,
): string {
  return `${environmentId} ${nearestLocation(place, locations)} ${shardOf(customer, ledgerShards)}`;
}

export class LedgerUnavailable extends Refusal<'unavailable'> implements LedgerFailure {
  readonly isOverloaded: boolean;

  constructor({ updates }: Pick<LedgerRequest, 'updates'>, isOverloaded = false) {
    const isUnkeyed = updates.some(({ key }) => key === undefined);
    const advice = isUnkeyed
      ? 'Send an idempotencyKey so that a retry counts once.'
      : 'Try again in a moment.';
    super(
      'unavailable',
      'usage-unavailable',
      `The customer’s usage is temporarily unavailable. ${advice}`,
      retryAfter(1),
    );
    this.isOverloaded = isOverloaded;
  }
}

/** @throws {LedgerUnavailable} if no location answers in time, or one is overloaded */
export async function callLedger(
  env: Env,
  snapshot: EnvironmentSnapshot,
  request: LedgerRequest,
): Promise<LedgerResult> {
  const { updates, isStrict, place, only } = request;
  const first =
    only === undefined && !isStrict ? nearestLocation(place, snapshot.locations) : homeOr(only, snapshot);
  const isReading = updates.length === 0;
  const now = systemClock.now();
  const endsAt = stageEnd(now, isReading ? READ_MS : CALL_MS, request.endsAt);
  if (first === undefined || first === null || endsAt <= now) throw new LedgerUnavailable(request);

  const mayGoElsewhere =
    only === undefined &&
    !isStrict &&
    snapshot.locations.length > 1 &&
    updates.every(({ key }) => key !== undefined);
  const aloneMs = mayGoElsewhere ? (isReading ? HEDGE_READ_MS : HEDGE_UPDATE_MS) : CALL_MS;
  const called = callAt(env, snapshot, request, first);
  try {
    return await inTime(systemClock, Math.min(aloneMs, endsAt - now), 'The ledger', called);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (error instanceof SilentError) noteSilentLedger(env, ledgerPlace(snapshot, request, first));
    if (!mayGoElsewhere || isOverloaded(error)) throw new LedgerUnavailable(request, isOverloaded(error));
    return callElsewhere(env, snapshot, request, {
      first,
      called,
      hasFailed: !(error instanceof SilentError),
      endsAt,
    });
  }
}

/** The location if it is enabled, else the home location. */
export function homeOr(only: Location | undefined, { locations }: EnvironmentSnapshot): Location | undefined {
  return only !== undefined && locations.includes(only) ? only : locations[0];
}

/** The nearest location, which has failed or been silent so far. */
interface FirstCall {
  readonly first: Location;
  readonly called: Promise<LedgerResult>;
  readonly hasFailed: boolean;
  /** Epoch milliseconds. */
  readonly endsAt: number;
}

/** Whoever answers first: the next location, or the nearest after all. */
async function callElsewhere(
  env: Env,
  snapshot: EnvironmentSnapshot,
  request: LedgerRequest,
  { first, called, hasFailed, endsAt }: FirstCall,
): Promise<LedgerResult> {
  const second = locationsByDistance(request.place, snapshot.locations).find((each) => each !== first);
  if (second === undefined) throw new LedgerUnavailable(request);
  const wait = <Answer>(answer: Promise<Answer>) =>
    inTime(systemClock, Math.max(0, endsAt - systemClock.now()), 'The ledgers', answer);
  let isSecondOverloaded = false;
  const calledSecond = callAt(env, snapshot, request, second).catch((error: unknown) => {
    isSecondOverloaded = isOverloaded(error);
    throw error;
  });
  try {
    const { result, isFirst } = await wait(
      Promise.any([
        called.then((answer) => ({ result: answer, isFirst: true })),
        calledSecond.then((answer) => ({ result: answer, isFirst: false })),
      ]),
    );
    if (isFirst || !isRefused(result)) return result;
    return await wait(hasFailed ? callAt(env, snapshot, request, first) : called).catch(() => result);
  } catch (error) {
    if (error instanceof SilentError && !isSecondOverloaded) {
      noteSilentLedger(env, ledgerPlace(snapshot, request, second));
    }
    throw new LedgerUnavailable(request, isSecondOverloaded);
  }
}

function isRefused({ outcomes }: LedgerResult): boolean {
  return outcomes.some((outcome) => outcome.kind === 'decided' && !outcome.accepted);
}

/**
 * A disabled location names the enabled ones; the nearest of them is called once. It may not know yet that it is enabled. So is the location
 * that has a hold now.
 */
async function callAt(
  env: Env,
  snapshot: EnvironmentSnapshot,
  request: LedgerRequest,
  location: Location,
): Promise<LedgerResult> {
  const reads = await call(env, snapshot, request, location);
  const answer = decidedBy(reads);
  const at = holderOf(answer);
  if (at !== undefined && at !== location) {
    const there = await call(env, snapshot, request, at);
    const decided = decidedBy(there);
    if (decided.kind === 'moved') throw new LedgerUnavailable(request);
    return resultOf(decided, there.companions, at);
  }
  if (answer.kind !== 'moved') return resultOf(answer, reads.companions, location);
  const next =
    request.only === undefined
      ? nearestLocation(request.place, answer.locations)
      : (answer.locations[0] ?? null);
  if (next === null) throw new LedgerUnavailable(request);
  const { generation, locations, leaving } = answer;
  const isNewer = generation !== undefined && generation > snapshot.generation;
  const newer = isNewer ? { ...snapshot, generation, locations, leaving } : snapshot;
  const again = await call(env, newer, request, next);
  const second = decidedBy(again);
  if (second.kind === 'moved') throw new LedgerUnavailable(request);
  return resultOf(second, again.companions, next);
}

/** Of a hold that another location has changed since it was made here: where it is now. */
function holderOf(answer: Decided): Location | undefined {
  const [outcome] = answer.kind === 'answered' ? answer.outcomes : [];
  return outcome?.kind === 'hold-refused' ? outcome.at : undefined;
}

type Decided = Exclude<LedgerAnswer, { kind: 'full' | 'incomplete' | 'unlisted' }>;

/** @throws {LedgerUnavailable} if the ledger has counted nothing, and no other location may count instead: any retry is safe */
function decidedBy({ answer }: LedgerReads): Decided {
  if (answer.kind === 'full' || answer.kind === 'incomplete' || answer.kind === 'unlisted') {
    throw new LedgerUnavailable({ updates: NONE });
  }
  return answer;
}

function resultOf(
  answer: Exclude<Decided, { kind: 'moved' }>,
  others: LedgerReads['companions'],
  location: Location,
): LedgerResult {
  const companions = others.map(readingsOf);
  if (answer.kind === 'outdated') {
    const factsUpdate = upgradeUpdate(answer.facts);
    return { location, outcomes: [], readings: [], isWhole: true, factsUpdate, companions };
  }
  const { outcomes, readings, isWhole, facts } = answer;
  return { location, outcomes, readings, isWhole, factsUpdate: facts && upgradeUpdate(facts), companions };
}

/** Null unless the readings are complete. */
function readingsOf(answer: LedgerAnswer | null): CompanionReadings | null {
  if (answer?.kind !== 'answered' || !answer.isWhole) return null;
  const { readings, facts } = answer;
  return { readings, factsUpdate: facts && upgradeUpdate(facts) };
}

function upgradeUpdate(update: FactsUpdate): FactsUpdate {
  return update.kind === 'newer' ? { ...update, facts: upgradeFacts(update.facts) } : update;
}

async function call(
  env: Env,
  snapshot: EnvironmentSnapshot,
  { customer, entity, isStrict, updates, reads, now, facts, event, companions = NONE }: LedgerRequest,
  location: Location,
): Promise<LedgerReads> {
  const { ledger, site } = await ledgerStub(env, ledgerPlace(snapshot, { customer }, location));
  if (updates.length === 0 && facts?.loaded === undefined) {
    if (companions.length > 0 && entity === undefined)
      return ledger.readTogether(reads, now, facts?.version, companions);
    return { answer: await ledger.read(reads, now, facts?.version, entity), companions: NONE };
  }
  const given = { site, customer, entity, now, updates, reads, facts, wholeOnly: isStrict || undefined };
  if (event === undefined) return { answer: await ledger.answer(given), companions: NONE };
  const name = { id: event.id, orgId: snapshot.orgId, home: snapshot.locations[0] };
  return { answer: await ledger.answer({ ...given, event: name }, event.said), companions: NONE };
}

export function ledgerPlace(
  snapshot: EnvironmentSnapshot,
  { customer }: Pick<LedgerRequest, 'customer'>,
  location: Location,
): LedgerPlace {
  const { environmentId, generation, locations, leaving, ledgerShards, factsEpoch } = snapshot;
  const shards = ledgerShards ?? DEFAULT_SHARDS;
  return { environmentId, location, generation, locations, leaving, customer, shards, factsEpoch };
}
