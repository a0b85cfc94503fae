// The emulator's control API below /_emulator (JSON): actions for tests and the control page that Stripe's API does not have.
// Unauthenticated, because the emulator listens on localhost only.
import { type Context, contextOf, type Emulator } from '../core/emulator.ts';
import { disputeReasons } from '../resources/dispute-changes.ts';
import { resendEvent } from '../resources/emit-event.ts';
import { rollSecret } from '../resources/webhook-endpoints.ts';
import type { Account } from '../store/account-store.ts';
import { inTransaction } from '../store/open-database.ts';
import { composeDelivery } from '../webhooks/compose-delivery.ts';
import type { Delivery, DeliveryStatus } from '../webhooks/delivery-store.ts';
import { recordAttempt } from '../webhooks/send-deliveries.ts';
import { billedUsage } from './billed-usage.ts';
import { changeSubscription, subscriptionChanges } from './change-subscription.ts';
import { type AccountRequest, createAccount, describeAccount } from './create-account.ts';
import type { FaultChange } from './faults.ts';
import { type SeedRequest, seedCustomers } from './seed-customers.ts';
import { answerPayment, answerRefund, disputeCharge, endDispute } from './settle.ts';

export interface ControlRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  /** Parsed JSON; an empty object without a body. */
  body: unknown;
}

export interface ControlAnswer {
  status: number;
  body: unknown;
}

type Handler = (call: Call) => unknown;

interface Call {
  emulator: Emulator;
  account: Account;
  request: ControlRequest;
  /** The path's `:id`. */
  id: string;
}

/** An error response of the control API: 404 or 400, with a message. */
export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const handlers = new Map<string, Handler>([
  ['GET', ({ emulator, account }) => describeAccount(emulator, account)],
  ['PATCH', ({ emulator, account, request }) => changeAccount(emulator, account, request.body)],
  ['GET faults', ({ emulator, account }) => emulator.faults.of(account.id)],
  [
    'PATCH faults',
    ({ emulator, account, request }) => emulator.faults.change(account.id, request.body as FaultChange),
  ],
  [
    'DELETE faults',
    ({ emulator, account }) => {
      emulator.faults.clear(account.id);
      return emulator.faults.of(account.id);
    },
  ],
  [
    'GET requests',
    ({ emulator, account }) => ({
      counts: emulator.requests.counts(account.id),
      requests: emulator.requests.list(account.id),
    }),
  ],
  [
    'DELETE requests',
    ({ emulator, account }) => {
      emulator.requests.clear(account.id);
      return {};
    },
  ],
  ['POST customers', (call) => seedCustomers(contextFor(call), call.request.body as SeedRequest)],
  ['GET billed', (call) => billedUsage(contextFor(call), call.request.query.get('customer'))],
  ['GET deliveries', listDeliveries],
  ['POST deliveries/:id', noteDelivery],
  ['POST events/:id/resend', resend],
  ['POST subscriptions/:id', changeOne],
  [
    'POST payment_intents/:id',
    (call) => answerPayment(contextFor(call), call.id, choiceOf(call, 'answer', ['succeed', 'fail'])),
  ],
  [
    'POST refunds/:id',
    (call) => answerRefund(contextFor(call), call.id, choiceOf(call, 'answer', ['succeed', 'fail'])),
  ],
  ['POST charges/:id/dispute', dispute],
  [
    'POST disputes/:id',
    (call) => endDispute(contextFor(call), call.id, choiceOf(call, 'outcome', ['won', 'lost'])),
  ],
  ['POST webhook_endpoints/:id/roll', (call) => rollSecret(contextFor(call), call.id)],
  ['POST keys/:id/forbid', forbid],
  ['POST keys/:id/expire', ({ emulator, id }) => expire(emulator, id, emulator.now())],
  ['POST keys/:id/restore', ({ emulator, id }) => expire(emulator, id, null)],
]);

/** Handles requests below /_emulator. */
export function handleControlRequest(emulator: Emulator, request: ControlRequest): ControlAnswer {
  try {
    return { status: 200, body: answer(emulator, request) };
  } catch (error) {
    if (error instanceof ControlError) return { status: error.status, body: { error: error.message } };
    if (error instanceof Error && error.name === 'StripeError') {
      return { status: 400, body: { error: error.message } };
    }
    throw error;
  }
}

