// The Stripe account of a run, at an emulator of its own: one product with a price, customers who subscribe and cancel, and
// the emulator's faults.

import { startStripeEmulator } from '@tessera/stripe-emulator/start-stripe-emulator';
import Stripe from 'stripe';
import type { Random } from '#lab/fixtures/seeded-random';

export interface StripeControl {
  readonly url: string;
  readonly secretKey: string;
  readonly productId: string;
  /** A one-time price, and its product. */
  readonly topUpPriceId: string;
  readonly topUpProductId: string;
  readonly customerIds: readonly string[];
  /** Of subscriptions whose quantity changed: all that they had or may have had. */
  readonly quantities: Map<string, Set<number>>;
  readonly client: Stripe;
  setFaults(faults: object): Promise<void>;
  clearFaults(): Promise<void>;
  /** What banks do. @param path below the account in the emulator's control API */
  bank(method: 'POST', path: string, body?: object): Promise<void>;
  /** Deliveries that are neither delivered nor dropped. */
  pendingDeliveries(): Promise<number>;
  /** Sends once more what was dropped, as Stripe's own retries over days would. */
  resendDropped(): Promise<void>;
  stop(): Promise<void>;
}

/** @param now the emulator's clock: Stripe and the Worker agree on the time */
export async function startStripe(customers: number, now: () => number): Promise<StripeControl> {
  const emulator = await startStripeEmulator({ now, retrySpeed: 300 });
  const account = emulator.control.createAccount({ name: 'Chaos', givesCards: true });
  const { hostname, port } = new URL(emulator.url);
  const client = new Stripe(account.secretKey, {
    protocol: 'http',
    host: hostname,
    port,
    maxNetworkRetries: 5,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(),
  });
  const product = await client.products.create({
    name: 'Paid',
    default_price_data: { currency: 'gbp', unit_amount: 1000, recurring: { interval: 'month' } },
  });
  const topUp = await client.products.create({
    name: 'Top-up',
    default_price_data: { currency: 'gbp', unit_amount: 500 },
  });
  const customerIds: string[] = [];
  for (let index = 0; index < customers; index += 1) {
    const { id } = await client.customers.create({ email: `chaos-${index}@customers.example` });
    customerIds.push(id);
  }
  const control = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const response = await fetch(`${emulator.url}/_emulator/accounts/${account.accountId}${path}`, init);
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
    return (await response.json()) as Answer;
  };
  const deliveries = (status: string) =>
    control<{ eventId: string }[]>('GET', `/deliveries?status=${status}`);
  return {
    url: emulator.url,
    secretKey: account.secretKey,
    productId: product.id,
    topUpPriceId: String(topUp.default_price),
    topUpProductId: topUp.id,
    customerIds,
    quantities: new Map(),
    client,
    async bank(method, path, body = {}) {
      await control(method, path, body);
    },
    async setFaults(faults) {
      await control('PATCH', '/faults', faults);
    },
    async clearFaults() {
      await control('DELETE', '/faults');
    },
    pendingDeliveries: async () => (await deliveries('pending')).length,
    async resendDropped() {
      for (const status of ['dropped', 'failed']) {
        const events = new Set((await deliveries(status)).map(({ eventId }) => eventId));
        for (const eventId of events) await control('POST', `/events/${eventId}/resend`);
      }
    },
    stop: emulator.stop,
  };
}

/** Subscribes the customer, changes the quantity, or ends the subscription: the run compares with what Stripe then says. */
export async function changeSubscription(
  stripe: StripeControl,
  customer: string,
  random: Random,
): Promise<void> {
  const { data } = await stripe.client.subscriptions.list({ customer, status: 'active', limit: 1 });
  const [active] = data;
  const quantity = 1 + random.upTo(8);
  if (active === undefined) {
    await subscribe(stripe, customer, quantity);
  } else if (random.next() < 0.5) {
    await stripe.client.subscriptions.cancel(active.id);
  } else {
    const [item] = active.items.data;
    const known = stripe.quantities.get(active.id) ?? new Set();
    stripe.quantities.set(active.id, known.add(item?.quantity ?? 1).add(quantity));
    await stripe.client.subscriptionItems.update(item?.id ?? '', { quantity });
  }
}

export async function subscribe(
  { client, productId }: StripeControl,
  customer: string,
  quantity = 1,
): Promise<void> {
  const product = await client.products.retrieve(productId);
  const items = [{ price: String(product.default_price), quantity }];
  await client.subscriptions.create({ customer, items });
}
