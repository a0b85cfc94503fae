/**
 * Packs recorded events into groups: text that an event stream stores as it is. A group has events of one environment and is bounded
 * in count, size and time span. It is formed once, in the recording isolate, after the response is sent.
 */

import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { EventGroup, RecordedEvent } from '#contracts/internal/event-batch';
import { MAX_LINE_LENGTH, writeLine } from './event-line.ts';
import { haveSameShape, readShape, shapeOf } from './event-shape.ts';
import { GroupTexts } from './group-texts.ts';
import { mentionsIn } from './mentions.ts';
import { namedFeatures } from './named-features.ts';
import { RunMarks } from './run-marks.ts';
import { TermSet } from './term-set.ts';

export const MAX_GROUP_EVENTS = 500;
/** A search starts reading this much later than its end time, so that it misses no group that spans it. */
export const MAX_GROUP_SPAN_MS = 10_000;
/**
 * UTF-16 units of a group of several events. As UTF-8 in JSON a unit takes at most three bytes, so that such a group fits
 * into a queue message of 128 KB.
 */
const MAX_GROUP_LENGTH = 38_000;
const MAX_SHORTENED_SUBJECT = 1_000;
const MAX_DEPTH = 200;
const MIN_DEEP_LENGTH = 2_000;

/** @param newId a unique id for each group */
export function groupEvents(events: readonly RecordedEvent[], newId: () => string): EventGroup[] {
  const groups: EventGroup[] = [];
  const open = new Map<string, OpenGroup>();
  for (const event of events) {
    let group = open.get(event.envId);
    if (group?.add(event)) continue;
    if (group !== undefined) groups.push(group.close());
    group = new OpenGroup(newId(), event.envId);
    group.add(event);
    open.set(event.envId, group);
  }
  for (const group of open.values()) groups.push(group.close());
  return groups;
}

class OpenGroup {
  readonly #id: string;
  readonly #envId: string;
  /** IDs of events that another group may contain too. */
  readonly #ids: string[] = [];
  readonly #lines: string[] = [];
  #length = 0;
  #fromAt = Number.POSITIVE_INFINITY;
  #toAt = 0;
  readonly #terms = new TermSet();
  readonly #texts = new GroupTexts();
  readonly #shapes = new Map<string, number>();
  #runs: RunMarks | null = null;
  // Consecutive events usually share their shape, which skips serialising and looking it up.
  #last: RecordedEvent | null = null;
  #lastText: number | null = null;
  #lastShape = 0;

  constructor(id: string, envId: string) {
    this.#id = id;
    this.#envId = envId;
  }

  /** @returns false if there is no room for the event; an empty group takes any */
  add(event: RecordedEvent): boolean {
    const isEmpty = this.#lines.length === 0;
    if (!isEmpty && !this.#mayHaveRoomFor(event)) return false;
    let line = this.#lineOf(event);
    if (line === null) {
      const shorter = withoutBodies(event);
      line = writeLine(
        shorter,
        this.#shapeNumberOf(shorter, null, namedFeatures(event.type, event.request)),
        null,
      );
    }
    if (!isEmpty && this.#length + line.length > MAX_GROUP_LENGTH) return false;
    if (event.type !== 'ac') this.#ids.push(event.id);
    this.#lines.push(line);
    this.#length += line.length;
    if (event.time < this.#fromAt) this.#fromAt = event.time;
    if (event.time > this.#toAt) this.#toAt = event.time;
    const request = () => JSON.stringify(event.request) ?? 'null';
    this.#terms.addEvent(event, mentionsIn({ ...event, isHold: event.isHold ?? false, request }));
    if (event.executions !== undefined && event.executions.length > 0) {
      this.#terms.addRuns(event.executions);
      this.#runs ??= new RunMarks();
      this.#runs.add(event, event.executions);
    }
    return true;
  }

  #mayHaveRoomFor({ time, features }: RecordedEvent): boolean {
    const textLength = features === null || features === this.#last?.features ? 0 : features.length;
    return (
      this.#lines.length < MAX_GROUP_EVENTS &&
      this.#length + this.#texts.length + textLength < MAX_GROUP_LENGTH &&
      Math.max(this.#toAt, time) - Math.min(this.#fromAt, time) <= MAX_GROUP_SPAN_MS
    );
  }

  /** Null if the event is too long to store, or nested too deep to parse again. */
  #lineOf(event: RecordedEvent): string | null {
    const { text, delta } = this.#texts.refer(event);
    if (this.#last === null || text !== this.#lastText || !haveSameShape(event, this.#last)) {
      this.#lastShape = this.#shapeNumberOf(event, text);
    }
    this.#last = event;
    this.#lastText = text;
    try {
      const line = writeLine(event, this.#lastShape, delta);
      return line.length > MAX_LINE_LENGTH || isNestedTooDeep(line) ? null : line;
    } catch {
      return null; // JSON.stringify overflowed the stack on a deeply nested request.
    }
  }

  #shapeNumberOf(event: RecordedEvent, text: number | null, named?: readonly string[]): number {
    let shape = shapeOf(event, text, named);
    let shapeText = JSON.stringify(shape);
    if (shapeText.length > MAX_LINE_LENGTH) {
      shape = shapeOf(withoutLists(event), text, []);
      shapeText = JSON.stringify(shape);
    }
    const known = this.#shapes.get(shapeText);
    if (known !== undefined) return known;
    this.#length += shapeText.length;
    this.#terms.addShape(readShape(shape), event.featureSlugs);
    const number = this.#shapes.size;
    this.#shapes.set(shapeText, number);
    return number;
  }

  close(): EventGroup {
    return {
      id: this.#id,
      envId: this.#envId,
      ids: JSON.stringify(this.#ids),
      count: this.#lines.length,
      fromAt: this.#fromAt,
      toAt: this.#toAt,
      terms: this.#terms.text,
      lines: this.#lines.join('\n'),
      shapes: `[${[...this.#shapes.keys()].join(',')}]`,
      texts: this.#texts.all,
      ...(this.#runs !== null && { runs: this.#runs.all }),
    };
  }
}

/** Counts brackets inside strings too, which can only overestimate the depth. Short texts cannot nest deep. */
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

/** The replacement for an event that cannot be stored whole. */
function withoutBodies(event: RecordedEvent): RecordedEvent {
  return {
    ...event,
    request: null,
    response: '{"omitted":true}',
    responseRest: '',
    features: null,
    executions: event.executions?.map(withoutValues),
    nearLimits: event.nearLimits === null ? null : [],
    subjectIdentifier: event.subjectIdentifier?.slice(0, MAX_SHORTENED_SUBJECT) ?? null,
    secondarySubjectIdentifiers: [],
  };
}

/** Logs and diagnostics are text; the input or result may be what is nested too deep. */
function withoutValues(execution: WorkflowExecution): WorkflowExecution {
  return { ...execution, input: null, result: null, isResultDropped: true };
}

function withoutLists(event: RecordedEvent): RecordedEvent {
  const responseRest = event.features === null ? '}' : '';
  return { ...event, responseRest, planSlugs: [], featureSlugs: [], denials: [] };
}
