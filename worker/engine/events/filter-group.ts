import type { EventGroup } from '#contracts/internal/event-batch';
import { readLineHeads } from './event-line.ts';
import { readShapes } from './event-shape.ts';

/**
 * Reduces a group to the events with these ids, the first line of each. Times, terms, shapes and texts remain those of the whole
 * group: they may cover more than the remaining lines, never less.
 */
export function filterGroup(group: EventGroup, ids: ReadonlySet<string>): EventGroup {
  const wanted = new Set(ids);
  const heads = [...readLineHeads(group.lines, readShapes(group.shapes))];
  const lines = group.lines.split('\n').filter((_, index) => wanted.delete(heads[index]?.id ?? ''));
  return { ...group, ids: JSON.stringify([...ids]), count: lines.length, lines: lines.join('\n') };
}
