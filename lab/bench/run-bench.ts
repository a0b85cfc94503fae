// `npm run bench`: cost of checks and counter updates relative to minimal Workers on the same machine, by processor time. The two
// candidates of a ratio take turns of a few milliseconds (take-turns.ts). BENCH_ONLY selects groups (checks, metering, bill, memory,
// regions, limits, engine, scale, stripe, sync, floods, workflows, events, client; comma-separated). BENCH_ROUNDS (10) and BENCH_SECONDS (4, a slice)
// set the duration.
import { readOptions } from '../../dev/tools/read-options.ts';
import { benchBill } from './bench-bill.ts';
import { benchChecks } from './bench-checks.ts';
import { benchClient } from './bench-client.ts';
import { benchEvents } from './bench-events.ts';
import { benchFloods } from './bench-floods.ts';
import { benchLimits } from './bench-limits.ts';
import { benchMemory } from './bench-memory.ts';
import { benchMetering } from './bench-metering.ts';
import { benchRegions } from './bench-regions.ts';
import { benchScale } from './bench-scale.ts';
import { benchStripe } from './bench-stripe.ts';
import { benchSync } from './bench-sync.ts';
import { benchWorkflows } from './bench-workflows.ts';
import { engineBench } from './engine-bench.ts';
import { printTable } from './table.ts';

const groups = new Map<string, () => void | Promise<void>>([
  ['checks', benchChecks],
  ['metering', benchMetering],
  ['bill', benchBill],
  ['memory', benchMemory],
  ['regions', benchRegions],
  ['limits', benchLimits],
  ['engine', benchEngine],
  ['scale', benchScale],
  ['stripe', benchStripe],
  ['sync', benchSync],
  ['floods', benchFloods],
  ['workflows', benchWorkflows],
  ['events', benchEvents],
  ['client', benchClient],
]);

readOptions('bench', {});
const chosen = process.env.BENCH_ONLY?.split(',') ?? [...groups.keys()];
for (const name of chosen) {
  const group = groups.get(name);
  if (group === undefined)
    throw new Error(`BENCH_ONLY accepts ${[...groups.keys()].join(', ')}, not ${name}`);
  console.log(`\n${name}: building and preparing the candidates ...`);
  await group();
}
process.exit(0);

function benchEngine(): void {
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
