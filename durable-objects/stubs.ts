/**
 * The only file that names an object. A name is the SHA-256 of a length-prefixed tuple, so that no choice of ids can
 * make two tuples meet:
 *
 *   replica       ('replica', environmentId, location)
 *   event stream  ('event-stream', orgId)
 *   ledger        ('ledger', environmentId, location, shard)
 */
import type { LedgerAnswer, LedgerCall, LedgerSite, UpdateEvent } from '#contracts/ledger';
import type { Location } from '#contracts/locations';
import { shardOf } from '#engine/ledger/shard-of';
import type { Env } from '#worker/env';
import { sha256Hex } from '#worker/platform/hash';
import type { EnvironmentReplica } from './environment-replica/environment-replica-object.ts';
import type { EventStream } from './event-stream/event-stream-object.ts';
import type { Ledger } from './ledger/ledger-object.ts';

const names = new Map<string, string>();
const MAX_NAMES = 10_000;

async function objectName(...parts: readonly string[]): Promise<string> {
  const tuple = parts.map((part) => `${part.length}:${part}`).join('');
  let name = names.get(tuple);
  if (name === undefined) {
    name = await sha256Hex(tuple);
    if (names.size >= MAX_NAMES) names.clear();
    names.set(tuple, name);
  }
  return name;
}

/** The copy of one environment in one data location; made there when it is first asked for. */
export async function replicaStub(
  env: Env,
  environmentId: string,
  location: Location,
): Promise<DurableObjectStub<EnvironmentReplica>> {
  const name = await objectName('replica', environmentId, location);
  return env.ENVIRONMENT_REPLICA.getByName(name, { locationHint: location });
}

/** @param home the organisation's first enabled data location: where the stream is made */
export async function eventStreamStub(
  env: Pick<Env, 'EVENT_STREAM'>,
  orgId: string,
  home: Location | undefined,
): Promise<DurableObjectStub<EventStream>> {
  const name = await objectName('event-stream', orgId);
  return env.EVENT_STREAM.getByName(name, home === undefined ? {} : { locationHint: home });
}

/** Where a customer's ledger is: the environment's snapshot says all but the location, which is the caller's choice. */
export interface LedgerPlace extends Omit<LedgerSite, 'shard'> {
  /** How many objects hold the environment's ledgers in each location; never changed. */
  readonly shards: number;
  /** The canonical identifier. */
  readonly customer: string;
}

/** A customer's ledger, as the Worker calls it. */
export interface LedgerStub {
  /**
   * Counts and reads in one hop.
   * @param event of the call's one update, where the call names it
   * @throws what the object or the way to it throws: nothing is known to be counted, and a retry needs the same key
   */
  answer(call: LedgerCall, event?: UpdateEvent): Promise<LedgerAnswer>;
}

/** The ledger of a customer in one data location, and where that is, for the call. */
export async function ledgerStub(
  env: Pick<Env, 'LEDGER'>,
  { environmentId, location, generation, locations, shards, customer }: LedgerPlace,
): Promise<{ readonly ledger: LedgerStub; readonly site: LedgerSite }> {
  const site = { environmentId, location, shard: shardOf(customer, shards), generation, locations, shards };
  const stub = await ledgerAt(env, site);
  const answer = async (call: LedgerCall, event?: UpdateEvent) => {
    const text = JSON.stringify(call);
    const asked = event === undefined ? stub.answerText(text) : stub.answerText(text, JSON.stringify(event));
    return JSON.parse(await asked) as LedgerAnswer;
  };
  return { ledger: { answer }, site };
}

/** One of the environment's ledger objects by its number. */
export async function ledgerAt(
  env: Pick<Env, 'LEDGER'>,
  { environmentId, location, shard }: Pick<LedgerSite, 'environmentId' | 'location' | 'shard'>,
): Promise<DurableObjectStub<Ledger>> {
  const name = await objectName('ledger', environmentId, location, String(shard));
  return env.LEDGER.getByName(name, { locationHint: location });
}
