/**
 * The fields that neighbouring events usually share. A group stores each combination once, as a shape, and its lines refer to
 * shapes by index. Whatever is counted or filtered by shape costs once per shape instead of once per event.
 */
import type { EnvironmentType } from '#contracts/console/environment-type';
import type { EventOutcome, EventType } from '#contracts/console/events';
import type { RecordedEvent } from '#contracts/internal/event-batch';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import type { Location } from '#contracts/public/locations';
import type { Denial, DenialReason } from '#contracts/public/verdict';
import { locationName } from '../regions/data-locations.ts';
import { namedFeatures } from './named-features.ts';

const IS_ERROR = 1;
const IS_WARNING = 2;
const IS_DENIED = 4;
const IS_COLD = 8;
const IS_WARM = 16;
const IS_METERED = 32;
const HAS_RUNS = 64;
const IS_HOLD = 128;

/** As stored. Append-only: rows of older versions are read until they are archived, and end earlier. */
type StoredShape = readonly [
  type: EventType,
  flags: number,
  country: string | null,
  city: string | null,
  continent: string | null,
  planSlugs: string[],
  featureSlugs: readonly string[] | null,
  readDataLocations: Location[],
  writeDataLocations: Location[],
  integrationId: string | null,
  stripeEventType: string | null,
  error: string | null,
  responseRest: string,
  textIndex: number | null,
  environmentType?: EnvironmentType | null,
  keyId?: string | null,
  keyType?: ApiKeyType | null,
  warningCodes?: string[],
  deniedFeatures?: string[],
  /** Why, in the order of deniedFeatures. */
  denialReasons?: DenialReason[],
  namedFeatures?: readonly string[],
];

/** A stored shape with names, made once per shape and not per event. */
export type EventShape = ReturnType<typeof readShape>;

/**
 * @param text index of the features text in the group; null if the event has none
 * @param named the features that the call names, of an event without its request
 */
export function shapeOf(
  event: RecordedEvent,
  text: number | null,
  named = namedFeatures(event.type, event.request),
): StoredShape {
  const { place, key, timings } = event;
  return [
    event.type,
    (event.isError ? IS_ERROR : 0) |
      (event.warnings.length > 0 ? IS_WARNING : 0) |
      (event.isDenied ? IS_DENIED : 0) |
      (timings === null ? 0 : timings.isCold ? IS_COLD : IS_WARM) |
      (event.nearLimits === null ? 0 : IS_METERED) |
      (hasRuns(event) ? HAS_RUNS : 0) |
      (event.isHold ? IS_HOLD : 0),
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
    event.denials.map(({ feature }) => feature),
    event.denials.map(({ reason }) => reason),
    named,
  ];
}

const hasRuns = ({ executions }: RecordedEvent) => executions !== undefined && executions.length > 0;

/** Quick comparison of two events' shapes, without the text. May return false for equal shapes, never true for different ones. */
export function haveSameShape(one: RecordedEvent, other: RecordedEvent): boolean {
  return (
    one.responseRest === other.responseRest &&
    one.type === other.type &&
    one.isHold === other.isHold &&
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
    hasRuns(one) === hasRuns(other) &&
    (one.request === other.request ||
      isSameList(namedFeatures(one.type, one.request), namedFeatures(other.type, other.request))) &&
    areSameDenials(one.denials, other.denials) &&
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

function areSameDenials(one: readonly Denial[], other: readonly Denial[]): boolean {
  return (
    one === other ||
    (one.length === other.length &&
      one.every(
        ({ feature, reason }, index) => feature === other[index]?.feature && reason === other[index]?.reason,
      ))
  );
}

export function readShapes(shapes: string): EventShape[] {
  return (JSON.parse(shapes) as StoredShape[]).map(readShape);
}

export function readShape(stored: StoredShape) {
  const flags = stored[1];
  return {
    type: stored[0],
    isError: (flags & IS_ERROR) !== 0,
    isWarning: (flags & IS_WARNING) !== 0,
    outcome: outcomeOf(flags),
    /** Null if unknown. */
    isCold: (flags & IS_COLD) !== 0 ? true : (flags & IS_WARM) !== 0 ? false : null,
    /** Whether meters were read for these events. */
    isMetered: (flags & IS_METERED) !== 0,
    /** Whether workflows ran. False in old events. */
    hasRuns: (flags & HAS_RUNS) !== 0,
    /** Whether the call is about a hold. False in old events. */
    isHold: (flags & IS_HOLD) !== 0,
    country: stored[2],
    city: stored[3],
    continent: stored[4],
    planSlugs: stored[5],
    /** Null if the features text contains them. */
    featureSlugs: stored[6],
    readDataLocations: stored[7],
    writeDataLocations: stored[8],
    /** Of payment-provider events; null for others. */
    integrationId: stored[9],
    stripeEventType: stored[10],
    error: stored[11],
    responseRest: stored[12],
    /** Index of the features text in the group; null if there is none. */
    textIndex: stored[13],
    environmentType: stored[14] ?? null,
    /** Null if the call had none, and in old events. */
    keyId: stored[15] ?? null,
    keyType: stored[16] ?? null,
    warningCodes: stored[17] ?? [],
    deniedFeatures: stored[18] ?? [],
    /** Null in old events. */
    denials:
      stored[19]?.map((reason, index): Denial => ({ feature: stored[18]?.[index] ?? '', reason })) ?? null,
    /** Slugs; null in old events. */
    namedFeatures: stored[20] ?? null,
  };
}

/** See outcomeSchema. */
function outcomeOf(flags: number): EventOutcome {
  if ((flags & IS_ERROR) !== 0) return 'error';
  if ((flags & IS_DENIED) !== 0) return 'denied';
  return (flags & IS_WARNING) !== 0 ? 'warning' : 'allowed';
}

/** The features of these events. @param slugsOf the slugs in a features text of the group */
export function featuresOf(
  shape: EventShape,
  slugsOf: (text: number) => readonly string[],
): readonly string[] {
  return shape.featureSlugs ?? (shape.textIndex === null ? [] : slugsOf(shape.textIndex));
}

/** What a text search finds these events by, beside the slugs of features: place, plans, error, warnings, denials, and where data was read. */
export function searchTextsOf(shape: EventShape): string[] {
  const texts = [...shape.planSlugs, ...shape.warningCodes, ...shape.readDataLocations.map(locationName)];
  if (shape.denials !== null) texts.push(...new Set(shape.denials.map(({ reason }) => reason)));
  for (const text of [shape.country, shape.city, shape.stripeEventType, shape.error])
    if (text !== null) texts.push(text);
  return texts;
}
