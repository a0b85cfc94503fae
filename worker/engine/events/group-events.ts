/**
 * Makes of recorded events the groups that a stream stores: by environment, and never with more or over a longer time
 * than one stored row should hold. Runs in the isolate that recorded them, off the path of the answer.
 */
import type { EventGroup, RecordedEvent, UsageCount } from '#contracts/event-batch';
import type { EventType } from '#contracts/events';
import { dayOf } from '../usage/calendar.ts';
import { haveSameShape, shapeOf, writeLine } from './event-line.ts';
import { GroupTexts } from './group-texts.ts';
import { searchWords } from './search-words.ts';

export const MAX_GROUP_EVENTS = 100;
/** A search reads back this far beyond where it starts, so that it misses no group that began earlier. */
export const MAX_GROUP_SPAN_MS = 10_000;
/** UTF-16 units of the lines of one group: at most 1.5 MB in UTF-8, of the 2 MB that a row may have. */
const MAX_GROUP_LENGTH = 500_000;
const MAX_LINE_LENGTH = 50_000;
const MAX_SHORTENED_SUBJECT = 1_000;
const MAX_DEPTH = 200;
const MIN_DEEP_LENGTH = 2_000;

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
  readonly #texts = new GroupTexts();
  readonly #shapes = new Map<string, number>();
  // Neighbours mostly have the same shape, and then there is nothing to be looked into again.
  #last: RecordedEvent | null = null;
  #lastText: number | null = null;
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
    let line = this.#lineOf(event);
    if (line === null) {
      const shorter = withoutBodies(event);
      line = writeLine(shorter, this.#shapeNumberOf(shorter, null), null);
    }
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

  /** Null: it is too long to be kept, or too deep to be read again. */
  #lineOf(event: RecordedEvent): string | null {
    const { text, delta } = this.#texts.find(event);
    if (this.#last === null || text !== this.#lastText || !haveSameShape(event, this.#last)) {
      this.#lastShape = this.#shapeNumberOf(event, text);
    }
    this.#last = event;
    this.#lastText = text;
    try {
      const line = writeLine(event, this.#lastShape, delta);
      return line.length > MAX_LINE_LENGTH || isNestedTooDeep(line) ? null : line;
    } catch {
      return null; // the engine's stack is too small for what the request nests
    }
  }

  #shapeNumberOf(event: RecordedEvent, text: number | null): number {
    let shape = JSON.stringify(shapeOf(event, text));
    if (shape.length > MAX_LINE_LENGTH) shape = JSON.stringify(shapeOf(withoutLists(event), text));
    const known = this.#shapes.get(shape);
    if (known !== undefined) return known;
    this.#length += shape.length;
    const { place, stripeEventType, error } = event;
    for (const word of [place.country, place.city, stripeEventType, error]) {
      if (word !== null) this.#words.add(word);
    }
    for (const slug of event.planSlugs) this.#words.add(slug);
    for (const slug of event.featureSlugs) this.#words.add(slug);
    const number = this.#shapes.size;
    this.#shapes.set(shape, number);
    return number;
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
      texts: this.#texts.all,
    };
  }
}

/** Only a long text can nest deep. Brackets within strings are taken for what they look like: that errs on the safe side. */
function isNestedTooDeep(text: string): boolean {
  if (text.length < MIN_DEEP_LENGTH) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === 0x5b || character === 0x7b) depth += 1;
    else if (character === 0x5d || character === 0x7d) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** What is too long to be kept says so. */
function withoutBodies(event: RecordedEvent): RecordedEvent {
  return {
    ...event,
    ...{ request: null, response: '{"omitted":true}', responseRest: '', features: null },
    subjectIdentifier: event.subjectIdentifier?.slice(0, MAX_SHORTENED_SUBJECT) ?? null,
    secondarySubjectIdentifiers: [],
  };
}

function withoutLists(event: RecordedEvent): RecordedEvent {
  const responseRest = event.features === null ? '}' : '';
  return { ...event, responseRest, planSlugs: [], featureSlugs: [] };
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
