// A recorded event reaches its organisation's stream, directly or through the queue, and can be searched.
import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  waitOnExecutionContext,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { EventMetrics } from '#contracts/console/event-metrics';
import type { Event } from '#contracts/console/events';
import type { EventBatch, RecordedEvent } from '#contracts/internal/event-batch';
import { groupsOf, idsOf, NOON, someEvent, someEvents, someStream } from '#lab/fixtures/recorded-events';
import { newId } from '#runtime/ids';
import type { QueueMessage } from '#runtime/messages';
import { newOrganisation, type SignedIn, signedIn } from '#tests/support/accounts';
import { expectConsole } from '#tests/support/expect-console';
import { openDatabase } from '#worker/db/database';
import { exportEvents } from '#worker/domains/events/export-events';
import { queueMessages } from '#worker/domains/events/queue-messages';
import { recordEvent } from '#worker/domains/events/record-event';
import type { EventTargets } from '#worker/domains/events/send-events';
import type { Env } from '#worker/env';
import type { RequestContext } from '#worker/http/request-context';
import worker from '#worker/index';

/** Records events in one request and waits for its background work. */
async function recordAll(targets: EventTargets, orgId: string, events: readonly RecordedEvent[]) {
  const context = createExecutionContext();
  for (const event of events) recordEvent(targets, context, orgId, 'weur', event);
  await waitOnExecutionContext(context);
}

/** A queue that collects its messages, and streams that fail. */
function failingStream(appendGroups: (batch: EventBatch) => Promise<number>) {
  const sent: QueueMessage[] = [];
  const targets = {
    EVENT_STREAM: { getByName: () => ({ appendGroups }) },
    EVENTS_QUEUE: { send: async (message: QueueMessage) => void sent.push(structuredClone(message)) },
  } as unknown as EventTargets;
  return { targets, sent };
}

async function deliver(messages: readonly QueueMessage[], own: Env = env) {
  const batch = createMessageBatch<QueueMessage>(
    'tessera-events',
    messages.map((body, index) => ({ id: String(index), timestamp: new Date(), attempts: 1, body })),
  );
  await worker.queue(batch, own);
  return getQueueResult(batch, createExecutionContext());
}

describe('recorded events', () => {
  it('are in the stream when the recording request is done', async () => {
    const { orgId, findAll } = await someStream();
    const events = someEvents(3);
    await recordAll(env, orgId, events);
    expect((await findAll()).sort()).toEqual(idsOf(events));
  });

  it('of several batches all arrive, each once', async () => {
    const { orgId, findAll } = await someStream();
    const events = someEvents(345, (index) => ({ envId: `env_${index % 3}` }));
    await recordAll(env, orgId, events);
    expect((await findAll()).sort()).toEqual(idsOf(events));
  });

  it('of overlapping requests are sent by one of them', async () => {
    const { orgId, findAll } = await someStream();
    const events = someEvents(150);
    await Promise.all(events.map((event) => recordAll(env, orgId, [event])));
    expect((await findAll()).sort()).toEqual(idsOf(events));
  });

  it('are sent by a later request if the request with the timer was cancelled', async () => {
    const { orgId, findAll } = await someStream();
    const canceled = { waitUntil: () => {} };
    const neverSent = {
      EVENT_STREAM: { getByName: () => ({ appendGroups: () => new Promise(() => {}) }) },
      EVENTS_QUEUE: env.EVENTS_QUEUE,
    } as unknown as EventTargets;
    const [first, second] = [someEvent(), someEvent({ time: NOON + 5_000 })];
    const waiting = scheduler.wait;
    scheduler.wait = () => new Promise(() => {}); // the timer of a request that is gone
    try {
      recordEvent(neverSent, canceled, orgId, 'weur', first);
    } finally {
      scheduler.wait = waiting;
    }
    await recordAll(env, orgId, [second]);
    expect((await findAll()).sort()).toEqual([first.id, second.id]);
  });

  it('of one organisation never reach the stream of another', async () => {
    const [one, other] = [await someStream(), await someStream()];
    const [mine, theirs] = [someEvents(5), someEvents(5)];
    const context = createExecutionContext();
    for (const [index, event] of mine.entries()) {
      recordEvent(env, context, one.orgId, 'weur', event);
      recordEvent(env, context, other.orgId, 'weur', theirs[index]!);
    }
    await waitOnExecutionContext(context);
    expect((await one.findAll()).sort()).toEqual(idsOf(mine));
    expect((await other.findAll()).sort()).toEqual(idsOf(theirs));
  });
});

