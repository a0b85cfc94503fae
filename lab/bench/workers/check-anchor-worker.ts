// Benchmark candidate 'anchor-check': what a competent team would deploy instead of access checks. Hono, zod, a key in a Map, a rate
// limit, a request id, the headers of Tessera's answer, JSON.stringify, an event per call sent in batches; and for a metered check one
// call of an object that reads rows. Written before anything was made faster against it, and left as it is.
import { DurableObject } from 'cloudflare:workers';
import { type Context, Hono } from 'hono';
import { z } from 'zod';

interface AnchorEnv {
  readonly COUNTERS: DurableObjectNamespace<Counters>;
  readonly EVENTS: Queue;
}

const OBJECTS = 16;
const LIMIT_PER_MINUTE = 600_000;
const METERS = 5;
const METER_LIMIT = 1_000_000_000;
const checkSchema = z.strictObject({ userIdentifier: z.string().min(1).max(200).optional() });

export class Counters extends DurableObject<AnchorEnv> {
  constructor(state: DurableObjectState, env: AnchorEnv) {
    super(state, env);
    state.storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS counter
       (customer TEXT NOT NULL, property TEXT NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (customer, property)) STRICT`,
    );
  }

  read(customer: string): Record<string, number> {
    const rows = this.ctx.storage.sql.exec<{ property: string; used: number }>(
      'SELECT property, used FROM counter WHERE customer = ?',
      customer,
    );
    return Object.fromEntries([...rows].map(({ property, used }) => [property, used]));
  }
}

const plan = Array.from({ length: 20 }, (_, index) => ({
  slug: `feature-${String(index + 1).padStart(2, '0')}`,
  properties: { enabled: true, limit: 101 + index, exportFormats: 'csv,xlsx', sharing: index % 2 === 1 },
}));
/** Keys of the only customer of this service, by header. */
const keys = new Map<string, { readonly id: string; minute: number; calls: number }>();
keys.set(`Bearer ${'anchor'.repeat(8)}`, { id: 'key_1', minute: 0, calls: 0 });
let events: object[] = [];
let isFlushing = false;

const app = new Hono<{ Bindings: AnchorEnv }>();
app.post('/access-checks', (c) => answer(c, () => ({})));
app.post('/metered-checks', (c) =>
  answer(c, (customer) => c.env.COUNTERS.getByName(String(shardOf(customer))).read(customer)),
);
export default app;

async function answer(
  c: Context<{ Bindings: AnchorEnv }>,
  readUsage: (customer: string) => Record<string, number> | Promise<Record<string, number>>,
): Promise<Response> {
  const startedAt = Date.now();
  const key = keys.get(c.req.header('authorization') ?? '');
  if (key === undefined) return c.json({ status: 'error', message: 'Send an API key' }, 401);
  const minute = Math.floor(startedAt / 60_000);
  if (key.minute !== minute) Object.assign(key, { minute, calls: 0 });
  key.calls += 1;
  if (key.calls > LIMIT_PER_MINUTE) return c.json({ status: 'error', message: 'Too many calls' }, 429);

  const { userIdentifier = null } = checkSchema.parse(await c.req.json());
  const isMetered = c.req.path === '/metered-checks';
  const usage = await readUsage(userIdentifier ?? '');
  const requestId = `req_${crypto.randomUUID()}`;
  const features = Object.fromEntries(
    plan.map(({ slug, properties }, index) => {
      if (!isMetered || index >= METERS) return [slug, { properties }];
      const used = usage[slug] ?? 0;
      const meter = { state: 'metered', allowed: used < METER_LIMIT, limit: METER_LIMIT, used };
      return [slug, { properties: { ...properties, usage: { ...meter, remaining: METER_LIMIT - used } } }];
    }),
  );
  const isKnown = userIdentifier !== null;
  const body = {
    status: 'success',
    requestId,
    version: { number: 1 },
    asOf: startedAt,
    validUntil: startedAt + 60_000,
    identity: { isAuthenticated: isKnown, method: isKnown ? 'identifier' : 'anonymous' },
    customer: { isCustomer: false, plans: [isKnown ? 'users' : 'visitors'] },
    warnings: [],
    features,
  };
  record(c.env, c.executionCtx, { requestId, at: startedAt, keyId: key.id, userIdentifier, answer: body });
  return c.json(body, 200, {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    'ratelimit-limit': String(LIMIT_PER_MINUTE),
    'ratelimit-remaining': String(LIMIT_PER_MINUTE - key.calls),
    'ratelimit-reset': String(60 - Math.floor((startedAt / 1_000) % 60)),
    'server-timing': `total;dur=${Date.now() - startedAt}`,
  });
}

function shardOf(customer: string): number {
  let hash = 0;
  for (let index = 0; index < customer.length; index++) hash = (hash * 31 + customer.charCodeAt(index)) | 0;
  return Math.abs(hash) % OBJECTS;
}

/** One queue message per 250 ms or 500 events. */
function record(env: AnchorEnv, context: Pick<ExecutionContext, 'waitUntil'>, event: object): void {
  events.push(event);
  if (events.length >= 500) context.waitUntil(flush(env));
  else if (!isFlushing) context.waitUntil(flushLater(env));
}

async function flushLater(env: AnchorEnv): Promise<void> {
  isFlushing = true;
  await scheduler.wait(250);
  isFlushing = false;
  await flush(env);
}

async function flush(env: AnchorEnv): Promise<void> {
  const batch = events;
  events = [];
  if (batch.length > 0) await env.EVENTS.send(batch);
}
