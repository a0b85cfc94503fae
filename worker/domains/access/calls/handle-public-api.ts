/**
 * The public API, /api/v1: the latency-critical path. Nothing is parsed twice. A warm isolate awaits only the request's body
 * and, if usage matters, one ledger call: what may be known at once returns a promise only if it is not. See worker/domains/access/README.md,
 * "Access pipeline".
 */

import type { CallTimings } from '#contracts/internal/event-batch';
import { TIME_HEADER } from '#contracts/public/time-header';
import { CORS, NO_STORE, preflightHeaders } from '#engine/access/answer-headers';
import { errorBody } from '#engine/access/api-error';
import { ensureJsonType } from '#engine/access/json-type';
import { isOfrep, ofrepError } from '#engine/access/ofrep-error';
import { tenthsText } from '#engine/events/tenths';
import { newId } from '#runtime/ids';
import { log } from '#runtime/log';
import { snapshotCacheOf } from '#worker/domains/snapshots/snapshot-cache-of';
import { type Env, settingsOf } from '#worker/env';
import { CallerGone, Refusal } from '#worker/http/api-error';
import { asRefusal } from '#worker/http/as-refusal';
import { placeOf } from '#worker/http/place';
import { readText } from '#worker/http/read-json';
import { jsonAnswer, withTag } from './answer-headers.ts';
import { authenticateKey, getCachedKey } from './authenticate-key.ts';
import type { CallBody } from './call-bodies.ts';
import { type CallAllowance, takeCall } from './limit-calls.ts';
import type { PublicCall, PublicPart } from './public-call.ts';
import { type KeyRoute, type PathRoutes, PublicPaths, type PublicRoute } from './public-routes.ts';
import { recordCall, refusalOutcome } from './record-call.ts';
import { refuseUsedUp } from './refuse-used-up.ts';

/** The path begins after it. */
const SHORTEST_ORIGIN = 'http://h'.length;
const NO_BODY = { sent: undefined, value: undefined };
const MAX_ANSWERED = 1_000_000;
const ANSWERED = /^[1-9][0-9]{0,6}$/;

type Received = Omit<PublicCall, 'authenticated'>;

export type PublicHandler = (
  request: Request,
  env: Env,
  context: ExecutionContext,
) => Response | Promise<Response>;

export function servePublicApi(routes: readonly PublicRoute[]): PublicHandler {
  const paths = new PublicPaths(routes);
  const methods = routes.flatMap((route) => ('answer' in route ? [route.endpoint.method] : []));
  const preflight = { status: 204, headers: preflightHeaders(methods) };
  return (request, env, context) => {
    const startedAt = Date.now();
    const requestId = newId('req', startedAt);
    try {
      const { isDevelopment } = settingsOf(env);
      if (request.method === 'OPTIONS') return new Response(null, preflight);
      const { url } = request;
      const pathAt = url.indexOf('/', SHORTEST_ORIGIN);
      const queryAt = url.indexOf('?', pathAt);
      const methods = paths.find(queryAt === -1 ? url.slice(pathAt) : url.slice(pathAt, queryAt));
      const route = methods?.get(request.method);
      if (route === undefined) throw unserved(request, methods);
      if ('serve' in route) {
        return route.serve(request, env, requestId).catch((error) => refuse(error, request, requestId));
      }
      const query = queryAt === -1 ? undefined : url.slice(queryAt + 1);
      const place = placeOf(request, isDevelopment);
      const timings = new Timings(performance.now());
      const authorization = authorizationOf(request, route);
      const authenticated = getCachedKey(snapshotCacheOf(env), authorization, startedAt);
      if (authenticated === undefined) {
        const received = { env, request, requestId, startedAt, query, place };
        return authenticateFirst(context, received, authorization, route, timings);
      }
      const call = { env, request, requestId, startedAt, query, place, authenticated };
      return admit(context, call, route, timings);
    } catch (error) {
      return refuse(error, request, requestId);
    }
  };
}

async function authenticateFirst(
  context: ExecutionContext,
  received: Received,
  authorization: string | null,
  route: KeyRoute,
  timings: Timings,
): Promise<Response> {
  const { env, request, requestId, place } = received;
  try {
    const waitUntil = (work: Promise<unknown>) => context.waitUntil(work);
    const cache = snapshotCacheOf(env);
    const authenticated = await authenticateKey(cache, authorization, place, timings, waitUntil);
    return await admit(context, { ...received, authenticated }, route, timings);
  } catch (error) {
    return refuse(error, request, requestId);
  }
}

function authorizationOf({ headers }: Request, { endpoint: { protocol } }: KeyRoute): string | null {
  const authorization = headers.get('authorization');
  if (protocol === undefined || authorization !== null) return authorization;
  const key = headers.get('x-api-key');
  return key === null ? null : `Bearer ${key}`;
}

/** @throws {ApiError} rate-limited */
function admit(
  context: ExecutionContext,
  call: PublicCall,
  route: KeyRoute,
  timings: Timings,
): Promise<Response> {
  const { env, request, startedAt, authenticated } = call;
  const allowance = takeCall(env, authenticated.key, request, startedAt, (work) => context.waitUntil(work));
  return answer(context, call, allowance, route, timings);
}

