/** What is left of a group where some of its events are stored already. */
import type { EventGroup } from '#contracts/event-batch';
import { isErrorShape, readLine, readShapes } from './event-line.ts';
import { UsageTally } from './group-events.ts';

/**
 * Keeps the first line of each of these ids and counts them anew. Times, terms, shapes and texts stay those of the whole group:
 * they may say more than the lines, never less.
 */
export function keepLines(group: EventGroup, ids: ReadonlySet<string>): EventGroup {
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