describe('a failing stream', () => {
  it('routes events through the queue, where duplicates are stored once', async () => {
    const { orgId, findAll } = await someStream();
    const { targets, sent } = failingStream(() => Promise.reject(new Error('overloaded')));
    const events = someEvents(120);
    expectConsole('warn', /did not take events/);
    await recordAll(targets, orgId, events);
    expect(await findAll()).toEqual([]);
    await deliver(sent);
    await deliver(sent);
    expect((await findAll()).sort()).toEqual(idsOf(events));
  });

  it('that is silent is not called again right after the wait', async () => {
    const { orgId } = await someStream();
    let calls = 0;
    const { targets, sent } = failingStream(() => {
      calls += 1;
      return new Promise(() => {});
    });
    const events = someEvents(1);
    expectConsole('warn', /did not take events/);
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() });
    try {
      const recorded = recordAll(targets, orgId, events);
      while (calls === 0) await scheduler.wait(10);
      await vi.advanceTimersByTimeAsync(5_000);
      await recorded;
      await recordAll(targets, orgId, [someEvent({ time: events[0]!.time + 5_000 })]);
    } finally {
      vi.useRealTimers();
    }
    expect(calls).toBe(1);
    expect(sent).toHaveLength(2);
  });

  it('that had stored the events before failing stores and counts nothing twice', async () => {
    const { orgId, stub, findAll } = await someStream();
    const events = someEvents(30);
    const { targets, sent } = failingStream(async (batch) => {
      await stub.appendGroups(batch);
      throw new Error('Network connection lost.');
    });
    expectConsole('warn', /did not take events/);
    await recordAll(targets, orgId, events);
    await deliver(sent);
    expect(await findAll()).toHaveLength(30);
    expect(await stub.usage(0, NOON + 1)).toMatchObject([{ total: 30 }]);
  });

  it('with a failing queue logs the number of lost events and fails nothing else', async () => {
    const { orgId, findAll } = await someStream();
    const { targets } = failingStream(() => Promise.reject(new Error('down')));
    targets.EVENTS_QUEUE.send = () => Promise.reject(new Error('Too Many Requests'));
    expectConsole('warn', /did not take events/);
    expectConsole('error', /events queue did not take events/);
    expectConsole('error', /events were lost.*"count":7/);
    await recordAll(targets, orgId, someEvents(7));
    const next = someEvents(2, () => ({ time: NOON + 10_000 }));
    await recordAll(env, orgId, next);
    expect((await findAll()).sort()).toEqual(idsOf(next));
  });

  it('gets the queued messages of an organisation as one call; one that is overloaded keeps only its own waiting', async () => {
    const calls: string[] = [];
    const streams = {
      getByName: () => ({
        appendGroups: async ({ orgId, groups }: EventBatch) => {
          calls.push(`${orgId} ${groups.length}`);
          if (orgId === 'org_hot') throw Object.assign(new Error('Too many requests'), { overloaded: true });
        },
      }),
    } as unknown as Env['EVENT_STREAM'];
    const messagesOf = (orgId: string) =>
      someEvents(30).map(
        (event) => ({ type: 'events.recorded', batch: { orgId, groups: groupsOf([event]) } }) as const,
      );
    for (let index = 0; index < 30; index++) expectConsole('warn', /queue message failed/);
    const result = await deliver([...messagesOf('org_hot'), ...messagesOf('org_quiet')], {
      ...env,
      EVENT_STREAM: streams,
    });
    expect(calls).toEqual(['org_hot 30', 'org_quiet 30']);
    expect(result.retryMessages.map(({ msgId }) => Number(msgId)).every((id) => id < 30)).toBe(true);
    expect(result.explicitAcks).toHaveLength(30);
  });

  it('is not acknowledged for before it has stored queued events, however long that takes', async () => {
    const { orgId } = await someStream();
    let store = () => {};
    const stored = new Promise<void>((resolve) => {
      store = resolve;
    });
    const EVENT_STREAM = {
      getByName: () => ({ appendGroups: () => stored }),
    } as unknown as Env['EVENT_STREAM'];
    const events = someEvents(1);
    let isSettled = false;
    const settled = deliver(queueMessages({ orgId, groups: groupsOf(events) }, events), {
      ...env,
      EVENT_STREAM,
    });
    void settled.then(() => {
      isSettled = true;
    });
    await scheduler.wait(300);
    expect(isSettled).toBe(false);
    store();
    expect((await settled).explicitAcks).toHaveLength(1);
  });

  it('retries only the batch that could not be appended', async () => {
    const [one, other] = [await someStream(), await someStream()];
    await one.append(someEvents(1));
    const events = someEvents(2);
    const good = queueMessages(other.batchOf(events), events);
    const [bad] = queueMessages(one.batchOf(someEvents(2)), []);
    const broken = {
      ...bad!,
      batch: { ...bad!.batch, groups: [{ ...bad!.batch.groups[0]!, ids: 'no JSON' }] },
    };
    expectConsole('warn', /queue message failed/);
    const neighbours = someEvents(1, () => ({ time: NOON + 1_000 }));
    const beside = queueMessages(one.batchOf(neighbours), neighbours);
    const result = await deliver([broken, ...beside, ...good]);
    expect(result.retryMessages).toHaveLength(1);
    expect(result.explicitAcks).toHaveLength(beside.length + good.length);
    expect((await other.findAll()).sort()).toEqual(idsOf(events));
    expect(await one.findAll()).toHaveLength(2);
  });
});

