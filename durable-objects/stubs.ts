/**
 * The only file that names an object. A name is the SHA-256 of a length-prefixed tuple, so that no choice of ids can
 * make two tuples meet:
 *
 *   replica       ('replica', environmentId, location)
 *   event stream  ('event-stream', orgId)
 *   ledger        ('ledger', environmentId, location, shard)
 *   hasher        ('password-hasher', shard)
 *
 * A call of a stub from here ends: if the object does not answer, it throws a SilentError. Only LedgerStub leaves the end to its
 * caller, which gives the nearest location and the next one theirs (worker/domains/metering/call-ledger.ts).
 */
import type {
  Companion,
  CounterUpdate,
  EntityReadings,
  LedgerAnswer,
  LedgerCall,
  LedgerRead,
  LedgerSite,
  UpdateEvent,
} from '#contracts/internal/ledger';
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import { textsOf } from '#contracts/internal/snapshot-texts';
import type { Location } from '#contracts/public/locations';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { shardOf } from '#engine/ledger/shard-of';
import { inTime } from '#engine/outages/in-time';
import type { Bindings } from '#runtime/bindings';
import { systemClock } from '#runtime/clock';
import { breakersOf, guardedCall } from '#runtime/guarded-call';
import { sha256Hex } from '#runtime/hash';
import type { EnvironmentReplica, PullResult } from './environment-replica/environment-replica-object.ts';
import type { EventStream } from './event-stream/event-stream-object.ts';
import type { Ledger } from './ledger/ledger-object.ts';
import type { PasswordHasher } from './password-hasher/password-hasher-object.ts';
import { listHashOf, listTextOf, shortTextOf } from './read-lists.ts';

/** The object classes' bindings. */
export interface ObjectBindings {
  readonly ENVIRONMENT_REPLICA: DurableObjectNamespace<EnvironmentReplica>;
  readonly EVENT_STREAM: DurableObjectNamespace<EventStream>;
  readonly LEDGER: DurableObjectNamespace<Ledger>;
  readonly PASSWORD_HASHER: DurableObjectNamespace<PasswordHasher>;
}

/** What an object is given. */
export type ObjectEnv = Bindings & ObjectBindings;

const MAX_NAMES = 10_000;
const names = new BoundedCache<string, string>(MAX_NAMES / 2);

/** How long callers wait for an object, in milliseconds. What they asked for may still happen, so every call can be repeated. */
export const REPLICA_MS = 5_000;
const LEDGER_MS = 5_000;
/** Hands off all that a ledger stores, as far as it comes in one turn. */
const ERASE_LEDGER_MS = 30_000;
const APPEND_MS = 5_000;
/** Searches and erasures read many rows. */
const STREAM_MS = 30_000;
/** Behind all passwords that may wait in front of it. */
const HASHER_MS = 30_000;

/** The stub, whose every call ends. */
function ending<Stub extends object>(
  stub: Stub,
  who: string,
  msOf: (method: string | symbol) => number,
): Stub {
  return new Proxy(stub, {
    get(target, method) {
      const member = Reflect.get(target, method, target) as unknown;
      if (typeof member !== 'function' || method === 'constructor') return member;
      return (...given: unknown[]) =>
        inTime(systemClock, msOf(method), who, Reflect.apply(member, target, given) as Promise<unknown>);
    },
  });
}

async function objectName(...parts: readonly string[]): Promise<string> {
  const tuple = parts.map((part) => `${part.length}:${part}`).join('');
  let name = names.get(tuple);
  if (name === undefined) {
    name = await sha256Hex(tuple);
    names.set(tuple, name);
  }
  return name;
}

/** The environment's replica in one data location; created there on first use. */
export async function replicaStub(
  env: ObjectBindings,
  environmentId: string,
  location: Location,
): Promise<DurableObjectStub<EnvironmentReplica>> {
  const stub = await endlessReplicaStub(env, environmentId, location);
  return ending(stub, `The data location ${location}`, () => REPLICA_MS);
}

/**
 * Asks a replica for a newer snapshot, for a check.
 * @param ms the end
 * @param known the caller's snapshot; null without one
 * @throws {BreakerOpenError} if the replica has failed too often before
 */