function answer(emulator: Emulator, request: ControlRequest): unknown {
  const [area = '', accountId, ...rest] = request.path.replace(/^\/_emulator\/?/, '').split('/');
  const { method } = request;
  if (area === 'health' && method === 'GET') return { ok: true };
  if (area !== 'accounts') throw new ControlError(404, `There is nothing at ${request.path}`);
  if (accountId === undefined) {
    if (method === 'GET')
      return emulator.accounts.list().map((account) => describeAccount(emulator, account));
    if (method === 'POST') {
      return inTransaction(emulator.database, () => createAccount(emulator, request.body as AccountRequest));
    }
    throw new ControlError(405, `${method} is not for ${request.path}`);
  }
  const account = emulator.accounts.find(accountId);
  if (account === undefined) throw new ControlError(404, `There is no account ${accountId}`);
  const [collection, id = '', action] = rest;
  const name = [method, [collection, id && ':id', action].filter(Boolean).join('/')]
    .filter(Boolean)
    .join(' ');
  const handle = handlers.get(name);
  if (handle === undefined) throw new ControlError(404, `There is nothing at ${method} ${request.path}`);
  return inTransaction(emulator.database, () =>
    handle({ emulator, account, request, id: decodeURIComponent(id) }),
  );
}

/** The mode is `test` unless the query has `mode=live`. */
function contextFor({ emulator, account, request }: Call): Context {
  return contextOf(emulator, account, request.query.get('mode') === 'live');
}

function changeAccount(emulator: Emulator, account: Account, body: unknown) {
  const {
    sendsWebhooks = account.sendsWebhooks,
    name = account.name,
    afterRetries = account.afterRetries,
    whileProcessing = account.whileProcessing,
  } = body as Partial<Account>;
  const changed = { ...account, sendsWebhooks, name, afterRetries, whileProcessing };
  emulator.accounts.update(changed);
  return describeAccount(emulator, changed);
}

/**
 * The account's deliveries in event order; `status=pending` filters. Each is composed and signed at the query's `timestamp`
 * (Unix seconds, default now), so that a test can deliver it itself.
 */
function listDeliveries({ emulator, account, request }: Call): unknown {
  const { query } = request;
  const mode = query.get('mode');
  const timestamp = query.get('timestamp');
  const deliveries = emulator.deliveries.list({
    accountId: account.id,
    livemode: mode === null ? undefined : mode === 'live',
    status: (query.get('status') as DeliveryStatus | null) ?? undefined,
    eventId: query.get('event') ?? undefined,
  });
  return deliveries.map((delivery) => ({
    ...delivery,
    request: composeDelivery(emulator, delivery, timestamp === null ? undefined : Number(timestamp)),
  }));
}

/** Records the endpoint's response to a delivery made by a test: `{ status: 200 }`. */
function noteDelivery(call: Call): Delivery {
  const { emulator, account, id, request } = call;
  const delivery = emulator.deliveries.find(id);
  if (delivery?.accountId !== account.id) throw new ControlError(404, `There is no delivery ${id}`);
  const { status } = request.body as { status?: number | null };
  return recordAttempt(emulator, delivery, { at: emulator.now(), status: status ?? null });
}

function resend(call: Call): unknown {
  const { emulator, account, id } = call;
  for (const livemode of [false, true]) {
    const context = contextOf(emulator, account, livemode);
    const event = emulator.objects.find(context.scope, 'event', id);
    if (event) return { deliveries: resendEvent(context, event) };
  }
  throw new ControlError(404, `There is no event ${id}`);
}

function changeOne(call: Call): unknown {
  return changeSubscription(contextFor(call), call.id, choiceOf(call, 'change', subscriptionChanges));
}

function dispute(call: Call): unknown {
  const { reason } = call.request.body as { reason?: unknown };
  const known = reason === undefined ? undefined : choiceOf(call, 'reason', disputeReasons);
  return disputeCharge(contextFor(call), call.id, known);
}

/** @throws {ControlError} 400 unless the field is one of the values */
function choiceOf<Value extends string>({ request }: Call, field: string, values: readonly Value[]): Value {
  const value = (request.body as Record<string, unknown>)[field];
  const found = values.find((each) => each === value);
  if (found === undefined) throw new ControlError(400, `${field} is one of ${values.join(', ')}`);
  return found;
}

/** Takes a permission from a restricted key: `{ permission: 'rak_webhook_read' }`. */
function forbid({ emulator, id, request }: Call): unknown {
  const { permission } = request.body as { permission?: string };
  if (permission === undefined) throw new ControlError(400, 'permission is missing');
  emulator.accounts.forbid(id, permission);
  return {};
}

function expire(emulator: Emulator, key: string, at: number | null): unknown {
  emulator.accounts.expireKey(key, at);
  return {};
}
