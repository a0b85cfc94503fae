// What must be true once the faults have ended: every location says the same, which is what the clients were told; D1 says
// what Stripe says; every counted update has its event, once; no location has accepted more than a limit; and workflows decide
// again.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Event, eventEndpoints } from '#contracts/console/events';
import { stripeIntegrationEndpoints } from '#contracts/console/stripe';
import type { AccessCheckAnswer, AccessCheckRequest } from '#contracts/public/access';
import type { Consume, CounterUpdateAnswer, CounterUpdateRequest } from '#contracts/public/metering';
import type { Random } from '#lab/fixtures/seeded-random';
import type { ApiSession } from '../../dev/workspace/api-session.ts';
import { ApiCallError } from '../../dev/workspace/endpoint-caller.ts';
import { compareBalances } from './balances.ts';
import { type CallPath, callAt } from './call-at.ts';
import type { CustomerHistory, History, Range } from './history.ts';
import { comparePairs, compareSums, joinAll } from './joins.ts';
import { comparePayments } from './payments.ts';
import { compareRolling } from './rollover.ts';
import { compareShares } from './shares.ts';
import type { StripeControl } from './stripe-control.ts';
import {
  CAP,
  type ChaosWorkspace,
  FEATURE,
  GRANTED_PLAN,
  homeOf,
  LICENCES,
  PAID_PLAN,
  PLACES,
  type Place,
  WORKFLOW_PLAN,
} from './workspace.ts';

const SETTLE_MS = 120_000;

export interface Verified {
  readonly baseUrl: string;
  readonly session: ApiSession;
  readonly workspace: ChaosWorkspace;
  readonly history: History;
  readonly random: Random;
  readonly stripe: StripeControl;
  /** Has the schedule run and lets the clock pass what must pass. */
  readonly letTimePass: () => Promise<void>;
}

/** @returns the differences; an empty list is a good run */
export async function verify(run: Verified): Promise<string[]> {
  const differences = [...run.history.differences];
  const compare = [
    compareUsage,
    compareBalancesOf,
    compareRollingOf,
    compareSharesOf,
    compareStripe,
    comparePaymentsOf,
    compareProvisioned,
    compareEvents,
    compareWorkflows,
  ];
  for (const each of compare) differences.push(...(await untilSettled(run, () => each(run))));
  differences.push(...(await compareJoins(run)));
  return differences;
}

function compareBalancesOf({ history, ...run }: Verified): Promise<string[]> {
  return compareBalances({ ...run, customers: history.all() });
}

async function compareRollingOf(run: Verified): Promise<string[]> {
  const { rolledOver, differences } = await compareRolling({ ...run, customers: run.history.all() });
  run.history.rolledOver = rolledOver;
  return differences;
}

function compareSharesOf({ history, ...run }: Verified): Promise<string[]> {
  return compareShares({ ...run, customers: history.all() });
}

async function comparePaymentsOf(run: Verified): Promise<string[]> {
  const { payments, differences } = await comparePayments(run);
  run.history.payments = payments;
  return differences;
}

async function compareJoins(run: Verified): Promise<string[]> {
  const { history, random } = run;
  const compared = {
    ...run,
    pairs: history.pairs,
    explain: (name: string, place: Place) =>
      checkAccess(run, { userIdentifier: name }, place, 'access-checks?explain=1'),
  };
  const known = history.differences.length;
  const pairs = await untilSettled(run, () => comparePairs(compared));
  await joinAll(run, random);
  const sums = await untilSettled(run, () => compareSums(compared));
  return [...pairs, ...history.differences.slice(known), ...sums];
}

/** What is still on its way may arrive; what does not arrive within two minutes is a difference. */
async function untilSettled(run: Verified, compare: () => Promise<string[]>): Promise<string[]> {
  const deadline = Date.now() + SETTLE_MS;
  for (;;) {
    const differences = await compare();
    if (differences.length === 0 || Date.now() > deadline) return differences;
    await run.letTimePass();
    await sleep(2_000);
  }
}

