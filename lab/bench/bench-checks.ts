// Cost of an access check, relative to a minimal JSON API on the same platform.
import { type BenchServer, putLoad, startServer, startServers, stopServers } from './bench-servers.ts';
import { reportRuns } from './report-runs.ts';
import { featureSlug, METER_KEY, meters } from './set-up-twenty-features.ts';
import { type Turn, takeTurns } from './take-turns.ts';
import { type CandidateName, CUSTOMER_PLACE } from './workers/messages.ts';

const connections = 16;
const manyCustomers = 1_000;
const titles: readonly (readonly [name: string, candidate: CandidateName, title: string])[] = [
  ['a', 'bare', "bare Worker, 'ok'"],
  ['b', 'bare-hono', 'Hono and zod, 2 KB of JSON'],
  ['c', 'anonymous-check', 'access check, anonymous, 20 features'],
  ['d', 'authenticated-check', 'access check, authenticated, 20 features'],
  ['d context', 'context-check', '... and a context, which no workflow reads'],
  ['e', 'metered-check', '... and 5 meters, read from the ledger'],
  ['e bounded', 'bounded-check', '... and 5 meters, consistency bounded'],
  ['e facts', 'facts-check', 'as e, where customers have facts'],
  ['e balances', 'balances-check', '... and this one ten balances of a meter'],
  ['flags', 'evaluated-flags', 'the same as flags of OpenFeature, with an entity tag'],
  ['anchor', 'anchor-check', 'what a team would deploy instead of d'],
  ['anchor metered', 'anchor-metered-check', 'what a team would deploy instead of e'],
  ['g', 'bare-object', 'bare Worker, one call of an object'],
];

export async function benchChecks(): Promise<void> {
  const servers = await startServers(titles.map(([, candidate]) => candidate));
  const twin = await startServer('bare-hono');
  const turns = titles.flatMap(([name, candidate, title]): Turn[] => {
    const server = servers.get(candidate);
    if (server === undefined) return [];
    const turn = { name, title, server, connections };
    if (name !== 'e' && name !== 'e bounded') return [turn];
    const many = {
      name: `${name} many`,
      title: `${title}, ${manyCustomers.toLocaleString('en-GB')} customers`,
    };
    return [turn, { ...turn, ...many, customers: manyCustomers }];
  });
  for (const candidate of ['metered-check', 'bounded-check'] as const) {
    const server = servers.get(candidate);
    if (server !== undefined) await countForEverybody(server);
  }
  const ratios = [
    { one: 'c', other: 'b', aim: 0.95 },
    { one: 'd', other: 'b', aim: 0.92 },
    { one: 'e', other: 'b', aim: 0.45 },
    { one: 'e many', other: 'b', aim: 0.45 },
    { one: 'e bounded', other: 'b', aim: 0.85 },
    { one: 'e bounded many', other: 'b', aim: 0.85 },
    { one: 'd', other: 'anchor', aim: 0.95 },
    { one: 'e', other: 'anchor metered', aim: 0.9 },
    { one: 'e', other: 'g' },
    { one: 'e balances', other: 'e facts', aim: 0.9 },
    { one: 'd context', other: 'd' },
    { one: 'flags', other: 'e' },
  ];
  const measured = await takeTurns(turns, ratios, twin);
  stopServers();
  reportRuns('Access checks', measured);
}

/** Every customer has usage of their own on every meter, so that no two answers are equal. */
async function countForEverybody({ request }: BenchServer): Promise<void> {
  for (const [index, { uniqueResourceIds }] of meters.entries()) {
    const counted = uniqueResourceIds ? { resourceId: 'resource-1' } : { by: CUSTOMER_PLACE };
    const update = {
      userIdentifier: `ada-${CUSTOMER_PLACE}@example.com`,
      ...counted,
      feature: featureSlug(index + 1),
      property: METER_KEY,
    };
    // The number follows a 1, because numbers have no leading zeros.
    const body = JSON.stringify(update).replace(`"${CUSTOMER_PLACE}"`, `1${CUSTOMER_PLACE}`);
    const path = '/api/v1/counter-updates';
    await putLoad({ request: { ...request, path, body }, connections, customers: manyCustomers });
  }
}
