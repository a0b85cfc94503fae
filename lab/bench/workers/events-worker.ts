// The real Worker with paths that record, append, watch and read events directly, an event stream that counts the rows it writes, and
// in the place of the password hasher, which no event needs, an object that does nothing but fan out.
import { DurableObject } from 'cloudflare:workers';
import type { RecordedEvent } from '#contracts/internal/event-batch';
import { WATCH_HEADER, type Watch } from '#contracts/internal/watch';
import { groupEvents } from '#engine/events/group-events';
import { EventStream as Stream } from '#objects/event-stream/event-stream-object';
import { liveEventsOf } from '#objects/event-stream/live-events';
import { newId } from '#runtime/ids';
import type { QueueMessage } from '#runtime/messages';
import tessera from '#worker/development';
import { recordEvent } from '#worker/domains/events/record-event';
import type { Env } from '#worker/env';
import type { EventsOrder, EventsResult } from './messages.ts';

export { EnvironmentReplica, Ledger } from '#worker/development';

const DAY_MS = 86_400_000;
const TICK_MS = 10;
/** Longer than the events' 30 days, so that none is archived. */
const RETENTION_DAYS = 60;
const PER_APPEND = 5_000;
const FEATURES = JSON.stringify(
  Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `feature-${index}`,
      { properties: { enabled: true, limit: index } },
    ]),
  ),
);
const FEATURE_SLUGS = Object.keys(JSON.parse(FEATURES));

export class EventStream extends Stream {
  #rowsWritten = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    const { sql } = ctx.storage;
    const exec = sql.exec.bind(sql) as SqlStorage['exec'];
    const count = (rows: number) => {
      this.#rowsWritten += rows;
    };
    let isReady = false;
    sql.exec = ((...args: Parameters<typeof exec>) => {
      const cursor = exec(...args);
      if (isReady) count(cursor.rowsWritten);
      return cursor;
    }) as typeof exec;
    super(ctx, env);
    isReady = true;
  }

  stored(): EventsResult {
    return { value: this.#rowsWritten, bytes: this.ctx.storage.sql.databaseSize };
  }
}

export class PasswordHasher extends DurableObject<Env> {
  override async fetch(): Promise<Response> {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }

  publish(texts: readonly string[]): void {
    for (const socket of this.ctx.getWebSockets()) for (const text of texts) socket.send(text);
  }
}

export default {
  ...tessera,
  async fetch(request, env, context) {
    const [, publisher, orgId = ''] = /\/bench\/(stream|bare)\/(.+)$/.exec(request.url) ?? [];
    if (publisher !== undefined) return watch(publisher, orgId, env);
    if (!request.url.endsWith('/bench/events')) return tessera.fetch(request, env, context);
    const order = (await request.json()) as EventsOrder;
    return Response.json(await carryOut(order, env, context));
  },
} satisfies ExportedHandler<Env, QueueMessage>;

function watch(publisher: string, orgId: string, env: Env): Promise<Response> {
  const headers = { upgrade: 'websocket' };
  if (publisher === 'bare') return bareOf(env, orgId).fetch('https://bare/', { headers });
  const watched: Watch = { id: crypto.randomUUID(), environment: 'env_bench', integrationId: null };
  return env.EVENT_STREAM.getByName(orgId).fetch('https://event-stream/watch', {
    headers: { ...headers, [WATCH_HEADER]: JSON.stringify(watched) },
  });
}

function bareOf(env: Env, orgId: string): DurableObjectStub<PasswordHasher> {
  return env.PASSWORD_HASHER.getByName(orgId) as unknown as DurableObjectStub<PasswordHasher>;
}

async function publish(
  { orgId, publisher, batches, size, pauseMs, at }: Extract<EventsOrder, { kind: 'publish' }>,
  env: Env,
): Promise<EventsResult> {
  for (let batch = 0; batch < batches; batch++) {
    const groups = groupEvents(eventsOf(size, at), () => newId('grp', at));
    if (publisher === 'stream') await env.EVENT_STREAM.getByName(orgId).appendGroups({ orgId, groups });
    else await bareOf(env, orgId).publish(liveEventsOf(groups).map(({ text }) => text));
    await scheduler.wait(pauseMs);
  }
  return { value: batches * size };
}

