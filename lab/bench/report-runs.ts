// Prints a group's results: a table of the candidates, and a table of the ratios between them with their verdicts.
import { pinning } from './bench-servers.ts';
import { mean, median, percentile, printTable, quantile } from './table.ts';
import { type Measured, rounds, seconds } from './take-turns.ts';
import { type Costs, estimate, isQuiet, verdictOf } from './verdict.ts';

export function reportRuns(heading: string, measured: Measured): void {
  console.log(`\n${heading}: ${rounds} rounds, slices of ${seconds} s, workerd's own socket, ${pinning}\n`);
  reportCandidates(measured);
  if (measured.costs.size > 0) reportRatios(measured);
}

function reportCandidates({ slices, wholeMicroseconds }: Measured): void {
  printTable(
    [
      ...['candidate', 'connections', 'requests/s', 'p50 ms', 'p99 ms'],
      ...['processor µs', 'with all later work', 'waited for a core', 'body octets'],
    ],
    [...slices].map(([turn, results]) => {
      const latencies = results.flatMap((result) => result.latencies);
      return [
        `(${turn.name}) ${turn.title}`,
        String(turn.connections),
        Math.round(median(results.map(({ answersPerSecond }) => answersPerSecond))).toLocaleString('en-GB'),
        (percentile(latencies, 0.5) / 1000).toFixed(2),
        (percentile(latencies, 0.99) / 1000).toFixed(2),
        mean(results.map(({ processorMicroseconds }) => processorMicroseconds)).toFixed(0),
        (wholeMicroseconds.get(turn) ?? Number.NaN).toFixed(0),
        percent(median(results.map(({ waitedShare }) => waitedShare))),
        String(results[0]?.bodyBytes ?? 0),
      ];
    }),
  );
}

export function reportRatios({ costs, control }: Pick<Measured, 'costs' | 'control'>): void {
  const ofControl = estimate(control);
  const [baseline = ''] = [...costs.keys()].map(({ other }) => other);
  const rowOf = (name: string, rounds: readonly Costs[], aim?: number) => {
    const own = estimate(rounds);
    const quotients = rounds.map(([one, other]) => other / one);
    const [from, to] = [quantile(quotients, 0.25), quantile(quotients, 0.75)];
    return [
      ...[name, own.ratio.toFixed(2), `± ${own.margin.toFixed(2)}`, median(quotients).toFixed(2)],
      ...[`${from.toFixed(2)}–${to.toFixed(2)}`, aim?.toFixed(2) ?? '', verdictOf(own, ofControl, aim)],
    ];
  };
  console.log();
  printTable(
    ['ratio, by processor time', 'all rounds', '95 %', 'median', 'middle half', 'aim', ''],
    [
      ...[...costs].map(([{ one, other, aim }, rounds]) => rowOf(`${one}/${other}`, rounds, aim)),
      rowOf(`${baseline} in two processes, the control`, control),
    ],
  );
  if (isQuiet(ofControl)) return;
  console.log('\nThe machine is too busy to conclude: the control differs from itself. Run the group again.');
}

function percent(share: number): string {
  return Number.isNaN(share) ? '' : `${Math.round(share * 100)} %`;
}
