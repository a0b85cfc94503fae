// A month of the demo's past: visits of its customers, each a handful of calls that repeat one that was really answered, at
// another time, from another place and with another duration. Busier by day, on weekdays and lately.

import { personNames } from '@tessera/stripe-emulator/control/people';
import { NO_ENVIRONMENT } from '#contracts/console/events';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { CallTimings, RecordedEvent } from '#contracts/internal/event-batch';
import { DAY_MS, HOUR_MS } from '#engine/durations';
import { paymentEvent } from '#engine/events/payment-event';
import { formatId } from '#runtime/ids';
import { choose } from './choose.ts';
import { activityAt, demoPlaces } from './demo-places.ts';

/** A recorded call, and how often it is repeated in relation to the others of its subject. */
export interface CallTemplate {
  readonly event: RecordedEvent;
  readonly weight: number;
}

/** One customer in one environment. */
export interface DemoSubject {
  readonly calls: readonly CallTemplate[];
  readonly weight: number;
}

export interface History {
  readonly subjects: readonly DemoSubject[];
  /** Whose payment events it contains; null: none. */
  readonly integrationId: string | null;
  readonly fromAt: number;
  readonly toAt: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

const VISITS_AN_HOUR = 9;
/** Visits of customers that come rarely, of whom there are so many. */
const RARE_VISITS_AN_HOUR = 0.12;
const RARE_CUSTOMERS = { first: 14, count: 60 };
const PAYMENTS_A_DAY = 5;
const GROWTH = 0.6;
/** Since when the demo has workflows, before the end of its past. */
const WORKFLOWS_MS = 3 * DAY_MS;
const MAX_CALLS_A_VISIT = 14;
const PAYMENT_TYPES = [
  { type: 'customer.subscription.updated', weight: 5 },
  { type: 'invoice.paid', weight: 8 },
  { type: 'customer.subscription.created', weight: 2 },
  { type: 'invoice.payment_failed', weight: 1 },
  { type: 'customer.subscription.deleted', weight: 1 },
];

/** The events of each visit; hour by hour, the oldest hour first. */
export function* historyOf(history: History): Generator<RecordedEvent[]> {
  const { fromAt, toAt, random } = history;
  const allPlaces = demoPlaces.reduce((sum, { weight }) => sum + weight, 0);
  for (let hourAt = fromAt - (fromAt % HOUR_MS); hourAt < toAt; hourAt += HOUR_MS) {
    const activity = demoPlaces.reduce((sum, place) => sum + place.weight * activityAt(place, hourAt), 0);
    const trend = 1 - GROWTH * ((toAt - hourAt) / (toAt - fromAt));
    const visits = Math.round(VISITS_AN_HOUR * (activity / allPlaces) * trend * (0.6 + 0.8 * random()));
    for (let visit = 0; visit < visits; visit++) {
      const startAt = hourAt + Math.floor(random() * HOUR_MS);
      yield visitAt(history, startAt).filter(({ time }) => time >= fromAt && time < toAt);
    }
    if (random() < RARE_VISITS_AN_HOUR) {
      const startAt = hourAt + Math.floor(random() * HOUR_MS);
      yield rareVisitAt(history, startAt).filter(({ time }) => time < toAt);
    }
    const payment = paymentAt(history, hourAt + Math.floor(random() * HOUR_MS));
    if (payment !== null) yield [payment];
  }
}

function visitAt({ subjects, toAt, random }: History, startAt: number): RecordedEvent[] {
  const { calls } = choose(subjects, ({ weight }) => weight, random);
  const { country, city, continent } = choose(
    demoPlaces,
    (place) => place.weight * activityAt(place, startAt),
    random,
  );
  const events: RecordedEvent[] = [];
  let time = startAt;
  for (let left = 3 + Math.floor(random() * (MAX_CALLS_A_VISIT - 3)); left > 0; left--) {
    const { event } = choose(calls, ({ weight }) => weight, random);
    const place = { country, city, continent };
    const hasWorkflows = time > toAt - WORKFLOWS_MS;
    events.push({
      ...repeated(event, time, random),
      place,
      timings: timingsOf(event, random),
      executions: hasWorkflows ? executionsAt(event, time, random) : undefined,
    });
    time += 80 + Math.floor(random() * 550);
  }
  return events;
}

/** A visit like that of another customer who only checks access. */
function rareVisitAt(history: History, startAt: number): RecordedEvent[] {
  const { first, count } = RARE_CUSTOMERS;
  const { email } = personNames(first + Math.floor(history.random() * count));
  return visitAt(history, startAt)
    .filter(({ type, subjectIdentifier }) => type === 'ac' && subjectIdentifier !== null)
    .map((event) => ({
      ...event,
      subjectIdentifier: email,
      secondarySubjectIdentifiers: [],
      nearLimits: null,
      request: { ...(event.request as object), userIdentifier: email },
    }));
}

/** The event with a new id and time. Its request's id, which the response contains, belongs to it. */
function repeated(event: RecordedEvent, time: number, random: () => number): RecordedEvent {
  const id = newId('evt', time, random);
  const response = event.response
    .replace(/"requestId":"[^"]*"/, `"requestId":"req${id.slice('evt'.length)}"`)
    .replace(/"asOf":\d+/, `"asOf":${time}`)
    .replace(/"validUntil":\d+/, `"validUntil":${time + 60_000}`);
  return { ...event, id, time, response };
}

function executionsAt(event: RecordedEvent, time: number, random: () => number): WorkflowExecution[] {
  return (event.executions ?? []).map((execution) => ({
    ...execution,
    executionId: newId('exe', time, random),
    logs: execution.logs.map((line) => ({ ...line, t: line.t - event.time + time })),
    input: { ...(execution.input as object), now: time },
    wallTime: Math.round((0.2 + random()) * 10) / 10,
  }));
}

function newId(prefix: 'evt' | 'exe', time: number, random: () => number): string {
  return formatId(
    prefix,
    time,
    Uint8Array.from({ length: 10 }, () => Math.floor(random() * 256)),
  );
}

/** Most calls take a few milliseconds, and a few take long; those that ask a ledger take longer. */
function timingsOf({ timings }: RecordedEvent, random: () => number): CallTimings {
  const isCold = random() < 0.01;
  const spread = Math.exp((random() + random() + random() - 1.5) * 1.1);
  const ledgerMs = (timings?.ledgerMs ?? 0) > 0 ? 4.2 * spread : 0;
  const parts = { authMs: 0.15 * spread, snapshotMs: isCold ? 38 * spread : 0.02, evaluateMs: 0.3 * spread };
  const totalMs = ledgerMs + parts.authMs + parts.snapshotMs + parts.evaluateMs + 0.5 * spread;
  const rounded = (ms: number) => Math.round(ms * 100) / 100;
  return {
    totalMs: rounded(totalMs),
    ledgerMs: rounded(ledgerMs),
    authMs: rounded(parts.authMs),
    snapshotMs: rounded(parts.snapshotMs),
    evaluateMs: rounded(parts.evaluateMs),
    isCold,
  };
}

function paymentAt({ integrationId, fromAt, toAt, random }: History, time: number): RecordedEvent | null {
  const isDue = random() < (PAYMENTS_A_DAY * HOUR_MS) / DAY_MS;
  if (integrationId === null || !isDue || time < fromAt || time >= toAt) return null;
  const { type } = choose(PAYMENT_TYPES, ({ weight }) => weight, random);
  const { name, email } = personNames(Math.floor(random() * 250));
  const object = { object: 'customer', name, email };
  return paymentEvent({
    id: newId('evt', time, random),
    time,
    envId: NO_ENVIRONMENT,
    subjectIdentifier: email,
    secondarySubjectIdentifiers: [],
    request: { type, created: Math.floor(time / 1_000), object },
    response: JSON.stringify(object),
    integrationId,
    stripeEventType: type,
  });
}
