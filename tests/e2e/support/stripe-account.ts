// An account of its own at the Stripe emulator that the server under test talks to: the unmodified SDK for what Stripe's
// API does, and the emulator's control API for the rest. Its webhooks are delivered by the emulator itself.
import Stripe from 'stripe';
import { chooseServer } from './chosen-server.ts';

export interface StripeKeys {
  readonly accountId: string;
  readonly secretKey: string;
  readonly liveSecretKey: string;
  /** May not write webhook endpoints. */
  readonly readOnlyKey: string;
  readonly expiredKey: string;
}

export interface StripeFaults {
  readonly refuseNext?: number;
  readonly requestsPerSecond?: number | null;
  readonly retryAfterS?: number;
  readonly isDown?: boolean;
  readonly slowByMs?: number;
  /** Only requests whose `METHOD /path` begins with this are concerned. */
  readonly onlyRequests?: string;
}

export interface StripeAccount {
  readonly keys: StripeKeys;
  readonly test: Stripe;
  readonly live: Stripe;
  /** A product with one monthly price. */
  newProduct(name: string, mode?: 'test' | 'live'): Promise<{ productId: string; priceId: string }>;
  /** Creates many customers at once, without sending events. */
  seed(count: number, prices?: readonly string[]): Promise<void>;
  setFaults(faults: StripeFaults): Promise<void>;
  expireKey(key: string): Promise<void>;
}

export async function newStripeAccount(name: string): Promise<StripeAccount> {
  const { stripeUrl } = await chooseServer();
  const { hostname, port } = new URL(stripeUrl);
  const control = async <T>(method: string, path: string, body: object): Promise<T> => {
    const address = `${stripeUrl}/_emulator/accounts${path}`;
    const response = await fetch(address, { method, body: JSON.stringify(body) });
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const keys = await control<StripeKeys>('POST', '', { name, sendsWebhooks: true, givesCards: true });
  const clientOf = (key: string) =>
    new Stripe(key, { protocol: 'http', host: hostname, port, telemetry: false, maxNetworkRetries: 0 });
  const test = clientOf(keys.secretKey);
  const live = clientOf(keys.liveSecretKey);
  return {
    keys,
    test,
    live,
    async newProduct(productName, mode = 'test') {
      const product = await (mode === 'live' ? live : test).products.create({
        name: productName,
        default_price_data: { currency: 'gbp', unit_amount: 1800, recurring: { interval: 'month' } },
      });
      return { productId: product.id, priceId: String(product.default_price) };
    },
    seed: (count, prices = []) => control('POST', `/${keys.accountId}/customers`, { count, prices }),
    setFaults: (faults) => control('PATCH', `/${keys.accountId}/faults`, faults),
    expireKey: (key) => control('POST', `/${keys.accountId}/keys/${key}/expire`, {}),
  };
}