async function compareUsage(run: Verified): Promise<string[]> {
  const differences: string[] = [];
  for (const [index, customer] of run.history.all().entries()) {
    const readings = await Promise.all(PLACES.map((place) => readMeters(run, customer, place)));
    const [first, ...others] = readings.map((reading) => JSON.stringify(reading));
    if (others.some((other) => other !== first)) {
      differences.push(`${customer.identifier}: locations disagree: ${JSON.stringify(readings)}`);
    }
    const [reading] = readings;
    if (reading === undefined) continue;
    for (const property of ['total', 'monthly', 'messages', 'wallet'] as const) {
      expectIn(differences, customer, property, reading[property] ?? -1, customer[property]);
    }
    const { min, max } = customer.capped;
    const used = reading.capped ?? -1;
    const uncertain = used > max ? await refusedElsewhere(run, customer, homeOf(index)) : 0;
    expectIn(differences, customer, 'capped', used, { min, max: max + uncertain });
    const states = [...customer.resources.values()];
    const held = states.filter((state) => state === 'held').length;
    const unknown = states.filter((state) => state === 'unknown').length;
    expectIn(differences, customer, 'seats', reading.seats ?? -1, { min: held, max: held + unknown });
    for (const [member, range] of customer.members) {
      const used = await Promise.all(PLACES.map((place) => readMember(run, customer, member, place)));
      for (const each of used) expectIn(differences, customer, `total of ${member}`, each, range);
      if (new Set(used).size > 1)
        differences.push(`${customer.identifier}: locations disagree about ${member}: ${used}`);
    }
  }
  return differences;
}

async function readMember(
  run: Verified,
  { identifier }: CustomerHistory,
  entityId: string,
  place: Place,
): Promise<number> {
  const { features } = await checkAccess(run, { userIdentifier: identifier, entityId }, place);
  const total = features[FEATURE]?.properties.total;
  return typeof total === 'object' && 'entity' in total ? (total.entity?.used ?? -1) : -1;
}

/**
 * Refused by another location than the nearest, which did not answer: it may have accepted before, and then that counts.
 * @returns how much
 */
async function refusedElsewhere(
  { session, workspace }: Verified,
  { refused }: CustomerHistory,
  home: Place,
): Promise<number> {
  let sum = 0;
  for (const { requestId, by } of refused) {
    const params = { orgId: workspace.orgId, eventId: `evt${requestId.slice('req'.length)}` };
    // Of an isolate that was killed, the last refusals have no event.
    const event = await session.call(eventEndpoints.get, { params }).catch(missing);
    if (event?.writeDataLocations.includes(home.location) !== true) sum += by;
  }
  return sum;
}

function missing(error: unknown): null {
  if (error instanceof ApiCallError && error.status === 404) return null;
  throw error;
}

function expectIn(
  differences: string[],
  { identifier }: CustomerHistory,
  property: string,
  used: number,
  { min, max }: Range,
): void {
  if (used >= min && used <= max) return;
  differences.push(
    `${identifier}: ${property} is ${used}, acknowledged were ${min === max ? min : `${min} to ${max}`}`,
  );
}

async function readMeters(
  run: Verified,
  customer: CustomerHistory,
  place: Place,
): Promise<Record<string, number>> {
  const { features } = await checkAccess(run, { userIdentifier: customer.identifier }, place);
  const properties = features[FEATURE]?.properties ?? {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, value]) =>
      typeof value === 'object' && value.state === 'metered' ? [[key, value.used]] : [],
    ),
  );
}

