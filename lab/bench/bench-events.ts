// What recording costs: rows written per check at several rates, and appends a second. And what reading costs with 10,000, 200,000
// and 1,000,000 events (BENCH_EVENTS: the most) in one organisation: search and metrics must stay flat. BENCH_PARTS (rows, appends,
// reads, fan-out, visibility; comma-separated) selects.

import { setTimeout as sleep } from 'node:timers/promises';
import { benchFanOut } from './bench-fan-out.ts';
import { type BenchServer, startServer, stopServers } from './bench-servers.ts';
import { benchVisibility } from './bench-visibility.ts';
import { sendOrder } from './send-order.ts';
import { median, printTable } from './table.ts';
import type { EventsOrder, EventsResult } from './workers/messages.ts';

const rates = [
  [100, 0.5],
  [1_000, 0.05],
  [10_000, 0.01],
] as const;
const recordingSeconds = 4;
const appendSizes = [1, 20, 100];
const appendedEvents = 2_000;
const sizes = [...new Set([10_000, 200_000, Number(process.env.BENCH_EVENTS ?? 1_000_000)])];
/** A search without criteria; a frequent word alone and with a rare one; a rare word; the other filters. */
const searches: [name: string, criteria: Extract<EventsOrder, { kind: 'search' }>['search']][] = [
  ['all', {}],
  ['frequent word', { text: 'exam' }],
  ['frequent and rare word', { text: 'customer-77@ exam' }],
  ['rare word', { text: '4077' }],
  ['environment', { environmentId: 'env_quiet' }],
  ['outcome', { outcome: 'denied' }],
];
const eventsPerOrder = 50_000;
const repeats = 15;
const aimMs = 50;

/** A server at rest uses less than this share of a core. */
const restingShare = 0.05;

const parts = new Map<string, () => Promise<void>>([
  ['rows', () => withServer(benchRows)],
  ['appends', () => withServer(benchAppends)],
  ['reads', () => withServer(benchReads)],
  ['fan-out', benchFanOut],
  ['visibility', benchVisibility],
]);

export async function benchEvents(): Promise<void> {
  for (const name of process.env.BENCH_PARTS?.split(',') ?? parts.keys()) {
    const part = parts.get(name);
    if (part === undefined) throw new Error(`BENCH_PARTS is of ${[...parts.keys()].join(', ')}; not ${name}`);
    await part();
  }
}

async function withServer(bench: (server: BenchServer) => Promise<void>): Promise<void> {
  await bench(await startServer('record-events'));
  stopServers();
}

async function benchRows(server: BenchServer): Promise<void> {
  const rows: string[][] = [];
  for (const [perSecond, aim] of rates) {
    const orgId = `rows-${perSecond}`;
    // The first events create tables and texts.
    await sendOrder(server, { kind: 'record', orgId, perSecond: 100, seconds: 1 });
    const before = await sendOrder(server, { kind: 'rows', orgId });
    const startedAt = server.child.processorUse()?.seconds ?? Number.NaN;
    const { value: recorded } = await sendOrder(server, {
      kind: 'record',
      orgId,
      perSecond,
      seconds: recordingSeconds,
    });
    const after = await storedAtRest(server, orgId);
    const used = (server.child.processorUse()?.seconds ?? Number.NaN) - startedAt;
    rows.push([
      `${perSecond.toLocaleString('en-GB')} checks/s`,
      recorded.toLocaleString('en-GB'),
      ((after.value - before.value) / recorded).toFixed(4),
      String(aim),
      (((after.bytes ?? Number.NaN) - (before.bytes ?? Number.NaN)) / recorded).toFixed(0),
      ((used * 1e6) / recorded).toFixed(0),
    ]);
  }
  console.log('\nRows written per recorded anonymous check, one isolate and one organisation\n');
  printTable(['rate', 'recorded', 'rows per check', 'aim', 'bytes stored', 'processor µs'], rows);
}

