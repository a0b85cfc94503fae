// Handles one Stripe API request: authentication, fault injection, idempotency, the call in one transaction, and a response
// with the headers that the SDK reads.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeForm } from '../core/decode-form.ts';
import { type Context, contextOf, type Emulator, newId } from '../core/emulator.ts';
import { Params } from '../core/params.ts';
import {
  brokenServer,
  expiredKey,
  foreignAccount,
  keyInUse,
  lacksPermission,
  noKey,
  otherParameters,
  StripeError,
  tooManyRequests,
  unknownKey,
  unknownPath,
} from '../core/stripe-error.ts';
import { apiVersion } from '../resources/emit-event.ts';
import { type Account, type ApiKey, isAllowed } from '../store/account-store.ts';
import { inTransaction } from '../store/open-database.ts';
import { expand } from './expand.ts';
import { type FoundRoute, findRoute } from './routes.ts';

export interface ApiRequest {
  method: string;
  /** Path and query, as sent. */
  url: string;
  /** Reads a header by its lower-case name. */
  header: (name: string) => string | undefined;
  body: string;
}

export interface ApiAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Null drops the connection without a response. */
export async function handleApiRequest(emulator: Emulator, request: ApiRequest): Promise<ApiAnswer | null> {
  const requestId = newId('req');
  const path = request.url.split('?')[0] ?? '';
  const found = findRoute(request.method, path);
  const key = readKey(request);
  const known = key === null ? undefined : emulator.accounts.findKey(key);
  const account = known && emulator.accounts.find(known.accountId);
  const answer = await answerFor(emulator, request, { requestId, found, path, key, known, account });
  if (account) {
    emulator.requests.add(account.id, `${request.method} ${found?.route.path ?? path}`, {
      at: emulator.now(),
      method: request.method,
      url: request.url,
      status: answer?.status ?? 0,
      requestId,
    });
  }
  return answer;
}

interface Caller {
  requestId: string;
  found: FoundRoute | undefined;
  path: string;
  key: string | null;
  known: ApiKey | undefined;
  account: Account | undefined;
}

async function answerFor(emulator: Emulator, request: ApiRequest, caller: Caller): Promise<ApiAnswer | null> {
  const { known, account, requestId } = caller;
  const idempotencyKey = request.method === 'POST' ? (request.header('idempotency-key') ?? null) : null;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'request-id': requestId,
    'stripe-version': request.header('stripe-version') ?? apiVersion,
    ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
  };
  const answerTo = (error: unknown): ApiAnswer => {
    if (!(error instanceof StripeError)) throw error;
    const body = { error: { ...error.body, request_log_url: `${emulator.origin()}/requests/${requestId}` } };
    return { status: error.status, headers: { ...headers, ...error.headers }, body: toText(body) };
  };
  try {
    if (!known || !account) throw caller.key ? unknownKey(caller.key) : noKey();
    const faults = emulator.faults.of(account.id);
    const asked = `${request.method} ${caller.path}`;
    const fate = emulator.faults.fateOfRequest(account.id, asked, emulator.now());
    if (fate === 'break') return null;
    const context = contextOf(emulator, account, known.livemode, {
      id: requestId,
      idempotency_key: idempotencyKey,
    });
    return await lockKey(context, idempotencyKey, async () => {
      const slowByMs = asked.startsWith(faults.onlyRequests) ? faults.slowByMs : 0;
      const delayMs = latencyOf(emulator) + slowByMs;
      await waitFor(delayMs);
      if (fate === 'refuse') throw tooManyRequests(known.livemode, faults.retryAfterS);
      const route = authorise(request, caller);
      const stored = idempotencyKey && findAnswer(context, request, idempotencyKey);
      if (stored) {
        return { ...stored, headers: { ...headers, 'idempotent-replayed': 'true' } };
      }
      let answer: ApiAnswer;
      try {
        if (fate === 'fail') throw brokenServer();
        answer = { status: 200, headers, body: carryOut(context, request, route, idempotencyKey) };
      } catch (error) {
        answer = answerTo(error);
        if (idempotencyKey && isStored(error)) keepAnswer(context, request, idempotencyKey, answer);
      }
      return fate === 'lose-answer' ? null : answer;
    });
  } catch (error) {
    return answerTo(error);
  }
}