it('queue messages of any content stay below the platform limit', () => {
  const size = (message: unknown) => new TextEncoder().encode(JSON.stringify(message)).byteLength;
  const features = JSON.stringify({ large: 'ü'.repeat(300_000) });
  const events = [
    ...someEvents(100, () => ({ request: { quoted: '"\\"'.repeat(2_000) } })),
    ...someEvents(3, (index) => ({ features: features.replace('large', `large${index}`) })),
    someEvent({
      request: 'x'.repeat(49_000),
      response: JSON.stringify('\u0001'.repeat(100_000)),
      features: null,
    }),
    ...someEvents(40, () => ({ request: { text: '王'.repeat(9_000) }, subjectIdentifier: 'ﷺ'.repeat(200) })),
  ];
  const messages = queueMessages({ orgId: 'org_1', home: 'weur', groups: groupsOf(events) }, events);
  for (const message of messages) expect(size(message)).toBeLessThan(128_000);
  const ids = messages.flatMap(({ batch }) =>
    batch.groups.flatMap(({ lines }) => lines.split('\n').map((line) => line.split('\t')[0])),
  );
  expect(ids).toEqual(idsOf(events));
});

/** RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, cell = '', end] of text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)) {
    const value = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
    rows.at(-1)!.push(value);
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

describe('event search in the console', () => {
  let ada: SignedIn;
  let orgId: string;

  beforeAll(async () => {
    ada = await signedIn();
    orgId = (await newOrganisation(ada)).orgId;
    await recordAll(
      env,
      orgId,
      someEvents(70, (index) => ({ time: NOON + index, envId: index < 60 ? 'env_a' : 'env_b' })),
    );
  });

  async function search(criteria: unknown, path = `/api/orgs/${orgId}/event-search`) {
    const text = typeof criteria === 'string' ? criteria : JSON.stringify(criteria);
    const response = await ada.fetch(`${path}?criteria=${encodeURIComponent(text)}`);
    const body = await response.json<{ events: Event[]; nextQueryTimeTo: number | null; issues: unknown }>();
    return { status: response.status, body };
  }

  it('returns pages chained by nextQueryTimeTo', async () => {
    const first = await search({ environment: null, textSearch: '', timeTo: null });
    expect(first.status).toBe(200);
    expect(first.body.events).toHaveLength(50);
    const second = await search({ timeTo: first.body.nextQueryTimeTo });
    expect(second.body.events).toHaveLength(20);
    expect(second.body.nextQueryTimeTo).toBeNull();
    const times = [...first.body.events, ...second.body.events].map((event) => event.time);
    expect(times).toEqual(Array.from({ length: 70 }, (_, index) => NOON + 69 - index));
  });

  it('filters by environment and by text', async () => {
    expect((await search({ environment: 'env_b' })).body.events).toHaveLength(10);
    expect((await search({ environment: 'env_b', textSearch: ' london ' })).body.events).toHaveLength(10);
    expect((await search({ textSearch: 'nowhere' })).body).toEqual({ events: [], nextQueryTimeTo: null });
  });

  it('names the invalid criterion', async () => {
    for (const [criteria, path] of [
      ['{', 'criteria'],
      ['[]', 'criteria'],
      [{ textSearch: 'x'.repeat(31) }, 'criteria.textSearch'],
      [{ timeTo: 'yesterday' }, 'criteria.timeTo'],
      [{ timeTo: -1 }, 'criteria.timeTo'],
      [{ timeTo: 1e22 }, 'criteria.timeTo'],
      [{ environment: 5 }, 'criteria.environment'],
      [{ type: 'xx' }, 'criteria.type'],
      [{ outcome: 'lost' }, 'criteria.outcome'],
      [{ plan: '%%%' }, 'criteria.plan'],
      [{ feature: 5 }, 'criteria.feature'],
      [{ country: 'Germany' }, 'criteria.country'],
      [{ timeFrom: '1' }, 'criteria.timeFrom'],
      [{ timeFrom: 1e22 }, 'criteria.timeFrom'],
      [{ timeFrom: 0.5 }, 'criteria.timeFrom'],
      [{ unknown: 1 }, 'criteria.unknown'],
    ] as const) {
      const { status, body } = await search(criteria);
      expect(status).toBe(400);
      expect(body.issues).toMatchObject([{ path }]);
    }
  });

  it('finds exactly the event whose id is the text', async () => {
    const event = someEvent({ id: newId('evt', NOON) });
    await recordAll(env, orgId, [event]);
    expect((await search({ textSearch: event.id, environment: 'env_b' })).body).toMatchObject({
      events: [{ id: event.id }],
      nextQueryTimeTo: null,
    });
    expect((await search({ textSearch: newId('evt', NOON) })).body.events).toEqual([]);
  });

  it('finds the event of a request by its id, also if its update may have been counted', async () => {
    const event = someEvent({ id: newId('evt', NOON) });
    const uncertain = someEvent({ id: `${newId('evt', NOON)}u`, type: 'cu' });
    await recordAll(env, orgId, [event, uncertain]);
    for (const { id } of [event, uncertain]) {
      for (const textSearch of [id.slice(0, 30), id.slice(0, 30).replace('evt', 'req')]) {
        expect((await search({ textSearch })).body.events).toMatchObject([{ id }]);
      }
    }
  });

  it('finds events by the code of a warning and by the data location that was read', async () => {
    const warned = someEvent({ warnings: [{ code: 'feature-unknown' }] });
    const african = someEvent({ readDataLocations: ['afr'] });
    await recordAll(env, orgId, [warned, african]);
    expect((await search({ textSearch: 'feature-unknown' })).body.events).toMatchObject([{ id: warned.id }]);
    expect((await search({ textSearch: 'Africa' })).body.events).toMatchObject([{ id: african.id }]);
  });

  it('shows one event and the executions of its workflows, or a 404', async () => {
    const execution = {
      executionId: 'wfe_1',
      workflowId: 'wf_1',
      workflowName: 'Trial',
      success: true,
      result: null,
      logs: [],
      diagnosticMessages: [],
      wallTime: 2,
      input: {},
      seed: 's',
    };
    const event = someEvent({ executions: [execution] });
    await recordAll(env, orgId, [event]);
    const get = async (account: SignedIn, path: string) => {
      const response = await account.fetch(`/api/orgs/${path}`);
      return { status: response.status, body: await response.json() };
    };
    const executions = (id: string) =>
      `${orgId}/workflow-execution-search?criteria=${encodeURIComponent(JSON.stringify({ eventId: id }))}`;
    expect((await get(ada, `${orgId}/events/${event.id}`)).body).toMatchObject({
      id: event.id,
      workflowExecutions: { total: 1, failed: 0 },
    });
    expect((await get(ada, executions(event.id))).body).toEqual({ executions: [execution] });
    for (const path of [`${orgId}/events/evt_unknown`, executions('evt_unknown')]) {
      expect((await get(ada, path)).status).toBe(404);
    }
    const stranger = await signedIn();
    const theirs = await newOrganisation(stranger);
    expect((await get(stranger, `${theirs.orgId}/events/${event.id}`)).status).toBe(404);
  });

  describe('an export', () => {
    const download = async (account: SignedIn, path: string) => {
      const response = await account.fetch(`/api/orgs/${path}`);
      // The mark is part of the file.
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
        await response.arrayBuffer(),
      );
      return { status: response.status, headers: response.headers, text };
    };
    const query = (criteria: object, format: string) =>
      `criteria=${encodeURIComponent(JSON.stringify(criteria))}&format=${format}`;

    it('has every event of the search, newest first, as a file', async () => {
      const answer = await download(
        ada,
        `${orgId}/event-export?${query({ environment: 'env_a' }, 'ndjson')}`,
      );
      expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
      expect(answer.headers.get('content-disposition')).toMatch(
        /^attachment; filename="events-[\d-]+\.ndjson"$/,
      );
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const events = answer.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Event);
      expect(events.map(({ time }) => time)).toEqual(
        Array.from({ length: 60 }, (_, index) => NOON + 59 - index),
      );
      expect(events[0]).toMatchObject({ outcome: 'allowed', response: { status: 'success' } });
    });

    it('as CSV begins with the byte order mark that spreadsheets need to read it as UTF-8, once', async () => {
      const { text } = await download(ada, `${orgId}/event-export?${query({}, 'csv')}`);
      expect(text.startsWith('\ufefftime,id,')).toBe(true);
      expect(text.lastIndexOf('\ufeff')).toBe(0);
      const json = await download(ada, `${orgId}/event-export?${query({}, 'ndjson')}`);
      expect(json.text).toMatch(/^\{/);
    });

    it('as CSV has no cell that a spreadsheet takes for a formula or that ends early', async () => {
      const hostile = [
        '=1+1',
        '+49',
        '-2',
        '@a',
        '\t=1',
        ' =cmd|x',
        '＝1',
        "'",
        'a"b,c',
        'line\r\nbreak',
        '<script>',
      ];
      const { orgId: other } = await newOrganisation(ada);
      const events = hostile.map((subjectIdentifier, index) =>
        someEvent({
          subjectIdentifier,
          time: NOON - index,
          place: { country: 'GB', city: '=A1', continent: null },
        }),
      );
      await recordAll(env, other, events);
      const { text, headers } = await download(ada, `${other}/event-export?${query({}, 'csv')}`);
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
      const [header, ...rows] = parseCsv(text.slice(1));
      expect(header?.slice(0, 6)).toEqual(['time', 'id', 'type', 'outcome', 'environment', 'subject']);
      expect(rows.map((cells) => cells[1])).toEqual(idsOf(events));
      expect(rows.map((cells) => cells[5])).toEqual(
        hostile.map((subject, index) => (index < 7 ? `'${subject}` : subject)),
      );
      for (const cells of rows) {
        expect(cells).toHaveLength(header!.length);
        expect(cells[11]).toBe("'=A1");
      }
    });

    it('ends after the allowed number of events', async () => {
      const ctx = { env, db: openDatabase(env.DB), now: NOON + 1_000 } as unknown as RequestContext;
      const { textSearch, ...criteria } = { textSearch: null };
      const answer = exportEvents(ctx, { orgId }, { ...criteria, textSearch }, 'ndjson', 55);
      const text = new TextDecoder().decode(await answer.arrayBuffer());
      expect(text.trimEnd().split('\n')).toHaveLength(55);
    });

    it('names what is invalid, and is closed to others', async () => {
      const stranger = await signedIn();
      expect((await download(stranger, `${orgId}/event-export?${query({}, 'csv')}`)).status).toBe(404);
      for (const [search, path] of [
        [query({}, 'xlsx'), 'format'],
        [query({ timeTo: 'x' }, 'csv'), 'criteria.timeTo'],
        [query({ timeTo: 1e22 }, 'csv'), 'criteria.timeTo'],
      ] as const) {
        const { status, text } = await download(ada, `${orgId}/event-export?${search}`);
        expect([status, JSON.parse(text).issues[0].path]).toEqual([400, path]);
      }
    });
  });

  it('shows metrics of an environment, and names the invalid range', async () => {
    const metrics = async (criteria: object) => {
      const path = `/api/orgs/${orgId}/event-metrics?criteria=${encodeURIComponent(JSON.stringify(criteria))}`;
      const response = await ada.fetch(path);
      return { status: response.status, body: await response.json<object>() };
    };
    expect(await metrics({ range: '30d', environment: 'env_b' })).toMatchObject({
      status: 200,
      body: { bucketMs: 86_400_000, totals: { total: expect.any(Number) }, customers: expect.any(Array) },
    });
    expect(await metrics({ range: '2d' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'criteria.range' }] },
    });
  });

  it('names the environment of a customer near a limit, and lists none of a deleted environment', async () => {
    const tenant = (await newOrganisation(ada)).orgId;
    const path = `/api/orgs/${tenant}/environments`;
    const create = async (name: string) => {
      const response = await ada.fetch(path, { json: { name, type: 'live' } });
      return (await response.json<{ id: string }>()).id;
    };
    const [first, second, deleted] = [await create('First'), await create('Second'), await create('Third')];
    const near = { feature: 'exports', property: 'rows', used: 90, limit: 100 };
    const time = Date.now();
    await recordAll(
      env,
      tenant,
      [first, second, deleted].map((envId) => someEvent({ envId, time, nearLimits: [near] })),
    );
    expect((await ada.fetch(`${path}/${deleted}`, { method: 'DELETE' })).ok).toBe(true);
    const nearLimit = async (environment: string | null) => {
      const criteria = encodeURIComponent(JSON.stringify({ environment, range: '7d' }));
      const response = await ada.fetch(`/api/orgs/${tenant}/event-metrics?criteria=${criteria}`);
      return (await response.json<EventMetrics>()).nearLimit.map(({ envId }) => envId);
    };
    expect((await nearLimit(null)).sort()).toEqual([first, second].sort());
    expect(await nearLimit(second)).toEqual([second]);
    expect(await nearLimit(deleted)).toEqual([]);
  });

  it('counts events over time, and names the invalid range', async () => {
    const histogram = async (criteria: object) => {
      const path = `/api/orgs/${orgId}/event-histogram?criteria=${encodeURIComponent(JSON.stringify(criteria))}`;
      const response = await ada.fetch(path);
      return {
        status: response.status,
        body: await response.json<{ buckets: { allowed: number }[]; issues: unknown }>(),
      };
    };
    const { body } = await histogram({ environment: 'env_b', timeFrom: NOON, timeTo: NOON + 60_000 });
    expect(body).toEqual({
      bucketMs: 60_000,
      eventsFrom: null,
      buckets: [{ at: NOON, allowed: 10, denied: 0, warning: 0, error: 0 }],
    });
    for (const [criteria, path] of [
      [{}, 'criteria.timeFrom'],
      [{ timeFrom: 5, timeTo: 5 }, 'criteria.timeTo'],
      [{ timeFrom: 0, timeTo: NOON }, 'criteria.timeFrom'],
      [{ timeFrom: NOON, timeTo: NOON + 0.5 }, 'criteria.timeTo'],
      // Less than a year apart, but so large that adding a minute changes neither.
      [{ timeFrom: 1e22, timeTo: 1e22 + 2 ** 21 }, 'criteria.timeFrom'],
      [{ timeFrom: 0, timeTo: 1, textSearch: 'x' }, 'criteria.textSearch'],
    ] as const) {
      const { status, body } = await histogram(criteria);
      expect(status).toBe(400);
      expect(body.issues).toEqual(expect.arrayContaining([expect.objectContaining({ path })]));
    }
  });

  it('returns no events of another organisation', async () => {
    const stranger = await signedIn();
    const theirs = await newOrganisation(stranger);
    expect((await search({}, `/api/orgs/${theirs.orgId}/event-search`)).status).toBe(404);
    const response = await stranger.fetch(`/api/orgs/${theirs.orgId}/event-search`);
    expect(await response.json()).toEqual({ events: [], nextQueryTimeTo: null });
  });
});
