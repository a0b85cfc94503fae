// What somebody may have meant who mistyped a name.
import { StartError } from './start-error.ts';

/** @returns null if no name is near */
function nearestName(typed: string, names: readonly string[]): string | null {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const [best] = names
    .map((name) => ({ name, distance: editDistance(plain(typed), plain(name)) }))
    .sort((one, other) => one.distance - other.distance);
  return best !== undefined && best.distance <= plain(best.name).length / 2 ? best.name : null;
}

/** @returns ` Did you mean …?`, or an empty text */
export function suggestion(typed: string, names: readonly string[]): string {
  const near = nearestName(typed, names);
  return near === null ? '' : ` Did you mean ${near}?`;
}

/** @throws {StartError} naming the first that is not known, and what was meant */
export function ensureKnown(typed: readonly string[], known: readonly string[]): void {
  const unknown = typed.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new StartError(
    `There is no ${unknown}.${suggestion(unknown, known) || ` Choose from ${known.join(', ')}.`}`,
  );
}

/** Characters to insert, delete or replace (Levenshtein). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, character] of [...one].entries()) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index += 1) {
      const replaced = (row[index] ?? 0) + (other[index] === character ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
