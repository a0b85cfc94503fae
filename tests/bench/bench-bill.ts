// What a million calls use of all that the platform bills, what that costs, and what a month costs at three rates. Calls are made
// at a constant rate, because events are written in groups: at a higher rate a call writes fewer rows.
import { type BenchServer, putLoad, startServer, stopServers } from './bench-servers.ts';
import { costOf, mapUsage, PRICES, PRICES_READ_ON, RESOURCES, type Usage } from './prices.ts';
import { type CallKind, describeMonths } from './scale-model.ts';
import { printTable } from './table.ts';
import type { BilledCounts, CandidateName, LoadResult } from './workers/messages.ts';

const perSecond = 100;
const seconds = 20;
const warmUpSeconds = 4;
/** Ledgers ask ten seconds later whether the stream has their events. */
const settleSeconds = 13;
const connections = 8;
/** Each is called five times a second, so that a bounded check finds a reading of the last second four times of five. */
const customers = 20;
const MILLION = 1_000_000;

const kinds: readonly (readonly [kind: CallKind, candidate: CandidateName, title: string])[] = [
  ['anonymous', 'anonymous-check', 'anonymous check'],
  ['metered', 'metered-check', 'metered check'],
  ['bounded', 'bounded-check', 'bounded check'],
  ['update', 'counter-update', 'counter update'],
];

export async function benchBill(): Promise<void> {
  const perMillion = new Map<CallKind, Usage>();
  for (const [kind, candidate, title] of kinds) {
    console.log(`${seconds} s of ${perSecond} calls a second: ${title} ...`);
    perMillion.set(kind, await measure(await startServer(candidate, { bundle: 'counted' })));
    stopServers();
  }
  const titles = kinds.map(([, , title]) => title);
  const columns = kinds.map(([kind]) => perMillion.get(kind) ?? mapUsage(() => Number.NaN));
  console.log(`\nA million calls, at ${perSecond} a second\n`);
  printTable(
    ['', ...titles],
    RESOURCES.map((resource) => [
      PRICES[resource].name,
      ...columns.map((usage) => amountText(usage[resource])),
    ]),
  );
  console.log(`\nUSD for a million calls, at the prices of ${PRICES_READ_ON}\n`);
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
  describeMonths(perMillion);
}

async function measure(server: BenchServer): Promise<Usage> {
  await load(server, warmUpSeconds);
  await settle();
  const [before, usedBefore] = [await countsOf(server), usedSeconds(server)];
  const { answers } = await load(server, seconds);
  await settle();
  const [after, usedAfter] = [await countsOf(server), usedSeconds(server)];
  const each = (name: keyof BilledCounts) => ((after[name] - before[name]) / answers) * MILLION;
  return {
    requests: MILLION,
    cpuMs: ((usedAfter - usedBefore) / answers) * 1000 * MILLION,
    objectRequests: each('objectRequests'),
    objectSeconds: each('activeMs') / 1000,
    rowsRead: each('rowsRead'),
    rowsWritten: each('rowsWritten'),
    // A message is written, read and deleted.
    queueOperations: 3 * each('queueMessages'),
    d1Queries: each('d1Queries'),
    storedGb: each('storedBytes') / 1e9,
  };
}

function load({ request }: BenchServer, loadSeconds: number): Promise<LoadResult> {
  return putLoad({ request, connections, customers, perSecond, seconds: loadSeconds });
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
