/**
 * Answers /api/auth: lets through only the calls of contracts/auth, with bodies that fit them, and makes Better Auth's
 * answers ours: the error body of every other call beside its own code, and no session token in JSON.
 */
import { type AuthCall, authCalls } from '#contracts/auth';
import type { ErrorType } from '#contracts/errors';
import { invalidField, notFound } from '#worker/http/api-error';
import { parse } from '#worker/http/parse';
import { readJson } from '#worker/http/read-json';
import type { RequestContext } from '#worker/http/request-context';
import { findCaller, userGuard } from './user-guard.ts';

const BASE_PATH = '/api/auth';
const MAX_BODY_BYTES = 64 * 1024;

/** Spec, console shell, section 8. */
const INVALID_CREDENTIALS = 'Invalid credentials.';

const errorTypes = new Map<number, ErrorType>([
  [400, 'invalid-request'],
  [401, 'unauthenticated'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [409, 'conflict'],
  [413, 'payload-too-large'],
  [429, 'rate-limited'],
]);

export async function handleAuth(ctx: RequestContext): Promise<Response> {
  const url = new URL(ctx.request.url);
  const path = url.pathname.slice(BASE_PATH.length);
  const call = authCalls.find((each) => each.method === ctx.request.method && matches(each.path, path));
  if (call === undefined) throw notFound('The requested resource');
  if (call.needsSession) await userGuard(ctx);
  if (path === '/get-session' && (await findCaller(ctx)) === null) return Response.json(null);

  if (call.query !== undefined) parse(call.query, Object.fromEntries(url.searchParams));
  const request = await checkedRequest(ctx, call);
  const { authOf } = await import('./build-auth.ts');
  const response = await authOf(ctx.env).handler(request);
  return answer(ctx, response);
}

function matches(pattern: string, path: string): boolean {
  if (!pattern.endsWith('/*')) return path === pattern;
  const stem = pattern.slice(0, -1);
  return path.startsWith(stem) && /^[a-z]+$/.test(path.slice(stem.length));
}

/** The request with its body read within the limit, checked, and written anew. */
async function checkedRequest({ request, settings }: RequestContext, call: AuthCall): Promise<Request> {
  if (call.body === undefined) return new Request(request.url, { headers: request.headers });
  const body = parse(call.body, (await readJson(request, MAX_BODY_BYTES)) ?? {}) as AuthBody;
  if (body.provider !== undefined && settings[body.provider] === null) {
    throw invalidField('provider', `Signing in with ${body.provider} is not configured here`);
  }
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  headers.set('content-type', 'application/json');
  return new Request(request.url, { method: call.method, headers, body: JSON.stringify(body) });
}

async function answer(ctx: RequestContext, response: Response): Promise<Response> {
  const text = await response.text();
  // A redirect calls itself JSON too, and is empty.
  const isJson = text !== '' && (response.headers.get('content-type') ?? '').includes('json');
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  const target = targetAfterFailure(headers.get('location'), ctx.settings.baseUrl);
  if (target !== null) headers.set('location', target);
  if (!isJson) return new Response(text || null, { status: response.status, headers });
  const body = JSON.parse(text) as AuthAnswer | null;
  if (response.ok) {
    if (body !== null) dropToken(body);
    return new Response(JSON.stringify(body), { status: response.status, headers });
  }
  const retryAfter = headers.get('x-retry-after');
  if (retryAfter !== null) headers.set('retry-after', retryAfter);
  const errorType =
    errorTypes.get(response.status) ?? (response.status < 500 ? 'invalid-request' : 'server-error');
  const message =
    body?.code === 'INVALID_EMAIL_OR_PASSWORD' ? INVALID_CREDENTIALS : (body?.message ?? 'Invalid input');
  const error = { errorType, message, ...(body?.code && { code: body.code }), requestId: ctx.requestId };
  return new Response(JSON.stringify(error), { status: response.status, headers });
}

/**
 * Where a sign-in with GitHub or Google that failed leads to; null for any other answer. An account that is not enabled
 * goes to the page that says so; a provider's own words are left out.
 */
function targetAfterFailure(location: string | null, baseUrl: string): string | null {
  const url = location === null ? null : URL.parse(location, baseUrl);
  const error = url?.searchParams.get('error') ?? null;
  if (url === null || error === null) return null;
  if (error === 'disabled') return `${baseUrl}/awaiting-admission`;
  url.searchParams.delete('error_description');
  return url.href;
}

interface AuthBody {
  readonly provider?: 'google' | 'github';
}

interface AuthAnswer {
  code?: string;
  message?: string;
  token?: unknown;
  session?: { token?: unknown } | null;
}

/** The cookie carries it; a script that can read the answer must not. */
function dropToken(body: AuthAnswer): void {
  delete body.token;
  if (typeof body.session === 'object' && body.session !== null) delete body.session.token;
}