async function carryOut(order: EventsOrder, env: Env, context: ExecutionContext): Promise<EventsResult> {
  const { orgId } = order;
  const stream = env.EVENT_STREAM.getByName(orgId) as unknown as DurableObjectStub<EventStream>;
  switch (order.kind) {
    case 'record':
      return record(order, env, context);
    case 'rows':
      return stream.stored();
    case 'append':
      for (let from = 0; from < order.count; from += order.size) {
        const groups = groupEvents(eventsOf(order.size, order.at), () => newId('grp', order.at));
        await stream.appendGroups({ orgId, groups });
      }
      return { value: order.count };
    case 'publish':
      return publish(order, env);
    case 'fill':
      await stream.setRetention(RETENTION_DAYS);
      for (let from = order.from; from < order.to; from += PER_APPEND) {
        const events = Array.from({ length: PER_APPEND }, (_, index) => pastEvent(from + index, order));
        await stream.appendGroups({ orgId, groups: groupEvents(events, () => newId('grp', order.now)) });
      }
      return { value: order.to - order.from };
    case 'settle':
      await stream.reportSeenCustomers();
      return { value: 0 };
    case 'search': {
      const { events, nextQueryTimeTo } = await stream.search({ limit: 50, ...order.search });
      return { value: events.length, nextQueryTimeTo };
    }
    case 'metrics':
      return { value: (await stream.metrics({ range: order.range }, order.now)).totals.total };
  }
}

/** Records events at a constant rate, as the requests of one isolate do. */
async function record(
  { orgId, perSecond, seconds }: Extract<EventsOrder, { kind: 'record' }>,
  env: Env,
  context: ExecutionContext,
): Promise<EventsResult> {
  const startedAt = Date.now();
  // The stream's name is the organisation's id here, so that the bench can address it.
  const targets = {
    EVENTS_QUEUE: env.EVENTS_QUEUE,
    EVENT_STREAM: { getByName: () => env.EVENT_STREAM.getByName(orgId) },
  } as unknown as Env;
  let recorded = 0;
  while (Date.now() - startedAt < seconds * 1000) {
    await scheduler.wait(TICK_MS);
    const due = Math.round(((Date.now() - startedAt) / 1000) * perSecond);
    for (; recorded < due; recorded++) {
      recordEvent(targets, context, orgId, 'weur', anonymousEvent(Date.now()));
    }
  }
  return { value: recorded };
}

function eventsOf(count: number, at: number): RecordedEvent[] {
  return Array.from({ length: count }, () => anonymousEvent(at));
}

function anonymousEvent(time: number): RecordedEvent {
  const id = newId('evt', time);
  return {
    id,
    time,
    envId: 'env_bench',
    environmentType: 'live',
    type: 'ac',
    key: { id: 'key_bench', type: 'secret' },
    timings: { totalMs: 1.2, authMs: 0.1, snapshotMs: 0, ledgerMs: 0, evaluateMs: 0.2, isCold: false },
    isError: false,
    isDenied: false,
    warnings: [],
    denials: [],
    nearLimits: null,
    subjectIdentifier: null,
    secondarySubjectIdentifiers: [],
    place: { country: 'GB', city: 'London', continent: 'EU' },
    planSlugs: ['starter'],
    featureSlugs: FEATURE_SLUGS,
    readDataLocations: ['weur'],
    writeDataLocations: [],
    request: {},
    response: `{"status":"success","requestId":"req${id.slice(3)}","asOf":${time},"validUntil":${time + 60_000}`,
    responseRest: ',"identity":{"isAuthenticated":false,"method":"anonymous"},"warnings":[]',
    features: FEATURES,
    error: null,
    integrationId: null,
    stripeEventType: null,
    cfRay: `${id.slice(-16)}-LHR`,
  };
}

/** One of many events over 30 days, of 5,000 customers in two environments; one in a thousand is denied. */
function pastEvent(number: number, { now, of }: Extract<EventsOrder, { kind: 'fill' }>): RecordedEvent {
  const time = Math.floor(now - 30 * DAY_MS + ((number + 1) / of) * 30 * DAY_MS) - 1;
  return {
    ...anonymousEvent(time),
    envId: number % 50 === 0 ? 'env_quiet' : 'env_bench',
    isDenied: number % 1_000 === 0,
    subjectIdentifier: `customer-${number % 5_000}@example.com`,
  };
}
