// What a flood costs other callers: the latency of one caller's checks, alone and beside four connections that send as fast as
// they are answered: calls of the public API, and sign-ins of unknown accounts, whose passwords are hashed. BENCH_ROUNDS (5) sets the
// duration.
import { CAPTCHA_HEADER, DEVELOPMENT_CAPTCHA_TOKEN } from '#contracts/console/auth';
import { putLoad, startServer, stopServers } from './bench-servers.ts';
import { percentile, printTable } from './table.ts';
import { type BenchRequest, CUSTOMER_PLACE, type LoadOrder, type LoadResult } from './workers/messages.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
/** Per flood and round. */
const seconds = 1.2;
const floodConnections = 4;
const brackets = 30_000;

interface Flood {
  readonly title: string;
  readonly status: number;
  readonly body: string;
  /** A path of the console; absent: the public access check. */
  readonly path?: string;
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
  {
    title: 'sign-ins',
    status: 401,
    path: '/api/auth/sign-in/email',
    body: `{"email":"eve-${CUSTOMER_PLACE}@example.com","password":"not-the-password"}`,
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
    for (const flooding of floods) {
      const [result, flood] = await Promise.all([
        putLoad(caller),
        putLoad(floodOf(request, flooding), 'flood'),
      ]);
      record(flooding.title, result, flood);
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

function floodOf(request: BenchRequest, { status, body, path }: Flood): LoadOrder {
  const order = { connections: floodConnections, seconds, status };
  if (path === undefined) return { ...order, request: { ...request, body } };
  const headers = [
    ['content-type', 'application/json'],
    ['origin', `http://127.0.0.1:${request.port}`],
    [CAPTCHA_HEADER, DEVELOPMENT_CAPTCHA_TOKEN],
  ] as const;
  // Each sign-in is of another account, since the attempts of one are limited.
  return { ...order, request: { ...request, path, headers, body }, customers: 1_000_000 };
}

function rate(results: readonly LoadResult[]): string {
  const answers = results.reduce((sum, each) => sum + each.answers, 0);
  const time = results.reduce((sum, each) => sum + each.seconds, 0);
  return Math.round(answers / time).toLocaleString('en-GB');
}
