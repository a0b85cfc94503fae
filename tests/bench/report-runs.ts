// Prints a group's results: a table of the candidates, and a table of the ratios between them with their verdicts.
import { pinning } from './bench-servers.ts';
import { median, percentile, printTable, quantile } from './table.ts';
import { type Measured, rounds, seconds } from './take-turns.ts';
import { isQuiet, verdictOf } from './verdict.ts';

export function reportRuns(heading: string, measured: Measured): void {
  console.log(`\n${heading}: ${rounds} slices of ${seconds} s, workerd's own socket, ${pinning}\n`);
  reportCandidates(measured);
  if (measured.quotients.size > 0) reportRatios(measured);
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
        median(results.map(({ processorMicroseconds }) => processorMicroseconds)).toFixed(0),
        (wholeMicroseconds.get(turn) ?? Number.NaN).toFixed(0),
        percent(median(results.map(({ waitedShare }) => waitedShare))),
        String(results[0]?.bodyBytes ?? 0),
      ];
    }),
  );
}

export function reportRatios({ quotients, control }: Pick<Measured, 'quotients' | 'control'>): void {
  const spread = (values: readonly number[]) =>
    `${quantile(values, 0.25).toFixed(2)}–${quantile(values, 0.75).toFixed(2)}`;
  const [baseline = ''] = [...quotients.keys()].map(({ other }) => other);
  console.log();
  printTable(
    ['ratio, by processor time', 'median', 'middle half', 'aim', ''],
    [
      ...[...quotients].map(([{ one, other, aim }, values]) => [
        `${one}/${other}`,
        median(values).toFixed(2),
        spread(values),
        aim?.toFixed(2) ?? '',
        verdictOf(values, control, aim),
      ]),
      [`${baseline}/${baseline}, the control`, median(control).toFixed(2), spread(control), '1.00', ''],
    ],
  );
  if (isQuiet(control)) return;
  console.log('\nThe machine is too busy to conclude: the control differs from itself. Run the group again.');
}

function percent(share: number): string {
  return Number.isNaN(share) ? '' : `${Math.round(share * 100)} %`;
}
