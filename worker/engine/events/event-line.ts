/**
 * An event as one line of text, so that a stream can store, archive and read it back without knowing more than this
 * file. What neighbouring events have in common is their shape, which stands once per group: a line is a third of the
 * event. A line is JSON, a tab, the part of the answer's JSON that is the event's own, and, each after a tab, the numbers
 * and pieces of what its features differ in from the shape's.
 */
import type { RecordedEvent } from '#contracts/event-batch';
import type { Event, EventType } from '#contracts/events';
import type { Location } from '#contracts/locations';
import type { TextDelta } from './text-delta.ts';

const IS_ERROR = 1;
const IS_WARNING = 2;

/** Shapes and lines grow at their end only: those of an older version are read for as long as events are kept. */
export type EventShape = readonly [
  type: EventType,
  flags: number,
  country: string | null,
  city: string | null,
  continent: string | null,
  planSlugs: string[],
  /** Null where the text of the features names them. */
  featureSlugs: string[] | null,
  readDataLocations: Location[],
  writeDataLocations: Location[],
  integrationId: string | null,
  stripeEventType: string | null,
  error: string | null,
  responseRest: string,
  /** Number of the features' text in the group; null where there is none. */
  text: number | null,
];

type LineFacts = readonly [
  id: string,
  time: number,
  shape: number,
  subjectIdentifier: string | null,
  secondarySubjectIdentifiers: string[] | null,
  cfRay: string | null,
  request: JsonValue,
];

/** A line read back, with its shape. */
export interface EventLine {
  readonly id: string;
  readonly time: number;
  readonly shape: EventShape;
  readonly subjectIdentifier: string | null;
  readonly secondarySubjectIdentifiers: readonly string[];
  readonly cfRay: string | null;
  readonly request: JsonValue;
  /** What the answer's features differ in from the shape's text; null where in nothing. */
  readonly features: TextDelta | null;
  /** The part of the answer that is the event's own. */
  readonly response: string;
}

/** What JSON can say. (The platform's types of remote calls do not take `unknown`.) */
type JsonValue = null | boolean | number | string | object;

export type StoredEvent = Omit<Event, 'request' | 'response'> & {
  readonly request: JsonValue;
  readonly response: JsonValue;
};

/** @param text number of the features' text; null where the event has none */
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

/** Whether two events have the same shape but for their text, as far as can be told quickly; false may be wrong. */
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
 * @param shape number of the event's shape in its group
 * @param features what the answer's features differ in from the shape's text; null where in nothing
 */
export function writeLine(event: RecordedEvent, shape: number, features: TextDelta | null): string {
  const { secondarySubjectIdentifiers: secondary, response } = event;
  const facts: LineFacts = [
    event.id,
    event.time,
    shape,
    event.subjectIdentifier,
    secondary.length === 0 ? null : (secondary as string[]),
    event.cfRay,
    event.request as JsonValue,
  ];
  let line = `${JSON.stringify(facts)}\t${onOneLine(response)}`;
  for (const part of features ?? []) line += `\t${typeof part === 'number' ? part : onOneLine(part)}`;
  return line;
}

/** JSON has line breaks and tabs between its tokens only, where a space does as well. */
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
  const facts = JSON.parse(head) as LineFacts;
  const shape = shapes[facts[2]];
  if (shape === undefined) throw new TypeError(`The event ${facts[0]} has no shape`);
  return {
    id: facts[0],
    time: facts[1],
    shape,
    subjectIdentifier: facts[3],
    secondarySubjectIdentifiers: facts[4] ?? [],
    cfRay: facts[5],
    request: facts[6],
    features: delta.length === 0 ? null : delta.map((part, index) => (index % 2 === 0 ? Number(part) : part)),
    response,
  };
}

export function isErrorShape(shape: EventShape): boolean {
  return (shape[1] & IS_ERROR) !== 0;
}

/**
 * The event that a line tells of.
 * @param features the answer's features, parsed; undefined where there are none
 */
export function eventOf(envId: string, line: EventLine, features: unknown): StoredEvent {
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
  const whole = shape[13] === null ? text : `${text}}`;
  try {
    const answer = JSON.parse(whole) as JsonValue;
    return features === undefined || typeof answer !== 'object' ? answer : { ...answer, features };
  } catch {
    return whole; // one answer that is no JSON must not make a page of events unreadable
  }
}
