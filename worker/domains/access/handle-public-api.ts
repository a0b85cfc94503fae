/**
 * The public API, /api/v1: the latency-critical path. Nothing is parsed twice. A warm isolate awaits only the request's body
 * and, if usage matters, one ledger call: what may be known at once returns a promise only if it is not. See worker/domains/access/README.md,
 * "Access pipeline".
 */

import type { EventType } from '#contracts/console/events';
import type { CallTimings } from '#contracts/internal/event-batch';
import { type AccessCheckRequest, accessCheckRequestSchema, MAX_BODY_BYTES } from '#contracts/public/access';
import { type CounterUpdateRequest, counterUpdateRequestSchema } from '#contracts/public/metering';
import { openApiEndpoints } from '#contracts/public/openapi';
import { tenthsText } from '#engine/events/tenths';
import { snapshotCacheOf } from '#worker/domains/snapshots/snapshot-cache-of';
import { type Env, settingsOf } from '#worker/env';
import { ApiError, CallerGone, notFound } from '#worker/http/api-error';
import { ensureJsonType } from '#worker/http/json-type';
import { placeOf } from '#worker/http/place';
import { readText } from '#worker/http/read-json';
import { asApiError } from '#worker/http/respond';
import { newId } from '#worker/platform/ids';
import { log } from '#worker/platform/log';
import { answerAccessCheck } from './answer-access-check.ts';
import { answerCounterUpdate } from './answer-counter-update.ts';
import { CORS, jsonAnswer, NO_STORE } from './answer-headers.ts';
import { authenticateKey, getCachedKey } from './authenticate-key.ts';
import { CallBodies, type CallBody } from './call-bodies.ts';
import { type CallAllowance, takeCall } from './limit-calls.ts';
import { errorBody, type PublicAnswer, type PublicCall } from './public-call.ts';
import { recordCall, refusalOutcome } from './record-call.ts';
import { refuseUsedUp } from './refuse-used-up.ts';

const TARGET = /^https?:\/\/[^/]+\/api\/v1\/(access-checks|counter-updates)\/?(?:\?(.*))?$/;

type Received = Omit<PublicCall, 'authenticated'>;

interface Operation<Value> {
  readonly type: EventType;
  readonly bodies: CallBodies<Value>;
  readonly answer: (call: PublicCall, body: CallBody<Value>) => PublicAnswer | Promise<PublicAnswer>;
}

const ACCESS_CHECK: Operation<AccessCheckRequest> = {
  type: 'ac',
  bodies: new CallBodies(accessCheckRequestSchema),
  answer: answerAccessCheck,
};
const COUNTER_UPDATE: Operation<CounterUpdateRequest> = {
  type: 'cu',
  bodies: new CallBodies(counterUpdateRequestSchema),
  answer: answerCounterUpdate,
};

const PREFLIGHT = {
  ...NO_STORE,
  ...CORS,
  'access-control-allow-methods': 'POST, OPTIONS',
  // Tracing tools add headers to every call of a page. Browsers that do not know the wildcard read the names of the usual ones, and for
  // `authorization` it never applies (https://fetch.spec.whatwg.org/#http-access-control-allow-headers).
  'access-control-allow-headers':
    'authorization, content-type, idempotency-key, sentry-trace, baggage, traceparent, tracestate, x-request-id, *',
  'access-control-max-age': '86400',
} as const;

export function handlePublicApi(
  request: Request,
  env: Env,
  context: ExecutionContext,
): Response | Promise<Response> {
  const startedAt = Date.now();
  const requestId = newId('req', startedAt);
  try {
    const { isDevelopment } = settingsOf(env);
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: PREFLIGHT });
    const target = TARGET.exec(request.url);
    if (target === null || request.method !== 'POST') {
      return answerOther(request, env, requestId).catch((error) => refuse(error, request, requestId));
    }
    const place = placeOf(request, isDevelopment);
    const timings = new Timings(performance.now());
    const authorization = request.headers.get('authorization');
    const authenticated = getCachedKey(snapshotCacheOf(env), authorization, startedAt);
    const [, name = '', query] = target;
    if (authenticated === undefined) {
      const received = { env, request, requestId, startedAt, query, place };
      return authenticateFirst(context, received, authorization, name, timings);
    }
    const call = { env, request, requestId, startedAt, query, place, authenticated };
    return admit(context, call, name, timings);
  } catch (error) {
    return refuse(error, request, requestId);
  }
}