async function checkAccess(
  { baseUrl, workspace }: Verified,
  body: AccessCheckRequest,
  place: Place,
  path: CallPath = 'access-checks',
): Promise<AccessCheckAnswer> {
  const from = { baseUrl, secretKey: workspace.secretKey, place };
  const response = await callAt(from, path, body);
  const text = await response.text();
  if (!response.ok) throw new Error(`A check answered ${response.status}: ${text}`);
  return JSON.parse(text) as AccessCheckAnswer;
}

/** Stripe, D1 and what a check answers in every location. */
async function compareStripe(run: Verified): Promise<string[]> {
  const { stripe, session, workspace } = run;
  const differences: string[] = [];
  const params = { orgId: workspace.orgId, integrationId: workspace.integrationId };
  const stored = new Map<string, string>();
  const path = stripeIntegrationEndpoints.listCustomers.path
    .replace(':orgId', params.orgId)
    .replace(':integrationId', params.integrationId);
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const response = await session.send('GET', `${path}${query}`);
    const page = (await response.json()) as {
      items: { id: string; subscriptions: { id: string; status: string }[] }[];
      nextCursor: string | null;
    };
    for (const { id, subscriptions } of page.items) stored.set(id, statusesOf(subscriptions));
    cursor = page.nextCursor;
  } while (cursor !== null);
  const former = new Set(run.history.pairs.flatMap(({ formerIds }) => formerIds ?? []));
  const present = new Set([...stripe.customerIds, ...run.history.pairs.map(({ stripeId }) => stripeId)]);
  for (const customer of present) {
    if (former.has(customer)) continue;
    const { data } = await stripe.client.subscriptions.list({ customer, status: 'all', limit: 100 });
    const real = statusesOf(data.filter(({ status }) => status !== 'canceled'));
    const known = stored.get(customer);
    if (known !== real) differences.push(`${customer}: Stripe says [${real}], D1 says [${known}]`);
    const isPaid = data.some(({ status }) => ['active', 'trialing', 'past_due'].includes(status));
    for (const place of PLACES) {
      const { plans } = (await checkAccess(run, { userIdentifier: customer }, place)).customer;
      if (plans.includes(PAID_PLAN) !== isPaid) {
        differences.push(
          `${customer}: in ${place.location} a check says ${plans}, Stripe says ${isPaid ? 'paid' : 'not paid'}`,
        );
      }
    }
  }
  return differences;
}

/** Grants and overrides by API, and quantities at Stripe, in every location. */
async function compareProvisioned(run: Verified): Promise<string[]> {
  const differences: string[] = [];
  for (const { identifier, granted, licences } of run.history.all()) {
    const expected = licences ?? (await paidLicences(run, identifier));
    for (const place of PLACES) {
      const { customer, features } = await checkAccess(run, { userIdentifier: identifier }, place);
      const isGranted = customer.plans.includes(GRANTED_PLAN);
      if (granted !== 'unknown' && isGranted !== (granted === 'held'))
        differences.push(`${identifier}: in ${place.location} the granted plan is not ${granted}`);
      const value = features[FEATURE]?.properties.licences;
      if (expected !== 'unknown' && value !== expected)
        differences.push(`${identifier}: in ${place.location} licences are ${value}, not ${expected}`);
    }
  }
  return differences;
}

async function paidLicences({ stripe }: Verified, customer: string): Promise<number> {
  if (!stripe.customerIds.includes(customer)) return 0;
  const { data } = await stripe.client.subscriptions.list({ customer, status: 'active', limit: 100 });
  const quantities = data.flatMap(({ items }) => items.data.map(({ quantity }) => quantity ?? 1));
  return LICENCES * Math.max(0, ...quantities);
}

/** Ended subscriptions grant nothing and need not be kept. */
function statusesOf(subscriptions: readonly { id: string; status: string }[]): string {
  return subscriptions
    .filter(({ status }) => status !== 'canceled')
    .map(({ id, status }) => `${id} ${status}`)
    .sort()
    .join(', ');
}

