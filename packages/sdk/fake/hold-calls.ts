/** Holds of the fake server: made, extended and settled as the API does. */
import type { ExtendHold, HoldRequest, SettleHold } from '#contracts/public/holds';
import { holdUnknown } from '#engine/access/count-usage';
import { keyOfHeader } from '#engine/access/idempotency-key';
import { entityOf } from '#engine/ledger/holds';
import { HOLD_PREFIX } from '#engine/metering/hold-id';
import { EXTEND_HOLD, ensureRules, HOLD, HOLD_NAMED, SETTLE_HOLD } from './body-rules.ts';
import { type Change, type FakeAnswer, type FakeApi, type FakeCall, HOME } from './fake-api.ts';
import { CALL_LIMITS, type FakeRoute } from './fake-route.ts';

/** Unless a call says otherwise. */
const HOLD_MS = 120_000;
const holding = {
  method: 'POST',
  limits: CALL_LIMITS,
  secretKeyOnly: 'Holding usage requires a secret key',
} as const;

export const HOLD_CALLS: readonly FakeRoute[] = [
  {
    ...holding,
    path: '/api/v1/holds',
    ensureBody: (body) => ensureRules(body, HOLD, HOLD_NAMED),
    answer: openHold,
  },
  {
    ...holding,
    path: '/api/v1/holds/:hold/extend',
    ensureBody: (body) => ensureRules(body, EXTEND_HOLD),
    answer: extendHold,
  },
  {
    ...holding,
    path: '/api/v1/holds/:hold/settle',
    ensureBody: (body) => ensureRules(body, SETTLE_HOLD, ['amount']),
    answer: settleHold,
  },
];

async function openHold(api: FakeApi, call: FakeCall): Promise<FakeAnswer> {
  const sent = call.body as unknown as HoldRequest;
  const { userIdentifier, userJwt, entityId, amount, orLess = false, lastsMs = HOLD_MS, ...count } = sent;
  const hold = { kind: 'open', id: call.requestId.replace('req_', ''), lastsMs, orLess } as const;
  return api.counted(
    call,
    { userIdentifier, userJwt, entityId },
    {
      kind: 'update',
      idempotencyHeader: call.headers.get('idempotency-key'),
      count: { ...count, by: amount, enforce: true, hold },
    },
  );
}

async function extendHold(api: FakeApi, call: FakeCall): Promise<FakeAnswer> {
  const { amount, lastsMs = HOLD_MS, idempotencyKey } = call.body as ExtendHold;
  const header = call.headers.get('idempotency-key');
  const key = keyOfHeader(header, idempotencyKey, 'idempotencyKey') ?? null;
  return changed(api, call, (name) => ({
    by: amount ?? 0,
    enforce: true,
    hold: { kind: 'extend', name, lastsMs, key },
  }));
}

async function settleHold(api: FakeApi, call: FakeCall): Promise<FakeAnswer> {
  const { amount, onExcess = 'overflow' } = call.body as unknown as SettleHold;
  return changed(api, call, (name) => ({
    by: amount,
    enforce: false,
    hold: { kind: 'settle', name, onExcess },
  }));
}

/** Counts a change of a hold for the customer that has it. @throws {ApiError} not-found */
function changed(api: FakeApi, call: FakeCall, changeOf: (name: string) => Change): Promise<FakeAnswer> {
  const { hold: id = '' } = call.params;
  const name = id.startsWith(HOLD_PREFIX) ? id.slice(HOLD_PREFIX.length) : '';
  const customer = api.customers.holding(name);
  const { propertyId = '', also } = customer?.hold(name)?.hold ?? {};
  const entry = api.prepared.propertyById.get(propertyId);
  if (customer === undefined || entry === undefined) throw holdUnknown();
  const { identifier } = customer;
  return api.counted(
    call,
    { userIdentifier: identifier },
    {
      kind: 'update',
      idempotencyHeader: null,
      at: { customer: identifier, entity: entityOf(also), location: HOME },
      count: { feature: entry.feature.slug, property: entry.property.key, ...changeOf(name) },
    },
  );
}