export function pullReplica(
  env: ObjectBindings,
  environmentId: string,
  location: Location,
  ms: number,
  known: EnvironmentSnapshot | null,
): Promise<PullResult> {
  return guardedCall(env.ENVIRONMENT_REPLICA, `${environmentId} ${location}`, ms, async () => {
    const stub = await endlessReplicaStub(env, environmentId, location);
    return known === null
      ? stub.pull(-1, location)
      : stub.pull(known.generation, location, [...textsOf(known).keys()]);
  });
}

async function endlessReplicaStub(
  env: ObjectBindings,
  environmentId: string,
  location: Location,
): Promise<DurableObjectStub<EnvironmentReplica>> {
  const name = await objectName('replica', environmentId, location);
  return env.ENVIRONMENT_REPLICA.getByName(name, { locationHint: location });
}

/** @param home the organisation's first enabled data location, where the stream is created */
export async function eventStreamStub(
  env: Pick<ObjectBindings, 'EVENT_STREAM'>,
  orgId: string,
  home: Location | undefined,
): Promise<DurableObjectStub<EventStream>> {
  const name = await objectName('event-stream', orgId);
  const stub = env.EVENT_STREAM.getByName(name, home === undefined ? {} : { locationHint: home });
  const isShort = (method: string | symbol) => method === 'appendGroups' || method === 'missing';
  return ending(stub, 'The event stream', (method) => (isShort(method) ? APPEND_MS : STREAM_MS));
}

/** @param account chooses one of the hashers, so that calls for one account wait for few others */
export async function passwordHasherStub(
  env: Pick<ObjectBindings, 'PASSWORD_HASHER'>,
  account: string,
  hashers: number,
): Promise<DurableObjectStub<PasswordHasher>> {
  const name = await objectName('password-hasher', String(shardOf(account, hashers)));
  return ending(env.PASSWORD_HASHER.getByName(name), 'The password hasher', () => HASHER_MS);
}

/** Addresses a customer's ledger: everything from the environment's snapshot, plus the location. */
export interface LedgerPlace extends Omit<LedgerSite, 'shard'> {
  /** Ledger objects per location; never changes. */
  readonly shards: number;
  /** The canonical identifier. */
  readonly customer: string;
}

export interface LedgerReads {
  readonly answer: LedgerAnswer;
  /** One per companion; null for those that the object could not answer at once. Empty if it answered none. */
  readonly companions: readonly (LedgerAnswer | null)[];
}

/**
 * A customer's ledger, as the Worker calls it. All methods throw if the object or the connection fails, and a BreakerOpenError if it
 * has done so too often before. They have no end: the caller gives up and calls noteSilentLedger.
 */
export interface LedgerStub {
  /**
   * Counts and reads in one round trip. If it throws, the update may or may not be counted, so retry with the same
   * idempotency key.
   * @param event the event of the call's only update, if the call names one
   */
  answer(call: LedgerCall, event?: UpdateEvent): Promise<LedgerAnswer>;
  /**
   * Reads without counting. Equal answers are one object, which must not be changed.
   * @param factsVersion of the customer facts that the caller used; undefined in an environment without any
   * @param entity as in LedgerCall
   */
  read(
    reads: readonly LedgerRead[],
    now: number,
    factsVersion: number | undefined,
    entity?: string,
  ): Promise<LedgerAnswer>;
  /** Reads the same for other customers of the ledger object, too. */
  readTogether(
    reads: readonly LedgerRead[],
    now: number,
    factsVersion: number | undefined,
    companions: readonly Companion[],
  ): Promise<LedgerReads>;
}

/** A ledger object that this isolate has called. */
interface KnownLedger {
  /** Of `knownLedgers`, and of the breaker. */
  readonly key: string;
  readonly site: LedgerSite;
  /** JSON of the site. */
  readonly siteText: string;
  readonly name: string;
}

const NONE: readonly never[] = [];
/** The answer of a ledger object that does not know a list of reads. */
export const UNLISTED = JSON.stringify({ kind: 'unlisted' } satisfies LedgerAnswer);

