// The counted Worker whose objects all sleep before each call. POST /bench/sleepy makes the checks of a SleepyOrder and answers what
// they used, events included.
import type { QueueMessage } from '#runtime/messages';
import type { Env } from '#worker/env';
import counted, {
  counts,
  Ledger as RealLedger,
  EnvironmentReplica as Replica,
  EventStream as Stream,
} from './counted-worker.ts';
import type { SleepyCounts, SleepyOrder } from './messages.ts';

export { PasswordHasher } from '#worker/development';

/** The runtime lets objects that nobody calls fall asleep. */
const ASLEEP_AFTER_MS = 9_000;
interface Awake {
  readonly builtAt: number;
  readonly fallAsleep: () => Promise<void>;
}
const awake = new Map<object, Awake>();
const seen = { objectsBuilt: 0, d1Statements: 0 };
let isHurried = false;
/** What an isolate knows hangs on its bindings. */
let own: Env;

export class EnvironmentReplica extends Replica {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    note(ctx, () => env.ENVIRONMENT_REPLICA.get(ctx.id as never));
  }

  async fallAsleep(): Promise<void> {
    await end(this.ctx);
  }
}

export class EventStream extends Stream {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    note(ctx, () => env.EVENT_STREAM.get(ctx.id as never));
  }

  async fallAsleep(): Promise<void> {
    await end(this.ctx);
  }
}

export class Ledger extends RealLedger {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    note(ctx, () => env.LEDGER.get(ctx.id as never));
  }

  async fallAsleep(): Promise<void> {
    await end(this.ctx);
  }
}

export default {
  ...counted,
  async fetch(request, env, context) {
    if (!request.url.endsWith('/bench/sleepy')) return counted.fetch(request, env, context);
    return Response.json(await makeChecks(await request.json(), countStatements(env)));
  },
} satisfies ExportedHandler<Env, QueueMessage>;

async function makeChecks(
  { secretKey, places, from, to, isCold }: SleepyOrder,
  env: Env,
): Promise<SleepyCounts> {
  hurry();
  const before = { ...counts, ...seen };
  for (let number = from; number < to; number += 1) {
    await sleepAll();
    if (isCold || number === 0) own = { ...env };
    const later: Promise<unknown>[] = [];
    const request = new Request('http://bench/api/v1/access-checks', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secretKey}`,
        'content-type': 'application/json',
        'x-dev-cf': JSON.stringify(places[number % places.length]),
      },
      body: JSON.stringify({ userIdentifier: `customer-${number}` }),
    });
    const context = { waitUntil: (work: Promise<unknown>) => void later.push(work) };
    const response = await counted.fetch(request as never, own, context as never);
    const text = await response.text();
    if (!response.ok) throw new Error(`A check answered ${response.status}: ${text}`);
    while (later.length > 0) await Promise.all(later.splice(0));
  }
  const after = { ...counts, ...seen };
  const names = Object.keys(after) as (keyof typeof after)[];
  return Object.fromEntries(
    names.map((name) => [name, after[name] - before[name]]),
  ) as unknown as SleepyCounts;
}

/** Nobody else calls, so events need not wait for company. */
function hurry(): void {
  if (isHurried) return;
  isHurried = true;
  const wait = scheduler.wait.bind(scheduler);
  scheduler.wait = (ms, options) => wait(Math.min(ms, 5), options);
}

function note(ctx: DurableObjectState, stubOf: () => unknown): void {
  seen.objectsBuilt += 1;
  const fallAsleep = async () => {
    await (stubOf() as { fallAsleep(): Promise<void> }).fallAsleep().catch(() => undefined);
  };
  awake.set(ctx, { builtAt: Date.now(), fallAsleep });
}

async function sleepAll(): Promise<void> {
  const since = Date.now() - ASLEEP_AFTER_MS;
  const recent = [...awake.values()].filter(({ builtAt }) => builtAt > since);
  awake.clear();
  await Promise.all(recent.map(({ fallAsleep }) => fallAsleep()));
}

async function end(ctx: DurableObjectState): Promise<void> {
  await ctx.storage.sync();
  ctx.abort('asleep');
}

function countStatements(env: Env): Env {
  const DB = new Proxy(env.DB, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        // The counted Worker looks at a statement of its own.
        if (name === 'prepare' && args[0] !== 'SELECT 1') seen.d1Statements += 1;
        return Reflect.apply(member, target, args) as unknown;
      };
    },
  });
  return { ...env, DB };
}
