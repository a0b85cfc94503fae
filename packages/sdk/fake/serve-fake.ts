/** The fake server's `fetch`: paths, keys and headers around what FakeApi answers. */
import type { PublicError } from '#contracts/public/errors';
import { CORS, NO_STORE, preflightHeaders } from '#engine/access/answer-headers';
import { errorBody, Refusal } from '#engine/access/api-error';
import { queryOf } from '#engine/access/call-query';
import type { FakeAnswer, FakeApi } from './fake-api.ts';
import { decoded, type FakeRoute, paramsIn } from './fake-route.ts';
import { readBody } from './read-body.ts';

const CALLS_PER_MINUTE = 6_000;

/** Where it is, and its keys. */
export const FAKE = {
  url: 'https://tessera.fake',
  secretKey: 'tsr_sec_fake_1',
  publicKey: 'tsr_pub_fake_2',
} as const;

export type Served = () => Promise<FakeAnswer>;

export interface FakeSetting {
  readonly api: FakeApi;
  readonly routes: readonly FakeRoute[];
  /** Around each call: what may happen to it. Default: nothing. */
  readonly meet?: (request: Request, serve: Served) => Promise<FakeAnswer | Response>;
  readonly record?: (call: { method: string; path: string; body: unknown }) => void;
  /** The body of an error, by the URL of its request. Default: as it is. */
  readonly bodyOf?: (refused: PublicError, url: string) => object;
}

export function serveFake(setting: FakeSetting): typeof globalThis.fetch {
  let calls = 0;
  const { meet = (_, serve) => serve(), bodyOf = (refused: object) => refused }: FakeSetting = setting;
  const preflight = preflightHeaders(setting.routes.map(({ method }) => method));
  const newId = () => `req_fake${String(++calls).padStart(22, '0')}`;
  return async (input, init) => {
    const request = new Request(input, init);
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: preflight });
    const requestId = newId();
    const headers = {
      ...headersOf(requestId, setting.api.now(), calls),
      ...(request.headers.has('origin') && CORS),
    };
    try {
      const answer = await meet(request, () => serveCall(request, requestId, setting, newId));
      if (answer instanceof Response) return answer;
      const { text, status = 200, etag } = answer;
      const isEmpty = status === 304 || request.method === 'HEAD';
      const type = { 'content-type': 'application/json', ...(etag !== undefined && { etag }) };
      return new Response(isEmpty ? null : text, { status, headers: { ...headers, ...type } });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const body = bodyOf(errorBody(error, requestId), request.url);
      return Response.json(body, { status: error.status, headers: { ...headers, ...error.detail.headers } });
    }
  };
}

async function serveCall(
  request: Request,
  requestId: string,
  { api, routes, record }: FakeSetting,
  newId: () => string,
): Promise<FakeAnswer> {
  const { pathname, searchParams } = new URL(request.url);
  const path = pathname.replace(/\/$/, '');
  const { method, headers } = request;
  const served = routes.flatMap((each) => {
    const params = paramsIn(each, path);
    return params === null ? [] : [{ ...each, params }];
  });
  if (served.length === 0) throw new Refusal('not-found', 'path-unknown', `${pathname} could not be found`);
  const route = served.find((each) => each.method === (method === 'HEAD' ? 'GET' : method));
  if (route === undefined) throw methodRefused(method, pathname, served);
  const { limits, ensureBody, secretKeyOnly, managingKeyOnly, answer } = route;
  const { canExplain = false, takesApiKey = false } = route;
  const [, bearer = null] = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  const isOther = takesApiKey && !headers.has('authorization');
  const key = isOther ? headers.get('x-api-key') : bearer;
  if (key !== FAKE.secretKey && key !== FAKE.publicKey) {
    const [code, message] =
      key === null
        ? (['key-missing', 'Send an API key in the header Authorization: Bearer tsr_…'] as const)
        : (['key-unknown', 'The API key is unknown or was revoked'] as const);
    throw new Refusal('unauthenticated', code, message, { headers: { 'www-authenticate': 'Bearer' } });
  }
  const keyType = key === FAKE.secretKey ? 'secret' : 'public';
  const body = ensureBody === undefined ? {} : await readBody(request, limits);
  record?.({ method, path, body });
  ensureBody?.(body);
  if (secretKeyOnly !== undefined && keyType !== 'secret')
    throw new Refusal('forbidden', 'secret-key-required', secretKeyOnly);
  if (managingKeyOnly !== undefined && keyType !== 'secret')
    throw new Refusal('forbidden', 'managing-key-required', managingKeyOnly);
  const query = queryOf(searchParams, canExplain);
  const params = decoded(route.params);
  return answer(api, { body, params, keyType, query, search: searchParams, headers, requestId }, newId);
}

function methodRefused(method: string, pathname: string, served: readonly FakeRoute[]): Refusal {
  const methods = served.map((each) => each.method);
  const allowed = methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]));
  const message = `${method} ${pathname} is not supported. Use ${methods.join(' or ')}.`;
  return new Refusal('method-not-allowed', 'method-not-allowed', message, {
    headers: { allow: [...allowed, 'OPTIONS'].join(', ') },
  });
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
