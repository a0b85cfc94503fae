/**
 * The fields that neighbouring events usually share. A group stores each combination once, as a shape, and its lines refer to
 * shapes by index. Whatever is counted or filtered by shape costs once per shape instead of once per event.
 */
import type { EnvironmentType } from '#contracts/console/environment-type';
import type { EventOutcome, EventType } from '#contracts/console/events';
import type { RecordedEvent } from '#contracts/internal/event-batch';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import type { Location } from '#contracts/public/locations';
import { locationName } from '../regions/data-locations.ts';

const IS_ERROR = 1;
const IS_WARNING = 2;
const IS_DENIED = 4;
const IS_COLD = 8;
const IS_WARM = 16;
const IS_METERED = 32;

/** Append-only: rows of older versions are read until they are archived, and end earlier. */
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
  environmentType?: EnvironmentType | null,
  keyId?: string | null,
  keyType?: ApiKeyType | null,
  warningCodes?: string[],
  deniedFeatures?: string[],
];

/** @param text index of the features text in the group; null if the event has none */
export function shapeOf(event: RecordedEvent, text: number | null): EventShape {
  const { place, key, timings } = event;
  return [
    event.type,
    (event.isError ? IS_ERROR : 0) |
      (event.warnings.length > 0 ? IS_WARNING : 0) |
      (event.isDenied ? IS_DENIED : 0) |
      (timings === null ? 0 : timings.isCold ? IS_COLD : IS_WARM) |
      (event.nearLimits === null ? 0 : IS_METERED),
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
    event.environmentType,
    key === null ? null : key.id,
    key === null ? null : key.type,
    event.warnings.length === 0 ? [] : [...new Set(event.warnings.map(({ code }) => code))],
    [...event.deniedFeatures],
  ];
}

/** Quick comparison of two events' shapes, without the text. May return false for equal shapes, never true for different ones. */
export function haveSameShape(one: RecordedEvent, other: RecordedEvent): boolean {
  return (
    one.responseRest === other.responseRest &&
    one.type === other.type &&
    one.isError === other.isError &&
    one.isDenied === other.isDenied &&
    one.place.city === other.place.city &&
    one.place.country === other.place.country &&
    one.place.continent === other.place.continent &&
    one.key?.id === other.key?.id &&
    one.timings?.isCold === other.timings?.isCold &&
    (one.nearLimits === null) === (other.nearLimits === null) &&
    one.environmentType === other.environmentType &&
    one.integrationId === other.integrationId &&
    one.stripeEventType === other.stripeEventType &&
    one.error === other.error &&
    (one.warnings === other.warnings || one.warnings.length + other.warnings.length === 0) &&
    isSameList(one.planSlugs, other.planSlugs) &&
    isSameList(one.featureSlugs, other.featureSlugs) &&
    isSameList(one.deniedFeatures, other.deniedFeatures) &&
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

export function readShapes(shapes: string): EventShape[] {
  return JSON.parse(shapes) as EventShape[];
}

export function isErrorShape(shape: EventShape): boolean {
  return (shape[1] & IS_ERROR) !== 0;
}

export function isWarningShape(shape: EventShape): boolean {
  return (shape[1] & IS_WARNING) !== 0;
}

/** Whether meters were read for these events. */
export function isMeteredShape(shape: EventShape): boolean {
  return (shape[1] & IS_METERED) !== 0;
}

/** Null if unknown. */
export function isColdShape(shape: EventShape): boolean | null {
  return (shape[1] & IS_COLD) !== 0 ? true : (shape[1] & IS_WARM) !== 0 ? false : null;
}

/** See outcomeSchema. */
export function outcomeOf(shape: EventShape): EventOutcome {
  const flags = shape[1];
  if ((flags & IS_ERROR) !== 0) return 'error';
  if ((flags & IS_DENIED) !== 0) return 'denied';
  return (flags & IS_WARNING) !== 0 ? 'warning' : 'allowed';
}

/** What a text search finds these events by, beside the slugs of features: place, plans, error, warnings, and where data was read. */
export function searchTextsOf(shape: EventShape): string[] {
  const [, , country, city, , planSlugs, , readDataLocations, , , stripeEventType, error] = shape;
  const texts = [...planSlugs, ...(shape[17] ?? []), ...readDataLocations.map(locationName)];
  for (const text of [country, city, stripeEventType, error]) if (text !== null) texts.push(text);
  return texts;
}

/** The API key of these events' calls; null if there is none, and in old events. */
export function keyIdOf(shape: EventShape): string | null {
  return shape[15] ?? null;
}

/** The integration that these payment-provider events came through; null for others. */
export function integrationIdOf(shape: EventShape): string | null {
  return shape[9];
}

/** Index of the shape's features text in the group; null if there is none. */
export function textIndexOf(shape: EventShape): number | null {
  return shape[13];
}
