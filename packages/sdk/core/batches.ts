/** What checks and usage share when many of them go in one call. */
import type { Received } from './call-api.ts';
import { notOurs } from './error.ts';

export const MAX_BATCH = 100;
/** Of characters, which may take three bytes each; the server takes 256 KiB. */
const MAX_BODY = 80_000;

/** Of those that wait, the first ones that one call takes. */
export function nextBatch<Item>(
  items: Iterable<Item>,
  bodyOf: (item: Item) => object,
  max = MAX_BATCH,
): Item[] {
  const next: Item[] = [];
  let length = 0;
  for (const item of items) {
    length += JSON.stringify(bodyOf(item)).length;
    if (next[0] && (next.length === max || length > MAX_BODY)) break;
    next.push(item);
  }
  return next;
}

/** @throws {TesseraError} if there is not one for each of `count` */
export function resultsOf({ body: { results } }: Received, count: number): readonly unknown[] {
  if (!Array.isArray(results) || results.length !== count) throw notOurs('no results');
  return results;
}