/** A timer that is set in a long turn of the event loop counts from the turn's beginning, and so ends early. */
async function waitFor(delayMs: number): Promise<void> {
  const until = performance.now() + delayMs;
  for (let rest = delayMs; rest > 0; rest = until - performance.now()) await sleep(rest);
}

/** How long Stripe takes to answer, in milliseconds. */
function latencyOf({ latencyMs }: Emulator): number {
  if (latencyMs === null) return 0;
  const [least, most] = latencyMs;
  return least + Math.random() * (most - least);
}

/** Keys of the requests in progress, per database. */
const inProgress = new WeakMap<object, Set<string>>();

/** Rejects a request while another one with its idempotency key is in progress. */
async function lockKey<T>(
  context: Context,
  idempotencyKey: string | null,
  work: () => Promise<T>,
): Promise<T> {
  if (idempotencyKey === null) return work();
  const { database } = context.emulator;
  const keys = inProgress.get(database) ?? new Set();
  inProgress.set(database, keys);
  const key = `${context.scope} ${idempotencyKey}`;
  if (keys.has(key)) throw keyInUse(idempotencyKey);
  keys.add(key);
  try {
    return await work();
  } finally {
    keys.delete(key);
  }
}

/** Errors are stored under the idempotency key once a call is executed. Invalid parameters are rejected before that. */
function isStored(error: unknown): boolean {
  if (!(error instanceof StripeError)) return false;
  const { code, param } = error.body;
  return error.status >= 402 || param === undefined || code === 'resource_missing';
}

/** @throws {StripeError} for an unusable key, an unknown path, or a missing permission */
function authorise(request: ApiRequest, { known, found, key, path }: Caller): FoundRoute {
  if (!known || !key) throw noKey();
  if (known.isExpired) throw expiredKey(key);
  const onBehalfOf = request.header('stripe-account');
  if (onBehalfOf && onBehalfOf !== known.accountId) throw foreignAccount(onBehalfOf);
  if (!found) throw unknownPath(request.method, path);
  const { permission } = found.route;
  if (!isAllowed(known, permission)) throw lacksPermission(key, known.accountId, permission);
  return found;
}

/** Runs the call in one transaction, and stores its response under the idempotency key. An error rolls back. */
function carryOut(
  context: Context,
  request: ApiRequest,
  { route, id }: FoundRoute,
  idempotencyKey: string | null,
): string {
  return inTransaction(context.emulator.database, () => {
    const query = request.url.split('?')[1] ?? '';
    const params = new Params(decodeForm(request.method === 'POST' ? request.body : query));
    const paths = params.texts('expand') ?? [];
    const answer = route.handle(context, params, id);
    params.finish();
    const body = toText(expand(context, answer, paths));
    if (idempotencyKey) keepAnswer(context, request, idempotencyKey, { status: 200, body });
    return body;
  });
}

/** Responses, failures included, are stored for a day, as in Stripe. */
const keptMs = 86_400_000;

function findAnswer(context: Context, request: ApiRequest, idempotencyKey: string) {
  const { database, now } = context.emulator;
  const row = database
    .prepare('SELECT request, status, body FROM idempotent_answers WHERE scope = ? AND key = ? AND at > ?')
    .get(context.scope, idempotencyKey, now() - keptMs) as
    | { request: string; status: number; body: string }
    | undefined;
  if (row && row.request !== fingerprint(request)) throw otherParameters(idempotencyKey);
  return row && { status: row.status, body: row.body };
}

function keepAnswer(
  context: Context,
  request: ApiRequest,
  idempotencyKey: string,
  { status, body }: Pick<ApiAnswer, 'status' | 'body'>,
): void {
  const { database, now } = context.emulator;
  database
    .prepare('INSERT OR REPLACE INTO idempotent_answers VALUES (?, ?, ?, ?, ?, ?)')
    .run(context.scope, idempotencyKey, fingerprint(request), status, body, now());
}

function fingerprint({ method, url, body }: ApiRequest): string {
  return createHash('sha256').update(`${method} ${url}\n${body}`).digest('base64');
}

/** Bearer, or Basic with the key as the user name. */
function readKey(request: ApiRequest): string | null {
  const [scheme = '', value = ''] = (request.header('authorization') ?? '').split(' ');
  if (/^bearer$/i.test(scheme)) return value || null;
  if (!/^basic$/i.test(scheme)) return null;
  return Buffer.from(value, 'base64').toString().split(':')[0] || null;
}

function toText(body: object): string {
  return JSON.stringify(body, null, 2);
}
