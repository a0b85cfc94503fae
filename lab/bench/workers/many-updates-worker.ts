// The real Worker with two extra paths that make many updates in one ledger call, which the public API does not offer.
// /bench/updates compares batched with single updates; /bench/history creates a customer's usage history.
import type { CounterUpdate, LedgerCall } from '#contracts/internal/ledger';
import type { MeterableValue } from '#contracts/public/values';
import { NOWHERE } from '#engine/access/place';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { type LedgerPlace, ledgerStub } from '#objects/stubs';
import type { QueueMessage } from '#runtime/messages';
import tessera from '#worker/development';
import { pullSnapshot } from '#worker/domains/snapshots/pull-snapshot';
import type { Env } from '#worker/env';
import type { HistoryOrder, UpdatesOrder } from './messages.ts';

export { EnvironmentReplica, EventStream, Ledger, PasswordHasher } from '#worker/development';

const DAY_MS = 86_400_000;
const HISTORY_MS = 400 * DAY_MS;
const UPDATES_PER_CALL = 50;
const CALLS_AT_ONCE = 40;
const RESOURCES = 500;

export default {
  ...tessera,
  async fetch(request, env, context) {
    if (request.url.endsWith('/bench/updates')) return makeUpdates(env, await request.json());
    if (request.url.endsWith('/bench/history')) return makeHistory(env, await request.json());
    return tessera.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env, QueueMessage>;

const value: MeterableValue = {
  state: 'metered',
  meter: {
    limit: 1_000_000,
    periodType: 'rolling',
    periodCount: 1,
    periodLength: 'month',
    uniqueResourceIds: false,
  },
};

async function makeUpdates(env: Env, { customer, count }: UpdatesOrder): Promise<Response> {
  const updates = Array.from({ length: count }, (_, index) => ({
    propertyId: `prop_${index % 5}`,
    value,
    enforce: false,
  }));
  const place: LedgerPlace = {
    environmentId: 'env_bench',
    location: 'weur',
    locations: ['weur'],
    generation: 1,
    shards: 16,
    customer,
  };
  await callLedger(env, place, { now: Date.now(), updates, reads: [] });
  return Response.json({ counted: count });
}

async function makeHistory(env: Env, order: HistoryOrder): Promise<Response> {
  const { environmentId, customer, from, to, of } = order;
  const { newest: snapshot } = await pullSnapshot(env, environmentId, null, NOWHERE);
  if (snapshot === null || snapshot === 'unchanged' || snapshot.artifact === null)
    throw new Error('Nothing is deployed to the environment');
  const [location] = snapshot.locations;
  if (location === undefined) throw new Error('The environment has no data location');
  const { generation, locations, ledgerShards: shards = 16 } = snapshot;
  const place: LedgerPlace = { environmentId, location, locations, generation, shards, customer };
  const { features } = JSON.parse(snapshot.artifact.content) as ArtifactContent;
  const propertyIds = features.flatMap(({ properties }) =>
    properties.filter(({ type }) => type === 'meterable').map(({ id }) => id),
  );

  const now = Date.now();
  let calls: Promise<void>[] = [];
  for (let start = from; start < to; start += UPDATES_PER_CALL) {
    const numbers = Array.from(
      { length: Math.min(UPDATES_PER_CALL, to - start) },
      (_, index) => start + index,
    );
    const at = now - HISTORY_MS + Math.round(((start + 1) / of) * HISTORY_MS);
    const updates = numbers.map((number) => updateOf(propertyIds, number));
    calls.push(callLedger(env, place, { now: Math.min(at, now), updates, reads: [] }));
    if (calls.length < CALLS_AT_ONCE) continue;
    await Promise.all(calls);
    calls = [];
  }
  await Promise.all(calls);
  return Response.json({ counted: to - from });
}

/** The last meter counts resources, the others amounts. */
function updateOf(propertyIds: readonly string[], number: number): CounterUpdate {
  const index = number % propertyIds.length;
  const propertyId = propertyIds[index] ?? '';
  const resourceId = index === propertyIds.length - 1 ? `resource-${number % RESOURCES}` : undefined;
  return { propertyId, resourceId, value: { state: 'on' }, enforce: false };
}

async function callLedger(
  env: Env,
  place: LedgerPlace,
  call: Pick<LedgerCall, 'now' | 'updates' | 'reads'>,
): Promise<void> {
  const { ledger, site } = await ledgerStub(env, place);
  const answer = await ledger.answer({ ...call, site, customer: place.customer });
  if (answer.kind !== 'answered' || answer.outcomes.some(({ kind }) => kind !== 'decided'))
    throw new Error(`The ledger did not count: ${JSON.stringify(answer).slice(0, 300)}`);
}
