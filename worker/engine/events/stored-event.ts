/** An event as the console reads it, from its line and shape. */
import type { Event } from '#contracts/console/events';
import { countExecutions } from './event-executions.ts';
import type { EventLine, JsonValue } from './event-line.ts';
import {
  integrationIdOf,
  isColdShape,
  isErrorShape,
  isWarningShape,
  outcomeOf,
  textIndexOf,
} from './event-shape.ts';

export type StoredEvent = Omit<Event, 'request' | 'response'> & {
  readonly request: JsonValue;
  readonly response: JsonValue;
};

/** @param features the response's features, parsed; undefined if there are none */
export function toStoredEvent(envId: string, line: EventLine, features: unknown): StoredEvent {
  const { shape } = line;
  const [keyId, keyType] = [shape[15] ?? null, shape[16] ?? null];
  return {
    id: line.id,
    time: line.time,
    envId,
    environmentType: shape[14] ?? null,
    type: shape[0],
    outcome: outcomeOf(shape),
    isError: isErrorShape(shape),
    isWarning: isWarningShape(shape),
    key: keyId === null || keyType === null ? null : { id: keyId, type: keyType },
    latency: latencyOf(line),
    isCold: isColdShape(shape),
    warningCodes: shape[17] ?? [],
    deniedFeatures: shape[18] ?? [],
    workflowExecutions: countExecutions(line.executions),
    subjectIdentifier: line.subjectIdentifier,
    secondarySubjectIdentifiers: [...line.secondarySubjectIdentifiers],
    detail: { countryCode: shape[2], city: shape[3], continent: shape[4], planSlugs: shape[5] },
    readDataLocations: shape[7],
    writeDataLocations: shape[8],
    request: line.request,
    integrationId: integrationIdOf(shape),
    stripeEventType: shape[10],
    cfRay: line.cfRay,
    // Last: storedEventText puts the features at its end.
    response: responseOf(line, features),
  };
}

/**
 * The JSON of `toStoredEvent`. The features, which are most of it, are neither parsed nor written again.
 * @param features the response's features as JSON; undefined if there are none
 */
export function storedEventText(envId: string, line: EventLine, features: string | undefined): string {
  const text = JSON.stringify(toStoredEvent(envId, line, undefined));
  // A response that is malformed or empty has no features.
  if (features === undefined || !text.endsWith('}}')) return text;
  const open = text.slice(0, -2);
  return `${open}${open.endsWith('{') ? '' : ','}"features":${features}}}`;
}

function latencyOf({ latency }: EventLine): StoredEvent['latency'] {
  if (latency === null) return null;
  const [total = 0, auth = 0, snapshot = 0, ledger = 0, evaluate = 0] = latency;
  return { total, auth, snapshot, ledger, evaluate };
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
