/** An event as the console reads it, from its line and shape. */
import type { Event } from '#contracts/console/events';
import { countExecutions } from './event-executions.ts';
import type { EventLine, JsonValue } from './event-line.ts';
import type { EventShape } from './event-shape.ts';

export type StoredEvent = Omit<Event, 'request' | 'response'> & {
  readonly request: JsonValue;
  readonly response: JsonValue;
};

/** @param features the response's features, parsed; undefined if there are none */
export function toStoredEvent(envId: string, line: EventLine, features: unknown): StoredEvent {
  return {
    id: line.id,
    time: line.time,
    envId,
    ...sharedFields(line.shape),
    latency: latencyOf(line),
    answered: line.answered,
    workflowExecutions: countExecutions(line.executions),
    subjectIdentifier: line.subjectIdentifier,
    secondarySubjectIdentifiers: [...line.secondarySubjectIdentifiers],
    cfRay: line.cfRay,
    request: line.request,
    response: responseOf(line, features),
  };
}

/** The JSON of `sharedFields` by shape, without its brackets. */
const sharedTexts = new WeakMap<EventShape, string>();

/**
 * The JSON of `toStoredEvent`. What a line or its group has as JSON is put in as it is: parsing and writing it again would cost three
 * times as much for each event that is shown live.
 * @param features the response's features as JSON; undefined if there are none
 */
export function storedEventText(envId: string, line: EventLine, features: string | undefined): string {
  const { shape } = line;
  let shared = sharedTexts.get(shape);
  if (shared === undefined) {
    shared = JSON.stringify(sharedFields(shape)).slice(1, -1);
    sharedTexts.set(shape, shared);
  }
  const fields = [
    `"id":${JSON.stringify(line.id)},"time":${line.time},"envId":${JSON.stringify(envId)}`,
    shared,
    `"latency":${JSON.stringify(latencyOf(line))},"answered":${line.answered}`,
    `"workflowExecutions":${JSON.stringify(countExecutions(line.executions))}`,
    `"subjectIdentifier":${line.jsonOf('subjectIdentifier')}`,
    `"secondarySubjectIdentifiers":${line.jsonOf('secondarySubjectIdentifiers')}`,
    `"cfRay":${line.jsonOf('cfRay')},"request":${line.jsonOf('request')}`,
    `"response":${responseText(line, features)}`,
  ];
  return `{${fields.join(',')}}`;
}

/** The fields that follow from the shape. */
function sharedFields(shape: EventShape) {
  const { keyId, keyType, country, city, continent, planSlugs } = shape;
  return {
    environmentType: shape.environmentType,
    type: shape.type,
    isHold: shape.isHold,
    outcome: shape.outcome,
    isError: shape.isError,
    isWarning: shape.isWarning,
    key: keyId === null || keyType === null ? null : { id: keyId, type: keyType },
    isCold: shape.isCold,
    warningCodes: shape.warningCodes,
    deniedFeatures: shape.deniedFeatures,
    denials: shape.denials,
    detail: { countryCode: country, city, continent, planSlugs },
    readDataLocations: shape.readDataLocations,
    writeDataLocations: shape.writeDataLocations,
    integrationId: shape.integrationId,
    stripeEventType: shape.stripeEventType,
  };
}

function latencyOf({ latency }: EventLine): StoredEvent['latency'] {
  if (latency === null) return null;
  const [total = 0, auth = 0, snapshot = 0, ledger = 0, evaluate = 0, workflows = 0] = latency;
  return { total, auth, snapshot, ledger, workflows, evaluate };
}

function responseOf(line: EventLine, features: unknown): JsonValue {
  const text = withoutFeatures(line);
  const body = parsed(text);
  if (body === undefined) return text;
  return features === undefined || typeof body !== 'object' ? body : { ...body, features };
}

function responseText(line: EventLine, features: string | undefined): string {
  const text = withoutFeatures(line);
  const body = parsed(text);
  if (body === undefined) return JSON.stringify(text);
  if (features === undefined || typeof body !== 'object') return text;
  const open = text.slice(0, text.lastIndexOf('}')).trimEnd();
  return `${open}${open.endsWith('{') ? '' : ','}"features":${features}}`;
}

/** The response without its features; undefined for text that is not JSON. */
export const parsedResponse = (line: EventLine) => parsed(withoutFeatures(line));

function withoutFeatures({ response, shape }: EventLine): string {
  const text = response + shape.responseRest;
  return shape.textIndex === null ? text : `${text}}`;
}

/** Undefined for text that is not JSON: one malformed response must not break a whole page of events. */
function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
