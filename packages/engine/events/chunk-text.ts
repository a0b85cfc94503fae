/**
 * A chunk is what one commit stores of an environment: the groups of several isolates, joined as they are. Each group stays a
 * section with shapes and texts of its own. Sections of lines are separated by an empty line, those of shapes and texts by a
 * line break. Chunks of earlier versions have one section.
 */
import type { EventGroup } from '#contracts/internal/event-batch';
import { type EventLine, readLines } from './event-line.ts';
import { type EventShape, readShapes } from './event-shape.ts';

/** The stored columns of a chunk. */
export interface ChunkText {
  /** Per section a JSON array: hashes of the features texts, which shapes refer to by index. */
  readonly texts: string;
  readonly shapes: string;
  readonly lines: string;
}

export interface ChunkSection {
  readonly lines: string;
  readonly shapes: readonly EventShape[];
  /** Hashes. */
  readonly texts: readonly string[];
}

interface HashedGroup {
  readonly group: Pick<EventGroup, 'lines' | 'shapes'>;
  readonly hashes: readonly string[];
}

export function joinGroups(groups: readonly HashedGroup[]): ChunkText {
  return {
    texts: groups.map(({ hashes }) => JSON.stringify(hashes)).join('\n'),
    shapes: groups.map(({ group }) => group.shapes).join('\n'),
    lines: groups.map(({ group }) => group.lines).join('\n\n'),
  };
}

export function sectionsOf({ texts, shapes, lines }: ChunkText): ChunkSection[] {
  const [ownTexts, ownShapes] = [texts.split('\n'), shapes.split('\n')];
  return lines.split('\n\n').map((section, index) => ({
    lines: section,
    shapes: readShapes(ownShapes[index] ?? '[]'),
    texts: JSON.parse(ownTexts[index] ?? '[]') as string[],
  }));
}

/** The events of a chunk in order of arrival, each with its section. */
export function* eventsOf(chunk: ChunkText): Generator<readonly [line: EventLine, section: ChunkSection]> {
  for (const section of sectionsOf(chunk)) {
    for (const line of readLines(section.lines, section.shapes)) yield [line, section];
  }
}