const knownLedgers = new BoundedCache<string, KnownLedger>(MAX_NAMES / 2);

/** A customer's ledger in one data location, and the site to send with each call. */
export async function ledgerStub(
  env: Pick<ObjectBindings, 'LEDGER'>,
  place: LedgerPlace,
): Promise<{ readonly ledger: LedgerStub; readonly site: LedgerSite }> {
  const { customer } = place;
  const known = await knownLedger(place);
  const { site } = known;
  const breakers = breakersOf(env.LEDGER);
  const ask = async (call: (stub: DurableObjectStub<Ledger>) => Promise<string>): Promise<string> => {
    breakers.ensureClosed(known.key, systemClock.now());
    try {
      const text = await call(env.LEDGER.getByName(known.name, { locationHint: site.location }));
      breakers.succeed(known.key);
      return text;
    } catch (error) {
      if (!isUnknownMethod(error)) breakers.fail(known.key, error, systemClock.now());
      throw error;
    }
  };
  const send = async (call: LedgerCall, event?: UpdateEvent) => {
    const text = JSON.stringify(call);
    const said = event === undefined ? undefined : JSON.stringify(event);
    return JSON.parse(
      await ask((stub) => {
        const isTogether = ({ also, givesBack, paysOverage }: CounterUpdate) =>
          (also ?? givesBack ?? paysOverage) !== undefined;
        if (call.entity !== undefined || call.updates.some(isTogether))
          return stub.decideTogetherText(text, said);
        if (call.updates.some(({ hold }) => hold !== undefined)) return stub.decideHoldText(text, said);
        return said === undefined ? stub.answerText(text) : stub.answerText(text, said);
      }),
    ) as LedgerAnswer;
  };
  const answer: LedgerStub['answer'] = async (call, event) => {
    const { reads, now } = call;
    if (shortTextOf(reads) !== null) return send(call, event);
    const listHash = await listHashOf(reads);
    const first = await send({ ...call, reads: NONE, listHash }, event);
    if (first.kind === 'unlisted') return send({ ...call, listHash }, event);
    if (first.kind !== 'answered' || first.readings.length === reads.length) return first;
    // An object of an earlier version has counted, and read nothing.
    const later = await read(reads, now, undefined);
    if (later.kind !== 'answered') throw new Error(`The ledger counted, and read nothing: ${later.kind}`);
    return { ...first, readings: later.readings, isWhole: first.isWhole && later.isWhole };
  };
  /** Of a long list, as `readTexts` answers. */
  const readListed = async (reads: readonly LedgerRead[], now: number, customers: readonly Companion[]) => {
    const listHash = await listHashOf(reads);
    const named = JSON.stringify(customers);
    const text = await ask((stub) => stub.readListed(known.siteText, listHash, named, now));
    if (text !== UNLISTED) return text;
    return ask((stub) => stub.readListed(known.siteText, listHash, named, now, listTextOf(reads)));
  };
  const read: LedgerStub['read'] = async (reads, now, factsVersion, entity) => {
    const facts = factsVersion === undefined ? undefined : { version: factsVersion };
    if (entity !== undefined) return answer({ site, customer, entity, now, updates: [], reads, facts });
    try {
      if (shortTextOf(reads) === null) {
        return parsedAnswer(await readListed(reads, now, [{ customer, factsVersion }]));
      }
    } catch (error) {
      if (!isUnknownMethod(error)) throw error;
    }
    try {
      return parsedAnswer(
        await ask((stub) => stub.readText(queryOf(known, reads), customer, now, factsVersion)),
      );
    } catch (error) {
      if (!isUnknownMethod(error)) throw error;
      return send({ site, customer, now, updates: [], reads, facts });
    }
  };
  const readTogether: LedgerStub['readTogether'] = async (reads, now, factsVersion, companions) => {
    const named = [{ customer, factsVersion }, ...companions];
    try {
      const text = await (shortTextOf(reads) === null
        ? readListed(reads, now, named)
        : ask((stub) => stub.readTexts(queryOf(known, reads), JSON.stringify(named), now)));
      const [own = '', ...others] = text.split('\n');
      return {
        answer: parsedAnswer(own),
        companions: others.map((each) => (each === '' ? null : parsedAnswer(each))),
      };
    } catch (error) {
      if (!isUnknownMethod(error)) throw error;
      return { answer: await read(reads, now, factsVersion), companions: [] };
    }
  };
  return { ledger: { answer, read, readTogether }, site };
}

