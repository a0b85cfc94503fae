// The client package beside those of others, with the same 20 features: operations, size, start-up and memory. The others decide by rules
// in memory. Ours has asked a server, which is a process of its own.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type BenchServer, startServer, stopServers } from './bench-servers.ts';
import { type Loop, type MeasuredLoops, seconds, takeLoopTurns } from './loop-turns.ts';
import { folder, installClients, packages, sizesOf } from './opponents/install-clients.ts';
import { reportRatios } from './report-runs.ts';
import { featureSlug } from './set-up-twenty-features.ts';
import { median, printTable } from './table.ts';
import { rounds } from './take-turns.ts';

const slugs = Array.from({ length: 20 }, (_, index) => featureSlug(index + 1));
/** Processes of each client, for start-up and memory. */
const STARTS = 5;
/** Whose answers ours keeps, to say what each takes. */
const CUSTOMERS = 500;

interface ClientScript {
  open(slugs: readonly string[], isPlain: boolean): Loop | Promise<Loop>;
}
interface OwnScript extends ClientScript {
  openProperties(slugs: readonly string[]): Loop;
  openHttp(slugs: readonly string[]): Loop;
  renew(): Promise<void>;
}

export async function benchClient(): Promise<void> {
  await installClients();
  const server = await startServer('authenticated-check');
  Object.assign(process.env, settingsOf(server));
  try {
    await reportSpeed();
    await reportWeight();
  } finally {
    stopServers();
  }
}

function settingsOf({ request: { port, headers } }: BenchServer) {
  const [, authorization = ''] = headers.find(([name]) => name === 'Authorization') ?? [];
  return { TESSERA_URL: `http://127.0.0.1:${port}`, TESSERA_KEY: authorization.replace('Bearer ', '') };
}

const scriptOf = (name: string): Promise<ClientScript> => import(join(folder, `${name}.js`));

async function reportSpeed(): Promise<void> {
  const own = (await scriptOf('tessera')) as OwnScript;
  const others = [...packages.keys()].filter((name) => name !== 'tessera');
  const loops = new Map<string, Loop>([
    ['can', await own.open(slugs, false)],
    ['peek', await own.open(slugs, true)],
    ['peek at a property', own.openProperties(slugs)],
    ['can over HTTP', own.openHttp(slugs)],
  ]);
  for (const name of others) {
    const { open } = await scriptOf(name);
    loops.set(`${name} by plan`, await open(slugs, false));
    loops.set(`${name} plain`, await open(slugs, true));
  }
  const ratios = others.flatMap((name) => [
    { one: 'can', other: `${name} by plan`, aim: 1 },
    { one: 'peek', other: `${name} plain`, aim: 1 },
  ]);
  console.log(`${rounds} rounds of slices of ${seconds} s ...`);
  const measured = await takeLoopTurns(loops, ratios, own.renew);
  reportLoops(measured);
  reportRatios(measured);
}

function reportLoops({ microseconds }: MeasuredLoops): void {
  console.log('\nOperations by processor time, whatever waits\n');
  printTable(
    ['candidate', 'a second', 'nanoseconds'],
    [...microseconds].map(([name, values]) => {
      const each = median(values);
      return [
        name,
        Math.round(1e6 / each).toLocaleString('en-GB'),
        Math.round(each * 1000).toLocaleString('en-GB'),
      ];
    }),
  );
}

interface Start {
  readonly importMs: number;
  readonly firstMs: number;
  readonly heapBytes: number;
  readonly rssBytes: number;
  readonly customerBytes: number;
}

async function reportWeight(): Promise<void> {
  const starts = new Map(['fetch', ...packages.keys()].map((name) => [name, [] as Start[]]));
  for (let turn = 0; turn < STARTS; turn++) for (const [name, all] of starts) all.push(start(name));
  const middle = (name: string, field: keyof Start) =>
    median((starts.get(name) ?? []).map((each) => each[field]));
  const kilobytes = (octets: number) => (octets / 1024).toFixed(octets < 100 * 1024 ? 1 : 0);
  const rows = [...starts.keys()].map(async (name) => {
    const sizes = packages.has(name) ? await sizesOf(name) : null;
    return [
      packages.get(name) ?? 'one call by fetch alone',
      ...[sizes?.installed, sizes?.compressed].map((size) => (size === undefined ? '' : kilobytes(size))),
      ...(['importMs', 'firstMs'] as const).map((field) => middle(name, field).toFixed(1)),
      ...(['heapBytes', 'rssBytes'] as const).map((field) => kilobytes(middle(name, field))),
    ];
  });
  console.log(`\nKilobytes and milliseconds, the median of ${STARTS} processes\n`);
  printTable(
    ['package', 'installed', 'compressed', 'import', 'first answer', 'heap', 'resident'],
    await Promise.all(rows),
  );
  console.log(
    `\ntessera-sdk keeps ${kilobytes(middle('tessera', 'customerBytes'))} KB for each further customer.`,
  );
}

function start(name: string): Start {
  const script = join(folder, 'start-client.js');
  const args = ['--expose-gc', script, name, slugs.join(), String(CUSTOMERS)];
  return JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
}
