/**
 * Counts the events of stored lines: the roll-up of each minute, usage by day and type, and the meters near their limits. Appending
 * and rebuilding share it, so that a rebuilt figure equals the first one.
 */
import type { EventType } from '#contracts/console/events';
import type { NearLimit } from '#contracts/internal/event-batch';
import { MINUTE_MS } from '../durations.ts';
import { dayOf } from '../usage/calendar.ts';
import { causeOf, causeOfError, DENIAL_CAUSES, type DenialCause } from './denial-cause.ts';
import { drawnFromBalances } from './drawn-from-balances.ts';
import { type CountedRun, readRuns } from './event-executions.ts';
import { readLineHeads } from './event-line.ts';
import { type EventShape, featuresOf } from './event-shape.ts';
import { Rollup, RUN_STATUSES } from './rollup.ts';

/** Events of one type and day that count as usage. Errors do not count. */
export interface UsageCount {
  /** Start of the day, UTC. */
  readonly dayAt: number;
  readonly type: EventType;
  readonly total: number;
}

/** The meters of a customer that an event read. */
export interface MeterSighting {
  readonly customer: string;
  readonly at: number;
  /** Slugs of the features whose meters were read. */
  readonly features: readonly string[];
  readonly nearLimits: readonly NearLimit[];
}

export interface Tally {
  /** By start of the minute. */
  readonly minutes: ReadonlyMap<number, Rollup>;
  readonly usage: readonly UsageCount[];
  /** The last one of each customer and list of features. */
  readonly sightings: readonly MeterSighting[];
  /** The time of the newest call of an earlier release, which does not say what it names; 0 without any. */
  readonly formerTo: number;
}

/**
 * @param slugsOf the slugs in the features text that a shape refers to
 */
export function tallyLines(
  lines: string,
  shapes: readonly EventShape[],
  slugsOf: (text: number) => readonly string[],
): Tally {
  const minutes = new Map<number, { rollup: Rollup; byShape: Map<EventShape, number> }>();
  const routes = new Map<EventShape, string | null>();
  let formerTo = 0;
  const sightings = new Map<string, MeterSighting>();
  for (const head of readLineHeads(lines, shapes)) {
    const { time, shape, totalMs, answered, subjectIdentifier: customer, nearLimits } = head;
    const minuteAt = time - (time % MINUTE_MS);
    let minute = minutes.get(minuteAt);
    if (minute === undefined) {
      minute = { rollup: new Rollup(), byShape: new Map() };
      minutes.set(minuteAt, minute);
    }
    minute.byShape.set(shape, (minute.byShape.get(shape) ?? 0) + 1);
    if (shape.namedFeatures === null && shape.type !== 'se') formerTo = Math.max(formerTo, time);
    let route = routes.get(shape);
    if (route === undefined) {
      route = routeOf(shape);
      routes.set(shape, route);
    }
    if (totalMs !== null) {
      minute.rollup.latency.add(totalMs);
      if (route !== null) minute.rollup.routes.addLatency(route, totalMs);
    }
    minute.rollup.answered += answered;
    for (const run of readRuns(head.executions)) countRun(minute.rollup, run);
    if (customer === null) continue;
    minute.rollup.count('customers', customer, 1);
    if (!shape.isMetered) continue;
    const features = featuresOf(shape, slugsOf);
    const key = `${customer}\t${features.join()}`;
    if ((sightings.get(key)?.at ?? 0) <= time)
      sightings.set(key, { customer, at: time, features, nearLimits });
  }
  for (const { time, key, amount } of drawnFromBalances(lines, shapes))
    minutes.get(time - (time % MINUTE_MS))?.rollup.draws.count(key, amount > 0 ? 0 : 1, Math.abs(amount));
  const usage = new Map<string, { dayAt: number; type: EventType; total: number }>();
  for (const [minuteAt, { rollup, byShape }] of minutes) {
    for (const [shape, count] of byShape) {
      countShape(rollup, shape, featuresOf(shape, slugsOf), count);
      if (!shape.isError) addUsage(usage, dayOf(minuteAt), shape.type, count);
    }
  }
  return {
    minutes: new Map([...minutes].map(([minuteAt, { rollup }]) => [minuteAt, rollup])),
    usage: [...usage.values()],
    sightings: [...sightings.values()],
    formerTo,
  };
}

