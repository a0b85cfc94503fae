/** Makes a history that fails shorter: leaves out operations as long as it still fails. */

/** @param fails whether a list still fails @param most tries */
export async function shrink<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
  most = 2_000,
): Promise<readonly Item[]> {
  let shortest = items;
  let tries = 0;
  for (let size = Math.ceil(items.length / 2); size >= 1; ) {
    let isShorter = false;
    for (let from = 0; from < shortest.length && tries < most; tries += 1) {
      const without = [...shortest.slice(0, from), ...shortest.slice(from + size)];
      if (await fails(without)) [shortest, isShorter] = [without, true];
      else from += size;
    }
    if (tries >= most) break;
    if (!isShorter || size > 1) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return shortest;
}
