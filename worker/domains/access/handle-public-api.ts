/**
 * The public API, /api/v1: the path that customers' applications wait for. From here to the answer nothing is parsed
 * twice, and on a warm isolate nothing but the request's body is awaited: no D1, no queue, no object.
 */
import { accessCheckRequestSchema, MAX_BODY_BYTES } from '#contracts/access';
import { nextMonthOf } from '#engine/usage/calendar';
import { type Env, settingsOf } from '#worker/env';
import { ApiError, notFound } from '#worker/http/api-error';
import { parse } from '#worker/http/parse';
import { placeOf } from '#worker/http/place';
import { readJson } from '#worker/http/read-json';
import { asApiError } from '#worker/http/respond';
import { newId } from '#worker/platform/ids';
import { log } from '#worker/platform/log';
import { type Authenticated, authenticateKey, recallKey } from './authenticate-key.ts';
import { checkAccess } from './check-access.ts';
import { type Call, errorBody } from './public-call.ts';
import { recordCheck, recordRefusal } from './record-check.ts';
import { snapshotCacheOf } from './snapshot-cache-of.ts';
import { findVerdict, reachVerdict } from './token-verdict.ts';

const ACCESS_CHECKS = /^https?:\/\/[^/]+\/api\/v1\/access-checks\/?(?:\?(.*))?$/;

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'x-request-id, server-timing, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset',
} as const;

const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key',
  'access-control-max-age': '86400',
} as const;

export async function handlePublicApi(
  request: Request,
  env: Env,
  context: ExecutionContext,
): Promise<Response> {
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: PREFLIGHT });
  const startedAt = Date.now();
  const requestId = newId('req', startedAt);
  try {
    const target = ACCESS_CHECKS.exec(request.url);
    if (target === null || request.method !== 'POST') {
      throw notFound(`${request.method} ${new URL(request.url).pathname}`);
    }
    return await answerCheck(request, env, context, { requestId, startedAt, query: target[1] });
  } catch (error) {
    return refuse(error, request, requestId);
  }
}

async function answerCheck(
  request: Request,
  env: Env,
  context: ExecutionContext,
  call: Call,
): Promise<Response> {
  const { requestId, startedAt } = call;
  const place = placeOf(request, settingsOf(env).isDevelopment);
  const begin = performance.now();
  const cache = snapshotCacheOf(env);
  const authorization = request.headers.get('authorization');
  const authenticated =
    recallKey(cache, authorization, startedAt) ??
    (await authenticateKey(cache, authorization, startedAt, place, (work) => context.waitUntil(work)));
  const authenticatedAt = performance.now();

  let body: unknown;
  try {
    refuseBlocked(authenticated, startedAt);
    body = await readJson(request, MAX_BODY_BYTES);
    const readAt = performance.now();
    const checkRequest = parse(accessCheckRequestSchema, body ?? {});
    const isExplained = call.query !== undefined && new URLSearchParams(call.query).get('explain') === '1';
    const { userJwt } = checkRequest;
    const { loaded } = authenticated;
    const verdict =
      userJwt === undefined
        ? undefined
        : (findVerdict(loaded, userJwt, startedAt) ?? (await reachVerdict(loaded, userJwt, startedAt)));
    const now = Date.now();
    const checked = checkAccess(authenticated, checkRequest, { requestId, now, isExplained, verdict });
    const response = new Response(`${checked.head},"features":${checked.features}}`, {
      headers: {
        ...corsOf(request),
        'content-type': 'application/json',
        'x-request-id': requestId,
        'server-timing': `auth;dur=${(authenticatedAt - begin).toFixed(1)}, read;dur=${(readAt - authenticatedAt).toFixed(1)}, evaluate;dur=${(performance.now() - readAt).toFixed(1)}`,
      },
    });
    recordCheck(env, context, { request, call, authenticated, place, body, checked });
    return response;
  } catch (thrown) {
    const error = asApiError(thrown, requestId, log);
    recordRefusal(env, context, { request, call, authenticated, place, body, error });
    throw error;
  }
}

/** An organisation past its plan's allowance is refused until the month ends or the block is lifted. */
function refuseBlocked({ loaded }: Authenticated, now: number): void {
  const { block } = loaded.snapshot;
  if (block === null) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((nextMonthOf(now) - now) / 1000));
  throw new ApiError('usage-blocked', block.reason, {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}

/** The public envelope of a refusal (DESIGN section 10). */
function refuse(thrown: unknown, request: Request, requestId: string): Response {
  const error = asApiError(thrown, requestId, log);
  return Response.json(errorBody(error, requestId), {
    status: error.status,
    headers: { ...corsOf(request), ...error.detail.headers, 'x-request-id': requestId },
  });
}

/** Browsers say where a page comes from, and need to hear that it may read the answer; nobody else does. */
function corsOf(request: Request): Readonly<Record<string, string>> | undefined {
  return request.headers.get('origin') === null ? undefined : CORS;
}
