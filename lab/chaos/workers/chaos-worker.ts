/**
 * The product's Worker with faults between its parts: calls to objects and D1 fail, are never answered or find them overloaded, lose
 * their answer or arrive twice; queue messages are dropped, doubled, delayed and reordered; data locations are cut off; the clock is ahead of the machine's. The
 * product's own code runs unchanged. `POST /chaos` sets the faults, `GET /chaos` answers what was seen of them, `POST /chaos/scheduled` runs
 * the schedule.
 */

import { CALL_MS, CHANGE_MS } from '#engine/outages/budget';
import { randomFrom } from '#lab/fixtures/seeded-random';
import { systemClock } from '#runtime/clock';
import type { QueueMessage } from '#runtime/messages';
import product, {
  Ledger as ProductLedger,
  EnvironmentReplica as ProductReplica,
  EventStream as ProductStream,
} from '#worker/development';
import type { Env } from '#worker/env';
import { TickClock } from './tick-clock.ts';
import { NO_FAULTS, type WorkerFaults } from './worker-faults.ts';

type ChaosEnv = Env & { readonly CHAOS_FAULTS?: string };
type Caller = 'worker' | 'object';

let faults: WorkerFaults = NO_FAULTS;
let random = randomFrom(1);
let isConfigured = false;

const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...args: unknown[]) {
    if (args.length === 0) super(RealDate.now() + faults.clockAheadMs);
    else super(...(args as [number]));
  }
  static override now(): number {
    return RealDate.now() + faults.clockAheadMs;
  }
} as DateConstructor;

const ticks = new TickClock();
Object.assign(systemClock, { after: ticks.after });
/** With what is left to do after the last answer or silence. */
const CALL_ENDS_AFTER_MS = CALL_MS + 1_000;
const CHANGE_ENDS_AFTER_MS = CHANGE_MS + 1_000;
const ALARM_ENDS_AFTER_MS = 10_000;
const observed = { late: [] as string[], ledgersWoken: 0 };

const knownLedgers = new Set<string>();

/** What takes longer waits for something that has no end. */
async function watched<Answer>(who: string, limitMs: number, work: () => Promise<Answer>): Promise<Answer> {
  const elapsed = ticks.start();
  try {
    return await work();
  } finally {
    const ms = elapsed();
    if (ms > limitMs) observed.late.push(`${who} took ${ms} ms`);
  }
}

/** A killed server starts again with the faults that its environment names. */
function configure(env: ChaosEnv): void {
  if (isConfigured) return;
  isConfigured = true;
  setFaults(JSON.parse(env.CHAOS_FAULTS ?? 'null') ?? NO_FAULTS);
}

function setFaults(next: WorkerFaults): void {
  if (next.seed !== faults.seed) random = randomFrom(next.seed);
  faults = next;
}

const happens = (rate: number) => rate > 0 && random.next() < rate;
/** Silence ends for the runtime, long after everybody has given up. */
const SILENCE_MS = 30_000;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const wrapped = new WeakMap<object, Map<Caller, Env>>();

/** One wrapper per environment and caller, since the product keeps settings by identity. */
function withFaults(env: ChaosEnv, caller: Caller): Env {
  configure(env);
  const byCaller = wrapped.get(env) ?? new Map<Caller, Env>();
  wrapped.set(env, byCaller);
  let result = byCaller.get(caller);
  if (result === undefined) {
    result = {
      ...env,
      DB: databaseWithFaults(env.DB),
      LEDGER: namespaceWithFaults(env.LEDGER, caller, caller === 'object'),
      EVENT_STREAM: namespaceWithFaults(env.EVENT_STREAM, caller, true),
      ENVIRONMENT_REPLICA: namespaceWithFaults(env.ENVIRONMENT_REPLICA, caller, true),
      PUBLISH_QUEUE: queueWithFaults(env.PUBLISH_QUEUE, true),
      STRIPE_QUEUE: queueWithFaults(env.STRIPE_QUEUE, true),
      STRIPE_CATCH_UP_QUEUE: queueWithFaults(env.STRIPE_CATCH_UP_QUEUE, true),
      BILLING_QUEUE: queueWithFaults(env.BILLING_QUEUE, true),
      SYNC_QUEUE: queueWithFaults(env.SYNC_QUEUE, true),
      FACTS_QUEUE: queueWithFaults(env.FACTS_QUEUE, true),
      WEBHOOK_QUEUE: queueWithFaults(env.WEBHOOK_QUEUE, true),
      // A report that is lost is followed by the next one.
      SIGHTINGS_QUEUE: queueWithFaults(env.SIGHTINGS_QUEUE, true),
      SCHEDULE_QUEUE: queueWithFaults(env.SCHEDULE_QUEUE, true),
      // No outbox backs it: production's queue is durable, so a message may only come late or twice.
      EVENTS_QUEUE: queueWithFaults(env.EVENTS_QUEUE, false),
    };
    byCaller.set(caller, result);
  }
  return result;
}

