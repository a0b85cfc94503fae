// Choices by weight, from a source of random numbers that tests and seeds can repeat.

/** Returns numbers from 0 to 1, always the same ones for a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An item, chosen by weight. @throws {RangeError} without items */
export function choose<Item>(
  items: readonly Item[],
  weightOf: (item: Item) => number,
  random: () => number,
): Item {
  let rest = random() * items.reduce((sum, item) => sum + weightOf(item), 0);
  for (const item of items) {
    rest -= weightOf(item);
    if (rest < 0) return item;
  }
  const last = items.at(-1);
  if (last === undefined) throw new RangeError('There is nothing to choose from');
  return last;
}
