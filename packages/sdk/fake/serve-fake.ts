/** The fake server's `fetch`: paths, keys, headers and faults around what FakeApi decides. */
import { type WarningCode, warningOf } from '#contracts/public/warnings';
import type { Fault } from '../testing.ts';
import type { FakeApi, FakeCall } from './fake-api.ts';
import { readBody } from './read-body.ts';
import { errorBody, invalidField, Refusal } from './refusal.ts';

const CHECKS = '/api/v1/access-checks';
const UPDATES = '/api/v1/counter-updates';
const LIMITS = { bytes: 64 * 1024, values: 1_000 };
const BATCH_LIMITS = { bytes: 256 * 1024, values: 4_000 };
const CALLS_PER_MINUTE = 6_000;

export interface FakeSetting {
  readonly api: FakeApi;
  readonly secretKey: string;
  readonly publicKey: string;
  readonly now: () => number;
  /** What happens to the next call; null: nothing. */
  readonly nextFault: () => Fault | null;
  readonly record: (call: { method: string; path: string; body: unknown }) => void;
}

export function serveFake(setting: FakeSetting): typeof globalThis.fetch {
  let calls = 0;
  const newId = () => `req_fake${String(++calls).padStart(22, '0')}`;
  return async (input, init) => {
    const request = new Request(input, init);
    const fault = setting.nextFault();
    if (fault === 'down') throw new TypeError('fetch failed: the fake server is down');
    if (fault === 'silent') return untilAborted(request.signal);
    const requestId = newId();
    try {
      if (fault === 'page') return new Response('<html>', { headers: { 'content-type': 'text/html' } });
      const refused = fault === null || fault === 'lost' ? null : FAULTS[fault];
      if (refused !== null) throw new Refusal(...refused);
      const answer = await serveCall(request, requestId, setting, newId);
      if (fault === 'lost') throw new TypeError('fetch failed: the answer of the fake server is lost');
      return Response.json(answer, { headers: headersOf(requestId, setting.now(), calls) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const headers = { ...headersOf(requestId, setting.now(), calls), ...error.headers };
      return Response.json(errorBody(error, requestId), { status: error.status, headers });
    }
  };
}

type Refused = ConstructorParameters<typeof Refusal>;
const FAULTS: Readonly<Record<Exclude<Fault, 'down' | 'silent' | 'lost' | 'page'>, Refused>> = {
  401: [401, 'unauthenticated', 'The key is revoked'],
  429: [429, 'rate-limited', 'Too many calls', { headers: { 'retry-after': '1' } }],
  500: [500, 'server-error', 'Something went wrong'],
  503: [503, 'unavailable', 'Not available right now'],
};

function untilAborted(signal: AbortSignal): Promise<Response> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

async function serveCall(
  request: Request,
  requestId: string,
  { api, secretKey, publicKey, record }: FakeSetting,
  newId: () => string,
): Promise<object> {
  const { pathname, searchParams } = new URL(request.url);
  const path = pathname.replace(/\/$/, '');
  const { method, headers } = request;
  if (![CHECKS, `${CHECKS}/batch`, UPDATES, `${UPDATES}/batch`].includes(path)) {
    throw new Refusal(404, 'not-found', `There is no ${pathname}`);
  }
  if (method !== 'POST') {
    throw new Refusal(405, 'method-not-allowed', `${method} ${pathname} is not supported. Use POST.`, {
      headers: { allow: 'POST, OPTIONS' },
    });
  }
  const [, key] = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '') ?? [];
  const isSecret = key === secretKey;
  if (!isSecret && key !== publicKey) {
    const message =
      key === undefined
        ? 'Send an API key in the header Authorization: Bearer tsr_…'
        : 'The API key is not valid';
    throw new Refusal(401, 'unauthenticated', message, { headers: { 'www-authenticate': 'Bearer' } });
  }
  const isBatch = path.endsWith('batch');
  const body = await readBody(request, isBatch ? BATCH_LIMITS : LIMITS);
  record({ method, path, body });
  const isCheck = path.startsWith(CHECKS);
  if (!isCheck && !isSecret) throw new Refusal(403, 'forbidden', 'Counting usage requires a secret key');
  const call: FakeCall = {
    body,
    isSecret,
    requestId,
    headerKey: headers.get('idempotency-key'),
    ...queryOf(searchParams, isCheck),
  };
  if (isCheck) return isBatch ? api.checks(call, newId) : api.check(call);
  return isBatch ? api.updates(call, newId) : api.update(call);
}

function queryOf(fields: URLSearchParams, canExplain: boolean): Pick<FakeCall, 'isExplained' | 'warnings'> {
  const explain = canExplain ? fields.getAll('explain') : [];
  if (!explain.every((value) => value === '1' || value === 'true'))
    throw invalidField('explain', 'Must be 1 or true');
  const ignored = [...new Set(fields.keys())].filter((name) => !canExplain || name !== 'explain');
  const code: WarningCode = 'query-ignored';
  return {
    isExplained: explain.length > 0,
    warnings: ignored.length === 0 ? [] : [warningOf(code, ignored.map(encodeURIComponent).join(', '))],
  };
}

function headersOf(requestId: string, now: number, calls: number): Record<string, string> {
  return {
    date: new Date(now).toUTCString(),
    'x-request-id': requestId,
    'tessera-time': String(now),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'server-timing': 'auth;dur=0.0, snapshot;dur=0.0, ledger;dur=0.0, evaluate;dur=0.0',
    'ratelimit-limit': String(CALLS_PER_MINUTE),
    'ratelimit-remaining': String(Math.max(0, CALLS_PER_MINUTE - calls)),
    'ratelimit-reset': '60',
  };
}