/** @param methods the routes of the path; undefined: there is no such path */
function unserved({ method, url }: Request, methods: PathRoutes | undefined): Refusal {
  const { pathname } = new URL(url);
  if (methods === undefined)
    return new Refusal('not-found', 'path-unknown', `${pathname} could not be found`);
  const served = [...methods.keys()];
  const message = `${method} ${pathname} is not supported. Use ${served.filter((each) => each !== 'HEAD').join(' or ')}.`;
  return new Refusal('method-not-allowed', 'method-not-allowed', message, {
    headers: { allow: [...served, 'OPTIONS'].join(', ') },
  });
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
  answered: number | undefined;

  constructor(beginMs: number) {
    this.beginMs = beginMs;
  }
}

/** Never rejects. */
async function answer(
  context: ExecutionContext,
  call: PublicCall,
  allowance: CallAllowance,
  { endpoint, bodies, answer: answerCall }: KeyRoute,
  timings: Timings,
): Promise<Response> {
  const { request, requestId } = call;
  const { secretKeyOnly, managingKeyOnly, limits, recordedAs, isHold } = endpoint;
  const { beginMs, snapshotMs } = timings;
  timings.authMs = performance.now() - beginMs - snapshotMs;
  timings.answered = answeredIn(request);
  try {
    refuseUsedUp(call.authenticated, call.startedAt);
    if (bodies !== null) ensureJsonType(request, false);
    const body = bodies === null ? NO_BODY : bodies.parse(await readText(request, limits.bytes));
    if (secretKeyOnly !== undefined && call.authenticated.key.type !== 'secret') {
      throw new Refusal('forbidden', 'secret-key-required', secretKeyOnly);
    }
    if (managingKeyOnly !== undefined && !call.authenticated.key.managesCustomers) {
      throw new Refusal('forbidden', 'managing-key-required', managingKeyOnly);
    }
    const readMs = performance.now();
    const answering = answerCall(call, body as CallBody<never>, context);
    const answered = answering instanceof Promise ? await answering : answering;
    const { text, outcome, recordedBody, ledgerMs, workflowsMs, parts } = answered;
    const answeredMs = performance.now();
    timings.ledgerMs = ledgerMs;
    timings.workflowsMs = workflowsMs;
    timings.evaluateMs = answeredMs - readMs - ledgerMs - (workflowsMs ?? 0);
    timings.totalMs = answeredMs - beginMs;
    const left = answered.allowance ?? allowance;
    const plain = jsonAnswer(text, requestId, left, isFromBrowser(request), serverTiming(timings));
    const { status, etag, retryAfterS } = answered;
    const isPlain = status === undefined && etag === undefined && retryAfterS === undefined;
    const success = isPlain ? plain : withTag(plain, answered);
    const { refusal } = answered;
    const response = refusal === undefined ? success : refuse(refusal, request, requestId);
    if (recordedAs !== null && outcome !== null) {
      recordCall(context, call, { type: recordedAs, isHold, body: recordedBody, outcome, timings });
    }
    if (recordedAs !== null && parts !== undefined) recordParts(context, call, recordedAs, parts, timings);
    return response;
  } catch (thrown) {
    const error = asRefusal(thrown, requestId, log);
    timings.totalMs = performance.now() - beginMs;
    if (recordedAs !== null && !(error instanceof CallerGone)) {
      const outcome = refusalOutcome(error, requestId);
      recordCall(context, call, { type: recordedAs, isHold, body: null, outcome, timings });
    }
    return refuse(error, request, requestId);
  }
}

function recordParts(
  context: ExecutionContext,
  call: PublicCall,
  recordedAs: NonNullable<KeyRoute['endpoint']['recordedAs']>,
  parts: readonly PublicPart[],
  timings: CallTimings,
): void {
  let { answered } = timings;
  for (const { requestId, outcome, recordedBody, ledgerMs, workflowsMs, totalMs } of parts) {
    if (outcome === null) continue;
    const evaluateMs = Math.max(0, totalMs - ledgerMs - (workflowsMs ?? 0));
    const own = { ...timings, totalMs, ledgerMs, workflowsMs, evaluateMs, answered };
    answered = undefined;
    const record = { type: recordedAs, body: recordedBody, outcome, timings: own };
    recordCall(context, { ...call, requestId }, record);
  }
}

/** The public API's error response. */
function refuse(thrown: unknown, request: Request, requestId: string): Response {
  const error = asRefusal(thrown, requestId, log);
  const own = errorBody(error, requestId);
  const body = isOfrep(request.url) ? ofrepError(own, request.url) : own;
  return Response.json(body, {
    status: error.status,
    headers: {
      ...NO_STORE,
      ...(isFromBrowser(request) && CORS),
      ...error.detail.headers,
      'x-request-id': requestId,
      [TIME_HEADER]: String(Date.now()),
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

/**
 * The header Tessera-Answered: how many answers a client has given from its caches since its last call. It is shown beside the calls, and
 * neither billed nor limited. Anyone with a public key can send any number, so it decides nothing.
 * @returns undefined if the client does not say so, or says something that is no whole number up to a million
 */
function answeredIn({ headers }: Request): number | undefined {
  const text = headers.get('tessera-answered');
  if (text === null || !ANSWERED.test(text)) return undefined;
  const answered = Number(text);
  return answered <= MAX_ANSWERED ? answered : undefined;
}
