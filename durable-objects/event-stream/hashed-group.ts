/** A group of events on its way into the storage. */
import type { EventGroup } from '#contracts/internal/event-batch';
import { type EventShape, readShapes } from '#engine/events/event-shape';
import { type Tally, tallyLines } from '#engine/events/tally-lines';
import { type HashedText, slugsIn } from './text-store.ts';

/** A group with its features texts, hashed. */
export interface HashedGroup {
  readonly group: EventGroup;
  readonly texts: readonly HashedText[];
  /** Null until it is needed. */
  figures: { readonly shapes: readonly EventShape[]; readonly tally: Tally } | null;
}

/** What is counted of a group. @throws if the group is malformed */
export function figuresOf(hashed: HashedGroup): NonNullable<HashedGroup['figures']> {
  if (hashed.figures === null) {
    const { group, texts } = hashed;
    const shapes = readShapes(group.shapes);
    hashed.figures = { shapes, tally: tallyLines(group.lines, shapes, (text) => slugsIn(texts[text])) };
  }
  return hashed.figures;
}
