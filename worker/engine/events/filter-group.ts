import type { EventGroup } from '#contracts/internal/event-batch';
import { isErrorShape, readLine, readShapes } from './event-line.ts';
import { UsageTally } from './group-events.ts';

/**
 * Reduces a group to the events with these ids, the first line of each, and recounts their usage. Times, terms, shapes and
 * texts remain those of the whole group: they may cover more than the remaining lines, never less.
 */
export function filterGroup(group: EventGroup, ids: ReadonlySet<string>): EventGroup {
  const wanted = new Set(ids);
  const usage = new UsageTally();
  const shapes = readShapes(group.shapes);
  const lines: string[] = [];
  for (const text of group.lines.split('\n')) {
    const line = readLine(text, shapes);
    if (!wanted.delete(line.id)) continue;
    lines.push(text);
    usage.add(line.time, line.shape[0], isErrorShape(line.shape));
  }
  return {
    ...group,
    ids: JSON.stringify([...ids]),
    count: lines.length,
    usage: usage.counts(),
    lines: lines.join('\n'),
  };
}
