/**
 * Storage format of an event: one line of text plus a shape. The fields of a line are separated by tabs, and what rolling up and
 * filtering read comes first, so that they parse no JSON:
 *
 *   id · time · shape · total,auth,snapshot,ledger,evaluate[,workflows[,answered]] · near limits · subject · other identifiers · Ray id ·
 *   executions · request · response, the event's own part · delta of its features against the shape's text
 *
 * Lines of earlier versions begin with a JSON array and are read too.
 */

import type { NearLimit, RecordedEvent } from '#contracts/internal/event-batch';
import { MAX_EXECUTIONS_LENGTH, writeExecutions } from './event-executions.ts';
import type { EventShape } from './event-shape.ts';
import { tenthsText } from './tenths.ts';
import type { TextDelta } from './text-delta.ts';

/** UTF-16 units. Workflow executions get what the rest of the line leaves; another event that is longer is stored without its bodies. */
export const MAX_LINE_LENGTH = 50_000;

/** The header of lines of earlier versions. */
type FormerHeader = readonly [
  id: string,
  time: number,
  shape: number,
  subjectIdentifier: string | null,
  secondarySubjectIdentifiers: string[] | null,
  cfRay: string | null,
  request: JsonValue,
];

/** Any JSON value. The RPC types do not accept `unknown`. */
export type JsonValue = null | boolean | number | string | object;

/** What rolling up reads of a line. */
export interface LineHead {
  readonly id: string;
  readonly time: number;
  readonly shape: EventShape;
  /** Milliseconds; null if unknown. */
  readonly totalMs: number | null;
  /** Answers from the client's caches since its last call. */
  readonly answered: number;
  readonly nearLimits: readonly NearLimit[];
  readonly subjectIdentifier: string | null;
  /** See event-executions.ts. */
  readonly executions: string;
}

/** A parsed line with its shape. */
export interface EventLine extends LineHead {
  /** total, auth, snapshot, ledger, evaluate and, if any ran, workflows, in milliseconds; then `answered`. Null if unknown. */
  readonly latency: readonly number[] | null;
  readonly secondarySubjectIdentifiers: readonly string[];
  readonly cfRay: string | null;
  readonly request: JsonValue;
  /** How the response's features differ from the shape's text; null if they are equal. */
  readonly features: TextDelta | null;
  /** The event's own part of the response JSON; the shape has the rest. */
  readonly response: string;
  /** The JSON of a field. */
  jsonOf(field: JsonField): string;
}

type JsonField = 'subjectIdentifier' | 'secondarySubjectIdentifiers' | 'cfRay' | 'request';

/**
 * @param shape index of the event's shape in its group
 * @param features how the response's features differ from the shape's text; null if they are equal
 */
export function writeLine(event: RecordedEvent, shape: number, features: TextDelta | null): string {
  const { subjectIdentifier: subject, secondarySubjectIdentifiers: others, cfRay, nearLimits } = event;
  const head = `${event.id}\t${event.time}\t${shape}\t${latencyText(event)}\t${
    nearLimits === null || nearLimits.length === 0 ? '' : JSON.stringify(nearLimits)
  }\t${subject === null ? '' : JSON.stringify(subject)}\t${others.length === 0 ? '' : JSON.stringify(others)}\t${
    cfRay === null ? '' : JSON.stringify(cfRay)
  }\t`;
  let rest = `\t${JSON.stringify(event.request) ?? 'null'}\t${onOneLine(event.response)}`;
  for (const part of features ?? []) rest += `\t${typeof part === 'number' ? part : onOneLine(part)}`;
  if (event.executions === undefined) return head + rest;
  const room = Math.min(MAX_EXECUTIONS_LENGTH, MAX_LINE_LENGTH - head.length - rest.length);
  return head + writeExecutions(event.executions, room) + rest;
}

function latencyText({ timings }: RecordedEvent): string {
  if (timings === null) return '';
  const { totalMs, authMs, snapshotMs, ledgerMs, evaluateMs, workflowsMs, answered } = timings;
  const isLonger = workflowsMs || answered;
  const workflows = isLonger ? `,${tenthsText(workflowsMs ?? 0)}${answered ? `,${answered}` : ''}` : '';
  return `${tenthsText(totalMs)},${tenthsText(authMs)},${tenthsText(snapshotMs)},${tenthsText(ledgerMs)},${tenthsText(evaluateMs)}${workflows}`;
}

/** Raw line breaks and tabs in JSON are whitespace between tokens, so a space is equivalent. */
function onOneLine(text: string): string {
  return text.includes('\n') || text.includes('\t') ? text.replace(/[\n\t]/g, ' ') : text;
}

export function* readLines(lines: string, shapes: readonly EventShape[]): Generator<EventLine> {
  for (const line of lines.split('\n')) yield readLine(line, shapes);
}

export function* readLineHeads(lines: string, shapes: readonly EventShape[]): Generator<LineHead> {
  for (const line of lines.split('\n')) yield readLineHead(line, shapes);
}

export function readLine(line: string, shapes: readonly EventShape[]): EventLine {
  return isFormer(line) ? readFormerLine(line, shapes) : new TabbedLine(line.split('\t'), shapes);
}

