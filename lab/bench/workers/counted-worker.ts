// The real Worker, which counts what the platform bills: requests of objects and how long they are active, rows of objects and of D1,
// and queue messages. Consumers of queues are counted, too. GET /bench/counts returns the counts so far, POST /bench/settled-holds makes a hold and settles it.
// Locally the Worker and all objects share one isolate.
import { EnvironmentReplica as Replica } from '#objects/environment-replica/environment-replica-object';
import { EventStream as Stream } from '#objects/event-stream/event-stream-object';
import { Ledger as RealLedger } from '#objects/ledger/ledger-object';
import type { QueueMessage } from '#runtime/messages';
import tessera from '#worker/development';
import type { Env } from '#worker/env';
import type { BilledCounts } from './messages.ts';

export { PasswordHasher } from '#worker/development';

export const counts = {
  objectRequests: 0,
  activeMs: 0,
  rowsRead: 0,
  rowsWritten: 0,
  queueMessages: 0,
  d1RowsWritten: 0,
};
/** Bytes of the database of each object. An object's storage can be read in its own requests only. */
const storedBytesOf = new Map<string, number>();

export class EnvironmentReplica extends Replica {
  constructor(ctx: DurableObjectState, env: Env) {
    super(withCountedRows(ctx), countedEnv(env));
  }
}

export class EventStream extends Stream {
  constructor(ctx: DurableObjectState, env: Env) {
    super(withCountedRows(ctx), countedEnv(env));
  }
}

export class Ledger extends RealLedger {
  constructor(ctx: DurableObjectState, env: Env) {
    super(withCountedRows(ctx), countedEnv(env));
  }
}

for (const { prototype } of [EnvironmentReplica, EventStream, Ledger]) countRequests(prototype);

export default {
  ...tessera,
  async fetch(request, env, context) {
    const call = (to: Request) => tessera.fetch(to as typeof request, countedEnv(env), context);
    if (request.url.endsWith('/bench/settled-holds')) return settledHold(request, call);
    if (!request.url.endsWith('/bench/counts')) return call(request);
    const storedBytes = [...storedBytesOf.values()].reduce((sum, bytes) => sum + bytes, 0);
    return Response.json({ ...counts, storedBytes } satisfies BilledCounts);
  },

  queue: (batch, env) => tessera.queue(batch, countedEnv(env)),
} satisfies ExportedHandler<Env, QueueMessage>;

/** Holds what the body says, and settles half of it. @returns the settlement's answer */
async function settledHold(
  { url, headers, body }: Request,
  call: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  const post = (path: string, sent: BodyInit | null) =>
    call(new Request(new URL(path, url), { method: 'POST', headers: authorised(headers), body: sent }));
  const opened = await post('/api/v1/holds', await new Response(body).text());
  const { hold } = (await opened.json()) as { hold: { id: string } };
  return post(`/api/v1/holds/${hold.id}/settle`, JSON.stringify({ amount: 1 }));
}

/** Without the length of another body. */
function authorised(headers: Headers): Headers {
  const own = new Headers(headers);
  own.delete('content-length');
  return own;
}

/** A statement's rows are known when it has run, and those that it reads when they are read: at the next statement at the latest. */
function withCountedRows(ctx: DurableObjectState): DurableObjectState {
  const { sql } = ctx.storage;
  const exec = sql.exec.bind(sql) as SqlStorage['exec'];
  const setAlarm = ctx.storage.setAlarm.bind(ctx.storage);
  let last: SqlStorageCursor<Record<string, SqlStorageValue>> | null = null;
  sql.exec = ((...args: Parameters<typeof exec>) => {
    counts.rowsRead += last?.rowsRead ?? 0;
    counts.rowsWritten += last?.rowsWritten ?? 0;
    const cursor = exec(...args);
    last = cursor;
    return cursor;
  }) as typeof exec;
  // The platform bills an alarm that is set as a row.
  ctx.storage.setAlarm = (...args) => {
    counts.rowsWritten += 1;
    return setAlarm(...args);
  };
  return ctx;
}

/** The runtime's field of every object, which the types hide from outside. */
interface Counted {
  readonly ctx: DurableObjectState;
}

/** Every method of an object is one request, and an object is active while any of them runs. */
function countRequests(prototype: object): void {
  const running = new WeakMap<Counted, { count: number; since: number }>();
  const base = Object.getPrototypeOf(prototype) as Record<string, unknown>;
  for (const name of Object.getOwnPropertyNames(base)) {
    const method = Object.getOwnPropertyDescriptor(base, name)?.value as unknown;
    if (name === 'constructor' || typeof method !== 'function') continue;
    const counted = async function (this: Counted, ...args: unknown[]) {
      counts.objectRequests += 1;
      const state = running.get(this) ?? { count: 0, since: 0 };
      running.set(this, state);
      if (state.count === 0) state.since = performance.now();
      state.count += 1;
      try {
        return (await Reflect.apply(method, this, args)) as unknown;
      } finally {
        state.count -= 1;
        if (state.count === 0) counts.activeMs += performance.now() - state.since;
        const { id, storage } = this.ctx;
        storedBytesOf.set(id.toString(), storage.sql.databaseSize);
      }
    };
    Object.defineProperty(prototype, name, { value: counted, configurable: true, writable: true });
  }
}

const countedEnvs = new WeakMap<Env, Env>();
const QUEUES = ['EVENTS_QUEUE', 'SIGHTINGS_QUEUE', 'FACTS_QUEUE'] as const;
type CountedQueue = Env[(typeof QUEUES)[number]];

function countedEnv(env: Env): Env {
  let counted = countedEnvs.get(env);
  if (counted === undefined) {
    const queues = Object.fromEntries(QUEUES.map((name) => [name, countedQueue(env[name])]));
    counted = { ...env, ...queues };
    countedEnvs.set(env, counted);
    countD1Rows(env.DB);
  }
  return counted;
}

function countedQueue(queue: CountedQueue): CountedQueue {
  const count = (messages: number) => {
    counts.queueMessages += messages;
  };
  return new Proxy(queue, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        if (name === 'send') count(1);
        else if (name === 'sendBatch') count((args[0] as unknown[]).length);
        return Reflect.apply(member, target, args) as unknown;
      };
    },
  });
}

const countedPrototypes = new Set<object>();

/** The bindings of all requests share their prototypes. */
function countD1Rows(db: D1Database): void {
  countResults(Object.getPrototypeOf(db) as object, ['batch']);
  countResults(Object.getPrototypeOf(db.prepare('SELECT 1')) as object, ['all', 'run']);
}

function countResults(prototype: object, names: readonly string[]): void {
  if (countedPrototypes.has(prototype)) return;
  countedPrototypes.add(prototype);
  for (const name of names) {
    const method = Reflect.get(prototype, name) as (...args: unknown[]) => Promise<D1Result | D1Result[]>;
    const counted = async function (this: object, ...args: unknown[]) {
      const answer = await Reflect.apply(method, this, args);
      for (const { meta } of [answer].flat()) {
        counts.rowsRead += meta.rows_read;
        counts.d1RowsWritten += meta.rows_written;
      }
      return answer;
    };
    Object.defineProperty(prototype, name, { value: counted, configurable: true, writable: true });
  }
}
