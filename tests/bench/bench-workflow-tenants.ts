// What many organisations with a workflow cost together, and what hostile workflows of one organisation cost the others: the
// latency of a caller's checks, without and with a workflow of its own, alone and beside four connections that send checks of
// somebody else as fast as they are answered. Ordinary checks, which run no workflow, say what such a load costs by itself.
import { startWorkflowRunners } from '../../dev/workflow-runner.ts';
import { putLoad, startServer, stopServers } from './bench-servers.ts';
import type { LoadResult } from './messages.ts';
import { median, percentile, printTable } from './table.ts';
import { rounds, seconds } from './take-turns.ts';

const FLOOD_CONNECTIONS = 4;
/** Checks of each tenant on average: after eight short runs in a row it moves to the runner for short runs, which then loads its code. */
const WARM_UP_CHECKS = 40;

interface Row {
  readonly results: LoadResult[];
  /** The p99 over that of the row it is compared with, in each round. */
  readonly slowdowns: number[];
  /** The same over that beside ordinary checks; empty where there is no flood. */
  readonly overOrdinary: number[];
}

export async function benchWorkflowTenants(): Promise<void> {
  const { vars, stop } = await startWorkflowRunners();
  const { request } = await startServer('workflow-tenants', { vars });
  const { tenants } = request;
  if (tenants === undefined) throw new Error('The server has no tenants');
  const rows = new Map<string, Row>();
  const record = (title: string, result: LoadResult, alone = result, ordinary?: LoadResult) => {
    const row = rows.get(title) ?? { results: [], slowdowns: [], overOrdinary: [] };
    rows.set(title, row);
    row.results.push(result);
    row.slowdowns.push(slowdownOf(result, alone));
    if (ordinary !== undefined) row.overOrdinary.push(slowdownOf(result, ordinary));
  };
  const load = (keys: readonly string[], connections = 1) => putLoad({ request, keys, connections, seconds });
  for (let checks = 0; checks < tenants.many.length * WARM_UP_CHECKS; ) {
    checks += (await load(tenants.many, FLOOD_CONNECTIONS)).answers;
  }
  for (let round = 1; round <= rounds; round += 1) {
    console.log(`Round ${round} of ${rounds} ...`);
    const one = await load([tenants.working], FLOOD_CONNECTIONS);
    record('4 connections: one organisation with one workflow', one);
    record(
      '4 connections: 100 organisations with one workflow each',
      await load(tenants.many, FLOOD_CONNECTIONS),
      one,
    );
    for (const [victim, key] of [
      ['check without workflow', tenants.plain],
      ['check with one workflow', tenants.working],
    ] as const) {
      const alone = await load([key]);
      record(`${victim}, beside nobody`, alone);
      let ordinary: LoadResult | undefined;
      for (const [name, keys] of Object.entries(tenants.floods)) {
        const flood = putLoad({ request, keys, connections: FLOOD_CONNECTIONS, seconds }, 'flood');
        const result = await load([key]);
        ordinary ??= result;
        record(
          `${victim}, beside ${name} ${name === 'ordinary' ? 'checks' : 'workflows'}`,
          result,
          alone,
          ordinary,
        );
        await flood;
      }
    }
  }
  stopServers();
  await stop();
  console.log(`\nMany tenants, and hostile ones: ${rounds} rounds of ${seconds} s\n`);
  printTable(
    ['checks', 'checks/s', 'p50 ms', 'p99 ms', 'p99 ratio', 'over ordinary'],
    [...rows].map(([title, { results, slowdowns, overOrdinary }]) => {
      const latencies = results.flatMap((result) => result.latencies);
      const rates = results.map((result) => result.answers / result.seconds);
      return [
        title,
        Math.round(median(rates)).toLocaleString('en-GB'),
        (percentile(latencies, 0.5) / 1000).toFixed(2),
        (percentile(latencies, 0.99) / 1000).toFixed(2),
        median(slowdowns).toFixed(2),
        overOrdinary.length === 0 ? '' : median(overOrdinary).toFixed(2),
      ];
    }),
  );
}

function slowdownOf(result: LoadResult, other: LoadResult): number {
  return percentile(result.latencies, 0.99) / percentile(other.latencies, 0.99);
}
