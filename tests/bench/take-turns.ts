// Runs each candidate once per round, so that interference on the machine affects all alike.
import { type BenchServer, putLoad } from './bench-servers.ts';
import type { LoadResult } from './messages.ts';

export const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
export const seconds = Number(process.env.BENCH_SECONDS ?? 1.2);
const warmUpSeconds = 1.2;

export interface Turn {
  /** Name in ratios, such as `f at 64`. */
  name: string;
  title: string;
  server: BenchServer;
  connections: number;
  /** Number of customers that requests cycle through; absent: always the same one. */
  customers?: number;
}

export interface Run extends LoadResult {
  answersPerSecond: number;
  /** CPU time of the server per response; NaN if unavailable. */
  processorMicroseconds: number;
}

export type Runs = ReadonlyMap<Turn, readonly Run[]>;

export async function takeTurns(turns: readonly Turn[]): Promise<Runs> {
  const runs = new Map(turns.map((turn) => [turn, [] as Run[]]));
  for (const turn of turns) await runTurn(turn, warmUpSeconds);
  for (let round = 1; round <= rounds; round += 1) {
    console.log(`Round ${round} of ${rounds} ...`);
    for (const turn of turns) runs.get(turn)?.push(await runTurn(turn, seconds));
  }
  return runs;
}

async function runTurn({ server, connections, customers }: Turn, runSeconds: number): Promise<Run> {
  const { child, request } = server;
  const before = child.processorSeconds();
  const result = await putLoad({ request, connections, customers, seconds: runSeconds });
  const after = child.processorSeconds();
  const used = before === null || after === null ? Number.NaN : after - before;
  return {
    ...result,
    answersPerSecond: result.answers / result.seconds,
    processorMicroseconds: (used * 1e6) / result.answers,
  };
}
