// A separate emulator per test file, with the real SDK as its client.
import Stripe from 'stripe';
import { afterAll, beforeAll } from 'vitest';
import type { AccountDescription, AccountRequest } from '../control/create-account.ts';
import {
  type StripeEmulator,
  type StripeEmulatorOptions,
  startStripeEmulator,
} from '../start-stripe-emulator.ts';

export interface OwnEmulator {
  url: () => string;
  /** A new account with its SDK clients. */
  account: (request?: AccountRequest) => OwnAccount;
  /** The control API: `control('GET', '/accounts')`. */
  control: <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>;
  sdk: (key: string) => Stripe;
}

export interface OwnAccount {
  keys: AccountDescription;
  stripe: Stripe;
  live: Stripe;
  /** The control API below this account. */
  control: <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>;
}

/** Starts before the file's tests and stops after them. */
export function ownEmulator(options: StripeEmulatorOptions = {}): OwnEmulator {
  let emulator: StripeEmulator;
  beforeAll(async () => {
    emulator = await startStripeEmulator(options);
  });
  afterAll(() => emulator.stop());
  return emulatorKit(() => emulator);
}

export function emulatorKit(get: () => StripeEmulator): OwnEmulator {
  const sdk = (key: string) => sdkFor(get().url, key);
  const control = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${get().url}/_emulator${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer as Answer;
  };
  return {
    url: () => get().url,
    sdk,
    control,
    account(request = {}) {
      const keys = get().control.createAccount({ givesCards: true, ...request });
      return {
        keys,
        stripe: sdk(keys.secretKey),
        live: sdk(keys.liveSecretKey),
        control: (method, path, body) => control(method, `/accounts/${keys.accountId}${path}`, body),
      };
    },
  };
}

export function sdkFor(url: string, key: string): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(key, { protocol: 'http', host: hostname, port, maxNetworkRetries: 0, telemetry: false });
}

/** A product with a monthly price in pence. */
export async function newPlan(stripe: Stripe, name = 'Pro', amount = 1800) {
  const product = await stripe.products.create({
    name,
    default_price_data: { currency: 'gbp', unit_amount: amount, recurring: { interval: 'month' } },
  });
  return { product, price: String(product.default_price) };
}

/** Submits a form of a page, as a browser does. */
export async function press(url: string, form: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
}

/** The error that a call failed with. */
export async function refusalOf(
  call: Promise<unknown>,
): Promise<InstanceType<typeof Stripe.errors.StripeError>> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error('The call was not refused');
}
