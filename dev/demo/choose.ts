// Choices by weight, from a source of random numbers that tests and seeds can repeat.

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
