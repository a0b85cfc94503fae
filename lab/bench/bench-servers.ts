// Processes of one benchmark group: servers on one core, load on another. They end with the group, and their temporary files
// are deleted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Location } from '#contracts/public/locations';
import { captureTool } from '../../dev/tools/run-tool.ts';
import { type Child, canPin, startChild } from './child.ts';
import type { BenchRequest, CandidateName, LoadOrder, LoadResult, WatchResult } from './workers/messages.ts';

const serverCore = 0;
const loadCore = 1;

export const pinning = canPin
  ? `server on core ${serverCore}, load on core ${loadCore}`
  : 'not pinned to cores';

/** A running candidate: its process and its request. */
export interface BenchServer {
  child: Child;
  request: BenchRequest;
}

type Bundle =
  | 'bare'
  | 'bare-hono'
  | 'bare-object'
  | 'anchor'
  | 'check-anchor'
  | 'tessera'
  | 'many-updates'
  | 'events'
  | 'counted'
  | 'memory'
  | 'sleepy';

const workers = resolve(import.meta.dirname, 'workers');
const bundleOf = new Map<CandidateName, Bundle>([
  ['bare', 'bare'],
  ['bare-hono', 'bare-hono'],
  ['bare-object', 'bare-object'],
  ['bare-upsert', 'bare-object'],
  ['anchor-update', 'anchor'],
  ['anchor-check', 'check-anchor'],
  ['anchor-metered-check', 'check-anchor'],
  ['single-updates', 'many-updates'],
  ['joined-updates', 'many-updates'],
  ['record-events', 'events'],
  ['memory', 'memory'],
  ['sleepy', 'sleepy'],
]);

const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-'));
const bundles = new Map<Bundle, Promise<string>>();
const children = new Set<Child>();
const loads = new Map<'load' | 'flood', Child>();
process.on('exit', () => {
  stopServers();
  for (const load of loads.values()) load.stop();
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

export interface ServerOptions {
  /** Overrides the candidate's request. */
  bundle?: Bundle;
  /** Limit of open files for its processes, if any. */
  openFiles?: number;
  /** Settings of this server. */
  vars?: Readonly<Record<string, string>>;
  /** Data locations of the organisation. */
  locations?: readonly Location[];
}

export async function startServer(
  candidate: CandidateName,
  { bundle = bundleOf.get(candidate) ?? 'tessera', openFiles, vars, locations }: ServerOptions = {},
): Promise<BenchServer> {
  const bundlePath = await bundled(bundle);
  const child = startChild('serve-candidate.ts', { core: serverCore, temporaryFolder: folder, openFiles });
  children.add(child);
  return { child, request: await child.ask<BenchRequest>({ candidate, bundlePath, vars, locations }) };
}

export async function startServers(
  candidates: readonly CandidateName[],
): Promise<ReadonlyMap<CandidateName, BenchServer>> {
  return new Map(await Promise.all(candidates.map(async (each) => [each, await startServer(each)] as const)));
}

export function stopServers(): void {
  for (const child of children) child.stop();
  children.clear();
}

/** @param name a process has one order at a time; `flood` is put beside a `load` */
export function putLoad(order: LoadOrder, name: 'load' | 'flood' = 'load'): Promise<LoadResult> {
  return loadProcess(name).ask<LoadResult>(order);
}

/** Orders whose connections take turns. */
export function putLoads(orders: readonly LoadOrder[]): Promise<LoadResult[]> {
  return loadProcess('load').ask<LoadResult[]>(orders);
}

function loadProcess(name: 'load' | 'flood'): Child {
  const load = loads.get(name) ?? startChild('load.ts', { core: loadCore, temporaryFolder: folder });
  loads.set(name, load);
  return load;
}

/** Starts a script of this folder on the core of the load. It ends with the group. */
export function startBesideLoad(script: string): Child {
  const child = startChild(script, { core: loadCore, temporaryFolder: folder });
  children.add(child);
  return child;
}

/** Opens WebSockets in a process of their own. `close` closes them and returns how many messages they have received. */
export async function openSockets(url: string, count: number): Promise<{ close(): Promise<number> }> {
  const child = startChild('watch-sockets.ts', { core: loadCore, temporaryFolder: folder });
  const received = async () => (await child.ask<WatchResult>({ kind: 'count' })).messages;
  await child.ask<WatchResult>({ kind: 'open', url, count });
  return {
    async close() {
      for (let last = -1, now = await received(); last !== now; ) {
        await sleep(300);
        [last, now] = [now, await received()];
      }
      const { messages } = await child.ask<WatchResult>({ kind: 'close' });
      await sleep(300);
      child.stop();
      return messages;
    },
  };
}

/** Path of the deployable bundle; built once per run. */
function bundled(bundle: Bundle): Promise<string> {
  let path = bundles.get(bundle);
  if (path === undefined) {
    path = bundle === 'bare' ? Promise.resolve(join(workers, 'bare-worker.js')) : makeBundle(bundle);
    bundles.set(bundle, path);
  }
  return path;
}

async function makeBundle(bundle: Exclude<Bundle, 'bare'>): Promise<string> {
  const isExtended = ['many-updates', 'events', 'counted', 'memory', 'sleepy'].includes(bundle);
  const isTessera = bundle === 'tessera' || isExtended;
  // A bench becomes staff by /dev/staff.
  const entry = isTessera && !isExtended ? 'worker/development.ts' : join(workers, `${bundle}-worker.ts`);
  const script = isTessera ? [entry] : [];
  const config = isTessera ? 'wrangler.toml' : join(workers, `${bundle}.toml`);
  const output = join(folder, bundle);
  // Without assets, so that the console does not need a build.
  const assets = isTessera ? ['--assets', mkdtempSync(join(folder, 'assets-'))] : [];
  const result = await captureTool('wrangler', [
    ...['deploy', ...script, ...assets],
    ...['--config', config, '--dry-run', '--outdir', output],
  ]);
  if (result.code !== 0) throw new Error(`${bundle} could not be bundled:\n${result.output}`);
  const name = bundle === 'tessera' ? 'development' : `${bundle}-worker`;
  return join(output, `${name}.js`);
}
