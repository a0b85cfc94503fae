/**
 * Makes of recorded events the groups that a stream stores: by environment, and never with more or over a longer time
 * than one stored row should hold. Runs in the isolate that recorded them, off the path of the answer.
 */
import type { EventGroup, RecordedEvent, UsageCount } from '#contracts/event-batch';
import type { EventType } from '#contracts/events';
import { dayOf } from '../usage/calendar.ts';
import { haveSameShape, shapeOf, writeLine } from './event-line.ts';
import { searchWords } from './search-words.ts';

export const MAX_GROUP_EVENTS = 100;
/** A search reads back this far beyond where it starts, so that it misses no group that began earlier. */
export const MAX_GROUP_SPAN_MS = 10_000;
/** UTF-16 units of the lines of one group: at most 1.5 MB in UTF-8, of the 2 MB that a row may have. */
const MAX_GROUP_LENGTH = 500_000;
const MAX_LINE_LENGTH = 50_000;

export function groupEvents(events: readonly RecordedEvent[]): EventGroup[] {
  const groups: EventGroup[] = [];
  const open = new Map<string, OpenGroup>();
  for (const event of events) {
    let group = open.get(event.envId);
    if (group === undefined || !group.hasRoomFor(event)) {
      if (group !== undefined) groups.push(group.close());
      group = new OpenGroup(event.envId);
      open.set(event.envId, group);
    }
    group.add(event);
  }
  for (const group of open.values()) groups.push(group.close());
  return groups;
}

class OpenGroup {
  readonly #envId: string;
  readonly #ids: string[] = [];
  readonly #lines: string[] = [];
  #length = 0;
  #fromAt = Number.POSITIVE_INFINITY;
  #toAt = 0;
  readonly #usage = new UsageTally();
  readonly #words = new Set<string>();
  readonly #texts = new Map<string, number>();
  readonly #shapes = new Map<string, number>();
  // Neighbours mostly have the same shape, and then there is nothing to be looked into again.
  #last: RecordedEvent | null = null;
  #lastShape = 0;

  constructor(envId: string) {
    this.#envId = envId;
  }

  hasRoomFor({ time }: RecordedEvent): boolean {
    return (
      this.#ids.length < MAX_GROUP_EVENTS &&
      this.#length < MAX_GROUP_LENGTH &&
      Math.max(this.#toAt, time) - Math.min(this.#fromAt, time) <= MAX_GROUP_SPAN_MS
    );
  }

  add(event: RecordedEvent): void {
    if (this.#last === null || !haveSameShape(event, this.#last))
      this.#lastShape = this.#shapeNumberOf(event);
    this.#last = event;
    let line = writeLine(event, this.#lastShape);
    if (line.length > MAX_LINE_LENGTH) line = writeLine(withoutBodies(event), this.#lastShape);
    this.#ids.push(event.id);
    this.#lines.push(line);
    this.#length += line.length;
    if (event.time < this.#fromAt) this.#fromAt = event.time;
    if (event.time > this.#toAt) this.#toAt = event.time;
    this.#usage.add(event.time, event.type, event.isError);
    if (event.subjectIdentifier !== null) this.#words.add(event.subjectIdentifier);
    for (const identifier of event.secondarySubjectIdentifiers) this.#words.add(identifier);
    if (event.cfRay !== null) this.#words.add(event.cfRay);
  }

  #shapeNumberOf(event: RecordedEvent): number {
    const text = event.features === null ? null : numberIn(this.#texts, event.features);
    const shape = JSON.stringify(shapeOf(event, text));
    const known = this.#shapes.get(shape);
    if (known !== undefined) return known;
    this.#length += shape.length;
    const { place, stripeEventType, error } = event;
    for (const word of [place.country, place.city, stripeEventType, error]) {
      if (word !== null) this.#words.add(word);
    }
    for (const slug of event.planSlugs) this.#words.add(slug);
    for (const slug of event.featureSlugs) this.#words.add(slug);
    return numberIn(this.#shapes, shape);
  }

  close(): EventGroup {
    let terms = '';
    for (const word of this.#words) terms += `${searchWords(word)} `;
    return {
      envId: this.#envId,
      ids: JSON.stringify(this.#ids),
      count: this.#ids.length,
      fromAt: this.#fromAt,
      toAt: this.#toAt,
      usage: this.#usage.counts(),
      terms,
      lines: this.#lines.join('\n'),
      shapes: `[${[...this.#shapes.keys()].join(',')}]`,
      texts: [...this.#texts.keys()],
    };
  }
}

/** The number of a key in the order in which keys came; a new one is added. */
function numberIn(numbers: Map<string, number>, key: string): number {
  let number = numbers.get(key);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(key, number);
  }
  return number;
}

function withoutBodies(event: RecordedEvent): RecordedEvent {
  return { ...event, request: null, response: '' };
}

/** Counts events as usage: by day and type, errors not. */
export class UsageTally {
  readonly #counts: { dayAt: number; type: EventType; total: number }[] = [];

  add(time: number, type: EventType, isError: boolean): void {
    if (isError) return;
    const dayAt = dayOf(time);
    const count = this.#counts.find((each) => each.dayAt === dayAt && each.type === type);
    if (count === undefined) this.#counts.push({ dayAt, type, total: 1 });
    else count.total += 1;
  }

  counts(): readonly UsageCount[] {
    return this.#counts;
  }
}
