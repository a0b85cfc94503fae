// Benchmark candidate 'anchor': what a competent team would build instead of counter updates. The same front (Hono, an API key
// that is hashed once and remembered, zod, a JSON answer, an event sent in batches) and one of 16 objects that upserts a row.
import { DurableObject } from 'cloudflare:workers';
import { Hono } from 'hono';
import { z } from 'zod';

interface AnchorEnv {
  readonly COUNTERS: DurableObjectNamespace<Counters>;
  readonly EVENTS: Queue;
}

const OBJECTS = 16;
const FLUSH_AFTER_MS = 250;
const FLUSH_AT = 500;
const LIMIT = 1_000_000_000;

const updateSchema = z.strictObject({
  userIdentifier: z.string().min(1).max(200),
  feature: z.string().min(1).max(64),
  property: z.string().min(1).max(64),
  by: z.int().optional(),
});

export class Counters extends DurableObject<AnchorEnv> {
  constructor(state: DurableObjectState, env: AnchorEnv) {
    super(state, env);
    state.storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS counter
       (customer TEXT NOT NULL, property TEXT NOT NULL, month INTEGER NOT NULL, used INTEGER NOT NULL,
        PRIMARY KEY (customer, property, month)) STRICT, WITHOUT ROWID`,
    );
  }

  count(customer: string, property: string, month: number, by: number): number {
    return this.ctx.storage.sql
      .exec<{ used: number }>(
        `INSERT INTO counter (customer, property, month, used) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET used = used + excluded.used RETURNING used`,
        ...[customer, property, month, by],
      )
      .one().used;
  }
}

const keyIds = new Map<string, string>();
let events: object[] = [];
let isFlushing = false;

const app = new Hono<{ Bindings: AnchorEnv }>();

app.post('/api/v1/counter-updates', async (c) => {
  const keyId = await keyOf(c.req.header('authorization') ?? '');
  if (keyId === null) return c.json({ status: 'error', message: 'Send an API key' }, 401);
  const update = updateSchema.parse(await c.req.json());
  const requestId = `req_${crypto.randomUUID()}`;
  const { userIdentifier, feature, property, by = 1 } = update;
  const now = new Date();
  const counters = c.env.COUNTERS.getByName(String(shardOf(userIdentifier)));
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const used = await counters.count(userIdentifier, `${feature}.${property}`, month, by);
  const resetsAt = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const meter = { allowed: used < LIMIT, limit: LIMIT, used, remaining: LIMIT - used, resetsAt };
  const answer = { status: 'success', requestId, accepted: true, meter, warnings: [] };
  record(c.env, c.executionCtx, { requestId, at: now.getTime(), keyId, request: update, answer });
  return c.json(answer, 200, { 'cache-control': 'no-store', 'x-request-id': requestId });
});

export default app;

async function keyOf(header: string): Promise<string | null> {
  const known = keyIds.get(header);
  if (known !== undefined || !header.startsWith('Bearer ')) return known ?? null;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(header));
  const keyId = [...new Uint8Array(digest.slice(0, 8))].map((each) => each.toString(16)).join('');
  keyIds.set(header, keyId);
  return keyId;
}

function shardOf(customer: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < customer.length; index++) {
    hash = Math.imul(hash ^ customer.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % OBJECTS;
}

/** One queue message per 250 ms or 500 events. */
function record(env: AnchorEnv, context: Pick<ExecutionContext, 'waitUntil'>, event: object): void {
  events.push(event);
  if (events.length >= FLUSH_AT) context.waitUntil(flush(env));
  else if (!isFlushing) context.waitUntil(flushLater(env));
}

async function flushLater(env: AnchorEnv): Promise<void> {
  isFlushing = true;
  await scheduler.wait(FLUSH_AFTER_MS);
  isFlushing = false;
  await flush(env);
}

async function flush(env: AnchorEnv): Promise<void> {
  const batch = events;
  events = [];
  if (batch.length > 0) await env.EVENTS.send(batch);
}
