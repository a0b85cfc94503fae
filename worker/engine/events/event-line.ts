/**
 * An event as one line of text: a JSON array, so that a stream can store, archive and read it back without knowing more
 * than this file. The answer's text is put in as it is; its features are named by their number among the group's texts.
 */
import type { RecordedEvent } from '#contracts/event-batch';
import type { Event, EventType } from '#contracts/events';
import type { Location } from '#contracts/locations';

const IS_ERROR = 1;
const IS_WARNING = 2;

/** A line read back. Grows at its end only: lines of an older version are read for as long as events are kept. */
export type EventLine = readonly [
  id: string,
  time: number,
  type: EventType,
  flags: number,
  subjectIdentifier: string | null,
  secondarySubjectIdentifiers: string[],
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
  cfRay: string | null,
  error: string | null,
  /** Number of the features' text; null where there is none. */
  text: number | null,
  request: unknown,
  response: unknown,
];

/** @param text number of the features' text in its group; null where the event has none */
export function writeLine(event: RecordedEvent, text: number | null): string {
  const { place, response } = event;
  const facts = JSON.stringify([
    event.id,
    event.time,
    event.type,
    (event.isError ? IS_ERROR : 0) | (event.isWarning ? IS_WARNING : 0),
    event.subjectIdentifier,
    event.secondarySubjectIdentifiers,
    place.country,
    place.city,
    place.continent,
    event.planSlugs,
    text === null ? event.featureSlugs : null,
    event.readDataLocations,
    event.writeDataLocations,
    event.integrationId,
    event.stripeEventType,
    event.cfRay,
    event.error,
    text,
    event.request,
  ]);
  return `${facts.slice(0, -1)},${response}${text === null ? ']' : '}]'}`;
}

export function readLine(line: string): EventLine {
  return JSON.parse(line) as EventLine;
}

export function isErrorLine(line: EventLine): boolean {
  return (line[3] & IS_ERROR) !== 0;
}

/**
 * The event that a line tells of.
 * @param features the answer's features, parsed; undefined where the line names no text, or the text is gone
 */
export function eventOf(envId: string, line: EventLine, features: unknown): Event {
  return {
    id: line[0],
    time: line[1],
    envId,
    type: line[2],
    isError: isErrorLine(line),
    isWarning: (line[3] & IS_WARNING) !== 0,
    subjectIdentifier: line[4],
    secondarySubjectIdentifiers: line[5],
    detail: { countryCode: line[6], city: line[7], continent: line[8], planSlugs: line[9] },
    readDataLocations: line[11],
    writeDataLocations: line[12],
    request: line[18],
    response: features === undefined ? line[19] : { ...(line[19] as object), features },
    integrationId: line[13],
    stripeEventType: line[14],
    cfRay: line[15],
  };
}
