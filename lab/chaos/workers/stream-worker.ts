// The product's event stream behind three paths: append a numbered group, read everything back, search.
import type { EventType } from '#contracts/console/events';
import { groupEvents } from '#engine/events/group-events';
import { someEvent } from '#lab/fixtures/recorded-events';
import { formatId } from '#runtime/ids';
import type { Env } from '#worker/env';
import { EVENTS_PER_GROUP, type GroupOrder, type StreamState } from './stream-orders.ts';

export { EnvironmentReplica, EventStream, Ledger, PasswordHasher } from '#worker/index';

/** Apart, so that hours end and are folded all the time. */
const EVENT_INTERVAL_MS = 20_000;
const DAY_MS = 86_400_000;

export default {
  async fetch(request, env): Promise<Response> {
    const stream = env.EVENT_STREAM.getByName('killed');
    switch (new URL(request.url).pathname) {
      case '/append': {
        const order = (await request.json()) as GroupOrder;
        const groups = groupEvents(eventsOf(order), newGroupId(order));
        return Response.json((await stream.appendGroups({ orgId: 'org_killed', groups })).added);
      }
      case '/search': {
        const text = await request.text();
        const { events } = await stream.search({ text, limit: 50 });
        return Response.json(events.map(({ id }) => id));
      }
      default:
        return Response.json(await stateOf(stream));
    }
  },

  /** Accepts what the stream announces: only the stream itself is under test. */
  queue() {},
} satisfies ExportedHandler<Env>;

async function stateOf(stream: ReturnType<Env['EVENT_STREAM']['getByName']>): Promise<StreamState> {
  const ids: string[] = [];
  let timeTo: number | null = null;
  do {
    const page = await stream.search({ limit: 500, timeTo });
    ids.push(...page.events.map(({ id }) => id));
    timeTo = page.nextQueryTimeTo;
  } while (timeTo !== null);
  const now = Date.now();
  const [month, week] = [
    await stream.metrics({ range: '30d' }, now),
    await stream.metrics({ range: '7d' }, now),
  ];
  const usage = await stream.usage(0, now + DAY_MS);
  return {
    ids,
    usage: usage.reduce((sum, { total }) => sum + total, 0),
    charted: [month.totals.total, week.totals.total],
    denied: month.totals.denied,
  };
}

/** An id for each group of an order, the same whenever the order is repeated. */
function newGroupId({ number }: GroupOrder): () => string {
  let count = 0;
  return () => `grp_${number}_${count++}`;
}

function eventsOf({ number, startAt }: GroupOrder) {
  return Array.from({ length: EVENTS_PER_GROUP }, (_, index) => {
    const event = number * EVENTS_PER_GROUP + index;
    const time = startAt + event * EVENT_INTERVAL_MS;
    const bytes = new Uint8Array(10);
    new DataView(bytes.buffer).setUint32(0, event);
    return someEvent({
      id: formatId('evt', time, bytes),
      time,
      subjectIdentifier: `customer-${number}-end`,
      type: (['ac', 'ac', 'cu', 'se', 'ac'] as const satisfies EventType[])[index] ?? 'ac',
      isDenied: index === 1,
    });
  });
}
