/** The fake server's `fetch`: paths, keys, headers and faults around what FakeApi answers. */
import type { ErrorType } from '#contracts/public/error-types';
import type { RefusalCode } from '#contracts/public/refusals';
import { CORS, NO_STORE, preflightHeaders } from '#engine/access/answer-headers';
import { errorBody, Refusal } from '#engine/access/api-error';
import { queryOf } from '#engine/access/call-query';
import type { Fault } from '../testing.ts';
import { BATCH, CHECK, CHECKS, ensureRules, type Rules, UPDATE } from './body-rules.ts';
import type { FakeAnswer, FakeApi, FakeCall } from './fake-api.ts';
import { type BodyLimits, readBody } from './read-body.ts';

const LIMITS = { bytes: 64 * 1024, values: 1_000 };
const BATCH_LIMITS = { bytes: 256 * 1024, values: 4_000 };
const CALLS_PER_MINUTE = 6_000;

interface Route {
  readonly path: string;
  readonly limits: BodyLimits;
  readonly rules: Rules;
  /** Why public keys are refused; absent: they are not. */
  readonly secretKeyOnly?: string;
  readonly canExplain?: true;
  readonly answer: (api: FakeApi, call: FakeCall, newId: () => string) => Promise<FakeAnswer>;
}

const counting = { secretKeyOnly: 'Counting usage requires a secret key' } as const;
const ROUTES: readonly Route[] = [
  {
    path: '/api/v1/access-checks',
    rules: CHECK,
    limits: LIMITS,
    canExplain: true,
    answer: (api, call) => api.check(call),
  },
  {
    path: '/api/v1/access-checks/batch',
    rules: CHECKS,
    limits: BATCH_LIMITS,
    canExplain: true,
    answer: (api, call, newId) => api.checks(call, newId),
  },
  {
    ...counting,
    path: '/api/v1/counter-updates',
    rules: UPDATE,
    limits: LIMITS,
    answer: (api, call) => api.update(call),
  },
  {
    ...counting,
    path: '/api/v1/counter-updates/batch',
    rules: BATCH,
    limits: BATCH_LIMITS,
    answer: (api, call, newId) => api.updates(call, newId),
  },
];

export interface FakeSetting {
  readonly api: FakeApi;
  readonly secretKey: string;
  readonly publicKey: string;
  /** What happens to the next call; null: nothing. */
  readonly nextFault: () => Fault | null;
  readonly record: (call: { method: string; path: string; body: unknown }) => void;
}

export function serveFake(setting: FakeSetting): typeof globalThis.fetch {
  let calls = 0;
  const newId = () => `req_fake${String(++calls).padStart(22, '0')}`;
  return async (input, init) => {
    const request = new Request(input, init);
    const preflight = preflightHeaders(['POST']);
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: preflight });
    const fault = setting.nextFault();
    if (fault === 'down') throw new TypeError('fetch failed: the fake server is down');
    if (fault === 'silent') return untilAborted(request.signal);
    const requestId = newId();
    const headers = {
      ...headersOf(requestId, setting.api.now(), calls),
      ...(request.headers.has('origin') && CORS),
    };
    try {
      if (fault === 'page') return new Response('<html>', { headers: { 'content-type': 'text/html' } });
      const refused = fault === null || fault === 'lost' ? null : FAULTS[fault];
      if (refused !== null) throw new Refusal(...refused);
      const { text } = await serveCall(request, requestId, setting, newId);
      if (fault === 'lost') throw new TypeError('fetch failed: the answer of the fake server is lost');
      return new Response(text, { headers: { ...headers, 'content-type': 'application/json' } });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const body = errorBody(error, requestId);
      return Response.json(body, { status: error.status, headers: { ...headers, ...error.detail.headers } });
    }
  };
}

type Refused = readonly [ErrorType, RefusalCode, string, { readonly headers?: Record<string, string> }?];
const FAULTS: Readonly<Record<Exclude<Fault, 'down' | 'silent' | 'lost' | 'page'>, Refused>> = {
  401: ['unauthenticated', 'key-unknown', 'The key is revoked'],
  429: ['rate-limited', 'too-many-calls', 'Too many calls', { headers: { 'retry-after': '1' } }],
  500: ['server-error', 'server-error', 'Something went wrong'],
  503: ['unavailable', 'environment-unavailable', 'Not available right now'],
};

function untilAborted(signal: AbortSignal): Promise<Response> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

async function serveCall(
  request: Request,
  requestId: string,
  { api, secretKey, publicKey, record }: FakeSetting,
  newId: () => string,
): Promise<FakeAnswer> {
  const { pathname, searchParams } = new URL(request.url);
  const path = pathname.replace(/\/$/, '');
  const { method, headers } = request;
  const route = ROUTES.find((each) => each.path === path);
  if (route === undefined) throw new Refusal('not-found', 'path-unknown', `${pathname} could not be found`);
  if (method !== 'POST') {
    throw new Refusal(
      'method-not-allowed',
      'method-not-allowed',
      `${method} ${pathname} is not supported. Use POST.`,
      {
        headers: { allow: 'POST, OPTIONS' },
      },
    );
  }
  const [, key = null] = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  if (key !== secretKey && key !== publicKey) {
    const [code, message] =
      key === null
        ? (['key-missing', 'Send an API key in the header Authorization: Bearer tsr_…'] as const)
        : (['key-unknown', 'The API key is unknown or was revoked'] as const);
    throw new Refusal('unauthenticated', code, message, { headers: { 'www-authenticate': 'Bearer' } });
  }
  const keyType = key === secretKey ? 'secret' : 'public';
  const { limits, rules, secretKeyOnly, canExplain = false, answer } = route;
  const body = await readBody(request, limits);
  record({ method, path, body });
  ensureRules(body, rules);
  if (secretKeyOnly !== undefined && keyType !== 'secret')
    throw new Refusal('forbidden', 'secret-key-required', secretKeyOnly);
  const call: FakeCall = { body, keyType, query: queryOf(searchParams, canExplain), headers, requestId };
  return answer(api, call, newId);
}

function headersOf(requestId: string, now: number, calls: number): Record<string, string> {
  return {
    ...NO_STORE,
    date: new Date(now).toUTCString(),
    'x-request-id': requestId,
    'tessera-time': String(now),
    'server-timing': 'auth;dur=0.0, snapshot;dur=0.0, ledger;dur=0.0, evaluate;dur=0.0',
    'ratelimit-limit': String(CALLS_PER_MINUTE),
    'ratelimit-remaining': String(Math.max(0, CALLS_PER_MINUTE - calls)),
    'ratelimit-reset': '60',
  };
}