async function knownLedger(place: LedgerPlace): Promise<KnownLedger> {
  const { environmentId, location, generation, locations, leaving, shards, factsEpoch } = place;
  const shard = shardOf(place.customer, shards);
  const key = ledgerKey(place, shard);
  const known = knownLedgers.get(key);
  if (known !== undefined && isSiteOf(known.site, place)) return known;
  const site = { environmentId, location, shard, generation, locations, leaving, shards, factsEpoch };
  const name = await objectName('ledger', environmentId, location, String(shard));
  const made = { key, site, siteText: JSON.stringify(site), name };
  knownLedgers.set(key, made);
  return made;
}

/** The caller of a LedgerStub gave up waiting: silence opens the breaker as errors do. */
export function noteSilentLedger(env: Pick<ObjectBindings, 'LEDGER'>, place: LedgerPlace): void {
  const key = ledgerKey(place, shardOf(place.customer, place.shards));
  breakersOf(env.LEDGER).fail(key, undefined, systemClock.now());
}

function ledgerKey(
  { environmentId, location }: Pick<LedgerPlace, 'environmentId' | 'location'>,
  shard: number,
): string {
  return `${environmentId} ${location} ${shard}`;
}

/** Locations are compared by identity: a snapshot has one list. */
function isSiteOf(site: LedgerSite, { generation, locations, leaving, shards }: LedgerPlace): boolean {
  return (
    site.generation === generation &&
    site.locations === locations &&
    site.leaving === leaving &&
    site.shards === shards
  );
}

/** JSON of a LedgerQuery. */
function queryOf({ siteText }: KnownLedger, reads: readonly LedgerRead[]): string {
  return `{"site":${siteText},"reads":${shortTextOf(reads) ?? listTextOf(reads)}}`;
}

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Parsed answers take several times the memory of their text. */
const answers = new BoundedCache<string, LedgerAnswer>(MAX_ANSWER_BYTES / 2, (text) => text.length * 8);

function parsedAnswer(text: string): LedgerAnswer {
  let answer = answers.get(text);
  if (answer === undefined) {
    answer = JSON.parse(text) as LedgerAnswer;
    answers.set(text, answer);
  }
  return answer;
}

/** The object still runs an earlier version, which does not have the method. */
export function isUnknownMethod(error: unknown): boolean {
  return error instanceof TypeError && error.message.includes('does not implement');
}

/**
 * Usage of a customer's entities that a data location knows, in their order, after one of them.
 * @throws SilentError, or the object's error
 */
export async function readEntities(
  env: Pick<ObjectBindings, 'LEDGER'>,
  place: LedgerPlace,
  {
    reads,
    after,
    limit,
    now,
  }: { reads: readonly LedgerRead[]; after: string | null; limit: number; now: number },
): Promise<EntityReadings[]> {
  const known = await knownLedger(place);
  const stub = await ledgerAt(env, known.site);
  return stub.readEntities(queryOf(known, reads), place.customer, after, limit, now);
}

/** The ledger of a customer in a data location, as objects know it. */
export function ledgerSite({ customer, ...site }: LedgerPlace): LedgerSite {
  return { ...site, shard: shardOf(customer, site.shards) };
}

/** One of the environment's ledger objects, by shard. */
export async function ledgerAt(
  env: Pick<ObjectBindings, 'LEDGER'>,
  { environmentId, location, shard }: Pick<LedgerSite, 'environmentId' | 'location' | 'shard'>,
): Promise<DurableObjectStub<Ledger>> {
  const name = await objectName('ledger', environmentId, location, String(shard));
  const stub = env.LEDGER.getByName(name, { locationHint: location });
  return ending(stub, `The ledger in ${location}`, (method) =>
    method === 'erase' ? ERASE_LEDGER_MS : LEDGER_MS,
  );
}
