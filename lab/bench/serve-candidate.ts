// Serves one benchmark candidate on workerd's own socket, without wrangler's proxy, which costs more than what is measured. All
// state is local and temporary.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { unstable_splitSqlQuery } from 'wrangler';
import { startDirect } from '../../dev/start/direct-server.ts';
import { findFreePort } from '../../dev/tools/free-port.ts';
import { featureSlug, METER_KEY, meters, setUpTwentyFeatures } from './set-up-twenty-features.ts';
import {
  type BenchRequest,
  type CandidateName,
  CUSTOMER_PLACE,
  JOINED_UPDATES,
  type ServeOrder,
} from './workers/messages.ts';

const root = resolve(import.meta.dirname, '../..');
const userIdentifier = `ada-${CUSTOMER_PLACE}@example.com`;

process.on('message', async (order: ServeOrder) => {
  try {
    process.send?.(await serve(order));
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.stack : String(error) });
  }
});

async function serve({ candidate, bundlePath, vars = {}, locations }: ServeOrder): Promise<BenchRequest> {
  const port = await findFreePort();
  switch (candidate) {
    case 'bare':
      await startDirect({ port, bundlePath, configPath: bareToml('bare-hono'), vars: {} });
      return { port, method: 'GET', path: '/', headers: [], body: '' };
    case 'bare-hono':
      await startDirect({ port, bundlePath, configPath: bareToml('bare-hono'), vars: {} });
      return postJson(port, '/', [], { userIdentifier });
    case 'bare-object':
    case 'bare-upsert':
      await startDirect({ port, bundlePath, configPath: bareToml('bare-object'), vars: {} });
      return postJson(port, candidate === 'bare-object' ? '/echo' : '/count', [], { userIdentifier });
    case 'anchor-update': {
      await startDirect({ port, bundlePath, configPath: bareToml('anchor'), vars: {} });
      const [path, body] = publicCallOf('counter-update');
      return postJson(port, path, [['Authorization', `Bearer ${'anchor'.repeat(8)}`]], body);
    }
    case 'anchor-check':
    case 'anchor-metered-check': {
      await startDirect({ port, bundlePath, configPath: bareToml('check-anchor'), vars: {} });
      const path = candidate === 'anchor-check' ? '/access-checks' : '/metered-checks';
      return postJson(port, path, [['Authorization', `Bearer ${'anchor'.repeat(8)}`]], { userIdentifier });
    }
    default:
      return serveTessera({ candidate, bundlePath, vars, locations }, port);
  }
}

async function serveTessera(
  { candidate, bundlePath, vars: ownVars, locations }: ServeOrder,
  port: number,
): Promise<BenchRequest> {
  const baseUrl = `http://127.0.0.1:${port}`;
  const vars = parseEnv(readFileSync(resolve(root, 'dev/development.vars'), 'utf8'));
  const isInspected = candidate === 'stripe-sync' || candidate === 'memory';
  const inspectorPort = isInspected ? await findFreePort() : undefined;
  const allVars = { ...vars, ...ownVars, BASE_URL: baseUrl };
  const { miniflare } = await startDirect({
    port,
    bundlePath,
    inspectorPort,
    configPath: resolve(root, 'wrangler.toml'),
    vars: allVars,
  });
  if (candidate === 'single-updates' || candidate === 'joined-updates') {
    const count = candidate === 'single-updates' ? 1 : JOINED_UPDATES;
    return postJson(port, '/bench/updates', [], { customer: userIdentifier, count });
  }
  const database = await miniflare.getD1Database('DB');
  for (const { queries } of await readD1Migrations(resolve(root, 'migrations'))) {
    const statements = queries.flatMap((query) => unstable_splitSqlQuery(query));
    await database.batch(statements.map((statement) => database.prepare(statement)));
  }
  if (candidate === 'record-events') return postJson(port, '/bench/events', [], {});
  if (isInspected || candidate === 'sleepy')
    return { port, method: 'GET', path: '/', headers: [], body: '', inspectorPort };
  const workflows = Number(/^workflows-(\d+)$/.exec(candidate)?.[1] ?? 0);
  const unmetered: readonly CandidateName[] = ['anonymous-check', 'authenticated-check', 'context-check'];
  const isMetered = !unmetered.includes(candidate) && workflows === 0;
  const secretKey = await setUpTwentyFeatures(baseUrl, isMetered, {
    workflows,
    locations,
    balancesOf: balancesOf(candidate),
  });
  const headers = [['Authorization', `Bearer ${secretKey}`]] as const;
  if (isMetered) await countOnEveryMeter(baseUrl, secretKey);
  const [path, body] = publicCallOf(candidate);
  return postJson(port, path, headers, body);
}

/** Of candidates in whose environment customers have facts, of which those with balances have ten. */
function balancesOf(candidate: CandidateName): ReadonlyMap<string, number> {
  const isDrawing = candidate === 'balances-check' || candidate === 'drawing-update';
  const hasFacts = isDrawing || candidate === 'facts-check' || candidate === 'facts-update';
  return new Map(
    hasFacts
      ? [
          ['grace@example.com', 1],
          [userIdentifier, isDrawing ? 10 : 0],
        ]
      : [],
  );
}

/** Counts on every meter of the customer, because an unused meter is cheaper. */
async function countOnEveryMeter(baseUrl: string, secretKey: string): Promise<void> {
  for (const [index, { uniqueResourceIds }] of meters.entries()) {
    const feature = featureSlug(index + 1);
    const resource = uniqueResourceIds ? { resourceId: 'resource-1' } : {};
    const response = await fetch(`${baseUrl}/api/v1/counter-updates`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ userIdentifier, feature, property: METER_KEY, ...resource }),
    });
    if (!response.ok) throw new Error(`A meter did not count: ${await response.text()}`);
  }
}

function publicCallOf(candidate: CandidateName): [path: string, body: object] {
  const path = '/api/v1/access-checks';
  const update = { userIdentifier, feature: featureSlug(1), property: METER_KEY };
  switch (candidate) {
    case 'anonymous-check':
      return [path, {}];
    case 'bounded-check':
      return [path, { userIdentifier, consistency: 'bounded' }];
    case 'context-check':
      return [path, { userIdentifier, context: { device: 'mobile', beta: true } }];
    case 'counter-update':
    case 'facts-update':
    case 'drawing-update':
      return ['/api/v1/counter-updates', update];
    case 'settled-hold':
      return ['/bench/settled-holds', { ...update, amount: 2 }];
    case 'batched-updates':
      return ['/api/v1/counter-updates/batch', { updates: new Array(JOINED_UPDATES).fill(update) }];
    case 'evaluated-flags':
      return ['/ofrep/v1/evaluate/flags', { context: { targetingKey: userIdentifier } }];
    default:
      return [path, { userIdentifier }];
  }
}

function bareToml(name: string): string {
  return resolve(import.meta.dirname, 'workers', `${name}.toml`);
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
