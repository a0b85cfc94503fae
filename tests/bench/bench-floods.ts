// What a flood costs other callers: the latency of one caller's checks, alone and beside four connections that send as fast as
// they are answered.
import { putLoad, startServer, stopServers } from './bench-servers.ts';
import type { BenchRequest, LoadOrder, LoadResult } from './messages.ts';
import { percentile, printTable } from './table.ts';

const rounds = 5;
/** Per flood and round. */
const seconds = 1.2;
const floodConnections = 4;
const brackets = 30_000;

interface Flood {
  readonly title: string;
  readonly status: number;
  readonly body: string;
}

const floods: readonly Flood[] = [
  { title: 'ordinary checks', status: 200, body: '{"userIdentifier":"eve@example.com"}' },
  { title: '60 KB of brackets, nested', status: 400, body: '['.repeat(brackets) + ']'.repeat(brackets) },
  { title: '60 KB of brackets, side by side', status: 400, body: `[${'[],'.repeat(brackets * 0.66)}[]]` },
  {
    title: '60 KB of entries',
    status: 400,
    body: `{"features":[${'0,'.repeat(brackets)}0]}`,
  },
];

export async function benchFloods(): Promise<void> {
  const { request } = await startServer('authenticated-check');
  const caller: LoadOrder = { request, connections: 1, seconds };
  const rows = new Map<string, { caller: LoadResult[]; flood: LoadResult[] }>();
  const record = (title: string, result: LoadResult, flood?: LoadResult) => {
    const row = rows.get(title) ?? { caller: [], flood: [] };
    row.caller.push(result);
    if (flood !== undefined) row.flood.push(flood);
    rows.set(title, row);
  };
  await putLoad(caller);
  for (let round = 1; round <= rounds; round += 1) {
    console.log(`Round ${round} of ${rounds} ...`);
    record('nobody', await putLoad(caller));
    for (const { title, status, body } of floods) {
      const [result, flood] = await Promise.all([
        putLoad(caller),
        putLoad(floodOf(request, status, body), 'flood'),
      ]);
      record(title, result, flood);
    }
  }
  stopServers();
  console.log(
    `\nOne caller's checks beside a flood: ${rounds} rounds of ${seconds} s, ${floodConnections} connections\n`,
  );
  printTable(
    ['beside', 'checks/s', 'p50 ms', 'p99 ms', 'flood/s'],
    [...rows].map(([title, { caller: results, flood }]) => {
      const latencies = results.flatMap((result) => result.latencies);
      return [
        title,
        rate(results),
        (percentile(latencies, 0.5) / 1000).toFixed(2),
        (percentile(latencies, 0.99) / 1000).toFixed(2),
        flood.length === 0 ? '' : rate(flood),
      ];
    }),
  );
}

function floodOf(request: BenchRequest, status: number, body: string): LoadOrder {
  return { request: { ...request, body }, connections: floodConnections, seconds, status };
}

function rate(results: readonly LoadResult[]): string {
  const answers = results.reduce((sum, each) => sum + each.answers, 0);
  const time = results.reduce((sum, each) => sum + each.seconds, 0);
  return Math.round(answers / time).toLocaleString('en-GB');
}
