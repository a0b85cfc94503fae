/** Whether a JSON value is small enough for a tree, and how far the tree opens. Neither recurses. */

/** Characters of a value that is shown as text. */
export const MAX_TEXT = 50_000;
const MAX_NODES = 5_000;
const MAX_DEPTH = 40;
const MAX_STRING = 20_000;
/** Lines that a tree shows before anything is opened. */
const MAX_OPEN_NODES = 60;

export function isTreeSized(value: object): boolean {
  const { counts, isLong } = measure(value);
  return !isLong && counts.length <= MAX_DEPTH && counts.reduce((sum, count) => sum + count, 0) <= MAX_NODES;
}

/** As many levels as fit on a screen, and at least the first. */
export function openLevels(value: object): number {
  let nodes = 0;
  let levels = 0;
  for (const count of measure(value).counts) {
    nodes += count;
    if (nodes > MAX_OPEN_NODES && levels > 0) break;
    levels += 1;
  }
  return levels;
}

/** The number of values on each level; ends early for what is too large anyway. */
function measure(value: object): { counts: number[]; isLong: boolean } {
  const counts: number[] = [];
  let total = 0;
  let level: unknown[] = [value];
  while (level.length > 0) {
    counts.push(level.length);
    total += level.length;
    if (total > MAX_NODES || counts.length > MAX_DEPTH) break;
    if (level.some((each) => typeof each === 'string' && each.length > MAX_STRING))
      return { counts, isLong: true };
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      for (const child of Object.values(each)) {
        next.push(child);
        if (next.length > MAX_NODES) break;
      }
    }
    level = next;
  }
  return { counts, isLong: false };
}
