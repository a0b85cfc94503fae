// What a million calls use of all that the platform bills, what that costs, and what a month costs at three rates. Events and counts are
// written in groups, so at a higher rate a call writes fewer rows: each kind of call is measured at several rates, at random instants, in
// three data locations. BENCH_RATES (0.1,1,10,100 calls a second) and BENCH_KINDS (anonymous,metered,bounded,update,hold) select.
import { type BenchServer, putLoad, startServer, stopServers } from './bench-servers.ts';
import { costOf, PRICED_APART, PRICES, PRICES_READ_ON, RESOURCES, type Usage } from './prices.ts';
import { type CallKind, describeMonths, MEASURED_RATE } from './scale-model.ts';
import { printTable } from './table.ts';
import type { BilledCounts, CandidateName, LoadResult } from './workers/messages.ts';

const rates = (process.env.BENCH_RATES ?? '0.1,1,10,100').split(',').map(Number);
const warmUpSeconds = 4;
/** Streams fold and report a minute later. */
const settleSeconds = 70;
const connections = 8;
const locations = ['weur', 'enam', 'apac'] as const;
/** Of one customer, a bounded check finds a reading of the last second only if it is called several times in it. */
/** A hold is made and settled: two calls. */
type BilledKind = CallKind | 'hold';
const customersOf = (kind: BilledKind) => (kind === 'bounded' ? 20 : 10_000);
const MILLION = 1_000_000;

const kinds: readonly (readonly [kind: BilledKind, candidate: CandidateName, title: string])[] = [
  ['anonymous', 'anonymous-check', 'anonymous check'],
  ['metered', 'metered-check', 'metered check'],
  ['bounded', 'bounded-check', 'bounded check'],
  ['update', 'counter-update', 'counter update'],
  ['hold', 'settled-hold', 'hold'],
];

export async function benchBill(): Promise<void> {
  const chosen = process.env.BENCH_KINDS?.split(',');
  const measured = new Map<number, Map<BilledKind, Usage>>(rates.map((rate) => [rate, new Map()]));
  const some = kinds.filter(([kind]) => chosen?.includes(kind) ?? true);
  for (const [kind, candidate, title] of some) {
    console.log(`${title} ...`);
    const server = await startServer(candidate, { bundle: 'counted', locations });
    // Every customer is known before.
    if (kind !== 'anonymous')
      await putLoad({ request: server.request, connections, customers: customersOf(kind) });
    for (const rate of rates) measured.get(rate)?.set(kind, await measure(server, rate, kind));
    stopServers();
  }
  const titles = some.map(([, , title]) => title);
  for (const [rate, perMillion] of measured) describeRate(rate, titles, [...perMillion.values()]);
  console.log('\nPriced besides, and not part of these sums\n');
  printTable(
    ['', 'price'],
    PRICED_APART.map(([what, price]) => [what, price]),
  );
  const perMillion = measured.get(MEASURED_RATE);
  if (perMillion !== undefined && some.length === kinds.length) describeMonths(perMillion);
}

function describeRate(rate: number, titles: readonly string[], columns: readonly Usage[]): void {
  console.log(`\nA million calls, or holds that are settled, at ${rate} a second\n`);
  printTable(
    ['', ...titles],
    RESOURCES.map((resource) => [
      PRICES[resource].name,
      ...columns.map((usage) => amountText(usage[resource])),
    ]),
  );
  console.log(`\nUSD for a million of them, at ${rate} a second, at the prices of ${PRICES_READ_ON}\n`);
  const costs = columns.map(costOf);
  printTable(
    ['', ...titles],
    [
      ...RESOURCES.map((resource) => [
        PRICES[resource].name,
        ...costs.map((cost) => cost[resource].toFixed(3)),
      ]),
      ['sum', ...costs.map((cost) => RESOURCES.reduce((sum, each) => sum + cost[each], 0).toFixed(3))],
    ],
  );
}

async function measure(server: BenchServer, perSecond: number, kind: BilledKind): Promise<Usage> {
  const load = (seconds: number) =>
    putLoad({
      request: server.request,
      // Each waits for a turn of its own.
      connections: Math.min(connections, Math.ceil(perSecond)),
      customers: customersOf(kind),
      perSecond,
      seconds,
      isRandom: true,
    });
  await load(warmUpSeconds);
  await settle();
  const [before, usedBefore] = [await countsOf(server), usedSeconds(server)];
  // Rare calls need longer for as many events.
  const { answers }: LoadResult = await load(Math.min(200, Math.max(20, 120 / perSecond)));
  await settle();
  const [after, usedAfter] = [await countsOf(server), usedSeconds(server)];
  const each = (name: keyof BilledCounts) => ((after[name] - before[name]) / answers) * MILLION;
  return {
    requests: kind === 'hold' ? 2 * MILLION : MILLION,
    cpuMs: ((usedAfter - usedBefore) / answers) * 1000 * MILLION,
    objectRequests: each('objectRequests'),
    objectSeconds: each('activeMs') / 1000,
    rowsRead: each('rowsRead'),
    rowsWritten: each('rowsWritten'),
    // A message is written, read and deleted.
    queueOperations: 3 * each('queueMessages'),
    d1RowsWritten: each('d1RowsWritten'),
    storedGb: each('storedBytes') / 1e9,
  };
}

async function countsOf({ request: { port } }: BenchServer): Promise<BilledCounts> {
  const response = await fetch(`http://127.0.0.1:${port}/bench/counts`);
  return (await response.json()) as BilledCounts;
}

function usedSeconds({ child }: BenchServer): number {
  return child.processorUse()?.seconds ?? Number.NaN;
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, settleSeconds * 1000));
}

function amountText(amount: number): string {
  return amount < 10 ? amount.toFixed(2) : Math.round(amount).toLocaleString('en-GB');
}
