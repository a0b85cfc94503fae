/**
 * Stripe's SDK on Workers: fetch, Web Crypto, one pinned API version. Loaded on first use, so that an isolate that
 * only serves access checks never parses it.
 */
import type { Stripe } from 'stripe';

/** The version of the SDK's types; webhook endpoints are created with it as well. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

export type StripeClient = Stripe;

export interface StripeAccess {
  readonly secretKey: string;
  /** Origin of the Stripe emulator; null: Stripe itself. */
  readonly apiBase: string | null;
  /** Time limit of one call; 20 seconds unless set. */
  readonly timeoutMs?: number;
  /** Runs before every call. What it throws is the `detail` of the call's error. */
  readonly beforeCall?: () => Promise<void>;
}

const TIMEOUT_MS = 20_000;

/** Without automatic retries: callers and jobs have their own retry policies. */
export async function openStripe({
  secretKey,
  apiBase,
  timeoutMs = TIMEOUT_MS,
  beforeCall = async () => {},
}: StripeAccess): Promise<StripeClient> {
  const { Stripe } = await import('stripe');
  return new Stripe(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    httpClient: strict(Stripe.createFetchHttpClient(), beforeCall),
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    appInfo: { name: 'Tessera' },
    ...(apiBase === null ? {} : hostOf(apiBase)),
  });
}

/**
 * The SDK accepts any JSON as a response. An unexpected body, e.g. from a proxy, is treated like invalid JSON: as a Stripe
 * failure.
 */
function strict(client: HttpClient, beforeCall: () => Promise<void>): HttpClient {
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = async (...request) => {
    await beforeCall();
    const response = await makeRequest(...request);
    const toJSON = response.toJSON.bind(response);
    response.toJSON = async () => {
      const body: unknown = await toJSON();
      if (!isStripeResponse(body, response.getStatusCode())) throw new SyntaxError('Not a Stripe response');
      return body;
    };
    return response;
  };
  return client;
}

type HttpClient = ReturnType<typeof Stripe.createFetchHttpClient>;

/** Every Stripe object has an `object` field, and every failure an `error`. */
function isStripeResponse(body: unknown, status: number): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const { error, object, data } = body as Readonly<Record<string, unknown>>;
  if (typeof error === 'object' && error !== null) return true;
  return status < 400 && typeof object === 'string' && (object !== 'list' || Array.isArray(data));
}

function hostOf(apiBase: string): { protocol: 'http' | 'https'; host: string; port: string } {
  const { protocol, hostname, port } = new URL(apiBase);
  const isPlain = protocol === 'http:';
  return { protocol: isPlain ? 'http' : 'https', host: hostname, port: port || (isPlain ? '80' : '443') };
}