async function compareEvents(run: Verified): Promise<string[]> {
  const differences: string[] = [];
  const seen = new Map<string, Event>();
  for await (const event of recordedEvents(run)) {
    if (seen.has(event.id)) differences.push(`Event ${event.id} is found more than once`);
    seen.set(event.id, event);
  }
  const pairs = run.history.pairs.map(({ customer }) => customer);
  for (const { identifier, counted } of [...run.history.all(), ...pairs]) {
    const missing = counted.filter((requestId) => !seen.has(`evt${requestId.slice('req'.length)}`));
    if (missing.length > 0) {
      differences.push(
        `${identifier}: ${missing.length} counted updates have no event, such as ${missing[0]}`,
      );
    }
  }
  return [...differences, ...compareLimits([...seen.values()])];
}

async function* recordedEvents({ session, workspace }: Verified): AsyncGenerator<Event> {
  const path = eventEndpoints.search.path.replace(':orgId', workspace.orgId);
  let timeTo: number | null = null;
  do {
    const criteria: string = JSON.stringify({ environment: workspace.envId, timeTo });
    const response = await session.send('GET', `${path}?criteria=${encodeURIComponent(criteria)}`);
    if (!response.ok) throw new Error(`event-search answered ${response.status}: ${await response.text()}`);
    const page = (await response.json()) as { events: Event[]; nextQueryTimeTo: number | null };
    yield* page.events;
    timeTo = page.nextQueryTimeTo;
  } while (timeTo !== null);
}

interface Accepted {
  /** The idempotency key. */
  readonly key: string;
  readonly customer: string;
  readonly location: string;
  readonly by: number;
}

/**
 * Within one data location a limit is exact. An update that fails over can exceed it by what the other location had not yet
 * heard, and a key that two locations accepted is given back by one of them: both are left out.
 */
function compareLimits(events: readonly Event[]): string[] {
  const byKey = Map.groupBy(events.flatMap(acceptedWithinCap), ({ key }) => key);
  const once = [...byKey.values()].flatMap((accepted) => (accepted.length === 1 ? accepted : []));
  const taken = Map.groupBy(once, ({ customer, location }) => `${customer} in ${location}`);
  return [...taken].flatMap(([who, accepted]) => {
    const sum = accepted.reduce((total, { by }) => total + by, 0);
    return sum > CAP ? [`${who} took ${sum} of ${CAP}`] : [];
  });
}

/** What an event counted of the `capped` meter, now and not by a replay. */
function acceptedWithinCap(event: Event): Accepted[] {
  // Both are null for a request that was refused before it was read.
  const request = (event.request ?? {}) as Partial<CounterUpdateRequest> & { consume?: Consume };
  const response = (event.response ?? {}) as Partial<CounterUpdateAnswer> & Partial<AccessCheckAnswer>;
  const asked = request.consume ?? request;
  const told = response.consumed ?? response;
  const [location] = event.writeDataLocations;
  if (asked.property !== 'capped' || told.accepted !== true || told.replayed === true) return [];
  const { idempotencyKey: key, by } = asked;
  if (key === undefined || by === undefined || location === undefined) {
    throw new Error(`Event ${event.id} lacks its key, amount or location`);
  }
  return [{ key, customer: event.subjectIdentifier ?? '', location, by }];
}

/** Kills of the runner are not kills of the workflow: it runs in every location, and nothing has switched it off. */
async function compareWorkflows(run: Verified): Promise<string[]> {
  const differences: string[] = [];
  const [customer] = run.history.all();
  if (customer === undefined) return differences;
  for (const place of PLACES) {
    const { customer: answered, warnings } = await checkAccess(
      run,
      { userIdentifier: customer.identifier },
      place,
    );
    if (answered.plans.includes(WORKFLOW_PLAN)) continue;
    const codes = warnings.map(({ code }) => code);
    differences.push(
      `In ${place.location} the workflow decides nothing: ${codes.join(', ') || 'no warning'}`,
    );
  }
  return differences;
}
