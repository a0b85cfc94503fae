/** Calls about customers, of customers in memory: read one, create and change them, alone or in a batch. */
import type { CustomerChange } from '#contracts/public/customers';
import { errorBody, Refusal } from '#engine/access/api-error';
import { keyOfHeader } from '#engine/access/idempotency-key';
import { readIdentifierSegment } from '#engine/identity/identifier-segment';
import type { Fields } from './body-rules.ts';
import { getCustomer, makeChange, readCustomer } from './customer-changes.ts';
import { cleaned, ensureChangeBody, ensureChanges, readChange } from './customer-rules.ts';
import type { FakeAnswer, FakeApi, FakeCall } from './fake-api.ts';
import { listBalances } from './fake-balances.ts';
import type { FakeCustomer } from './fake-customer.ts';
import { listEntities } from './fake-entities.ts';
import { readLedger } from './fake-ledger.ts';
import { BATCH_LIMITS, CALL_LIMITS, type FakeRoute } from './fake-route.ts';

const ALL = '/api/v1/customers';
const ONE = `${ALL}/:customer`;
const changing = {
  limits: CALL_LIMITS,
  managingKeyOnly: 'Changing customers requires a secret key with the permission to manage customers',
} as const;

/** A call that makes one change. */
function changeRoute(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  kind: CustomerChange['change'],
): FakeRoute {
  const ensureBody = (body: Fields) => ensureChangeBody(body, kind);
  return {
    ...changing,
    method,
    path,
    ...(method !== 'DELETE' && { ensureBody }),
    answer: (api, call) => changeOne(api, call, kind),
  };
}

/** A call that reads a customer. @param path below it */
function readRoute(
  path: string,
  read: (api: FakeApi, customer: FakeCustomer, call: FakeCall) => FakeAnswer | Promise<FakeAnswer>,
  who: Partial<FakeRoute> = { secretKeyOnly: 'Reading customers requires a secret key' },
): FakeRoute {
  return {
    method: 'GET',
    path: ONE + path,
    limits: CALL_LIMITS,
    ...who,
    async answer(api, call) {
      return read(api, getCustomer(api, readIdentifierSegment(call.params.customer ?? '')), call);
    },
  };
}

export const CUSTOMER_CALLS: readonly FakeRoute[] = [
  readRoute('', readCustomer),
  changeRoute('PUT', ONE, 'save-customer'),
  changeRoute('PUT', `${ONE}/grants/:plan`, 'grant-plan'),
  changeRoute('DELETE', `${ONE}/grants/:plan`, 'revoke-plan'),
  changeRoute('PUT', `${ONE}/overrides/:feature/:property`, 'set-override'),
  changeRoute('DELETE', `${ONE}/overrides/:feature/:property`, 'remove-override'),
  readRoute('/balances', listBalances),
  readRoute('/entities', listEntities),
  changeRoute('DELETE', `${ONE}/entities/:entity`, 'delete-entity'),
  readRoute('/ledger', readLedger, {
    managingKeyOnly: 'Reading a ledger requires a secret key with the permission to manage customers',
  }),
  changeRoute('PUT', `${ONE}/balances/:balance`, 'set-balance'),
  changeRoute('POST', `${ONE}/balances/:balance/take-back`, 'take-back'),
  changeRoute('POST', `${ONE}/meter-corrections`, 'correct-meter'),
  {
    ...changing,
    method: 'POST',
    path: ALL,
    limits: BATCH_LIMITS,
    ensureBody: ensureChanges,
    answer: changeMany,
  },
];

async function changeOne(api: FakeApi, call: FakeCall, kind: CustomerChange['change']): Promise<FakeAnswer> {
  const { body, params, headers, requestId } = call;
  const customer = readIdentifierSegment(params.customer ?? '');
  const sent = body as { readonly idempotencyKey?: string };
  const key = keyOfHeader(headers.get('idempotency-key'), sent.idempotencyKey, 'idempotencyKey');
  const change = readChange({
    change: kind,
    ...params,
    ...(params.entity !== undefined && { entity: readIdentifierSegment(params.entity) }),
    ...body,
    customer,
    ...(key !== undefined && { idempotencyKey: key }),
  });
  return {
    text: JSON.stringify({ status: 'success', requestId, ...(await makeChange(api, change, requestId)) }),
  };
}

/** One that is refused stops no other. */
async function changeMany(api: FakeApi, { body, requestId }: FakeCall): Promise<FakeAnswer> {
  const results: object[] = [];
  for (const [index, each] of (body.changes as Fields[]).entries()) {
    try {
      const made = await makeChange(api, cleaned(each), `${requestId}.${index}`);
      results.push({ status: 'success', requestId, ...made });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { issues, ...refused } = errorBody(error, requestId);
      const named = issues?.map(({ path, message }) => ({ path: `changes.${index}.${path}`, message }));
      results.push({ ...refused, ...(named && { issues: named }) });
    }
  }
  return { text: JSON.stringify({ status: 'success', requestId, results }) };
}
