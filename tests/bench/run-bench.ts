// `npm run bench`: what an access check costs, beside what any JSON API on this platform costs, on this machine and in
// this run. Candidates take turns within every round, and ratios are taken within a round, so that what disturbs the
// machine disturbs all alike. BENCH_ROUNDS (5) and BENCH_SECONDS (3, of each candidate in each round) make it longer.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { captureTool } from '../../dev/tools.ts';
import { type Child, canPin, startChild } from './child.ts';
import { engineBench } from './engine-bench.ts';
import type { BenchRequest, CandidateName, LoadOrder, LoadResult } from './messages.ts';
import { median, percentile, printTable } from './table.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const warmUpSeconds = 2.5;
const connections = 16;
const serverCore = 0;
const loadCore = 1;

const titles = new Map<CandidateName, string>([
  ['bare', "(a) bare Worker, 'ok'"],
  ['bare-hono', '(b) Hono and zod, 2 KB of JSON'],
  ['anonymous-check', '(c) access check, anonymous, 20 features'],
  ['authenticated-check', '(d) access check, authenticated, 20 features'],
]);
const candidates = [...titles.keys()];

const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-'));
const children: Child[] = [];
process.on('exit', () => {
  for (const child of children) child.stop();
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

console.log('Bundling, starting and filling the candidates ...');
const servers = await startCandidates();
const load = start('load.ts', loadCore);
report(await takeTurns());
reportEngine();
process.exit(0);

function start(script: string, core: number): Child {
  const child = startChild(script, core);
  children.push(child);
  return child;
}

/** A candidate that is ready: its process, and the request that it is asked. */
interface Server {
  child: Child;
  request: BenchRequest;
}

interface Run extends LoadResult {
  /** Of the server, for one answer; null where the system does not tell. */
  processorMicroseconds: number | null;
}

async function startCandidates(): Promise<Map<CandidateName, Server>> {
  const [hono, tessera] = await Promise.all([
    bundle('tests/bench/bare-hono.toml', 'bare-hono-worker.js'),
    bundle('wrangler.toml', 'index.js'),
  ]);
  const bare = resolve(import.meta.dirname, 'bare-worker.js');
  const paths = [bare, hono, tessera, tessera];
  const started = candidates.map(async (candidate, index) => {
    const order = { candidate, bundlePath: paths[index] };
    const child = start('serve-candidate.ts', serverCore);
    return [candidate, { child, request: await child.ask<BenchRequest>(order) }] as const;
  });
  return new Map(await Promise.all(started));
}

/** The bundle that would be deployed. */
async function bundle(config: string, name: string): Promise<string> {
  const outputFolder = join(folder, name);
  const args = ['deploy', '--config', config, '--dry-run', '--outdir', outputFolder];
  const { code, output } = await captureTool('wrangler', args);
  if (code !== 0) throw new Error(`${config} could not be bundled:\n${output}`);
  return join(outputFolder, name);
}

async function takeTurns(): Promise<Map<CandidateName, Run[]>> {
  const results = new Map(candidates.map((candidate) => [candidate, [] as Run[]]));
  for (const server of servers.values()) await run(server, warmUpSeconds);
  for (let round = 1; round <= rounds; round += 1) {
    console.log(`Round ${round} of ${rounds} ...`);
    for (const [candidate, server] of servers) results.get(candidate)?.push(await run(server, seconds));
  }
  return results;
}

async function run({ child, request }: Server, runSeconds: number): Promise<Run> {
  const before = child.processorSeconds();
  const result = await load.ask<LoadResult>({
    request,
    connections,
    seconds: runSeconds,
  } satisfies LoadOrder);
  const after = child.processorSeconds();
  const processorMicroseconds =
    before === null || after === null ? null : ((after - before) * 1e6) / result.answers;
  return { ...result, processorMicroseconds };
}

function report(results: ReadonlyMap<CandidateName, readonly Run[]>): void {
  const runsOf = (candidate: CandidateName) => results.get(candidate) ?? [];
  const rates = (candidate: CandidateName) =>
    runsOf(candidate).map(({ answers, seconds: took }) => answers / took);
  const processor = (candidate: CandidateName) =>
    runsOf(candidate).map(({ processorMicroseconds }) => processorMicroseconds ?? Number.NaN);
  const pinning = canPin ? `server on core ${serverCore}, load on core ${loadCore}` : 'not pinned to cores';
  console.log(
    `\n${rounds} rounds of ${seconds} s, ${connections} connections, workerd's own socket, ${pinning}\n`,
  );
  printTable(
    ['candidate', 'requests/s', 'p50 ms', 'p99 ms', 'processor µs', 'body octets'],
    candidates.map((candidate) => {
      const latencies = runsOf(candidate).flatMap((result) => result.latencies);
      return [
        titles.get(candidate) ?? candidate,
        Math.round(median(rates(candidate))).toLocaleString('en-GB'),
        (percentile(latencies, 0.5) / 1000).toFixed(2),
        (percentile(latencies, 0.99) / 1000).toFixed(2),
        median(processor(candidate)).toFixed(0),
        String(runsOf(candidate)[0]?.bodyBytes ?? 0),
      ];
    }),
  );

  const described = (ones: readonly number[], others: readonly number[]) => {
    const each = ones.map((one, round) => one / (others[round] ?? Number.NaN));
    return `${median(each).toFixed(2)} (rounds: ${each.map((ratio) => ratio.toFixed(2)).join(', ')})`;
  };
  const reference = 'bare-hono';
  for (const [letter, candidate] of [
    ['c', 'anonymous-check'],
    ['d', 'authenticated-check'],
  ] as const) {
    console.log(
      `\n${letter}/b, requests a second:          ${described(rates(candidate), rates(reference))}`,
    );
    console.log(
      `b/${letter}, processor time of a request: ${described(processor(reference), processor(candidate))}`,
    );
  }
}

function reportEngine(): void {
  console.log('\nThe engine alone\n');
  printTable(
    ['evaluation', 'per second', 'microseconds', 'ns a step'],
    engineBench(() => performance.now()).map((row) => [
      row.name,
      row.evaluationsPerSecond.toLocaleString('en-GB'),
      row.microsecondsEach.toFixed(2),
      row.nanosecondsPerStep?.toFixed(2) ?? '',
    ]),
  );
}
