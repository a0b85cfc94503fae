// Gives the demo a past: sends a few calls for each of its customers, and appends a month of repetitions of what was recorded.

import { setTimeout as sleep } from 'node:timers/promises';
import { personNames } from '@tessera/stripe-emulator/control/people';
import type { Environment } from '#contracts/console/environments';
import type { Event } from '#contracts/console/events';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { CallTimings, RecordedEvent } from '#contracts/internal/event-batch';
import { accessEndpoints } from '#contracts/public/access';
import { meteringEndpoints } from '#contracts/public/metering';
import { DAY_MS } from '#engine/durations';
import { seededRandom } from '#lab/fixtures/seeded-random';
import type { ApiSession } from '../workspace/api-session.ts';
import type { Workspace } from '../workspace/build-workspace.ts';
import { readAnswer } from '../workspace/endpoint-caller.ts';
import { findSecretKey } from './example-check.ts';
import { type CallTemplate, type DemoSubject, historyOf } from './history-events.ts';

const HISTORY_MS = 30 * DAY_MS;
/** Customers with a past, per environment. The first ones call most. */
const CUSTOMERS = 14;
/** The first ones, whose calls have mistakes now and then. The seed's own calls are the newest events: few of them are errors. */
const MISTAKEN = 2;
/** Signed up within the last days, and tries a plan: see demo-workflows.ts. */
const NEWEST_CUSTOMER = 249;
const EVENTS_AT_ONCE = 1_000;
const LIVE_WEIGHT = 3;
const PAGES = 10;
/** Since the last call was found. */
const MISSING_AFTER_MS = 20_000;

interface Call {
  readonly path: string;
  readonly body: object;
  readonly weight: number;
}

const check = accessEndpoints.check.path;
const usage = { feature: 'api-access', property: 'requests' };
const ANONYMOUS: readonly Call[] = [
  { path: check, body: {}, weight: 6 },
  { path: check, body: { features: ['support'] }, weight: 4 },
  { path: check, body: { userJwt: 'eyJhbGciOiJSUzI1NiJ9.e30.expired' }, weight: 1 },
];

const callsOf = (userIdentifier: string): Call[] => [
  { path: check, body: { userIdentifier }, weight: 10 },
  { path: check, body: { userIdentifier, features: ['support'] }, weight: 8 },
  { path: check, body: { userIdentifier, features: ['data-exports'] }, weight: 3 },
  { path: meteringEndpoints.update.path, body: { userIdentifier, ...usage, enforce: true }, weight: 5 },
];

/** A misspelt feature, and an amount that is no whole number. */
const mistakesOf = (userIdentifier: string): Call[] => [
  { path: check, body: { userIdentifier, features: ['data-export'] }, weight: 0.75 },
  { path: meteringEndpoints.update.path, body: { userIdentifier, ...usage, by: 0.5 }, weight: 0.36 },
];

export interface HistoryOptions {
  readonly baseUrl: string;
  readonly environments: readonly Environment[];
  /** Whose payment events are part of the past; null: none. */
  readonly integrationId: string | null;
  /** The end of the past, epoch milliseconds. */
  readonly now: number;
}

export async function seedHistory(workspace: Workspace<ApiSession>, options: HistoryOptions): Promise<void> {
  const subjects: DemoSubject[] = [];
  for (const environment of options.environments) {
    const key = environment.type === 'preview' ? null : await findSecretKey(workspace, environment);
    if (key !== null) subjects.push(...(await subjectsIn(workspace, options.baseUrl, environment, key)));
  }
  if (subjects.length === 0) return;
  const toAt = options.now;
  const history = {
    subjects,
    integrationId: options.integrationId,
    fromAt: toAt - HISTORY_MS,
    toAt,
    random: seededRandom(Math.floor(toAt / DAY_MS)),
  };
  let events: RecordedEvent[] = [];
  for (const visit of historyOf(history)) {
    events.push(...visit);
    if (events.length < EVENTS_AT_ONCE) continue;
    await append(workspace, events);
    events = [];
  }
  if (events.length > 0) await append(workspace, events);
}

async function append(
  { session, orgId }: Workspace<ApiSession>,
  events: readonly RecordedEvent[],
): Promise<void> {
  const response = await session.send('POST', '/dev/history', { orgId, events });
  if (!response.ok) throw new Error(`The demo's past was refused: ${await response.text()}`);
}

