/**
 * Pages through events, newest first, from chunks with overlapping times. The page cursor is a time: its whole part is a
 * millisecond, its fraction counts how many of that millisecond's events remain. No event is skipped or repeated, however
 * many share a millisecond.
 */

/** Resolution of the cursor's fraction. An instant with such a fraction is exact as a number until the year 2109. */
export const PARTS_PER_MS = 2048;

export interface PageChunk<Entry> {
  /** Upper bound for the times of this and all following chunks. */
  readonly newestAt: number;
  /** Orders events of the same millisecond, before their order within the chunk. */
  readonly arrival: number;
  /** How much reading it costs, compared with an average chunk. */
  readonly weight?: number;
  /** Matching events in order of arrival. */
  readonly read: () => readonly Entry[];
}

export interface PageCriteria {
  /** The previous page's cursor, or an instant. Only older events are read. */
  readonly timeTo: number | null;
  readonly limit: number;
  /** A search with few matches pauses after this many chunks. */
  readonly maxChunks: number;
}

export interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** Null if nothing older is left. */
  readonly nextTimeTo: number | null;
}

interface Timed {
  readonly time: number;
}

interface Placed<Entry> {
  readonly entry: Entry;
  readonly arrival: number;
  readonly index: number;
}

/** All matching events of one millisecond, newest first. */
interface Millisecond<Entry> {
  readonly time: number;
  readonly entries: readonly Entry[];
}

interface Pause {
  /** Everything at or after this instant is read. */
  readonly pausedAt: number;
}

/** @param chunks by descending `newestAt` */
export function readPage<Entry extends Timed>(
  chunks: Iterable<PageChunk<Entry>>,
  criteria: PageCriteria,
): Page<Entry> {
  const entries: Entry[] = [];
  let readTo: number | null = null;
  for (const step of milliseconds(chunks, criteria)) {
    if ('pausedAt' in step) return { entries, nextTimeTo: step.pausedAt };
    const room = criteria.limit - entries.length;
    if (room <= 0) return { entries, nextTimeTo: readTo };
    const count = Math.max(room, step.entries.length - PARTS_PER_MS + 1);
    entries.push(...step.entries.slice(0, count));
    const remaining = step.entries.length - count;
    if (remaining > 0) return { entries, nextTimeTo: step.time + remaining / PARTS_PER_MS };
    readTo = step.time;
  }
  return { entries, nextTimeTo: null };
}

function* milliseconds<Entry extends Timed>(
  chunks: Iterable<PageChunk<Entry>>,
  { timeTo, maxChunks }: PageCriteria,
): Generator<Millisecond<Entry> | Pause> {
  const cursor = timeTo === null ? null : cursorOf(timeTo);
  let waiting: Placed<Entry>[] = [];
  let chunksRead = 0;
  for (const chunk of chunks) {
    const [complete, rest] = split(waiting, chunk.newestAt);
    yield* byMillisecond(complete, cursor);
    waiting = rest;
    const pausedAt = chunk.newestAt + 1;
    const isWithinMillisecond = waiting.some((placed) => placed.entry.time === chunk.newestAt);
    if (chunksRead >= maxChunks && !isWithinMillisecond && (timeTo === null || pausedAt < timeTo)) {
      yield { pausedAt };
      return;
    }
    chunksRead += chunk.weight ?? 1;
    for (const [index, entry] of chunk.read().entries()) {
      if (cursor === null || entry.time <= cursor.time)
        waiting.push({ entry, arrival: chunk.arrival, index });
    }
  }
  yield* byMillisecond(waiting, cursor);
}

interface Cursor {
  readonly time: number;
  /** How many of that millisecond's events are unread. */
  readonly remaining: number;
}

function cursorOf(timeTo: number): Cursor {
  const time = Math.floor(timeTo);
  return { time, remaining: Math.round((timeTo - time) * PARTS_PER_MS) };
}

/** Splits off what is newer than `time`: no further chunk adds to it. */
function split<Entry extends Timed>(
  waiting: readonly Placed<Entry>[],
  time: number,
): [Placed<Entry>[], Placed<Entry>[]] {
  const complete: Placed<Entry>[] = [];
  const rest: Placed<Entry>[] = [];
  for (const placed of waiting) (placed.entry.time > time ? complete : rest).push(placed);
  return [complete, rest];
}

function* byMillisecond<Entry extends Timed>(
  placed: Placed<Entry>[],
  cursor: Cursor | null,
): Generator<Millisecond<Entry>> {
  placed.sort(
    (one, other) =>
      other.entry.time - one.entry.time || other.arrival - one.arrival || other.index - one.index,
  );
  for (let start = 0; start < placed.length; ) {
    const { time } = (placed[start] as Placed<Entry>).entry;
    let end = start + 1;
    while (placed[end]?.entry.time === time) end += 1;
    const first = cursor?.time === time ? Math.max(start, end - cursor.remaining) : start;
    if (first < end) yield { time, entries: placed.slice(first, end).map((each) => each.entry) };
    start = end;
  }
}
