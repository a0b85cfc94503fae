// Measures loops in this process in short slices. The two loops of a ratio take turns, and count the processor time of the process, garbage
// collection included, so a slice is long enough for what it leaves to collect.
import { type Ratio, rounds } from './take-turns.ts';
import type { Costs } from './verdict.ts';

export const seconds = Number(process.env.BENCH_SECONDS ?? 0.3);

/** @returns how many of its operations were allowed: all of them, or the figures compare different things */
export type Loop = (times: number) => number | Promise<number>;

export interface MeasuredLoops {
  /** Of each slice, by name. */
  readonly microseconds: ReadonlyMap<string, readonly number[]>;
  readonly costs: ReadonlyMap<Ratio, readonly Costs[]>;
  /** Of the first ratio's baseline and itself. */
  readonly control: readonly Costs[];
}

/** Operations between two looks at the clock. */
const STEP = 200;

/** @param beforeRound what loops need to go on */
export async function takeLoopTurns(
  loops: ReadonlyMap<string, Loop>,
  ratios: readonly Ratio[],
  beforeRound: () => Promise<void>,
): Promise<MeasuredLoops> {
  const microseconds = new Map([...loops.keys()].map((name) => [name, [] as number[]]));
  const costs = new Map(ratios.map((ratio) => [ratio, [] as Costs[]]));
  const control: Costs[] = [];
  const take = async (name: string) => {
    const each = await microsecondsEach(name, loops.get(name));
    microseconds.get(name)?.push(each);
    return each;
  };
  const compared = new Set(ratios.flatMap(({ one, other }) => [one, other]));
  await beforeRound();
  for (const [name, loop] of loops) await microsecondsEach(name, loop);
  for (let round = 0; round < rounds; round++) {
    await beforeRound();
    for (const name of loops.keys()) if (!compared.has(name)) await take(name);
    for (const [{ one, other }, ofRatio] of costs) {
      const second = round % 2 === 0 ? null : await take(other);
      const own = await take(one);
      ofRatio.push([own, second ?? (await take(other))]);
    }
    const baseline = ratios[0]?.other;
    if (baseline !== undefined) control.push([await take(baseline), await take(baseline)]);
  }
  return { microseconds, costs, control };
}

async function microsecondsEach(name: string, loop: Loop | undefined): Promise<number> {
  if (loop === undefined) throw new Error(`No candidate is called ${name}`);
  const endsAt = performance.now() + seconds * 1000;
  const before = process.cpuUsage();
  let times = 0;
  for (; performance.now() < endsAt; times += STEP) {
    const allowed = await loop(STEP);
    if (allowed !== STEP) throw new Error(`${name} allowed ${allowed} of ${STEP}`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}
