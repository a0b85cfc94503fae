/**
 * Calls a customer's ledger in the nearest data location. If it fails, a read goes on to the next location. An update
 * does so only with an idempotency key, because the first location may already have counted it.
 */
import { type CallerFacts, type FactsUpdate, upgradeFacts } from '#contracts/internal/customer-facts';
import type {
  CounterUpdate,
  LedgerAnswer,
  LedgerRead,
  LedgerReading,
  UpdateEvent,
  UpdateOutcome,
} from '#contracts/internal/ledger';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { Location } from '#contracts/public/locations';
import { locationsByDistance, nearestLocation } from '#engine/regions/nearest-location';
import { ledgerStub } from '#objects/stubs';
import type { Env } from '#worker/env';
import { ApiError } from '#worker/http/api-error';
import type { Place } from '#worker/http/place';

export interface LedgerRequest {
  /** The canonical identifier. */
  readonly customer: string;
  readonly place: Place;
  /** Call the home location and no other. */
  readonly isStrict: boolean;
  readonly updates: readonly CounterUpdate[];
  readonly reads: readonly LedgerRead[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** The facts from which the customer's values were resolved; absent if the environment has no customer facts. */
  readonly facts?: CallerFacts | undefined;
  /** The event of the only update: the ledger delivers it if the isolate cannot. */
  readonly event?: { readonly id: string; readonly said: UpdateEvent } | undefined;
}

export interface LedgerResult {
  readonly location: Location;
  /** One per update. */
  readonly outcomes: readonly UpdateOutcome[];
  /** One per read. */
  readonly readings: readonly LedgerReading[];
  /** False: a location that may have more usage was not reachable. */
  readonly isWhole: boolean;
  /**
   * Set if the ledger has other facts than the request used. Updates were not counted then, and there are no outcomes.
   */
  readonly factsUpdate: FactsUpdate | undefined;
}

/** The number for environments from before it was stored. */
const DEFAULT_SHARDS = 16;

/** @throws {ApiError} unavailable if no location answers */
export async function callLedger(
  env: Env,
  snapshot: EnvironmentSnapshot,
  request: LedgerRequest,
): Promise<LedgerResult> {
  const first = request.isStrict ? snapshot.locations[0] : nearestLocation(request.place, snapshot.locations);
  if (first === undefined || first === null) throw unavailable(request);
  try {
    return await callAt(env, snapshot, request, first);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const mayAskAnother = !request.isStrict && request.updates.every(({ key }) => key !== undefined);
    if (!mayAskAnother) throw unavailable(request);
  }
  for (const location of locationsByDistance(request.place, snapshot.locations)) {
    if (location === first) continue;
    try {
      return await callAt(env, snapshot, request, location);
    } catch {
      // Try the next location.
    }
  }
  throw unavailable(request);
}

/** A disabled location names the enabled ones; the nearest of them is called once. */
async function callAt(
  env: Env,
  snapshot: EnvironmentSnapshot,
  request: LedgerRequest,
  location: Location,
): Promise<LedgerResult> {
  const answer = await call(env, snapshot, request, location);
  if (answer.kind !== 'moved') return resultOf(answer, location);
  const next = nearestLocation(request.place, answer.locations);
  const again = next === null ? answer : await call(env, snapshot, request, next);
  if (next === null || again.kind === 'moved') throw unavailable(request);
  return resultOf(again, next);
}

function resultOf(answer: Exclude<LedgerAnswer, { kind: 'moved' }>, location: Location): LedgerResult {
  if (answer.kind === 'outdated') {
    return { location, outcomes: [], readings: [], isWhole: true, factsUpdate: upgradeUpdate(answer.facts) };
  }
  const { outcomes, readings, isWhole, facts } = answer;
  return { location, outcomes, readings, isWhole, factsUpdate: facts && upgradeUpdate(facts) };
}

function upgradeUpdate(update: FactsUpdate): FactsUpdate {
  return update.kind === 'newer' ? { ...update, facts: upgradeFacts(update.facts) } : update;
}

async function call(
  env: Env,
  snapshot: EnvironmentSnapshot,
  { customer, updates, reads, now, facts, event }: LedgerRequest,
  location: Location,
): Promise<LedgerAnswer> {
  const { environmentId, generation, locations, ledgerShards = DEFAULT_SHARDS } = snapshot;
  const { ledger, site } = await ledgerStub(env, {
    environmentId,
    location,
    generation,
    locations,
    customer,
    shards: ledgerShards,
  });
  if (updates.length === 0 && facts?.loaded === undefined) return ledger.read(reads, now, facts?.version);
  const given = { site, customer, now, updates, reads, facts };
  if (event === undefined) return ledger.answer(given);
  const name = { id: event.id, orgId: snapshot.orgId, home: locations[0] };
  return ledger.answer({ ...given, event: name }, event.said);
}

function unavailable({ updates }: LedgerRequest): ApiError {
  const isUnkeyed = updates.some(({ key }) => key === undefined);
  const advice = isUnkeyed
    ? 'Send an idempotencyKey, so that trying again counts once.'
    : 'Try again in a moment.';
  return new ApiError('unavailable', `The usage of this customer cannot be reached. ${advice}`, {
    headers: { 'retry-after': '1' },
  });
}
