// A test's own account at the Stripe emulator: the real SDK, and typed calls of the emulator's control API. The
// Worker under test has no port, so tests deliver webhooks themselves with `takeDeliveries`.
import Stripe from 'stripe';
import { inject } from 'vitest';

/** The keys of an account, as the Stripe emulator makes them. */
export interface StripeKeys {
  accountId: string;
  /** `sk_test_emulator_…`, for test mode. */
  secretKey: string;
  liveSecretKey: string;
  /** Restricted keys with all that an integration needs. */
  restrictedKey: string;
  liveRestrictedKey: string;
  /** Restricted keys that may not write webhook endpoints. */
  readOnlyKey: string;
  liveReadOnlyKey: string;
  /** Refused as expired. */
  expiredKey: string;
}

export interface StripeFaults {
  /** So many requests are answered 429. */
  refuseNext: number;
  /** More in one second are answered 429; null: no limit. */
  requestsPerSecond: number | null;
  retryAfterS: number;
  /** So many requests are answered 500, with nothing done. */
  failNext: number;
  /** So many are carried out, but the connection breaks before the answer. */
  loseAnswers: number;
  slowByMs: number;
  /** Connections break before anything is done. */
  isDown: boolean;
  /** Only requests whose `METHOD /path` begins with this are concerned. */
  onlyRequests: string;
  webhooks: Partial<{ delayMs: number; dropNext: number; duplicateNext: number; reverseNext: number }>;
}

export interface StripeDelivery {
  id: string;
  eventId: string;
  eventType: string;
  endpointId: string;
  livemode: boolean;
  status: 'pending' | 'delivered' | 'failed' | 'dropped';
  attempts: { at: number; status: number | null; error?: string }[];
  /** Signed and ready to be sent; null when the endpoint is gone or disabled. */
  request: { url: string; headers: Record<string, string>; body: string } | null;
}

export interface StripeSeed {
  count: number;
  /** Each customer subscribes to one of these prices, in turn. */
  prices?: string[];
  /** Only every so many-th customer subscribes. */
  subscribeEvery?: number;
  emailPrefix?: string;
  withEvents?: boolean;
  createdFrom?: number;
  createdTo?: number;
}

export type StripeSubscriptionChange =
  | 'fail-payment'
  | 'pay'
  | 'cancel'
  | 'cancel-at-period-end'
  | 'resume'
  | 'end-period'
  | 'pause'
  | 'mark-unpaid';

export type StripeMode = 'test' | 'live';

/** The origin of the emulator, which the Worker has as STRIPE_API_BASE. */
export function stripeEmulatorUrl(): string {
  return inject('stripeEmulatorUrl');
}

/** A new account, empty in both modes. Its customers have a card, so that they can subscribe in one call. */
export async function newStripeAccount(name = 'Test account'): Promise<StripeAccount> {
  return new StripeAccount(await call<StripeKeys>('POST', '/accounts', { name, givesCards: true }));
}

/** Tessera's own account, which all tests share: it has the prices of Grow. */
export async function platformStripeAccount(): Promise<StripeAccount> {
  const accounts = await call<StripeKeys[]>('GET', '/accounts');
  const platform = accounts.find(({ secretKey }) => secretKey === 'sk_test_emulator_tessera');
  if (platform === undefined) throw new Error('The emulator has no platform account');
  return new StripeAccount(platform);
}

export class StripeAccount {
  readonly keys: StripeKeys;
  /** In test mode. */
  readonly stripe: Stripe;
  readonly liveStripe: Stripe;

  constructor(keys: StripeKeys) {
    this.keys = keys;
    this.stripe = stripeClient(keys.secretKey);
    this.liveStripe = stripeClient(keys.liveSecretKey);
  }

  get id(): string {
    return this.keys.accountId;
  }

  /** A product with one monthly price, in minor units of GBP. */
  async newProduct(
    name: string,
    { mode = 'test', amountMinor = 1800 }: { mode?: StripeMode; amountMinor?: number } = {},
  ): Promise<{ productId: string; priceId: string }> {
    const product = await this.client(mode).products.create({
      name,
      default_price_data: { currency: 'gbp', unit_amount: amountMinor, recurring: { interval: 'month' } },
    });
    return { productId: product.id, priceId: String(product.default_price) };
  }

  client(mode: StripeMode): Stripe {
    return mode === 'live' ? this.liveStripe : this.stripe;
  }

