// Customers that were created by API and Stripe customers that become one and two again, by calls, people and metadata, while clients check,
// count and grant by the names of both; of some the Stripe customer is deleted and created again. docs/names.md says what must be true in the
// end.
import { setTimeout as sleep } from 'node:timers/promises';
import { customerEndpoints } from '#contracts/console/customers';
import type { AccessCheckAnswer } from '#contracts/public/access';
import type { Random } from '#lab/fixtures/seeded-random';
import { check, count, grant, inTurn } from './clients.ts';
import { newCustomerHistory, type Pair } from './history.ts';
import { type ClientOptions, newKey, send, sendByPerson } from './send.ts';
import { type StripeControl, subscribe } from './stripe-control.ts';
import {
  type ChaosWorkspace,
  FEATURE,
  GRANTED_PLAN,
  PAID_PLAN,
  PLACES,
  type Place,
  USER_ID_KEY,
} from './workspace.ts';

/** @param isReplaced what is counted under the ID of a Stripe customer that is deleted before a location learns of the join is its own */
export function newPair(id: string, stripeId: string, isReplaced: boolean): Pair {
  return {
    ...{ customer: newCustomerHistory(isReplaced ? [id] : [id, stripeId], []), stripeId },
    ...{ formerIds: isReplaced ? [] : null, said: 'two' },
  };
}

const namesOf = ({ customer, stripeId, formerIds }: Pair): string[] => [
  customer.identifier,
  stripeId,
  ...(formerIds ?? []),
];

export async function operateOnPair(options: ClientOptions, random: Random): Promise<void> {
  const pair = random.pick(options.history.pairs);
  const { customer } = pair;
  const choice = random.next();
  if (choice < 0.35) return check(options, { ...customer, names: namesOf(pair) }, random);
  if (choice < 0.7) return count(options, customer, random, 'total');
  if (choice < 0.8) return inTurn(customer, () => grant(options, customer, random));
  return inTurn(customer, () => say(options, pair, random.next() < 0.6, random));
}

/** By a call or by a person. A Stripe customer that was created just now, or deleted, may be unknown. */
async function say(options: ClientOptions, pair: Pair, isOne: boolean, random: Random): Promise<void> {
  const { customer, stripeId, formerIds } = pair;
  const { orgId, envId, integrationId } = options.workspace;
  const source = { integrationId, customerId: stripeId };
  // A new Stripe customer takes a moment to arrive.
  const unknown = ['stripe-customer-unknown', 'This Stripe account has no customer with this ID'];
  const refusals = formerIds === null ? [] : unknown;
  const pathOf = ({ path }: { readonly path: string }, more: object = {}) =>
    Object.entries({ orgId, identifier: customer.identifier, environmentId: envId, ...more }).reduce(
      (left, [name, value]) => left.replace(`:${name}`, encodeURIComponent(String(value))),
      path,
    );
  const byPerson = isOne
    ? {
        ...{ method: 'PUT', path: pathOf(customerEndpoints.join) },
        body: { environmentId: envId, ...source },
      }
    : { method: 'DELETE', path: pathOf(customerEndpoints.separate, source) };
  const answer =
    random.next() < 0.5
      ? await sendByPerson(options, random, { ...byPerson, refusals })
      : await send(options, random, {
          path: `customers/${customer.identifier}`,
          body: { stripe: isOne ? source : null },
          how: { method: 'PUT' },
          refusals,
        });
  if (answer.kind === 'answered') pair.said = isOne ? 'one' : 'two';
  else if (!answer.isRefused) pair.said = 'unknown';
}

/**
 * Metadata names the created customer, or no longer. Where it can be, the Stripe customer is replaced by another one at times, in turn: what
 * somebody says of the former one may wait for the faults to end, so nobody waits for this.
 */
