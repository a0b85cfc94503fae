// Random histories of what customers have and use, against a reference model: after each step every meter says what the model says. To play
// one again: BALANCES_SEED=<the printed seed> vitest run … balances-model
import { expect, it } from 'vitest';
import { type Random, randomFrom } from '#lab/fixtures/seeded-random';
import { Difference } from './compare-answers.ts';
import { BalanceHistory, type Begin, type Tally } from './history.ts';
import { type Operation, randomOperations } from './operations.ts';
import { randomShop } from './shop.ts';
import { shrink } from './shrink.ts';

const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process;
const FIRST = Number(env.BALANCES_SEED ?? 1);
const HISTORIES = Number(env.BALANCES_HISTORIES ?? (env.BALANCES_SEED === undefined ? 500 : 1));
const STEPS = 33;
/** Of what a failure prints. */
const MAX_TEXT = 4_000;

interface Told extends Begin {
  readonly operations: readonly Operation[];
}

/** @param hasPeers begins in two or three locations */
function toldBy(seed: number, hasPeers: boolean): Told {
  const random = randomFrom(seed);
  const locations = hasPeers ? 2 + random.below(2) : 1;
  const shop = randomShop(random);
  const operations = randomOperations(random, STEPS, hasPeers);
  return { shop, locations, startsAt: someStart(random), operations };
}

/** Before the end of a month, also of February in a leap year. */
function someStart({ next, below }: Random): number {
  const month = next() < 0.3 ? 1 : below(12);
  return Date.UTC(2023 + below(3), month, 1 + below(31), below(24), below(60), below(60));
}

async function differenceOf({ operations, ...begin }: Told, tally?: Tally): Promise<Error | null> {
  try {
    await new BalanceHistory(begin, tally).play(operations);
    return null;
  } catch (error) {
    return error as Error;
  }
}

async function failureOf(seed: number, told: Told): Promise<Error> {
  const operations = await shrink(told.operations, async (some) => {
    const error = await differenceOf({ ...told, operations: some });
    return error instanceof Difference;
  });
  const shortest = { ...told, operations };
  const cause = await differenceOf(shortest);
  const text = JSON.stringify({ startsAt: new Date(told.startsAt), operations, shop: told.shop });
  return new Error(`BALANCES_SEED=${seed}: ${cause?.message}\n${text}`.slice(0, MAX_TEXT), { cause });
}

async function playAll(hasPeers: boolean, histories: number): Promise<void> {
  const tally: Tally = new Map();
  for (let seed = FIRST; seed < FIRST + histories; seed++) {
    const told = toldBy(seed, hasPeers);
    if ((await differenceOf(told, tally)) !== null) throw await failureOf(seed, told);
  }
  if (histories >= 100)
    for (const [kind, times] of tally) expect(times, kind).toBeGreaterThan(histories / 30);
}

it(
  'after each step in one location, every meter is what the reference model says',
  {
    timeout: 600_000,
  },
  () => playAll(false, Math.ceil(HISTORIES * 0.6)),
);

it(
  'after each step in up to three locations, every meter is what the model says by what each of them knows',
  {
    timeout: 600_000,
  },
  () => playAll(true, Math.ceil(HISTORIES * 0.4)),
);