/** @param isRepeatable every method may run twice with the same arguments, as a lost answer makes it do */
function namespaceWithFaults<
  Namespace extends Env['LEDGER'] | Env['EVENT_STREAM'] | Env['ENVIRONMENT_REPLICA'],
>(namespace: Namespace, caller: Caller, isRepeatable: boolean): Namespace {
  return {
    getByName(name: string, options?: { locationHint?: string }) {
      const stub = namespace.getByName(name, options as never) as unknown as Record<
        string,
        (...args: unknown[]) => unknown
      >;
      return new Proxy(stub, {
        get(target, method) {
          if (typeof method !== 'string' || method === 'then') return undefined;
          return (...args: unknown[]) => {
            const isLost = method === 'publish' && faults.unpublished.includes(options?.locationHint ?? '');
            const call = isLost ? lost : () => target[method]?.(...args);
            return callWithFaults(call, options?.locationHint, caller, isRepeatable);
          };
        },
      });
    },
  } as unknown as Namespace;
}

function lost(): never {
  throw new Error('The call was lost');
}

async function callWithFaults(
  call: () => unknown,
  location: string | undefined,
  caller: Caller,
  isRepeatable: boolean,
): Promise<unknown> {
  const isCut = location !== undefined && faults.cutLocations.includes(location);
  if (isCut && (caller === 'object' || faults.isCutFromWorker)) {
    if (faults.isCutSilent) await sleep(SILENCE_MS);
    throw new Error(`${location} is cut off`);
  }
  if (happens(faults.callFails)) lost();
  if (happens(faults.callOverloaded)) throw Object.assign(new Error('Overloaded'), { overloaded: true });
  if (happens(faults.callSilent)) {
    await sleep(SILENCE_MS);
    throw new Error('The call was never answered');
  }
  if (happens(faults.callDelayed)) await sleep(random.upTo(300));
  const answer = await call();
  if (happens(faults.answerLost)) throw new Error('The answer was lost');
  return isRepeatable && happens(faults.callDoubled) ? call() : answer;
}

const EXECUTING = ['all', 'raw', 'run', 'first', 'batch'];
/** What D1 knows a wrapped statement as. */
const statements = new WeakMap<object, object>();

/** Statements can be prepared; the database that executes them is silent or overloaded. */
function databaseWithFaults<Target extends object>(target: Target): Target {
  const own = new Proxy(target, {
    get(object, name) {
      const member = Reflect.get(object, name, object) as unknown;
      if (typeof member !== 'function' || typeof name !== 'string') return member;
      const call = (given: readonly unknown[]) => Reflect.apply(member, object, given) as object;
      if (name === 'prepare' || name === 'bind')
        return (...given: unknown[]) => databaseWithFaults(call(given));
      if (!EXECUTING.includes(name)) return (...given: unknown[]) => call(given);
      return async (...given: unknown[]) => {
        if (happens(faults.databaseOverloaded)) throw new Error('D1_ERROR: D1 DB is overloaded.');
        if (happens(faults.databaseSilent)) {
          await sleep(SILENCE_MS);
          throw new Error('D1_ERROR: Network connection lost.');
        }
        if (name !== 'batch') return call(given);
        const [batch] = given as [readonly object[]];
        return call([batch.map((each) => statements.get(each) ?? each)]);
      };
    },
  });
  statements.set(own, target);
  return own;
}

