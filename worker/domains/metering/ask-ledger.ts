/**
 * Asks the ledger of a customer, in the nearest data location unless told otherwise. What only reads goes on to the next
 * location where one does not answer; an update does so only under an idempotency key, since the first location may
 * have counted before it fell silent.
 */
import type { FactsInUse, FactsNews } from '#contracts/customer-facts';
import type {
  CounterUpdate,
  LedgerAnswer,
  LedgerRead,
  LedgerReading,
  UpdateEvent,
  UpdateOutcome,
} from '#contracts/ledger';
import type { Location } from '#contracts/locations';
import type { EnvironmentSnapshot } from '#contracts/snapshot';
import { locationsByDistance, nearestLocation } from '#engine/regions/nearest-location';
import { ledgerStub } from '#objects/stubs';
import type { Env } from '#worker/env';
import { ApiError } from '#worker/http/api-error';
import type { Place } from '#worker/http/place';

export interface LedgerQuestion {
  /** The canonical identifier. */
  readonly customer: string;
  readonly place: Place;
  /** The home location is asked, and no other. */
  readonly isStrict: boolean;
  readonly updates: readonly CounterUpdate[];
  readonly reads: readonly LedgerRead[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** What the customer's values were made from; absent where nothing is known of any customer of the environment. */
  readonly facts?: FactsInUse | undefined;
  /** Of its one update: told by the ledger, should the isolate not come to it. */
  readonly event?: { readonly id: string; readonly said: UpdateEvent } | undefined;
}

export interface LedgerReport {
  readonly location: Location;
  /** One for each update. */
  readonly outcomes: readonly UpdateOutcome[];
  /** One for each read. */
  readonly readings: readonly LedgerReading[];
  /** False: a data location that may know more could not be asked yet. */
  readonly isWhole: boolean;
  /** Other facts hold of the customer than the question went by. Updates were not made then: there are no outcomes. */
  readonly news: FactsNews | undefined;
}

/** Environments of before this was kept have as many. */
const FORMER_SHARDS = 16;

/** @throws {ApiError} unavailable where no data location that may be asked answers */
export async function askLedger(
  env: Env,
  snapshot: EnvironmentSnapshot,
  question: LedgerQuestion,
): Promise<LedgerReport> {
  const first = question.isStrict
    ? snapshot.locations[0]
    : nearestLocation(question.place, snapshot.locations);
  if (first === undefined || first === null) throw unavailable(question);
  try {
    return await askAt(env, snapshot, question, first);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const mayAskAnother = !question.isStrict && question.updates.every(({ key }) => key !== undefined);
    if (!mayAskAnother) throw unavailable(question);
  }
  for (const location of locationsByDistance(question.place, snapshot.locations)) {
    if (location === first) continue;
    try {
      return await askAt(env, snapshot, question, location);
    } catch {
      // The next one may answer.
    }
  }
  throw unavailable(question);
}

/** A location that was turned off names the others; they are asked once. */
async function askAt(
  env: Env,
  snapshot: EnvironmentSnapshot,
  question: LedgerQuestion,
  location: Location,
): Promise<LedgerReport> {
  const answer = await call(env, snapshot, question, location);
  if (answer.kind !== 'moved') return reportOf(answer, location);
  const next = nearestLocation(question.place, answer.locations);
  const again = next === null ? answer : await call(env, snapshot, question, next);
  if (next === null || again.kind === 'moved') throw unavailable(question);
  return reportOf(again, next);
}

function reportOf(answer: Exclude<LedgerAnswer, { kind: 'moved' }>, location: Location): LedgerReport {
  if (answer.kind === 'outdated') {
    return { location, outcomes: [], readings: [], isWhole: true, news: answer.facts };
  }
  const { outcomes, readings, isWhole, facts } = answer;
  return { location, outcomes, readings, isWhole, news: facts };
}

async function call(
  env: Env,
  snapshot: EnvironmentSnapshot,
  { customer, updates, reads, now, facts, event }: LedgerQuestion,
  location: Location,
): Promise<LedgerAnswer> {
  const { environmentId, generation, locations, ledgerShards = FORMER_SHARDS } = snapshot;
  const { ledger, site } = await ledgerStub(env, {
    environmentId,
    location,
    generation,
    locations,
    customer,
    shards: ledgerShards,
  });
  const asked = { site, customer, now, updates, reads, facts };
  if (event === undefined) return ledger.answer(asked);
  const name = { id: event.id, orgId: snapshot.orgId, home: locations[0] };
  return ledger.answer({ ...asked, event: name }, event.said);
}

function unavailable({ updates }: LedgerQuestion): ApiError {
  const isUnkeyed = updates.some(({ key }) => key === undefined);
  const advice = isUnkeyed
    ? 'Send an idempotencyKey, so that trying again counts once.'
    : 'Try again in a moment.';
  return new ApiError('unavailable', `The usage of this customer cannot be reached. ${advice}`, {
    headers: { 'retry-after': '1' },
  });
}
