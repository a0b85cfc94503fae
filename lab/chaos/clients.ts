// The clients of a run: each picks an operation, a customer and a place, sends it with an idempotency key, and retries
// until it gets an answer or gives up. The responses go into the history.

import { setTimeout as sleep } from 'node:timers/promises';
import type { AccessCheckAnswer } from '#contracts/public/access';
import type { CounterUpdateAnswer } from '#contracts/public/metering';
import type { Random } from '#lab/fixtures/seeded-random';
import { changeBalances } from './balances.ts';
import { sendMessages } from './costs.ts';
import type { CustomerHistory, Range } from './history.ts';
import { holdCredits } from './holds.ts';
import { countRolling } from './rollover.ts';
import { type ClientOptions, newKey, send } from './send.ts';
import { EVERYONES_PLAN, FEATURE, GRANTED_PLAN, homeOf, type Place } from './workspace.ts';

export const RESOURCES = 8;
/** Of each customer. */
const MEMBERS = 3;

export interface ClientState {
  readonly isStopped: boolean;
  readonly isPaused: boolean;
  /** What must end before anything that a pause is for. */
  inFlight: number;
}

type Step = (options: ClientOptions, customer: CustomerHistory, random: Random) => Promise<void>;
/** Where everything of the customer is asked. */
type StepAtHome = (...given: [...Parameters<Step>, home: Place]) => Promise<void>;

/** @param operate one operation, by raw calls or by the package */
export async function runClient(
  options: ClientOptions,
  random: Random,
  state: ClientState,
  operate: (options: ClientOptions, random: Random) => Promise<void>,
): Promise<void> {
  while (!state.isStopped) {
    if (state.isPaused) {
      await sleep(50);
      continue;
    }
    state.inFlight += 1;
    try {
      await operate(options, random);
    } finally {
      state.inFlight -= 1;
    }
    options.history.operations += 1;
    await sleep(random.upTo(20));
  }
}

export async function operateRaw(options: ClientOptions, random: Random): Promise<void> {
  const customers = options.history.all();
  const index = random.upTo(customers.length - 1);
  const customer = customers[index] as CustomerHistory;
  // Where order matters, everything of one customer happens one after the other.
  const home = homeOf(index);
  const choice = random.next();
  if (choice < 0.15) return check(options, customer, random);
  if (choice < 0.23) return sendMessages(options, customer, random);
  if (choice < 0.3) return countRolling(options, customer, random);
  if (choice < 0.34) return count(options, customer, random, 'allowance');
  if (choice < 0.5) return count(options, customer, random, random.next() < 0.5 ? 'total' : 'monthly');
  if (choice < 0.57) return count(options, customer, random, 'credits');
  if (choice < 0.61) return holdCredits(options, customer, random);
  if (choice < 0.65) return inTurn(customer, () => changeBalances(options, customer, random));
  if (choice < 0.75) return inTurn(customer, () => enforce(options, customer, random, home));
  if (choice < 0.83) return inTurn(customer, () => consume(options, customer, random, home));
  if (choice < 0.89) return provisionInTurn(options, customer, random);
  return inTurn(customer, () => useResource(options, customer, random, home));
}

export const provisionInTurn: Step = (options, customer, random) => {
  const provide = random.next() < 0.5 ? grant : override;
  return inTurn(customer, () => provide(options, customer, random));
};

const turns = new WeakMap<CustomerHistory, Promise<void>>();

export function inTurn(customer: CustomerHistory, work: () => Promise<void>): Promise<void> {
  const next = (turns.get(customer) ?? Promise.resolve()).then(work);
  turns.set(customer, next);
  return next;
}

/** Checks never fail while a server is up. A plan that lasts is never lost without a warning. */
export const check: Step = async (options, customer, random) => {
  const body = { userIdentifier: random.pick(customer.names) };
  const answer = await send<AccessCheckAnswer>(options, random, { path: 'access-checks', body });
  noteCheck(
    options,
    customer,
    answer.kind === 'unknown' ? null : { ...answer.body, ...answer.body.customer },
  );
};

interface Checked {
  readonly plans: readonly string[];
  readonly warnings: readonly { readonly code: string }[];
  readonly requestId: string | null;
}

/** @param checked null: it was never answered */
export function noteCheck(
  { history }: ClientOptions,
  { identifier, lastingPlans }: CustomerHistory,
  checked: Checked | null,
): void {
  history.checks += 1;
  if (checked === null) {
    history.differences.push(`A check of ${identifier} was never answered`);
    return;
  }
  const isKnown = checked.warnings.every(({ code }) => code !== 'customer-facts-unknown');
  for (const plan of [EVERYONES_PLAN, ...(isKnown ? lastingPlans : [])]) {
    if (checked.plans.includes(plan)) continue;
    history.differences.push(`${checked.requestId}: ${identifier} lacks plan ${plan}`);
  }
}

