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
const requests = await startCandidates();
const load = start('load.ts', loadCore);
const runs = await takeTurns();
report(runs);
reportEngine();
process.exit(0);

function start(script: string, core: number): Child {
  const child = startChild(script, core);
  children.push(child);
  return child;
}

async function startCandidates(): Promise<Map<CandidateName, BenchRequest>> {
  const [hono, tessera] = await Promise.all([
    bundle('tests/bench/bare-hono.toml', 'bare-hono-worker.js'),
    bundle('wrangler.toml', 'index.js'),
  ]);
  const bare = resolve(import.meta.dirname, 'bare-worker.js');
  const paths = [bare, hono, tessera, tessera];
  const started = candidates.map(async (candidate, index) => {
    const order = { candidate, bundlePath: paths[index] };
    return [candidate, await start('serve-candidate.ts', serverCore).ask<BenchRequest>(order)] as const;
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

async function takeTurns(): Promise<Map<CandidateName, LoadResult[]>> {
  const results = new Map(candidates.map((candidate) => [candidate, [] as LoadResult[]]));
  const run = (request: BenchRequest, runSeconds: number) =>
    load.ask<LoadResult>({ request, connections, seconds: runSeconds } satisfies LoadOrder);
  for (const request of requests.values()) await run(request, warmUpSeconds);
  for (let round = 1; round <= rounds; round += 1) {
    console.log(`Round ${round} of ${rounds} ...`);
    for (const [candidate, request] of requests) results.get(candidate)?.push(await run(request, seconds));
  }
  return results;
}

function report(results: ReadonlyMap<CandidateName, readonly LoadResult[]>): void {
  const rates = (candidate: CandidateName) =>
    (results.get(candidate) ?? []).map(({ answers, seconds: took }) => answers / took);
  const ratios = (candidate: CandidateName) => {
    const reference = rates('bare-hono');
    return rates(candidate).map((rate, round) => rate / (reference[round] ?? Number.NaN));
  };
  const pinning = canPin ? `server on core ${serverCore}, load on core ${loadCore}` : 'not pinned to cores';
  console.log(
    `\n${rounds} rounds of ${seconds} s, ${connections} connections, workerd's own socket, ${pinning}\n`,
  );
  printTable(
    ['candidate', 'requests/s', 'p50 ms', 'p99 ms', 'body octets', 'ratio to (b)'],
    candidates.map((candidate) => {
      const latencies = (results.get(candidate) ?? []).flatMap((result) => result.latencies);
      return [
        titles.get(candidate) ?? candidate,
        Math.round(median(rates(candidate))).toLocaleString('en-GB'),
        (percentile(latencies, 0.5) / 1000).toFixed(2),
        (percentile(latencies, 0.99) / 1000).toFixed(2),
        String(results.get(candidate)?.[0]?.bodyBytes ?? 0),
        median(ratios(candidate)).toFixed(2),
      ];
    }),
  );
  const described = (candidate: CandidateName) => {
    const each = ratios(candidate);
    return `${median(each).toFixed(2)} (rounds: ${each.map((ratio) => ratio.toFixed(2)).join(', ')})`;
  };
  console.log(`\nc/b = ${described('anonymous-check')}`);
  console.log(`d/b = ${described('authenticated-check')}`);
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
