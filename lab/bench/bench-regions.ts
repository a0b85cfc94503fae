// What a check costs where every object sleeps: customers who are called so seldom that all they need is built again for each call, in
// one, three and nine data locations, with few and many ledgers. First checks of customers, and later ones; in an isolate that knows the
// environment, and in one that does not. It makes BENCH_CHECKS (10,000) checks for each line, of as many customers. BENCH_SHARDS
// and BENCH_LOCATIONS select.
import { setTimeout as sleep } from 'node:timers/promises';
import { customerEndpoints } from '#contracts/console/customers';
import { organisationEndpoints } from '#contracts/console/organisations';
import { signInDemo } from '../../dev/demo/demo-account.ts';
import {
  createDeployed,
  createFeature,
  createOrganisation,
  createPlan,
} from '../../dev/workspace/build-workspace.ts';
import { readAnswer } from '../../dev/workspace/endpoint-caller.ts';
import { startServer, stopServers } from './bench-servers.ts';
import { chooseGrow } from './choose-grow.ts';
import { printTable } from './table.ts';
import type { SleepyCounts, SleepyOrder } from './workers/messages.ts';

const checks = Number(process.env.BENCH_CHECKS ?? 10_000);
const shardNumbers = (process.env.BENCH_SHARDS ?? '16,1024').split(',').map(Number);
const locationNumbers = (process.env.BENCH_LOCATIONS ?? '1,3,9').split(',').map(Number);
/** One call answers within the time that a client waits. */
const CHECKS_AT_ONCE = 100;
const COUNTED = ['d1Statements', 'objectRequests', 'objectsBuilt', 'rowsRead', 'rowsWritten'] as const;
/** One in so many customers has a manual grant; the others are known to have nothing. */
const GRANTED_EVERY = 10;
const KEYS = ['wnam', 'enam', 'weur', 'eeur', 'apac', 'sam', 'oc', 'afr', 'me'] as const;
/** A city near each. */
export const PLACES = {
  weur: { latitude: '51.5', longitude: '-0.1', continent: 'EU', country: 'GB' },
  enam: { latitude: '40.7', longitude: '-74.0', continent: 'NA', country: 'US' },
  apac: { latitude: '1.3', longitude: '103.8', continent: 'AS', country: 'SG' },
  wnam: { latitude: '37.8', longitude: '-122.4', continent: 'NA', country: 'US' },
  eeur: { latitude: '52.2', longitude: '21.0', continent: 'EU', country: 'PL' },
  sam: { latitude: '-23.5', longitude: '-46.6', continent: 'SA', country: 'BR' },
  oc: { latitude: '-33.9', longitude: '151.2', continent: 'OC', country: 'AU' },
  afr: { latitude: '-26.2', longitude: '28.0', continent: 'AF', country: 'ZA' },
  me: { latitude: '25.2', longitude: '55.3', continent: 'AS', country: 'AE' },
} as const satisfies Record<(typeof KEYS)[number], object>;
const PASSES = [
  { title: 'first check', isCold: false },
  { title: 'later check', isCold: false },
  { title: 'later check, new isolate', isCold: true },
] as const;

export async function benchRegions(): Promise<void> {
  const rows: string[][] = [];
  for (const shards of shardNumbers) {
    const { request } = await startServer('sleepy', { vars: { LEDGER_SHARDS: String(shards) } });
    const url = `http://127.0.0.1:${request.port}`;
    for (const locations of locationNumbers) {
      const secretKey = await setUp(url, locations);
      await settle(url);
      const places = Object.values(PLACES).slice(0, locations);
      for (const { title, isCold } of PASSES) {
        const counts = COUNTED.map(() => 0);
        for (let from = 0; from < checks; from += CHECKS_AT_ONCE) {
          const to = Math.min(checks, from + CHECKS_AT_ONCE);
          const body = JSON.stringify({ secretKey, places, from, to, isCold } satisfies SleepyOrder);
          const response = await fetch(`${url}/bench/sleepy`, { method: 'POST', body });
          const more = await readAnswer<SleepyCounts>(response, title);
          for (const [index, name] of COUNTED.entries()) counts[index] = (counts[index] ?? 0) + more[name];
        }
        const each = counts.map((count) => (count / checks).toFixed(2));
        const row = [`${shards} ledgers, ${locations} locations, ${title}`, ...each];
        console.log(row.join('  '));
        rows.push(row);
      }
    }
    stopServers();
  }
  console.log(`\nWhat one check needs when every object sleeps (millions, for a million checks)\n`);
  printTable(['', 'D1 statements', 'object calls', 'objects built', 'rows read', 'rows written'], rows);
}

/** The ledgers of locations that were enabled before are retired in the background, and fall asleep. */
async function settle(url: string): Promise<void> {
  const requests = async () =>
    ((await (await fetch(`${url}/bench/counts`)).json()) as SleepyCounts).objectRequests;
  for (let before = -1, now = await requests(); before !== now; ) {
    await sleep(12_000);
    [before, now] = [now, await requests()];
  }
}

/** @returns the key of a live environment with a meter */
async function setUp(url: string, count: number): Promise<string> {
  const workspace = await createOrganisation(await signInDemo(url), 'Regions', `regions-${count}`);
  const { session, orgId } = workspace;
  await chooseGrow(url, orgId);
  const enabled: readonly string[] = Object.keys(PLACES).slice(0, count);
  const locations = Object.fromEntries(KEYS.map((key) => [key, enabled.includes(key)]));
  await session.call(organisationEndpoints.updateDataLocations, {
    params: { orgId },
    body: { locations: locations as never },
  });
  const properties = [{ name: 'Usage', propertyKey: 'usage', type: 'meterable' as const }];
  const feature = await createFeature(workspace, { name: 'Metered', slug: 'metered', properties });
  const meter = { limit: 1_000, periodType: 'lifetime', uniqueResourceIds: false } as const;
  const values = { metered: { usage: { state: 'metered', meter } as const } };
  await createPlan(workspace, { name: 'Users', slug: 'users', grantToAuthenticatedUsers: true, values }, [
    feature,
  ]);
  const paid = await createPlan(workspace, { name: 'Paid', slug: 'paid', values }, [feature]);
  const { secretKey } = await createDeployed(workspace, { name: 'Production', type: 'live' });
  for (let number = 0; number < checks; number += GRANTED_EVERY) {
    await session.call(customerEndpoints.grantPlan, {
      params: { orgId, identifier: `customer-${number}` },
      body: { environmentId: null, planId: paid.planId, reason: 'Bench', until: null },
    });
  }
  return secretKey;
}
