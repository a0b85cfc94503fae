// Customers that were created by API and Stripe customers that become one and two again, by calls and by metadata, while clients check, count
// and grant by the names of both. docs/names.md says what must be true in the end.
import type { AccessCheckAnswer } from '#contracts/public/access';
import type { Random } from '#lab/fixtures/seeded-random';
import { check, count, grant, inTurn } from './clients.ts';
import { newCustomerHistory, type Pair } from './history.ts';
import { type ClientOptions, send } from './send.ts';
import type { StripeControl } from './stripe-control.ts';
import {
  type ChaosWorkspace,
  FEATURE,
  GRANTED_PLAN,
  PAID_PLAN,
  PLACES,
  type Place,
  USER_ID_KEY,
} from './workspace.ts';

export function newPair(id: string, stripeId: string): Pair {
  return { customer: newCustomerHistory([id, stripeId], []), stripeId, said: 'two' };
}

export async function operateOnPair(options: ClientOptions, random: Random): Promise<void> {
  const pair = random.pick(options.history.pairs);
  const { customer } = pair;
  const choice = random.next();
  if (choice < 0.35) return check(options, customer, random);
  if (choice < 0.7) return count(options, customer, random, 'total');
  if (choice < 0.8) return inTurn(customer, () => grant(options, customer, random));
  return inTurn(customer, () => say(options, pair, random.next() < 0.6, random));
}

async function say(options: ClientOptions, pair: Pair, isOne: boolean, random: Random): Promise<void> {
  const { integrationId } = options.workspace;
  const stripe = isOne ? { integrationId, customerId: pair.stripeId } : null;
  const answer = await send(options, random, {
    path: `customers/${pair.customer.identifier}`,
    body: { stripe },
    how: { method: 'PUT' },
  });
  pair.said = answer.kind === 'unknown' ? 'unknown' : isOne ? 'one' : 'two';
}

/** Metadata names the created customer, or no longer. */
export async function changeMetadata({ client }: StripeControl, pair: Pair, random: Random): Promise<void> {
  const named = random.next() < 0.5 ? pair.customer.identifier : '';
  await client.customers.update(pair.stripeId, { metadata: { [USER_ID_KEY]: named } });
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
  for (const { customer, stripeId, said } of pairs) {
    const { identifier: id, granted } = customer;
    const atStripe = await stripe.client.customers.retrieve(stripeId, { expand: ['subscriptions'] });
    if (atStripe.deleted || said === 'unknown') continue;
    const isOne = said === 'one' || atStripe.metadata[USER_ID_KEY] === id;
    const isPaid = (atStripe.subscriptions?.data ?? []).some(({ status }) => status === 'active');
    for (const place of PLACES) {
      for (const name of [id, stripeId]) {
        const answer = await explain(name, place);
        const { plans } = answer.customer;
        const found = {
          customer: answer.names?.customer,
          isPaid: plans.includes(PAID_PLAN),
          isGranted: granted === 'unknown' ? null : plans.includes(GRANTED_PLAN),
        };
        const expected = {
          customer: isOne ? id : name,
          isPaid: isPaid && (isOne || name === stripeId),
          isGranted: granted === 'unknown' ? null : granted === 'held' && (isOne || name === id),
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

/** In the end all are one, by a call. */
export async function joinAll(options: ClientOptions, random: Random): Promise<void> {
  for (const pair of options.history.pairs) await say(options, pair, true, random);
}