export async function changeAtStripe(stripe: StripeControl, pair: Pair, random: Random): Promise<void> {
  const named = random.next() < 0.5 ? pair.customer.identifier : '';
  const metadata = { [USER_ID_KEY]: named };
  if (pair.formerIds !== null && random.next() < 0.5)
    // What fails for longer shows at the end: there is no Stripe customer.
    inTurn(pair.customer, () => replace(stripe, pair, metadata, random).catch(() => undefined));
  else await stripe.client.customers.update(pair.stripeId, { metadata });
}

/** What was said of the former one means nobody now. */
async function replace(
  stripe: StripeControl,
  pair: Pair,
  metadata: Record<string, string>,
  random: Random,
): Promise<void> {
  const { client } = stripe;
  const former = pair.stripeId;
  await repeated(async () => {
    if (!(await client.customers.retrieve(former)).deleted) await client.customers.del(former);
  });
  pair.formerIds?.push(former);
  const idempotencyKey = newKey();
  const { id } = await repeated(() => client.customers.create({ metadata }, { idempotencyKey }));
  pair.stripeId = id;
  pair.said = 'two';
  // What became of it is read from Stripe at the end.
  if (random.next() < 0.7) await subscribe(stripe, id).catch(() => undefined);
}

/** All replacements are done. */
export async function endReplacements(pairs: readonly Pair[]): Promise<void> {
  await Promise.all(pairs.map(({ customer }) => inTurn(customer, async () => {})));
}

/** The faults of the run meet these calls, too, and end. */
async function repeated<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 60) throw error;
      await sleep(500);
    }
  }
}

interface Compared {
  readonly stripe: StripeControl;
  readonly workspace: ChaosWorkspace;
  readonly pairs: readonly Pair[];
  explain(name: string, place: Place): Promise<AccessCheckAnswer>;
}

/** Who each name is and what it has, in every location. */
export async function comparePairs({ stripe, pairs, explain }: Compared): Promise<string[]> {
  const differences: string[] = [];
  for (const pair of pairs) {
    const { customer, stripeId, said } = pair;
    const { identifier: id, granted } = customer;
    const atStripe = await stripe.client.customers.retrieve(stripeId, { expand: ['subscriptions'] });
    if (atStripe.deleted || said === 'unknown') continue;
    const isOne = said === 'one' || atStripe.metadata[USER_ID_KEY] === id;
    const isPaid = (atStripe.subscriptions?.data ?? []).some(({ status }) => status === 'active');
    for (const place of PLACES) {
      for (const name of namesOf(pair)) {
        const isTheirs = name === id || name === stripeId;
        const answer = await explain(name, place);
        const { plans } = answer.customer;
        const found = {
          customer: answer.names?.customer,
          isPaid: plans.includes(PAID_PLAN),
          isGranted: granted === 'unknown' ? null : plans.includes(GRANTED_PLAN),
        };
        const expected = {
          customer: isOne && isTheirs ? id : name,
          isPaid: isPaid && (name === id ? isOne : isTheirs),
          isGranted:
            granted === 'unknown' ? null : granted === 'held' && (name === id || (isOne && isTheirs)),
        };
        if (JSON.stringify(found) !== JSON.stringify(expected))
          differences.push(
            `${name} of ${id}: in ${place.location} ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`,
          );
      }
    }
  }
  return differences;
}

/** The two are one now: each name says in every location what both have counted. */
export async function compareSums({ pairs, explain }: Compared): Promise<string[]> {
  const differences: string[] = [];
  for (const { customer, stripeId } of pairs) {
    const { min, max } = customer.total;
    for (const place of PLACES) {
      for (const name of [customer.identifier, stripeId]) {
        const { total } = (await explain(name, place)).features[FEATURE]?.properties ?? {};
        const used = typeof total === 'object' && total.state === 'metered' ? total.used : -1;
        if (used >= min && used <= max) continue;
        differences.push(
          `${name} of ${customer.identifier}: in ${place.location} both counted ${used}, acknowledged were ${min} to ${max}`,
        );
      }
    }
  }
  return differences;
}

/** In the end all are one, by a call or a person. */
export async function joinAll(options: ClientOptions, random: Random): Promise<void> {
  for (const pair of options.history.pairs) await say(options, pair, true, random);
}
