// An event stream whose workerd is killed 20 times while groups are appended, at any point between an append, its counts and its
// answer: nothing that was acknowledged is lost, and nothing that was sent again is counted twice.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVENTS_PER_GROUP, type GroupOrder, type StreamState } from '#lab/chaos/workers/stream-orders';
import { type DirectServer, startDirect } from '../../dev/start/direct-server.ts';
import { findFreePort } from '../../dev/tools/free-port.ts';
import { captureTool } from '../../dev/tools/run-tool.ts';

const kills = 20;
const clients = 4;
/** A call to a killed server may never be answered. */
const patienceMs = 30_000;
const root = resolve(import.meta.dirname, '../..');

let folder: string;
let server: DirectServer | undefined;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-stream-'));
});

afterAll(async () => {
  await server?.miniflare.dispose();
  rmSync(folder, { recursive: true, force: true });
});

test('a stream that is killed between append and roll-up loses nothing and counts nothing twice', {
  timeout: 600_000,
}, async () => {
  const port = await findFreePort();
  server = await startDirect({
    port,
    bundlePath: await bundle(),
    configPath: resolve(root, 'wrangler.toml'),
    vars: {},
    persistTo: join(folder, 'state'),
  });
  const startAt = Date.now() - 6 * 86_400_000;
  const call = async (path: string, body: string): Promise<unknown> => {
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body, signal });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.json();
  };

  let groups = 0;
  let repeated = 0;
  let isOver = false;
  const appendAll = async () => {
    while (!isOver) {
      const order: GroupOrder = { number: groups++, startAt };
      // As the queue does: again until it is acknowledged.
      while (!(await call('/append', JSON.stringify(order)).then(Number.isInteger, () => false))) {
        repeated += 1;
        await sleep(20);
      }
    }
  };
  const appending = Array.from({ length: clients }, appendAll);
  for (let kill = 0; kill < kills; kill++) {
    const before = groups;
    await expect.poll(() => groups - before, { interval: 10, timeout: 60_000 }).toBeGreaterThan(clients);
    await sleep(Math.random() * 100);
    await server.restart();
  }
  isOver = true;
  await Promise.all(appending);

  const events = groups * EVENTS_PER_GROUP;
  const state = (await call('/state', '')) as StreamState;
  expect(repeated).toBeGreaterThan(0);
  expect(new Set(state.ids).size).toBe(events);
  expect(state).toMatchObject({ usage: events, charted: [events, events], denied: groups });
  expect(state.ids).toHaveLength(events);
  for (let number = 0; number < groups; number += Math.ceil(groups / 10))
    expect(await call('/search', `customer-${number}-end`), `customer-${number}`).toHaveLength(
      EVENTS_PER_GROUP,
    );
});

async function bundle(): Promise<string> {
  const output = join(folder, 'bundle');
  const script = resolve(root, 'lab/chaos/workers/stream-worker.ts');
  const result = await captureTool('wrangler', [
    ...['deploy', script, '--assets', mkdtempSync(join(folder, 'assets-'))],
    ...['--config', resolve(root, 'wrangler.toml'), '--dry-run', '--outdir', output],
  ]);
  if (result.code !== 0) throw new Error(`The Worker could not be bundled:\n${result.output}`);
  return join(output, 'stream-worker.js');
}
