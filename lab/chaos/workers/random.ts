// A seeded generator, so that a run can be repeated with the same choices.
import { seededRandom } from '#lab/fixtures/seeded-random';

export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from 0 to `max`. */
  upTo(max: number): number;
  pick<Item>(items: readonly Item[]): Item;
  shuffle<Item>(items: readonly Item[]): Item[];
  /** A generator of its own, so that one concern's choices do not depend on how often another chooses. */
  fork(): Random;
}

export function randomFrom(seed: number): Random {
  const next = seededRandom(seed);
  const upTo = (max: number) => Math.floor(next() * (max + 1));
  return {
    next,
    upTo,
    pick: (items) => items[upTo(items.length - 1)] as never,
    shuffle(items) {
      const result = [...items];
      for (let index = result.length - 1; index > 0; index -= 1) {
        const other = upTo(index);
        [result[index], result[other]] = [result[other] as never, result[index] as never];
      }
      return result;
    },
    fork: () => randomFrom(Math.floor(next() * 2 ** 32)),
  };
}
