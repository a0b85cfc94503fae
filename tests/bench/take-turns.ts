// Runs candidates in turns: each once in every round, so that what disturbs the machine disturbs all alike.
import { type BenchServer, putLoad } from './bench-servers.ts';
import type { LoadResult } from './messages.ts';

export const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
export const seconds = Number(process.env.BENCH_SECONDS ?? 1.2);
const warmUpSeconds = 1.2;

export interface Turn {
  /** How ratios name it: c, f at 64. */
  name: string;
  title: string;
  server: BenchServer;
  connections: number;
  /** Each request is about the next of so many customers; absent: about the same. */
  customers?: number;
}

export interface Run extends LoadResult {
  answersPerSecond: number;
  /** Of the server, for one answer; not a number where the system does not tell. */
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
