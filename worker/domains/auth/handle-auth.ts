/**
 * Handles /api/auth: passes only the calls in contracts/console/auth with valid bodies to Better Auth, and translates its
 * responses: our error body with Better Auth's code, and no session token in JSON.
 */
import { type AuthCall, authCalls } from '#contracts/console/auth';
import { ownPageOf } from '#contracts/console/own-page';
import type { ErrorType } from '#contracts/public/error-types';
import { findCaller, requireCaller } from '#worker/domains/sessions/require-caller';
import { revokeOtherSessions } from '#worker/domains/sessions/revoke-other-sessions';
import { endUnusableWatches } from '#worker/domains/watch-sessions/end-watches';
import { invalidField, notFound } from '#worker/http/api-error';
import { parse } from '#worker/http/parse';
import { readJson } from '#worker/http/read-json';
import type { RequestContext } from '#worker/http/request-context';

const BASE_PATH = '/api/auth';
const BODY_LIMITS = { bytes: 64 * 1024, values: 100 };

const INVALID_CREDENTIALS = 'Invalid credentials.';

const errorTypes = new Map<number, ErrorType>([
  [400, 'invalid-request'],
  [401, 'unauthenticated'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [409, 'conflict'],
  [413, 'payload-too-large'],
  [429, 'rate-limited'],
  [503, 'unavailable'],
]);

export async function handleAuth(ctx: RequestContext): Promise<Response> {
  const url = new URL(ctx.request.url);
  const path = url.pathname.slice(BASE_PATH.length);
  const call = authCalls.find((each) => each.method === ctx.request.method && matches(each.path, path));
  if (call === undefined) throw notFound('The requested resource');
  const caller = call.needsSession ? await requireCaller(ctx) : null;
  if (path === '/get-session' && (await findCaller(ctx)) === null) return Response.json(null);

  const { request, body } = await checkedRequest(ctx, call);
  if (caller !== null && path === '/revoke-other-sessions') {
    await revokeOtherSessions(ctx, caller);
    ctx.waitUntil(endUnusableWatches(ctx, { userId: caller.userId }));
    return Response.json({ status: true });
  }
  const [{ authOf }, { hashingFor }] = await Promise.all([
    import('./build-auth.ts'),
    import('./password-hashing.ts'),
  ]);
  const account = body.email ?? caller?.email ?? body.token ?? '';
  const response = await hashingFor(account, () => authOf(ctx.env).handler(request));
  return answer(ctx, response);
}

function matches(pattern: string, path: string): boolean {
  if (!pattern.endsWith('/*')) return path === pattern;
  const stem = pattern.slice(0, -1);
  return path.startsWith(stem) && /^[a-z]+$/.test(path.slice(stem.length));
}

/** The request with its body read within the size limit, validated and serialised again. */
async function checkedRequest(
  { request, settings }: RequestContext,
  call: AuthCall,
): Promise<{ request: Request; body: AuthBody }> {
  const url = checkedUrl(request.url, call);
  if (call.body === undefined) return { request: new Request(url, { headers: request.headers }), body: {} };
  const body = parse(call.body, (await readJson(request, BODY_LIMITS)) ?? {}) as AuthBody;
  if (body.provider !== undefined && settings[body.provider] === null) {
    throw invalidField('provider', `Signing in with ${body.provider} is not configured here`);
  }
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  headers.set('content-type', 'application/json');
  const checked = new Request(url, { method: call.method, headers, body: JSON.stringify(body) });
  return { request: checked, body };
}

/** The request's URL with its query as the schema returns it. */
function checkedUrl(text: string, { query }: AuthCall): string {
  if (query === undefined) return text;
  const url = new URL(text);
  const checked = parse(query, Object.fromEntries(url.searchParams)) as Record<string, string | undefined>;
  url.search = '';
  for (const [name, value] of Object.entries(checked)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}

async function answer(ctx: RequestContext, response: Response): Promise<Response> {
  const text = await response.text();
  // A redirect calls itself JSON too, and is empty.
  const isJson = text !== '' && (response.headers.get('content-type') ?? '').includes('json');
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  const location = headers.get('location');
  // A successful response names the provider's page here.
  if (location !== null && !response.ok) {
    headers.set('location', redirectTarget(location, ctx.settings.baseUrl));
  }
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
  const { code, email } = body ?? {};
  const error = {
    errorType,
    message,
    ...(code && { code }),
    ...(email && { email }),
    requestId: ctx.requestId,
  };
  return new Response(JSON.stringify(error), { status: response.status, headers });
}

/**
 * Where a redirect leads: a page of the console, or the sign-in page instead of anything else. After a failed sign-in with
 * GitHub or Google, accounts that are not enabled go to their own page, and the provider's error description is removed.
 */
function redirectTarget(location: string, baseUrl: string): string {
  const url = URL.parse(location, baseUrl);
  const isOwnPage =
    url?.origin === new URL(baseUrl).origin && ownPageOf(url.pathname + url.search + url.hash) !== null;
  if (url === null || !isOwnPage) return `${baseUrl}/signin`;
  const error = url.searchParams.get('error');
  if (error === null) return location;
  if (error === 'disabled') return `${baseUrl}/awaiting-admission`;
  url.searchParams.delete('error_description');
  return url.href;
}

interface AuthBody {
  readonly email?: string;
  readonly token?: string;
  readonly provider?: 'google' | 'github';
}

interface AuthAnswer {
  code?: string;
  /** Of a failure: whom the link is for. */
  email?: string;
  message?: string;
  token?: unknown;
  session?: { token?: unknown } | null;
}

/** The cookie carries the token; scripts that read the response must not see it. */
function dropToken(body: AuthAnswer): void {
  delete body.token;
  if (typeof body.session === 'object' && body.session !== null) delete body.session.token;
}
