// For any chunks, the concatenated pages have every event once, newest first.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type PageChunk, readPage } from '#objects/event-stream/read-page';

interface Entry {
  readonly time: number;
  readonly name: string;
}

const START = 1_800_000_000_000;

/** Chunks in order of arrival. Few distinct times, so that many events share one. */
const arrivals = fc.array(
  fc.array(fc.integer({ min: START, max: START + 6 }), { minLength: 1, maxLength: 12 }),
  {
    maxLength: 25,
  },
);

function chunksOf(times: readonly (readonly number[])[]): PageChunk<Entry>[] {
  return times
    .map((each, arrival) => ({
      newestAt: Math.max(...each),
      arrival,
      read: () => each.map((time, index) => ({ time, name: `${arrival}/${index}` })),
    }))
    .sort((one, other) => other.newestAt - one.newestAt || other.arrival - one.arrival);
}

function inOrder(times: readonly (readonly number[])[]): string[] {
  return times
    .flatMap((each, arrival) => each.map((time, index) => ({ time, arrival, index })))
    .sort((one, other) => other.time - one.time || other.arrival - one.arrival || other.index - one.index)
    .map(({ arrival, index }) => `${arrival}/${index}`);
}

/** @param meanwhile called after each page; the chunks it returns arrive before the next page */
function readAll(
  times: (readonly number[])[],
  { limit, maxChunks }: { limit: number; maxChunks: number },
  meanwhile: () => readonly number[] | null = () => null,
): { names: string[]; pages: number } {
  const names: string[] = [];
  let timeTo: number | null = null;
  let pages = 0;
  do {
    const page: ReturnType<typeof readPage<Entry>> = readPage(chunksOf(times), { timeTo, limit, maxChunks });
    names.push(...page.entries.map((entry) => entry.name));
    if (page.nextTimeTo !== null && timeTo !== null) expect(page.nextTimeTo).toBeLessThan(timeTo);
    timeTo = page.nextTimeTo;
    pages += 1;
    const arrived = meanwhile();
    if (arrived !== null) times.push(arrived);
  } while (timeTo !== null);
  return { names, pages };
}

it('pages of any size have every event once, newest first', () => {
  fc.assert(
    fc.property(arrivals, fc.integer({ min: 1, max: 30 }), (times, limit) => {
      const { names, pages } = readAll(times, { limit, maxChunks: 1_000 });
      expect(names).toEqual(inOrder(times));
      expect(pages).toBe(Math.max(1, Math.ceil(names.length / limit)));
    }),
  );
});

it('a search that pauses often skips and repeats nothing', () => {
  fc.assert(
    fc.property(
      arrivals,
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 3 }),
      (times, limit, maxChunks) => {
        expect(readAll(times, { limit, maxChunks }).names).toEqual(inOrder(times));
      },
    ),
  );
});

it('events that arrive between two pages neither hide nor repeat existing ones', () => {
  fc.assert(
    fc.property(arrivals, arrivals, fc.integer({ min: 1, max: 9 }), (times, late, limit) => {
      const there = inOrder(times);
      const waiting = [...late];
      const { names } = readAll([...times], { limit, maxChunks: 1_000 }, () => waiting.shift() ?? null);
      const known = new Set(there);
      expect(names.filter((name) => known.has(name))).toEqual(there);
      expect(new Set(names).size).toBe(names.length);
    }),
  );
});

it('more events per millisecond than the cursor can resolve come on one page', () => {
  const times = Array.from({ length: 60 }, () => Array.from({ length: 100 }, () => START));
  expect(readAll(times, { limit: 50, maxChunks: 1_000 }).names).toEqual(inOrder(times));
});
