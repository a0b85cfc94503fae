// Prints a group's results: a table of the candidates, and a table of the ratios between them.
import { pinning } from './bench-servers.ts';
import { median, percentile, printTable } from './table.ts';
import { type Runs, rounds, seconds, type Turn } from './take-turns.ts';

/** A ratio of two turns, by name. `work` is how much more work a response of `one` does than one of `other`. */
export interface Ratio {
  one: string;
  other: string;
  work?: number;
  /** Target ratio, by requests per second. */
  aim?: string;
}

export function reportRuns(heading: string, runs: Runs, ratios: readonly Ratio[]): void {
  console.log(`\n${heading}: ${rounds} rounds of ${seconds} s, workerd's own socket, ${pinning}\n`);
  printTable(
    ['candidate', 'connections', 'requests/s', 'p50 ms', 'p99 ms', 'processor µs', 'least', 'body octets'],
    [...runs].map(([{ name, title, connections }, results]) => {
      const latencies = results.flatMap((result) => result.latencies);
      const processor = results.map(({ processorMicroseconds }) => processorMicroseconds);
      return [
        `(${name}) ${title}`,
        String(connections),
        Math.round(median(results.map(({ answersPerSecond }) => answersPerSecond))).toLocaleString('en-GB'),
        (percentile(latencies, 0.5) / 1000).toFixed(2),
        (percentile(latencies, 0.99) / 1000).toFixed(2),
        median(processor).toFixed(0),
        Math.min(...processor).toFixed(0),
        String(results[0]?.bodyBytes ?? 0),
      ];
    }),
  );
  const rows = ratios.flatMap((ratio) => ratioRow(runs, ratio));
  if (rows.length === 0) return;
  console.log();
  printTable(
    ['ratio', 'by requests/s', 'aim', 'by processor time', 'by its least', 'rounds, by requests/s'],
    rows,
  );
}

function ratioRow(runs: Runs, { one, other, work = 1, aim = '' }: Ratio): string[][] {
  const ones = runsNamed(runs, one);
  const others = runsNamed(runs, other);
  if (ones === undefined || others === undefined) return [];
  const inRounds = (ratioOf: (index: number) => number) => ones.map((_, index) => ratioOf(index));
  const rate = (all: typeof ones, index: number) => all[index]?.answersPerSecond ?? Number.NaN;
  const processor = (all: typeof ones, index: number) => all[index]?.processorMicroseconds ?? Number.NaN;
  const least = (all: typeof ones) =>
    Math.min(...all.map(({ processorMicroseconds }) => processorMicroseconds));
  const byRate = inRounds((index) => (work * rate(ones, index)) / rate(others, index));
  const byProcessor = inRounds((index) => (work * processor(others, index)) / processor(ones, index));
  return [
    [
      `${one}/${other}`,
      median(byRate).toFixed(2),
      aim,
      median(byProcessor).toFixed(2),
      ((work * least(others)) / least(ones)).toFixed(2),
      byRate.map((ratio) => ratio.toFixed(2)).join(' '),
    ],
  ];
}

function runsNamed(runs: Runs, name: string) {
  return [...runs].find(([turn]: [Turn, unknown]) => turn.name === name)?.[1];
}
