import type { EventGroup } from '#contracts/internal/event-batch';
import { readLineHeads } from './event-line.ts';
import { readShapes } from './event-shape.ts';

/**
 * Reduces a group's named events to these, the first line of each; events without a name of their own stay. Times, terms, shapes
 * and texts remain those of the whole group: they may cover more than the remaining lines, never less.
 * @returns null if no event is left
 */
export function onlyEvents(group: EventGroup, ids: ReadonlySet<string>): EventGroup | null {
  const wanted = new Set(ids);
  const named = new Set(JSON.parse(group.ids) as string[]);
  const heads = [...readLineHeads(group.lines, readShapes(group.shapes))];
  const lines = group.lines.split('\n').filter((_, index) => {
    const id = heads[index]?.id ?? '';
    return !named.has(id) || wanted.delete(id);
  });
  if (lines.length === 0) return null;
  return { ...group, ids: JSON.stringify([...ids]), count: lines.length, lines: lines.join('\n') };
}