/** Events are sent after the response, so rows may follow. */
async function storedAtRest(server: BenchServer, orgId: string): Promise<EventsResult> {
  for (let last = -1; ; ) {
    await sleep(1_000);
    const stored = await sendOrder(server, { kind: 'rows', orgId });
    if (stored.value === last) return stored;
    last = stored.value;
  }
}

async function benchAppends(server: BenchServer): Promise<void> {
  const rows: string[][] = [];
  for (const size of appendSizes) {
    const count = Math.min(appendedEvents, size * 40);
    const order = { kind: 'append', orgId: `append-${size}`, size, count, at: Date.now() } as const;
    await sendOrder(server, order);
    const startedAt = performance.now();
    await sendOrder(server, { ...order, at: order.at + 60_000 });
    const seconds = (performance.now() - startedAt) / 1000;
    const [appends, events] = [count / size / seconds, count / seconds];
    rows.push([`batches of ${size}`, appends.toFixed(0), events.toFixed(0)]);
  }
  console.log('\nAppends one after the other, each waiting for its commit\n');
  printTable(['', 'appends/s', 'events/s'], rows);
}

async function benchReads(server: BenchServer): Promise<void> {
  const now = Date.now();
  const rows = new Map<string, string[]>();
  for (const of of sizes) {
    const orgId = `reads-${of}`;
    console.log(`Appending ${of.toLocaleString('en-GB')} events of 30 days ...`);
    for (let from = 0; from < of; from += eventsPerOrder) {
      await sendOrder(server, {
        kind: 'fill',
        orgId,
        from,
        to: Math.min(of, from + eventsPerOrder),
        of,
        now,
      });
    }
    await sendOrder(server, { kind: 'settle', orgId });
    await atRest(server);
    const search = (criteria: Extract<EventsOrder, { kind: 'search' }>['search']) =>
      ({ kind: 'search', orgId, search: criteria }) as const;
    const reads: [name: string, order: EventsOrder][] = [['an empty search', search({ text: '*' })]];
    for (const [name, criteria] of searches) {
      reads.push([`${name}, page 1`, search(criteria)]);
      let timeTo: number | null = null;
      for (let page = 1; page < 10; page++) {
        timeTo = (await sendOrder(server, search({ ...criteria, timeTo }))).nextQueryTimeTo ?? timeTo;
      }
      reads.push([`${name}, page 10`, search({ ...criteria, timeTo })]);
    }
    reads.push(['metrics of 30 days', { kind: 'metrics', orgId, now, range: '30d' }]);
    reads.push(['metrics of 7 days', { kind: 'metrics', orgId, now, range: '7d' }]);
    for (const [name, order] of reads) {
      const times: number[] = [];
      const usedBefore = server.child.processorUse()?.seconds ?? Number.NaN;
      for (let repeat = 0; repeat < repeats; repeat++) {
        const startedAt = performance.now();
        await sendOrder(server, order);
        times.push(performance.now() - startedAt);
      }
      const used = (server.child.processorUse()?.seconds ?? Number.NaN) - usedBefore;
      const each = `${median(times).toFixed(1)} (${((used * 1_000) / repeats).toFixed(1)})`;
      rows.set(name, [...(rows.get(name) ?? []), each]);
    }
  }
  console.log(
    `\nReading, in ms with the call of the Worker and the object, and ms of processor time (aim: below ${aimMs}, flat within 2×)\n`,
  );
  printTable(
    ['', ...sizes.map((size) => `${size.toLocaleString('en-GB')} events`)],
    [...rows].map(([name, times]) => [name, ...times]),
  );
}

/** Waits until what the last orders have started is done: reading beside it would measure both. */
async function atRest({ child }: BenchServer): Promise<void> {
  for (let last = Number.NEGATIVE_INFINITY; ; ) {
    const used = child.processorUse()?.seconds ?? 0;
    if (used - last < restingShare) return;
    last = used;
    await sleep(1_000);
  }
}
