// A process that serves one candidate of the benchmark through workerd's own socket: without wrangler's proxy, whose
// cost would hide what is measured. Everything is local and forgotten at the end.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from 'wrangler';
import { findFreePort } from '../../dev/free-port.ts';
import type { BenchRequest, ServeOrder } from './messages.ts';
import { setUpTwentyFeatures } from './set-up-twenty-features.ts';

const root = resolve(import.meta.dirname, '../..');
type V4Options = Parameters<typeof convertV4MiniflareOptions>[0];

process.on('message', async (order: ServeOrder) => {
  try {
    process.send?.(await serve(order));
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.stack : String(error) });
  }
});

async function serve({ candidate, bundlePath }: ServeOrder): Promise<BenchRequest> {
  const port = await findFreePort();
  if (candidate === 'bare' || candidate === 'bare-hono') {
    await start(port, bundlePath, resolve(root, 'tests/bench/bare-hono.toml'), {});
    return candidate === 'bare'
      ? { port, method: 'GET', path: '/', headers: [], body: '' }
      : postJson(port, '/', [], { userIdentifier: 'ada@example.com' });
  }
  const baseUrl = `http://127.0.0.1:${port}`;
  const vars = parseEnv(readFileSync(resolve(root, 'dev/development.vars'), 'utf8'));
  const miniflare = await start(port, bundlePath, resolve(root, 'wrangler.toml'), {
    ...vars,
    BASE_URL: baseUrl,
  });
  const database = await miniflare.getD1Database('DB');
  for (const { queries } of await readD1Migrations(resolve(root, 'migrations'))) {
    const statements = queries.flatMap((query) => unstable_splitSqlQuery(query));
    await database.batch(statements.map((statement) => database.prepare(statement)));
  }
  const secretKey = await setUpTwentyFeatures(baseUrl);
  const headers = [['Authorization', `Bearer ${secretKey}`]] as const;
  const body = candidate === 'anonymous-check' ? {} : { userIdentifier: 'ada@example.com' };
  return postJson(port, '/api/v1/access-checks', headers, body);
}

function postJson(
  port: number,
  path: string,
  headers: readonly (readonly [string, string])[],
  body: object,
): BenchRequest {
  const allHeaders = [...headers, ['Content-Type', 'application/json'] as const];
  return { port, method: 'POST', path, headers: allHeaders, body: JSON.stringify(body) };
}

/** workerd with the bindings of a wrangler.toml, listening on `port`. Static assets have no part in it. */
async function start(
  port: number,
  bundlePath: string,
  configPath: string,
  vars: NodeJS.Dict<string>,
): Promise<Miniflare> {
  const { assets: _, ...options } = unstable_getMiniflareWorkerOptions(configPath).workerOptions;
  const worker = {
    ...options,
    name: 'candidate',
    bindings: { ...(options.bindings as object), ...vars },
    modules: [{ type: 'ESModule', path: 'index.js', contents: readFileSync(bundlePath, 'utf8') }],
    unsafeDirectSockets: [{ host: '127.0.0.1', port }],
  };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({ workers: [worker], cf: false } as unknown as V4Options),
  );
  await miniflare.ready;
  return miniflare;
}
