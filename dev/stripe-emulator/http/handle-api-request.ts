// Answers one request of Stripe's API: the key, the faults that were asked for, the idempotency key, the call itself in
// one transaction, and an answer with the headers that the SDK reads.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, contextOf, type Emulator, newId } from '../emulator.ts';
import type { Account, ApiKey } from '../store/account-store.ts';
import { inTransaction } from '../store/open-database.ts';
import { apiVersion } from '../webhooks/emit-event.ts';
import { decodeForm } from './decode-form.ts';
import { expand } from './expand.ts';
import { Params } from './params.ts';
import { type FoundRoute, findRoute } from './routes.ts';
import {
  brokenServer,
  expiredKey,
  foreignAccount,
  lacksPermission,
  noKey,
  otherParameters,
  StripeError,
  tooManyRequests,
  unknownKey,
  unknownPath,
} from './stripe-error.ts';

export interface ApiRequest {
  method: string;
  /** Path and query, as sent. */
  url: string;
  /** A header's value, by its name in lower case. */
  header: (name: string) => string | undefined;
  body: string;
}

export interface ApiAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Null: the connection is to be broken, with no answer. */
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
  try {
    if (!known || !account) throw caller.key ? unknownKey(caller.key) : noKey();
    const faults = emulator.faults.of(account.id);
    const fate = emulator.faults.fateOfRequest(
      account.id,
      `${request.method} ${caller.path}`,
      emulator.now(),
    );
    if (fate === 'break') return null;
    if (faults.slowByMs > 0) await sleep(faults.slowByMs);
    if (fate === 'refuse') throw tooManyRequests(known.livemode, faults.retryAfterS);
    if (fate === 'fail') throw brokenServer();
    const context = contextOf(emulator, account, known.livemode, {
      id: requestId,
      idempotency_key: idempotencyKey,
    });
    const { status, body, isReplayed } = carryOut(context, request, caller, idempotencyKey);
    if (fate === 'lose-answer') return null;
    return {
      status,
      headers: { ...headers, ...(isReplayed ? { 'idempotent-replayed': 'true' } : {}) },
      body,
    };
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    const body = { error: { ...error.body, request_log_url: `${emulator.origin()}/requests/${requestId}` } };
    return { status: error.status, headers: { ...headers, ...error.headers }, body: toText(body) };
  }
}

/** The call in one transaction: a refused one leaves nothing behind, an answered one can be asked for again. */
function carryOut(context: Context, request: ApiRequest, caller: Caller, idempotencyKey: string | null) {
  const { known, found, key } = caller;
  if (!known || !key) throw noKey();
  if (known.isExpired) throw expiredKey(key);
  const onBehalfOf = request.header('stripe-account');
  if (onBehalfOf && onBehalfOf !== known.accountId) throw foreignAccount(onBehalfOf);
  if (!found) throw unknownPath(request.method, caller.path);
  const { permission, handle } = found.route;
  if (known.permissions && !known.permissions.has(permission)) {
    throw lacksPermission(key, known.accountId, permission);
  }
  return inTransaction(context.emulator.database, () => {
    const replay = idempotencyKey && findAnswer(context, request, idempotencyKey);
    if (replay) return { ...replay, isReplayed: true };
    const query = request.url.split('?')[1] ?? '';
    const params = new Params(decodeForm(request.method === 'POST' ? request.body : query));
    const paths = params.texts('expand') ?? [];
    const answer = handle(context, params, found.id);
    params.finish();
    const body = toText(expand(context, answer, paths));
    if (idempotencyKey) keepAnswer(context, request, idempotencyKey, body);
    return { status: 200, body, isReplayed: false };
  });
}

/** Answers are kept for a day, as at Stripe. */
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

function keepAnswer(context: Context, request: ApiRequest, idempotencyKey: string, body: string): void {
  const { database, now } = context.emulator;
  database
    .prepare('INSERT OR REPLACE INTO idempotent_answers VALUES (?, ?, ?, 200, ?, ?)')
    .run(context.scope, idempotencyKey, fingerprint(request), body, now());
}

function fingerprint({ method, url, body }: ApiRequest): string {
  return createHash('sha256').update(`${method} ${url}\n${body}`).digest('base64');
}

/** Bearer, or Basic with the key as the user's name. */
function readKey(request: ApiRequest): string | null {
  const [scheme = '', value = ''] = (request.header('authorization') ?? '').split(' ');
  if (/^bearer$/i.test(scheme)) return value || null;
  if (!/^basic$/i.test(scheme)) return null;
  return Buffer.from(value, 'base64').toString().split(':')[0] || null;
}

function toText(body: object): string {
  return JSON.stringify(body, null, 2);
}