/** Fields that are JSON, by their position in a line. */
const PLACES: Record<JsonField, number> = {
  subjectIdentifier: 5,
  secondarySubjectIdentifiers: 6,
  cfRay: 7,
  request: 9,
};

/** Parses a field when it is read: a search reads few fields of most lines. */
class TabbedLine implements EventLine {
  readonly id: string;
  readonly time: number;
  readonly shape: EventShape;
  readonly #fields: readonly string[];

  constructor(fields: readonly string[], shapes: readonly EventShape[]) {
    const [id = '', time, shape] = fields;
    this.id = id;
    this.time = Number(time);
    this.shape = shapeAt(shapes, Number(shape), id);
    this.#fields = fields;
  }

  get totalMs(): number | null {
    return this.#fields[3] ? Number.parseFloat(this.#fields[3]) : null;
  }

  get answered(): number {
    return answeredIn(this.#fields[3] ?? '');
  }

  get latency(): readonly number[] | null {
    return this.#fields[3] ? this.#fields[3].split(',').map(Number) : null;
  }

  get nearLimits(): readonly NearLimit[] {
    return this.#parse(4) ?? NONE;
  }

  get subjectIdentifier(): string | null {
    return this.#parse(PLACES.subjectIdentifier);
  }

  get secondarySubjectIdentifiers(): readonly string[] {
    return this.#parse(PLACES.secondarySubjectIdentifiers) ?? NONE;
  }

  get cfRay(): string | null {
    return this.#parse(PLACES.cfRay);
  }

  get executions(): string {
    return this.#fields[8] ?? '';
  }

  get request(): JsonValue {
    return this.#parse(PLACES.request);
  }

  get response(): string {
    return this.#fields[10] ?? '';
  }

  get features(): TextDelta | null {
    return deltaOf(this.#fields.slice(11));
  }

  jsonOf(field: JsonField): string {
    return this.#fields[PLACES[field]] || (field === 'secondarySubjectIdentifiers' ? '[]' : 'null');
  }

  /** Null for an empty field. */
  #parse<Value>(index: number): Value | null {
    const text = this.#fields[index];
    return text ? (JSON.parse(text) as Value) : null;
  }
}

const NONE: readonly never[] = [];

function readLineHead(line: string, shapes: readonly EventShape[]): LineHead {
  if (isFormer(line)) return readFormerLine(line, shapes);
  const idEnd = line.indexOf('\t');
  const timeEnd = line.indexOf('\t', idEnd + 1);
  const shapeEnd = line.indexOf('\t', timeEnd + 1);
  const latencyEnd = line.indexOf('\t', shapeEnd + 1);
  const nearEnd = line.indexOf('\t', latencyEnd + 1);
  const subjectEnd = line.indexOf('\t', nearEnd + 1);
  const id = line.slice(0, idEnd);
  const shape = shapeAt(shapes, Number(line.slice(timeEnd + 1, shapeEnd)), id);
  return {
    id,
    time: Number(line.slice(idEnd + 1, timeEnd)),
    shape,
    executions: shape.hasRuns ? (line.slice(subjectEnd).split('\t', 4)[3] ?? '') : '',
    totalMs: latencyEnd === shapeEnd + 1 ? null : Number.parseFloat(line.slice(shapeEnd + 1, latencyEnd)),
    answered: answeredIn(line.slice(shapeEnd + 1, latencyEnd)),
    nearLimits:
      nearEnd === latencyEnd + 1 ? NONE : (JSON.parse(line.slice(latencyEnd + 1, nearEnd)) as NearLimit[]),
    subjectIdentifier:
      subjectEnd === nearEnd + 1 ? null : (JSON.parse(line.slice(nearEnd + 1, subjectEnd)) as string),
  };
}

/** The seventh figure of a call's latencies: few calls have one. */
function answeredIn(latency: string): number {
  let at = -1;
  for (let figure = 0; figure < 6; figure++) {
    at = latency.indexOf(',', at + 1);
    if (at === -1) return 0;
  }
  return Number(latency.slice(at + 1));
}

/** Ids never begin with a bracket. */
function isFormer(line: string): boolean {
  return line.startsWith('[');
}

function readFormerLine(line: string, shapes: readonly EventShape[]): EventLine {
  const [head = '', response = '', ...delta] = line.split('\t');
  const header = JSON.parse(head) as FormerHeader;
  const fields = {
    subjectIdentifier: header[3],
    secondarySubjectIdentifiers: header[4] ?? [],
    cfRay: header[5],
    request: header[6],
  };
  return {
    id: header[0],
    time: header[1],
    shape: shapeAt(shapes, header[2], header[0]),
    ...fields,
    jsonOf: (field) => JSON.stringify(fields[field]) ?? 'null',
    response,
    features: deltaOf(delta),
    totalMs: null,
    answered: 0,
    latency: null,
    nearLimits: NONE,
    executions: '',
  };
}

function shapeAt(shapes: readonly EventShape[], index: number, id: string | undefined): EventShape {
  const shape = shapes[index];
  if (shape === undefined) throw new TypeError(`The event ${id} has no shape`);
  return shape;
}

function deltaOf(delta: readonly string[]): TextDelta | null {
  return delta.length === 0 ? null : delta.map((part, index) => (index % 2 === 0 ? Number(part) : part));
}
