// Measures candidates in short slices. The two candidates of a ratio take turns within milliseconds, so interference on the
// machine affects both alike, and a ratio compares CPU time, which another process cannot take away.
import { type BenchServer, putLoad } from './bench-servers.ts';
import type { LoadOrder, LoadResult } from './workers/messages.ts';

export const rounds = Number(process.env.BENCH_ROUNDS ?? 15);
export const seconds = Number(process.env.BENCH_SECONDS ?? 0.3);
const warmUpSeconds = 1.5;
/** What a response leaves to do, such as sending events, is done by then. */
const settleMs = 300;

export interface Turn {
  /** Name in ratios, such as `f at 64`. */
  name: string;
  title: string;
  server: BenchServer;
  connections: number;
  /** Number of customers that requests cycle through; absent: always the same one. */
  customers?: number;
  /** Load before each slice, for what is cached for a second only. */
  leadInSeconds?: number;
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

/** One slice of one turn. */
export interface Slice extends LoadResult {
  answersPerSecond: number;
  /** CPU time of the server per response; NaN if unavailable. */
  processorMicroseconds: number;
  /** Share of the slice in which the server's threads waited for a core. */
  waitedShare: number;
}

export interface Measured {
  readonly slices: ReadonlyMap<Turn, readonly Slice[]>;
  /** Per ratio, the quotient of each round. */
  readonly quotients: ReadonlyMap<Ratio, readonly number[]>;
  /** Quotients of the first baseline with itself: what the machine adds to every ratio. */
  readonly control: readonly number[];
  /** Microseconds per response of the turn's server, with all that it did later: alarms and deliveries. */
  readonly wholeMicroseconds: ReadonlyMap<Turn, number>;
}

export async function takeTurns(turns: readonly Turn[], ratios: readonly Ratio[] = []): Promise<Measured> {
  const quotients = new Map(ratios.map((ratio) => [ratio, [] as number[]]));
  const control: number[] = [];
  const slicer = new Slicer(turns);
  const compared = new Set(ratios.flatMap(({ one, other }) => [one, other]));
  const alone = turns.filter(({ name }) => !compared.has(name));
  await slicer.warmUp();
  for (let round = 0; round < rounds; round += 1) {
    console.log(`Round ${round + 1} of ${rounds} ...`);
    for (const { name } of alone) await slicer.take(name);
    for (const [{ one, other, work = 1 }, ofRatio] of quotients) {
      ofRatio.push(work * quotientOf(...(await slicer.takeBoth(one, other, round))));
    }
    const baseline = ratios[0]?.other;
    if (baseline !== undefined)
      control.push(quotientOf(...(await slicer.takeBoth(baseline, baseline, round))));
  }
  return { slices: slicer.slices, quotients, control, wholeMicroseconds: slicer.wholeMicroseconds() };
}

/** By processor time; by rate where the system does not say it. */
function quotientOf(one: Slice, other: Slice): number {
  const quotient = other.processorMicroseconds / one.processorMicroseconds;
  return Number.isNaN(quotient) ? one.answersPerSecond / other.answersPerSecond : quotient;
}

interface ServerTotal {
  readonly secondsBefore: number;
  answers: number;
}

class Slicer {
  readonly slices: Map<Turn, Slice[]>;
  readonly #totals = new Map<BenchServer['child'], ServerTotal>();

  constructor(turns: readonly Turn[]) {
    this.slices = new Map(turns.map((turn) => [turn, []]));
  }

  async warmUp(): Promise<void> {
    for (const turn of this.slices.keys()) await putLoad(orderOf(turn, warmUpSeconds));
    await settle();
    for (const { server } of this.slices.keys()) {
      this.#totals.set(server.child, { secondsBefore: usedSeconds(server), answers: 0 });
    }
  }

  /** @param name of a turn */
  async take(name: string): Promise<Slice> {
    const [turn, slices] = [...this.slices].find(([each]) => each.name === name) ?? [];
    if (turn === undefined || slices === undefined) throw new Error(`No candidate is called ${name}`);
    if (turn.leadInSeconds !== undefined) await this.#load(turn, turn.leadInSeconds);
    const { child } = turn.server;
    const before = child.processorUse();
    const result = await this.#load(turn, seconds);
    await settle();
    const after = child.processorUse();
    const isKnown = before !== null && after !== null;
    const slice = {
      ...result,
      answersPerSecond: result.answers / result.seconds,
      processorMicroseconds: isKnown ? ((after.seconds - before.seconds) * 1e6) / result.answers : Number.NaN,
      waitedShare: isKnown ? (after.waitedSeconds - before.waitedSeconds) / result.seconds : Number.NaN,
    };
    slices.push(slice);
    return slice;
  }

  /** Every second round in the reverse order, so that a drift of the machine cancels out. */
  async takeBoth(one: string, other: string, round: number): Promise<[one: Slice, other: Slice]> {
    if (round % 2 === 0) return [await this.take(one), await this.take(other)];
    const second = await this.take(other);
    return [await this.take(one), second];
  }

  wholeMicroseconds(): Map<Turn, number> {
    return new Map(
      [...this.slices.keys()].map((turn) => {
        const { secondsBefore = Number.NaN, answers = 0 } = this.#totals.get(turn.server.child) ?? {};
        return [turn, ((usedSeconds(turn.server) - secondsBefore) * 1e6) / answers];
      }),
    );
  }

  async #load(turn: Turn, loadSeconds: number): Promise<LoadResult> {
    const result = await putLoad(orderOf(turn, loadSeconds));
    const total = this.#totals.get(turn.server.child);
    if (total !== undefined) total.answers += result.answers;
    return result;
  }
}

function orderOf({ server: { request }, connections, customers }: Turn, loadSeconds: number): LoadOrder {
  return { request, connections, customers, seconds: loadSeconds };
}

function usedSeconds({ child }: BenchServer): number {
  return child.processorUse()?.seconds ?? Number.NaN;
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, settleMs));
}