/** Location and continent of a call; null if one is unknown, as for payment events. */
function routeOf({ type, continent, readDataLocations: [location] }: EventShape): string | null {
  return type === 'se' || continent === null || location === undefined ? null : `${location} ${continent}`;
}

function countRun({ runs }: Rollup, { workflowId, success, status, wallTime }: CountedRun): void {
  runs.count(workflowId, RUN_STATUSES.indexOf(status ?? (success ? 'done' : 'failed')), 1);
  if (status !== 'skipped') runs.addLatency(workflowId, wallTime);
}

function countShape(rollup: Rollup, shape: EventShape, features: readonly string[], count: number): void {
  rollup.countEvents(0, shape.type, shape.outcome, count);
  if (shape.country !== null) rollup.count('countries', shape.country, count);
  for (const plan of shape.planSlugs) rollup.count('plans', plan, count);
  for (const location of shape.readDataLocations) rollup.count('locations', location, count);
  for (const code of shape.warningCodes) rollup.count('warnings', code, count);
  const route = routeOf(shape);
  if (route !== null) rollup.routes.count(route, 0, count);
  const cause = causeOfShape(shape);
  if (cause !== null) rollup.causes.count('0', DENIAL_CAUSES.indexOf(cause), count);
  if (shape.isError) return;
  for (const slug of new Set(shape.namedFeatures)) {
    const denial = shape.denials?.find(({ feature }) => feature === slug);
    if (denial !== undefined) {
      rollup.named.count(slug, 1 + DENIAL_CAUSES.indexOf(causeOf(denial.reason, shape.warningCodes)), count);
    } else if (features.includes(slug) || !shape.warningCodes.includes('feature-unknown')) {
      // The answer may leave out the feature that a check counts on; an unknown one has a warning.
      rollup.named.count(slug, 0, count);
    }
  }
}

/** Why the call as a whole was denied; null if it was not, and in old events. */
function causeOfShape({
  outcome,
  error,
  denials,
  namedFeatures,
  warningCodes,
}: EventShape): DenialCause | null {
  if (outcome === 'error') return causeOfError(error);
  if (outcome !== 'denied' || denials === null) return null;
  const denial = denials.find(({ feature }) => namedFeatures?.includes(feature)) ?? denials[0];
  return denial === undefined ? null : causeOf(denial.reason, warningCodes);
}

function addUsage(
  usage: Map<string, { dayAt: number; type: EventType; total: number }>,
  dayAt: number,
  type: EventType,
  count: number,
): void {
  const key = `${dayAt} ${type}`;
  const known = usage.get(key);
  if (known === undefined) usage.set(key, { dayAt, type, total: count });
  else known.total += count;
}

/** One tally of all. */
export function mergeTallies(tallies: readonly Tally[]): Tally {
  const [first, ...others] = tallies;
  if (first !== undefined && others.length === 0) return first;
  const minutes = new Map<number, Rollup>();
  const usage = new Map<string, { dayAt: number; type: EventType; total: number }>();
  for (const tally of tallies) {
    for (const [minuteAt, rollup] of tally.minutes) {
      const known = minutes.get(minuteAt);
      if (known === undefined) minutes.set(minuteAt, rollup);
      else known.merge(rollup);
    }
    for (const { dayAt, type, total } of tally.usage) addUsage(usage, dayAt, type, total);
  }
  return {
    minutes,
    usage: [...usage.values()],
    sightings: tallies.flatMap(({ sightings }) => sightings),
    formerTo: Math.max(0, ...tallies.map((tally) => tally.formerTo)),
  };
}
