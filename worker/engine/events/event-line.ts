/**
 * Storage format of an event: one line of text plus a shape. The shape has the fields that neighbouring events usually
 * share and is stored once per group, which leaves a third of the event for the line. A line is tab-separated: the header
 * as JSON, the event's own part of the response JSON, then the delta of its features against the shape's text.
 */

import type { Event, EventType } from '#contracts/console/events';
import type { RecordedEvent } from '#contracts/internal/event-batch';
import type { Location } from '#contracts/public/locations';
import type { TextDelta } from './text-delta.ts';

const IS_ERROR = 1;
const IS_WARNING = 2;

/** Append-only, like the line header: rows of older versions are read until they are archived. */
export type EventShape = readonly [
  type: EventType,
  flags: number,
  country: string | null,
  city: string | null,
  continent: string | null,
  planSlugs: string[],
  /** Null if the features text contains them. */
  featureSlugs: string[] | null,
  readDataLocations: Location[],
  writeDataLocations: Location[],
  integrationId: string | null,
  stripeEventType: string | null,
  error: string | null,
  responseRest: string,
  /** Index of the features text in the group; null if there is none. */
  text: number | null,
];

type LineHeader = readonly [
  id: string,
  time: number,
  shape: number,
  subjectIdentifier: string | null,
  secondarySubjectIdentifiers: string[] | null,
  cfRay: string | null,
  request: JsonValue,
];

/** A parsed line with its shape. */
export interface EventLine {
  readonly id: string;
  readonly time: number;
  readonly shape: EventShape;
  readonly subjectIdentifier: string | null;
  readonly secondarySubjectIdentifiers: readonly string[];
  readonly cfRay: string | null;
  readonly request: JsonValue;
  /** How the response's features differ from the shape's text; null if they are equal. */
  readonly features: TextDelta | null;
  /** The event's own part of the response JSON; the shape has the rest. */
  readonly response: string;
}

/** Any JSON value. The RPC types do not accept `unknown`. */
type JsonValue = null | boolean | number | string | object;

export type StoredEvent = Omit<Event, 'request' | 'response'> & {
  readonly request: JsonValue;
  readonly response: JsonValue;
};

/** @param text index of the features text in the group; null if the event has none */
export function shapeOf(event: RecordedEvent, text: number | null): EventShape {
  const { place } = event;
  return [
    event.type,
    (event.isError ? IS_ERROR : 0) | (event.isWarning ? IS_WARNING : 0),
    place.country,
    place.city,
    place.continent,
    [...event.planSlugs],
    text === null ? [...event.featureSlugs] : null,
    [...event.readDataLocations],
    [...event.writeDataLocations],
    event.integrationId,
    event.stripeEventType,
    event.error,
    event.responseRest ?? '',
    text,
  ];
}

/** Quick comparison of two events' shapes, without the text. May return false for equal shapes, never true for different ones. */
export function haveSameShape(one: RecordedEvent, other: RecordedEvent): boolean {
  return (
    one.responseRest === other.responseRest &&
    one.type === other.type &&
    one.isError === other.isError &&
    one.isWarning === other.isWarning &&
    one.place.city === other.place.city &&
    one.place.country === other.place.country &&
    one.place.continent === other.place.continent &&
    one.integrationId === other.integrationId &&
    one.stripeEventType === other.stripeEventType &&
    one.error === other.error &&
    isSameList(one.planSlugs, other.planSlugs) &&
    isSameList(one.featureSlugs, other.featureSlugs) &&
    isSameList(one.readDataLocations, other.readDataLocations) &&
    isSameList(one.writeDataLocations, other.writeDataLocations)
  );
}

export function isSameList(one: readonly string[], other: readonly string[]): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) {
    if (one[index] !== other[index]) return false;
  }
  return true;
}

/**
 * @param shape index of the event's shape in its group
 * @param features how the response's features differ from the shape's text; null if they are equal
 */
export function writeLine(event: RecordedEvent, shape: number, features: TextDelta | null): string {
  const { secondarySubjectIdentifiers: secondary, response } = event;
  const header: LineHeader = [
    event.id,
    event.time,
    shape,
    event.subjectIdentifier,
    secondary.length === 0 ? null : (secondary as string[]),
    event.cfRay,
    event.request as JsonValue,
  ];
  let line = `${JSON.stringify(header)}\t${onOneLine(response)}`;
  for (const part of features ?? []) line += `\t${typeof part === 'number' ? part : onOneLine(part)}`;
  return line;
}

/** Raw line breaks and tabs in JSON are whitespace between tokens, so a space is equivalent. */
function onOneLine(text: string): string {
  return text.includes('\n') || text.includes('\t') ? text.replace(/[\n\t]/g, ' ') : text;
}

export function readShapes(shapes: string): EventShape[] {
  return JSON.parse(shapes) as EventShape[];
}

export function* readLines(lines: string, shapes: readonly EventShape[]): Generator<EventLine> {
  for (const line of lines.split('\n')) yield readLine(line, shapes);
}

export function readLine(line: string, shapes: readonly EventShape[]): EventLine {
  const [head = '', response = '', ...delta] = line.split('\t');
  const header = JSON.parse(head) as LineHeader;
  const shape = shapes[header[2]];
  if (shape === undefined) throw new TypeError(`The event ${header[0]} has no shape`);
  return {
    id: header[0],
    time: header[1],
    shape,
    subjectIdentifier: header[3],
    secondarySubjectIdentifiers: header[4] ?? [],
    cfRay: header[5],
    request: header[6],
    features: delta.length === 0 ? null : delta.map((part, index) => (index % 2 === 0 ? Number(part) : part)),
    response,
  };
}

export function isErrorShape(shape: EventShape): boolean {
  return (shape[1] & IS_ERROR) !== 0;
}

/** Index of the shape's features text in the group; null if there is none. */
export function textIndexOf(shape: EventShape): number | null {
  return shape[13];
}

/** @param features the response's features, parsed; undefined if there are none */
export function toStoredEvent(envId: string, line: EventLine, features: unknown): StoredEvent {
  const { shape } = line;
  return {
    id: line.id,
    time: line.time,
    envId,
    type: shape[0],
    isError: isErrorShape(shape),
    isWarning: (shape[1] & IS_WARNING) !== 0,
    subjectIdentifier: line.subjectIdentifier,
    secondarySubjectIdentifiers: [...line.secondarySubjectIdentifiers],
    detail: { countryCode: shape[2], city: shape[3], continent: shape[4], planSlugs: shape[5] },
    readDataLocations: shape[7],
    writeDataLocations: shape[8],
    request: line.request,
    response: responseOf(line, features),
    integrationId: shape[9],
    stripeEventType: shape[10],
    cfRay: line.cfRay,
  };
}

function responseOf({ response, shape }: EventLine, features: unknown): JsonValue {
  const text = response + shape[12];
  const whole = textIndexOf(shape) === null ? text : `${text}}`;
  try {
    const body = JSON.parse(whole) as JsonValue;
    return features === undefined || typeof body !== 'object' ? body : { ...body, features };
  } catch {
    return whole; // One malformed response must not break a whole page of events.
  }
}