export async function count(
  options: ClientOptions,
  customer: CustomerHistory,
  random: Random,
  property: 'total' | 'monthly' | 'credits' | 'allowance',
): Promise<void> {
  const by = 1 + random.upTo(4);
  const member = property === 'total' && random.next() < 0.5 ? `member-${random.upTo(MEMBERS - 1)}` : null;
  await update(options, customer, random, { range: customer[property], fields: { property, by }, member });
}

const enforce: StepAtHome = async (options, customer, random, home) => {
  const by = 1 + random.upTo(2);
  const fields = { property: 'capped', by, enforce: true };
  await update(options, customer, random, { range: customer.capped, fields, place: () => home });
};

interface Update {
  readonly range: Range;
  readonly fields: { readonly property: string; readonly by: number; readonly enforce?: boolean };
  readonly place?: () => Place;
  /** Of the customer's, whose usage it is, too. */
  readonly member?: string | null;
}

async function update(
  options: ClientOptions,
  customer: CustomerHistory,
  random: Random,
  { range, fields, place, member = null }: Update,
): Promise<void> {
  const ranges = member === null ? [range] : [range, rangeOf(customer, member)];
  for (const each of ranges) each.max += fields.by;
  const body = {
    userIdentifier: random.pick(customer.names),
    ...(member !== null && { entityId: member }),
    feature: FEATURE,
    ...fields,
    idempotencyKey: newKey(),
  };
  const answer = await send<CounterUpdateAnswer>(options, random, { path: 'counter-updates', body, place });
  if (answer.kind === 'unknown') {
    options.history.unknown += 1;
    return;
  }
  const { accepted, replayed, requestId } = answer.body;
  if (accepted) for (const each of ranges) each.min += fields.by;
  else refuse(customer, requestId, fields.by);
  if (accepted && !replayed) customer.counted.push(requestId);
}

function rangeOf({ members }: CustomerHistory, member: string): Range {
  const range = members.get(member) ?? { min: 0, max: 0 };
  members.set(member, range);
  return range;
}

const consume: StepAtHome = async (options, customer, random, home) => {
  const by = 1 + random.upTo(2);
  customer.capped.max += by;
  const consume = { feature: FEATURE, property: 'capped', by, idempotencyKey: newKey() };
  const body = { userIdentifier: random.pick(customer.names), consume };
  const answer = await send<AccessCheckAnswer>(options, random, {
    path: 'access-checks',
    body,
    place: () => home,
  });
  if (answer.kind === 'unknown') {
    options.history.unknown += 1;
    return;
  }
  if (answer.body.consumed?.accepted) customer.capped.min += by;
  else refuse(customer, answer.body.requestId, by);
};

/** Only `capped` has a limit that is enforced. */
export function refuse({ capped, refused }: CustomerHistory, requestId: string, by: number): void {
  capped.max -= by;
  refused.push({ requestId, by });
}

const useResource: StepAtHome = async (options, customer, random, home) => {
  const resourceId = `resource-${random.upTo(RESOURCES - 1)}`;
  const isRelease = random.next() < 0.45;
  const fields = isRelease ? { resourceId, release: true } : { resourceId };
  const body = {
    userIdentifier: random.pick(customer.names),
    feature: FEATURE,
    property: 'seats',
    ...fields,
    idempotencyKey: newKey(),
  };
  const answer = await send<CounterUpdateAnswer>(options, random, {
    path: 'counter-updates',
    body,
    place: () => home,
  });
  if (answer.kind === 'unknown') {
    options.history.unknown += 1;
    customer.resources.set(resourceId, 'unknown');
  } else if (customer.resources.get(resourceId) !== 'unknown') {
    customer.resources.set(resourceId, isRelease ? 'free' : 'held');
  }
};

/** Grants or revokes a plan by API, from anywhere. */
export const grant: Step = async (options, customer, random) => {
  const isRevoked = random.next() < 0.5;
  const isDone = await provision(options, customer, random, {
    path: `grants/${GRANTED_PLAN}`,
    fields: isRevoked ? null : {},
  });
  customer.granted = isDone ? (isRevoked ? 'free' : 'held') : 'unknown';
};

/** Sets or removes an override by API, from anywhere. */
const override: Step = async (options, customer, random) => {
  const isRemoved = random.next() < 0.4;
  const value = random.upTo(1_000);
  const path = `overrides/${FEATURE}/licences`;
  const isDone = await provision(options, customer, random, { path, fields: isRemoved ? null : { value } });
  customer.licences = isDone ? (isRemoved ? null : value) : 'unknown';
};

/** @param change below the customer; with null as its fields a removal. @returns whether it was answered */
async function provision(
  options: ClientOptions,
  { identifier }: CustomerHistory,
  random: Random,
  { path, fields }: { readonly path: string; readonly fields: object | null },
): Promise<boolean> {
  const answer = await send(options, random, {
    path: `customers/${identifier}/${path}`,
    body: fields === null ? {} : { ...fields, reason: 'As agreed' },
    how: { method: fields === null ? 'DELETE' : 'PUT', idempotencyKey: newKey() },
  });
  if (answer.kind === 'unknown') options.history.unknown += 1;
  return answer.kind === 'answered';
}