/** Calls as each customer, and reads what was recorded. */
async function subjectsIn(
  workspace: Workspace<ApiSession>,
  baseUrl: string,
  environment: Environment,
  key: string,
): Promise<DemoSubject[]> {
  const callers = [
    { calls: ANONYMOUS, weight: 4 },
    ...Array.from({ length: CUSTOMERS }, (_, index) => {
      const { email } = personNames(index);
      return {
        calls: [...callsOf(email), ...(index < MISTAKEN ? mistakesOf(email) : [])],
        weight: 12 / (index + 2),
      };
    }),
    { calls: callsOf(personNames(NEWEST_CUSTOMER).email), weight: 2 },
  ];
  const answered: AnsweredCaller[] = [];
  // One caller after the other: the workflows of too many checks at once would run out of time.
  for (const { calls, weight } of callers) {
    answered.push({
      weight: environment.type === 'live' ? weight * LIVE_WEIGHT : weight,
      calls: await Promise.all(
        calls.map(async (call) => ({ id: await send(baseUrl, key, call), weight: call.weight })),
      ),
    });
  }
  const recorded = await readEvents(
    workspace,
    new Set(answered.flatMap(({ calls }) => calls.map(({ id }) => id))),
  );
  const executions = new Map(
    await Promise.all(
      [...recorded.values()].map(async (event) => [event.id, await executionsOf(workspace, event)] as const),
    ),
  );
  return answered
    .map(({ calls, weight }) => ({ weight, calls: repeatable(calls, recorded, executions) }))
    .filter(({ calls }) => calls.length > 0);
}

/** Those that were recorded. A busy machine may have stopped a workflow of a call, which is nothing to repeat. */
function repeatable(
  calls: AnsweredCaller['calls'],
  recorded: ReadonlyMap<string, Event>,
  executions: ReadonlyMap<string, WorkflowExecution[]>,
): CallTemplate[] {
  return calls.flatMap(({ id, weight }) => {
    const event = recorded.get(id);
    const ran = executions.get(id) ?? [];
    if (event === undefined || ran.some(({ success }) => !success)) return [];
    return [{ event: { ...asRecorded(event), executions: ran }, weight }];
  });
}

interface AnsweredCaller {
  readonly weight: number;
  readonly calls: readonly { readonly id: string; readonly weight: number }[];
}

async function executionsOf(
  { session, orgId }: Workspace<ApiSession>,
  { id: eventId, workflowExecutions }: Event,
): Promise<WorkflowExecution[]> {
  if (workflowExecutions.total === 0) return [];
  const criteria = encodeURIComponent(JSON.stringify({ eventId }));
  const path = `/api/orgs/${orgId}/workflow-execution-search?criteria=${criteria}`;
  return (await readAnswer<{ executions: WorkflowExecution[] }>(await session.send('GET', path), 'GET'))
    .executions;
}

/** @returns the id of the call's event */
async function send(baseUrl: string, key: string, { path, body }: Call): Promise<string> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { requestId } = (await response.json()) as { requestId: string };
  return `evt${requestId.slice('req'.length)}`;
}

/** A busy machine may record a call late, or never: as long as others arrive, it is waited for. */
async function readEvents(
  { session, orgId }: Workspace<ApiSession>,
  ids: ReadonlySet<string>,
): Promise<Map<string, Event>> {
  const found = new Map<string, Event>();
  let lastAt = Date.now();
  for (;;) {
    const before = found.size;
    let timeTo: number | null = null;
    for (let page = 0; page < PAGES && found.size < ids.size; page++) {
      const criteria = encodeURIComponent(JSON.stringify({ timeTo }));
      const response = await session.send('GET', `/api/orgs/${orgId}/event-search?criteria=${criteria}`);
      const answer = await readAnswer<{ events: Event[]; nextQueryTimeTo: number | null }>(response, 'GET');
      for (const event of answer.events) if (ids.has(event.id)) found.set(event.id, event);
      timeTo = answer.nextQueryTimeTo;
      if (timeTo === null) break;
    }
    if (found.size > before) lastAt = Date.now();
    if (found.size === ids.size || Date.now() - lastAt > MISSING_AFTER_MS) return found;
    await sleep(100);
  }
}

/** The event as it was recorded, from the event as it is read. */
function asRecorded(event: Event): RecordedEvent {
  const { outcome, isWarning, warningCodes, latency, isCold, workflowExecutions, detail, ...kept } = event;
  const { features, ...rest } = event.response as { features?: Record<string, unknown>; errorType?: string };
  const whole = JSON.stringify(rest);
  return {
    ...kept,
    isDenied: outcome === 'denied',
    denials: event.denials ?? [],
    warnings: warningCodes.map((code) => ({ code })),
    timings: latency === null ? null : timingsOf(latency),
    nearLimits: null,
    place: { country: null, city: null, continent: null },
    planSlugs: detail.planSlugs,
    featureSlugs: features === undefined ? featuresIn(event.request) : Object.keys(features),
    response: features === undefined ? whole : whole.slice(0, -1),
    features: features === undefined ? null : JSON.stringify(features),
    error: rest.errorType ?? null,
  };
}

function timingsOf({ total, auth, snapshot, ledger, evaluate }: NonNullable<Event['latency']>): CallTimings {
  return {
    totalMs: total,
    authMs: auth,
    snapshotMs: snapshot,
    ledgerMs: ledger,
    evaluateMs: evaluate,
    isCold: false,
  };
}

/** The feature of a counter update. */
function featuresIn(request: unknown): string[] {
  const { feature } = (request ?? {}) as { feature?: unknown };
  return typeof feature === 'string' ? [feature] : [];
}
