// Balances of customers in a run: given and taken back by API from anywhere while their meter is counted, and what must be true of them
// once the faults have ended.
import type { AccessCheckAnswer } from '#contracts/public/access';
import type { BalancesAnswer, CustomerChangeAnswer } from '#contracts/public/customers';
import type { Random } from '#lab/fixtures/seeded-random';
import { type CallPath, callAt } from './call-at.ts';
import type { CustomerHistory } from './history.ts';
import { type ClientOptions, newKey, send } from './send.ts';
import { FEATURE, PLACES, type Place } from './workspace.ts';

/** Of one customer. */
const MOST = 30;

/** Gives one, or takes back of one. */
export async function changeBalances(
  options: ClientOptions,
  customer: CustomerHistory,
  random: Random,
): Promise<void> {
  const { balances } = customer;
  if (balances.size < MOST && (balances.size === 0 || random.next() < 0.5))
    return give(options, customer, random);
  await takeBack(options, customer, random.pick([...balances.keys()]), random);
}

async function give(options: ClientOptions, customer: CustomerHistory, random: Random): Promise<void> {
  const id = `order-${customer.balances.size + 1}`;
  const amount = 1 + random.upTo(20);
  const category = random.pick(['paid', 'promotional'] as const);
  customer.balances.set(id, { amount, takenBack: { min: 0, max: 0 }, isGiven: false });
  const answer = await send<CustomerChangeAnswer>(options, random, {
    path: `customers/${customer.identifier}/balances/${id}`,
    body: { feature: FEATURE, property: 'credits', amount, category, reason: 'Bought' },
    how: { method: 'PUT' },
  });
  const balance = customer.balances.get(id);
  if (answer.kind === 'unknown') options.history.unknown += 1;
  else if (balance !== undefined) balance.isGiven = true;
}

async function takeBack(
  options: ClientOptions,
  { identifier, balances }: CustomerHistory,
  id: string,
  random: Random,
): Promise<void> {
  const balance = balances.get(id);
  if (balance?.isGiven !== true) return;
  const amount = 1 + random.upTo(8);
  balance.takenBack.max += amount;
  const answer = await send<CustomerChangeAnswer>(options, random, {
    path: `customers/${identifier}/balances/${id}/take-back`,
    body: { amount, reason: 'Refund' },
    how: { idempotencyKey: newKey() },
  });
  if (answer.kind === 'unknown') {
    options.history.unknown += 1;
    return;
  }
  const { applied = 0 } = answer.body;
  balance.takenBack.min += applied;
  balance.takenBack.max -= amount - applied;
}

interface Compared {
  readonly baseUrl: string;
  readonly workspace: { readonly secretKey: string };
  readonly customers: readonly CustomerHistory[];
}

/**
 * Every location says the same of each source; each balance is what was given, less what was taken back; and quota, balances and overage
 * are together what was counted, to the unit: no draw is lost or doubled.
 */
export async function compareBalances({ customers, ...run }: Compared): Promise<string[]> {
  const differences: string[] = [];
  for (const customer of customers) {
    const { identifier, credits, balances } = customer;
    const meters = await Promise.all(PLACES.map((place) => readCredits(run, identifier, place)));
    const [first, ...others] = meters.map((meter) => JSON.stringify(meter));
    if (others.some((other) => other !== first))
      differences.push(`${identifier}: locations disagree about balances: ${JSON.stringify(meters)}`);
    const listed = await listBalances(run, identifier);
    for (const [id, { amount, takenBack, isGiven }] of balances) {
      const found = listed.find((each) => each.id === id);
      if (found === undefined) {
        if (isGiven) differences.push(`${identifier}: balance ${id} of ${amount} is missing`);
      } else if (
        found.amount !== amount ||
        found.takenBack < takenBack.min ||
        found.takenBack > takenBack.max
      )
        differences.push(`${identifier}: balance ${id} is ${JSON.stringify(found)}, given were ${amount}`);
    }
    const [meter] = meters;
    if (meter === undefined) continue;
    // What locations drew at the same time beyond what there is, or before it was taken back.
    const excess = listed.reduce(
      (sum, each) => sum + Math.max(0, (each.used ?? 0) - (each.amount - each.takenBack)),
      0,
    );
    const gone = listed.reduce((sum, each) => sum + (each.state === 'ended' ? (each.used ?? 0) : 0), 0);
    const counted = meter.used + excess + gone;
    if (counted < credits.min || counted > credits.max)
      differences.push(
        `${identifier}: credits are ${counted}, acknowledged were ${credits.min} to ${credits.max}`,
      );
    if (meter.held !== undefined)
      differences.push(`${identifier}: ${meter.held} credits are held by nobody: ${JSON.stringify(meter)}`);
    // Without balances, what is above the limit is not said.
    const above = meter.balances === undefined ? Math.max(0, meter.used - meter.limit) : (meter.overage ?? 0);
    if (meter.remaining !== meter.limit - meter.used - (meter.held ?? 0) + above)
      differences.push(`${identifier}: credits do not add up: ${JSON.stringify(meter)}`);
  }
  return differences;
}

async function readCredits(run: Omit<Compared, 'customers'>, userIdentifier: string, place: Place) {
  const body = { userIdentifier, features: [FEATURE], include: ['balances'] };
  const { features } = await read<AccessCheckAnswer>(run, place, 'access-checks', body);
  const meter = features[FEATURE]?.properties.credits;
  if (typeof meter !== 'object' || meter.state !== 'metered') throw new Error('Credits are no meter');
  return meter;
}

async function listBalances(run: Omit<Compared, 'customers'>, customer: string) {
  const path = `customers/${customer}/balances?ended=1` as const;
  return (await read<BalancesAnswer>(run, PLACES[0], path)).balances;
}

async function read<Answer>(
  { baseUrl, workspace }: Omit<Compared, 'customers'>,
  place: Place,
  path: CallPath,
  body?: object,
): Promise<Answer> {
  const how = body === undefined ? { method: 'GET' } : {};
  const response = await callAt({ baseUrl, secretKey: workspace.secretKey, place }, path, body, how);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Answer;
}