  /** Adds many customers at once, without events unless asked. */
  seed(request: StripeSeed, mode: StripeMode = 'test') {
    return this.#call<{ customers: number; subscriptions: number; firstId: string; lastId: string }>(
      'POST',
      `/customers?mode=${mode}`,
      request,
    );
  }

  setFaults(faults: Partial<StripeFaults>) {
    return this.#call<StripeFaults>('PATCH', '/faults', faults);
  }

  clearFaults() {
    return this.#call<StripeFaults>('DELETE', '/faults');
  }

  /** What API requests came: by route, such as `GET /v1/customers`, and each one, oldest first. */
  requests() {
    return this.#call<{
      counts: Record<string, number>;
      requests: { method: string; url: string; status: number }[];
    }>('GET', '/requests');
  }

  forgetRequests() {
    return this.#call('DELETE', '/requests');
  }

  /** In the order of their events. @param timestamp Unix seconds that the signatures carry; now unless given */
  deliveries(
    query: { status?: StripeDelivery['status']; mode?: StripeMode; event?: string; timestamp?: number } = {},
  ) {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    return this.#call<StripeDelivery[]>('GET', `/deliveries?${search}`);
  }

  /** Says what the endpoint answered, as if the emulator had sent the delivery. */
  noteDelivery(id: string, status: number | null) {
    return this.#call<StripeDelivery>('POST', `/deliveries/${id}`, { status });
  }

  /**
   * Plays the postman: hands every waiting delivery to `send` in the order of the events and notes the answers; answers
   * how many there were.
   */
  async deliver(send: (request: Request) => Promise<Response>, mode?: StripeMode): Promise<number> {
    const waiting = await this.deliveries({ status: 'pending', ...(mode ? { mode } : {}) });
    for (const { id, request } of waiting) {
      if (request === null) continue;
      const { url, headers, body } = request;
      const response = await send(new Request(url, { method: 'POST', headers, body }));
      await response.arrayBuffer();
      await this.noteDelivery(id, response.status);
    }
    return waiting.length;
  }

  /** Plans another delivery of an event to every endpoint that wants it. */
  resend(eventId: string) {
    return this.#call<{ deliveries: number }>('POST', `/events/${eventId}/resend`);
  }

  changeSubscription(id: string, change: StripeSubscriptionChange, mode: StripeMode = 'test') {
    return this.#call<Stripe.Subscription>('POST', `/subscriptions/${id}?mode=${mode}`, { change });
  }

  /** Settings of the account: what becomes of a subscription while a bank processes its first payment, in both modes. */
  change(settings: { whileProcessing?: 'active' | 'incomplete' }) {
    return this.#call('PATCH', '', settings);
  }

  /** The bank's answer to a payment that is processing. @param id pi_… */
  answerPayment(id: string, answer: 'fail' | 'succeed', mode: StripeMode = 'test') {
    return this.#call<Stripe.PaymentIntent>('POST', `/payment_intents/${id}?mode=${mode}`, { answer });
  }

  /** @param id ch_… */
  openDispute(id: string, mode: StripeMode = 'test') {
    return this.#call<Stripe.Dispute>('POST', `/charges/${id}/dispute?mode=${mode}`, {});
  }

  /** @param id du_… */
  closeDispute(id: string, outcome: 'lost' | 'won', mode: StripeMode = 'test') {
    return this.#call<Stripe.Dispute>('POST', `/disputes/${id}?mode=${mode}`, { outcome });
  }

  /** What the meters counted, per customer and month, and what it costs. */
  billed(customer?: string, mode: StripeMode = 'test') {
    const search = customer === undefined ? '' : `&customer=${customer}`;
    return this.#call<
      { customer: string; month: string; events: number; units: number; amountMinor: number | null }[]
    >('GET', `/billed?mode=${mode}${search}`);
  }

  /** Gives a webhook endpoint a new signing secret; the old one signs nothing any longer. */
  rollSecret(endpointId: string) {
    return this.#call<Stripe.WebhookEndpoint>('POST', `/webhook_endpoints/${endpointId}/roll`);
  }

  /** Takes a permission from a restricted key. */
  forbid(key: string, permission: string) {
    return this.#call('POST', `/keys/${key}/forbid`, { permission });
  }

  /** Makes one of the account's keys invalid. */
  expireKey(key: string) {
    return this.#call('POST', `/keys/${key}/expire`);
  }

  restoreKey(key: string) {
    return this.#call('POST', `/keys/${key}/restore`);
  }

  #call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    return call<Answer>(method, `/accounts/${this.id}${path}`, body);
  }
}

/** The unmodified SDK, talking to the emulator; it repeats nothing by itself. */
export function stripeClient(key: string): Stripe {
  const { hostname, port } = new URL(stripeEmulatorUrl());
  return new Stripe(key, {
    protocol: 'http',
    host: hostname,
    port,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(),
  });
}

async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${stripeEmulatorUrl()}/_emulator${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer as Answer;
}
