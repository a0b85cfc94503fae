// The memory of an isolate whose caches are all full, part after part, after garbage collection; and of a ledger. The platform ends an
// isolate at 128 MB.
import { startServer, stopServers } from './bench-servers.ts';
import { IsolateMemory } from './isolate-memory.ts';
import { printTable } from './table.ts';
import type { FillOrder } from './workers/messages.ts';

/** More of each than the caches keep. */
const parts: readonly (readonly [part: FillOrder['part'], count: number])[] = [
  ['organisations', 1_000],
  ['large organisations', 40],
  ['tokens', 20_000],
  ['facts', 30_000],
  ['facts of large features', 3_000],
  ['readings', 30_000],
  ['1,000 meters', 400],
  // More than a version may have by now: it stays deployed.
  ['4,000 meters', 400],
];
/** What a snapshot is made of, the number of its environment in the Worker, and how many are kept at once. */
const snapshots: readonly (readonly [name: string, environment: number, count: number])[] = [
  ['20 features', 0, 100],
  ['500 features', 10_000, 10],
  ['1,000 meters', 60_000, 10],
];
const ledgerCustomers = 2_000;
const checksPerCall = 200;

export async function benchMemory(): Promise<void> {
  const server = await startServer('memory');
  const url = `http://127.0.0.1:${server.request.port}/api/health`;
  const memory = await IsolateMemory.open(server.request.inspectorPort ?? 0);
  try {
    const rows: string[][] = [];
    const first = await memory.readLive(url);
    let before = first;
    const note = async (name: string, count: number) => {
      const now = await memory.readLive(url);
      const figures = [(now - before).toFixed(1), (now - first).toFixed(1)];
      console.log(`${name}: ${figures.join(' MB, in all ')} MB`);
      rows.push([name, count.toLocaleString('en-GB'), ...figures]);
      before = now;
    };
    for (const [part, count] of parts) {
      for (let from = 0; from < count; from += checksPerCall) {
        await post(server.request.port, '/bench/fill', {
          part,
          from,
          to: Math.min(count, from + checksPerCall),
        });
      }
      await note(part, count);
    }
    for (let from = 0; from < ledgerCustomers; from += 100) {
      await post(server.request.port, '/bench/ledgers', { from, to: from + 100 });
    }
    await note('buckets of a ledger', ledgerCustomers * 100);
    console.log('\nMegabytes of an isolate whose caches fill\n');
    printTable(['', 'checks or buckets', 'more than before', 'in all'], rows);
    await weighSnapshots(server.request.port, memory, url);
  } finally {
    memory.close();
    stopServers();
  }
}

/** What the snapshot cache counts beside what the heap grows by: within 20 %. */
async function weighSnapshots(port: number, memory: IsolateMemory, url: string): Promise<void> {
  const rows: string[][] = [];
  for (const [name, environment, count] of snapshots) {
    await post(port, '/bench/snapshots', { environment, count: 0 });
    const before = await memory.readLive(url);
    const weight = (await post(port, '/bench/snapshots', { environment, count })) / 1024 / 1024;
    const heap = (await memory.readLive(url)) - before;
    rows.push([name, ...[weight / count, heap / count, weight / heap].map((figure) => figure.toFixed(2))]);
  }
  console.log('\nMegabytes of a snapshot in the cache\n');
  printTable(['', 'weighed as', 'in the heap', 'ratio'], rows);
}

/** @returns what the Worker answered */
async function post(port: number, path: string, body: object): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as number;
}