async function authenticateFirst(
  context: ExecutionContext,
  received: Received,
  authorization: string | null,
  name: string,
  timings: Timings,
): Promise<Response> {
  const { env, request, requestId, place } = received;
  try {
    const waitUntil = (work: Promise<unknown>) => context.waitUntil(work);
    const cache = snapshotCacheOf(env);
    const authenticated = await authenticateKey(cache, authorization, place, timings, waitUntil);
    return await admit(context, { ...received, authenticated }, name, timings);
  } catch (error) {
    return refuse(error, request, requestId);
  }
}

/** @throws {ApiError} rate-limited */
function admit(
  context: ExecutionContext,
  call: PublicCall,
  name: string,
  timings: Timings,
): Promise<Response> {
  const { env, request, startedAt, authenticated } = call;
  const allowance = takeCall(env, authenticated.key, request, startedAt, (work) => context.waitUntil(work));
  return name === 'access-checks'
    ? answer(context, call, allowance, ACCESS_CHECK, timings)
    : answer(context, call, allowance, COUNTER_UPDATE, timings);
}

/** The API's own description, which is loaded only here. @throws {ApiError} method-not-allowed or not-found for all else */
async function answerOther(request: Request, env: Env, requestId: string): Promise<Response> {
  const { method, url } = request;
  const { pathname } = new URL(url);
  const isDocument = pathname === openApiEndpoints.read.path;
  if (!isDocument && !TARGET.test(url)) throw notFound(pathname);
  if (!isDocument || (method !== 'GET' && method !== 'HEAD')) {
    const allow = isDocument ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
    const message = `${method} ${pathname} is not supported. Use ${isDocument ? 'GET' : 'POST'}.`;
    throw new ApiError('method-not-allowed', message, { headers: { allow } });
  }
  const { serveDocument } = await import('#worker/domains/api-docs/serve-document');
  return serveDocument(request, settingsOf(env).baseUrl, requestId);
}

/** Filled in as the call proceeds. */
class Timings implements CallTimings {
  readonly beginMs: number;
  totalMs = 0;
  authMs = 0;
  /** How long the snapshot was waited for. */
  snapshotMs = 0;
  ledgerMs = 0;
  workflowsMs: number | undefined;
  evaluateMs = 0;
  isCold = false;

  constructor(beginMs: number) {
    this.beginMs = beginMs;
  }
}

/** Never rejects. */
async function answer<Value>(
  context: ExecutionContext,
  call: PublicCall,
  allowance: CallAllowance,
  operation: Operation<Value>,
  timings: Timings,
): Promise<Response> {
  const { request, requestId } = call;
  const { beginMs, snapshotMs } = timings;
  timings.authMs = performance.now() - beginMs - snapshotMs;
  try {
    refuseUsedUp(call.authenticated, call.startedAt);
    ensureJsonType(request, false);
    const body = operation.bodies.parse(await readText(request, MAX_BODY_BYTES));
    const readMs = performance.now();
    const answering = operation.answer(call, body);
    const { text, outcome, recordedBody, ledgerMs, workflowsMs } =
      answering instanceof Promise ? await answering : answering;
    const answeredMs = performance.now();
    timings.ledgerMs = ledgerMs;
    timings.workflowsMs = workflowsMs;
    timings.evaluateMs = answeredMs - readMs - ledgerMs - (workflowsMs ?? 0);
    timings.totalMs = answeredMs - beginMs;
    const response = jsonAnswer(text, requestId, allowance, isFromBrowser(request), serverTiming(timings));
    recordCall(context, call, recordedBody, outcome, timings);
    return response;
  } catch (thrown) {
    const error = asApiError(thrown, requestId, log);
    timings.totalMs = performance.now() - beginMs;
    if (!(error instanceof CallerGone)) {
      recordCall(context, call, null, refusalOutcome(operation.type, error, requestId), timings);
    }
    return refuse(error, request, requestId);
  }
}

/** The public API's error response. */
function refuse(thrown: unknown, request: Request, requestId: string): Response {
  const error = asApiError(thrown, requestId, log);
  return Response.json(errorBody(error, requestId), {
    status: error.status,
    headers: {
      ...NO_STORE,
      ...(isFromBrowser(request) && CORS),
      ...error.detail.headers,
      'x-request-id': requestId,
    },
  });
}

function serverTiming({ authMs, snapshotMs, ledgerMs, workflowsMs, evaluateMs }: CallTimings): string {
  const workflows = workflowsMs === undefined ? '' : `, workflows;dur=${tenthsText(workflowsMs)}`;
  return `auth;dur=${tenthsText(authMs)}, snapshot;dur=${tenthsText(snapshotMs)}, ledger;dur=${tenthsText(ledgerMs)}, evaluate;dur=${tenthsText(evaluateMs)}${workflows}`;
}

/** Only browsers send an Origin header and need the headers of CORS. */
function isFromBrowser(request: Request): boolean {
  return request.headers.get('origin') !== null;
}
