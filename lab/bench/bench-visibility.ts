// How soon a check is seen: from its response to the message in the live view, and to the first search that finds it. 200 checks, a
// few at a time, through the console's own API.
import { setTimeout as sleep } from 'node:timers/promises';
import { eventEndpoints } from '#contracts/console/events';
import { watchSessionEndpoints } from '#contracts/console/watch-sessions';
import { signInDemo } from '../../dev/demo/demo-account.ts';
import type { ApiSession } from '../../dev/workspace/api-session.ts';
import { readAnswer } from '../../dev/workspace/endpoint-caller.ts';
import { startServer, stopServers } from './bench-servers.ts';
import { percentile, printTable } from './table.ts';
import type { BenchRequest } from './workers/messages.ts';

const checks = 200;
const atOnce = 4;
const pollMs = 20;
const limitMs = 30_000;

export async function benchVisibility(): Promise<void> {
  const { request } = await startServer('authenticated-check');
  const session = await signInDemo(`http://127.0.0.1:${request.port}`);
  const list = await session.send('GET', '/api/user/orgs');
  const [organisation] = await readAnswer<{ id: string }[]>(list, 'GET');
  const orgId = organisation?.id ?? '';
  const seen = await watch(session, request.port, orgId);
  const [live, searched]: [number[], number[]] = [[], []];
  for (let number = 0; number < checks; number += atOnce) {
    const some = Array.from(
      { length: atOnce },
      (_, index) => `seen-${String(number + index).padStart(3, '0')}`,
    );
    await Promise.all(
      some.map(async (name) => {
        const answeredAt = await check(request, `${name}@example.com`);
        const foundAt = untilFound(session, orgId, name);
        live.push((await seen(name)) - answeredAt);
        searched.push((await foundAt) - answeredAt);
      }),
    );
  }
  stopServers();
  console.log(`\nFrom the response of ${checks} checks until they are seen, in ms\n`);
  printTable(
    ['', 'p50', 'p95', 'longest', 'aim'],
    [
      ['in the live view', ...distributionOf(live), '1000'],
      ['by search', ...distributionOf(searched), '2000'],
    ],
  );
}

function distributionOf(times: readonly number[]): string[] {
  const counts = times.map((ms) => [ms, 1] as const);
  return [0.5, 0.95, 1].map((share) => percentile(counts, share).toFixed(0));
}

/** @returns waits for an event whose text includes a name, and returns when it arrived */
async function watch(
  session: ApiSession,
  port: number,
  orgId: string,
): Promise<(name: string) => Promise<number>> {
  const { id } = await session.call(watchSessionEndpoints.create, { params: { orgId }, body: {} });
  const arrivedAt = new Map<string, number>();
  const waiting = new Map<string, (at: number) => void>();
  const address = `ws://127.0.0.1:${port}/api/orgs/${orgId}/watch-session/${id}/websocket`;
  // Node's WebSocket takes headers, which its types do not say.
  const headers = { cookie: session.cookie(), origin: `http://127.0.0.1:${port}` };
  const socket = new WebSocket(address, { headers } as unknown as string[]);
  socket.addEventListener('message', ({ data }) => {
    const name = /"subjectIdentifier":"(seen-\d+)@/.exec(String(data))?.[1] ?? '';
    arrivedAt.set(name, performance.now());
    waiting.get(name)?.(performance.now());
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.addEventListener('open', () => resolve());
  socket.addEventListener('error', () => reject(new Error('The live view was refused')));
  await promise;
  return (name) =>
    new Promise((settle, fail) => {
      const at = arrivedAt.get(name);
      if (at !== undefined) settle(at);
      waiting.set(name, settle);
      setTimeout(() => fail(new Error(`${name} is not in the live view`)), limitMs).unref();
    });
}

/** @returns when it was answered */
async function check({ port, path, headers }: BenchRequest, userIdentifier: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    body: JSON.stringify({ userIdentifier }),
  });
  if (!response.ok) throw new Error(`The check failed: ${await response.text()}`);
  await response.arrayBuffer();
  return performance.now();
}

async function untilFound(session: ApiSession, orgId: string, textSearch: string): Promise<number> {
  const criteria = encodeURIComponent(JSON.stringify({ textSearch }));
  const path = `${eventEndpoints.search.path.replace(':orgId', orgId)}?criteria=${criteria}`;
  for (const startedAt = performance.now(); performance.now() - startedAt < limitMs; ) {
    const { events } = await readAnswer<{ events: unknown[] }>(await session.send('GET', path), 'GET');
    if (events.length > 0) return performance.now();
    await sleep(pollMs);
  }
  throw new Error(`${textSearch} is not found`);
}