function queueWithFaults<Body>(queue: Queue<Body>, mayDrop: boolean): Queue<Body> {
  const send = async (body: Body, options: QueueSendOptions = {}) => {
    if (mayDrop && happens(faults.messageDropped)) return;
    const delaySeconds = happens(faults.messageDelayed) ? 1 + random.upTo(3) : options.delaySeconds;
    const chosen = delaySeconds === undefined ? options : { ...options, delaySeconds };
    await queue.send(body, chosen);
    if (happens(faults.messageDoubled)) await queue.send(body, chosen);
  };
  return {
    send,
    async sendBatch(messages: Iterable<{ body: Body; delaySeconds?: number }>) {
      for (const { body, ...options } of messages) await send(body, options);
    },
  } as unknown as Queue<Body>;
}

/**
 * Alarms keep their meaning under a shifted clock, and none is further away than two seconds: a run has no hours to wait. Nothing
 * would ever sleep, so while objects shall, alarms stay where they belong.
 */
function shiftAlarms({ storage }: DurableObjectState): void {
  const setAlarm = storage.setAlarm.bind(storage);
  const getAlarm = storage.getAlarm.bind(storage);
  storage.setAlarm = (at) => {
    const realAt = Number(at) - faults.clockAheadMs;
    return setAlarm(faults.areObjectsIdle ? realAt : Math.min(realAt, RealDate.now() + 2_000));
  };
  storage.getAlarm = async () => {
    const at = await getAlarm();
    return at === null ? null : at + faults.clockAheadMs;
  };
}

export class Ledger extends ProductLedger {
  constructor(ctx: DurableObjectState, env: ChaosEnv) {
    const own = withFaults(env, 'object');
    shiftAlarms(ctx);
    super(ctx, own);
    const id = ctx.id.toString();
    if (knownLedgers.has(id)) observed.ledgersWoken += 1;
    knownLedgers.add(id);
  }

  override alarm(): Promise<void> {
    return watched('The alarm of a ledger', ALARM_ENDS_AFTER_MS, () => super.alarm());
  }
}

export class EventStream extends ProductStream {
  constructor(ctx: DurableObjectState, env: ChaosEnv) {
    const own = withFaults(env, 'object');
    shiftAlarms(ctx);
    super(ctx, own);
  }
}

export class EnvironmentReplica extends ProductReplica {
  constructor(ctx: DurableObjectState, env: ChaosEnv) {
    const own = withFaults(env, 'object');
    shiftAlarms(ctx);
    super(ctx, own);
  }
}

function shuffled(batch: MessageBatch<QueueMessage>): MessageBatch<QueueMessage> {
  if (!happens(faults.batchReordered)) return batch;
  return new Proxy(batch, {
    get: (target, name) =>
      name === 'messages' ? random.shuffle(target.messages) : Reflect.get(target, name, target),
  });
}

export { PasswordHasher } from '#worker/development';

export default {
  async fetch(request, env, context) {
    const own = withFaults(env, 'worker');
    const { pathname } = new URL(request.url);
    if (pathname === '/chaos' && request.method === 'GET') {
      return Response.json({ ...observed, late: observed.late.splice(0) });
    }
    if (pathname === '/chaos') {
      setFaults(await request.json());
      return new Response(null, { status: 204 });
    }
    if (pathname === '/chaos/scheduled') {
      await product.scheduled({} as ScheduledController, own);
      return new Response(null, { status: 204 });
    }
    if (!pathname.startsWith('/api/v1/')) return product.fetch(request, own, context);
    const limitMs = pathname.startsWith('/api/v1/customers') ? CHANGE_ENDS_AFTER_MS : CALL_ENDS_AFTER_MS;
    return watched(pathname, limitMs, async () => product.fetch(request, own, context));
  },
  queue: (batch, env) => product.queue(shuffled(batch), withFaults(env, 'worker')),
} satisfies ExportedHandler<ChaosEnv, QueueMessage>;
