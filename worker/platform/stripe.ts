/**
 * Stripe's own SDK, made for this platform: fetch, Web Crypto, one pinned version of the API. Loaded when it is first
 * needed, so that an isolate that only answers checks never reads it.
 */
import type { Stripe } from 'stripe';

/** The version that the SDK's types describe; webhook endpoints are made with it as well. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

export type StripeClient = Stripe;

export interface StripeAccess {
  readonly secretKey: string;
  /** Origin of what stands in for Stripe; null: Stripe itself. */
  readonly apiBase: string | null;
}

const TIMEOUT_MS = 20_000;

/** Refused and failed calls are not repeated here: jobs and callers know better when to. */
export async function openStripe({ secretKey, apiBase }: StripeAccess): Promise<StripeClient> {
  const { Stripe } = await import('stripe');
  return new Stripe(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    httpClient: strict(Stripe.createFetchHttpClient()),
    maxNetworkRetries: 0,
    timeout: TIMEOUT_MS,
    telemetry: false,
    appInfo: { name: 'Tessera' },
    ...(apiBase === null ? {} : addressOf(apiBase)),
  });
}

/**
 * The SDK takes any JSON for an answer, and a failure that does not say why for none. What a proxy, or Stripe on a bad day,
 * answers instead is treated as what is not JSON at all: as a failure of Stripe's.
 */
function strict(client: HttpClient): HttpClient {
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = async (...request) => {
    const response = await makeRequest(...request);
    const toJSON = response.toJSON.bind(response);
    response.toJSON = async () => {
      const answer: unknown = await toJSON();
      if (!isAnswer(answer, response.getStatusCode())) throw new SyntaxError('Not an answer of Stripe');
      return answer;
    };
    return response;
  };
  return client;
}

type HttpClient = ReturnType<typeof Stripe.createFetchHttpClient>;

/** Every object of Stripe's says what it is, and every failure what is wrong. */
function isAnswer(answer: unknown, status: number): boolean {
  if (typeof answer !== 'object' || answer === null) return false;
  const { error, object, data } = answer as Readonly<Record<string, unknown>>;
  if (typeof error === 'object' && error !== null) return true;
  return status < 400 && typeof object === 'string' && (object !== 'list' || Array.isArray(data));
}

function addressOf(apiBase: string): { protocol: 'http' | 'https'; host: string; port: string } {
  const { protocol, hostname, port } = new URL(apiBase);
  const isPlain = protocol === 'http:';
  return { protocol: isPlain ? 'http' : 'https', host: hostname, port: port || (isPlain ? '80' : '443') };
}
