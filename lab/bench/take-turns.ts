// Measures candidates in slices. The two candidates of a ratio share a slice, in which they take turns of a few milliseconds
// (alternation.ts), so interference on the machine affects both alike. What responses leave to do is done before the CPU time is read, which
// another process cannot take away.
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchServer, putLoad, putLoads } from './bench-servers.ts';
import type { Costs } from './verdict.ts';
import type { LoadOrder, LoadResult } from './workers/messages.ts';

export const rounds = Number(process.env.BENCH_ROUNDS ?? 10);
/** Of a slice: several times as long as it takes until the runtime frees what thousands of requests left, which takes a tenth of a second. */
export const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const warmUpSeconds = 5;
/** Isolates send events once a second, and streams wait for others' before they store them. */
const SETTLE_SECONDS = 1.6;

export interface Turn {
  /** Name in ratios, such as `f at 64`. */
  name: string;
  title: string;
  server: BenchServer;
  connections: number;
  /** Number of customers that requests cycle through; absent: always the same one. */
  customers?: number;
}

/** A ratio of two turns, by name: the processor time of `other` divided by that of `one`. */
export interface Ratio {
  one: string;
  other: string;
  /** How much more work a response of `one` does than one of `other`. */
  work?: number;
  /** Target: at least. */
  aim?: number;
}

/** What one turn did in one slice. */
export interface Slice extends LoadResult {
  answersPerSecond: number;
  /** CPU time of the server per response; NaN if unavailable. */
  processorMicroseconds: number;
  /** Share of the slice in which the server's threads waited for a core. */
  waitedShare: number;
}

export interface Measured {
  readonly slices: ReadonlyMap<Turn, readonly Slice[]>;
  /** Of each round. */
  readonly costs: ReadonlyMap<Ratio, readonly Costs[]>;
  /** Of the first baseline and another process of it: what machine and processes add to every ratio. */
  readonly control: readonly Costs[];
  /** Microseconds per response of the turn's server, with all that it did later: alarms and deliveries. */
  readonly wholeMicroseconds: ReadonlyMap<Turn, number>;
}

/**
 * @param twin another process of the first ratio's baseline
 * @param settleSeconds until everything that responses leave to do is done
 */
export async function takeTurns(
  turns: readonly Turn[],
  ratios: readonly Ratio[],
  twin: BenchServer,
  settleSeconds = SETTLE_SECONDS,
): Promise<Measured> {
  const costs = new Map(ratios.map((ratio) => [ratio, [] as Costs[]]));
  const control: Costs[] = [];
  const slicer = new Slicer(turns, settleSeconds);
  const compared = new Set(ratios.flatMap(({ one, other }) => [one, other]));
  const alone = turns.filter(({ name }) => !compared.has(name));
  const baseline = slicer.turnOf(ratios[0]?.other);
  const second = { ...baseline, server: twin };
  await slicer.warmUp([...turns, second]);
  for (let round = 0; round < rounds; round += 1) {
    console.log(`Round ${round + 1} of ${rounds} ...`);
    for (const turn of alone) await slicer.take([turn]);
    for (const [{ one, other, work }, ofRatio] of costs)
      ofRatio.push(costsOf(await slicer.take([slicer.turnOf(one), slicer.turnOf(other)]), work));
    control.push(costsOf(await slicer.take([second, baseline])));
  }
  return { slices: slicer.slices, costs, control, wholeMicroseconds: slicer.wholeMicroseconds() };
}

/** By processor time; by rate where the system does not say it. */
function costsOf(slices: readonly Slice[], work = 1): Costs {
  const isKnown = slices.every(({ processorMicroseconds }) => !Number.isNaN(processorMicroseconds));
  const [one = Number.NaN, other = Number.NaN] = slices.map(({ processorMicroseconds, answersPerSecond }) =>
    isKnown ? processorMicroseconds : 1e6 / answersPerSecond,
  );
  return [one, other * work];
}

interface ServerTotal {
  readonly secondsBefore: number;
  answers: number;
}

class Slicer {
  readonly slices: Map<Turn, Slice[]>;
  readonly #settleMs: number;
  readonly #totals = new Map<BenchServer['child'], ServerTotal>();

  constructor(turns: readonly Turn[], settleSeconds: number) {
    this.slices = new Map(turns.map((turn) => [turn, []]));
    this.#settleMs = settleSeconds * 1000;
  }

  turnOf(name: string | undefined): Turn {
    const turn = [...this.slices.keys()].find((each) => each.name === name);
    if (turn === undefined) throw new Error(`No candidate is called ${name}`);
    return turn;
  }

  async warmUp(turns: readonly Turn[]): Promise<void> {
    for (const turn of turns) await putLoad(orderOf(turn, warmUpSeconds));
    await sleep(this.#settleMs);
    for (const { server } of turns) {
      this.#totals.set(server.child, { secondsBefore: usedSeconds(server), answers: 0 });
    }
  }

  /** One slice, which the turns share. Processes are told apart, so each has its own. */
  async take(turns: readonly Turn[]): Promise<Slice[]> {
    const before = turns.map(({ server }) => server.child.processorUse());
    const results = await putLoads(turns.map((turn) => orderOf(turn, seconds)));
    await sleep(this.#settleMs);
    return turns.flatMap((turn, index) => {
      const { child } = turn.server;
      const [from, to, result] = [before[index], child.processorUse(), results[index]];
      if (result === undefined) return [];
      const total = this.#totals.get(child);
      if (total !== undefined) total.answers += result.answers;
      const isKnown = from && to;
      const slice = {
        ...result,
        answersPerSecond: result.answers / result.seconds,
        processorMicroseconds: isKnown ? ((to.seconds - from.seconds) * 1e6) / result.answers : Number.NaN,
        waitedShare: isKnown ? (to.waitedSeconds - from.waitedSeconds) / result.seconds : Number.NaN,
      };
      this.slices.get(turn)?.push(slice);
      return [slice];
    });
  }

  wholeMicroseconds(): Map<Turn, number> {
    return new Map(
      [...this.slices.keys()].map((turn) => {
        const { secondsBefore = Number.NaN, answers = 0 } = this.#totals.get(turn.server.child) ?? {};
        return [turn, ((usedSeconds(turn.server) - secondsBefore) * 1e6) / answers];
      }),
    );
  }
}

function orderOf({ server: { request }, connections, customers }: Turn, loadSeconds: number): LoadOrder {
  return { request, connections, customers, seconds: loadSeconds };
}

function usedSeconds({ child }: BenchServer): number {
  return child.processorUse()?.seconds ?? Number.NaN;
}
