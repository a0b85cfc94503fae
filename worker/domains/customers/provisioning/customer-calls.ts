/** The public API's calls about customers, from path and body to the answer. They are audited, not recorded as events. */
import type { z } from 'zod';
import {
  type CustomerChange,
  customerChangeSchema,
  provisioningEndpoints,
} from '#contracts/public/customers';
import { keyOfHeader } from '#engine/access/idempotency-key';
import { readIdentifierSegment } from '#engine/identity/identifier-segment';
import { CHANGE_MS, CHANGES_MS } from '#engine/outages/budget';
import { headerKeyOf } from '#worker/domains/access/calls/idempotency-header';
import { paramsOf } from '#worker/domains/access/calls/path-params';
import type { PublicAnswer, PublicCall } from '#worker/domains/access/calls/public-call';
import { keyRoute } from '#worker/domains/access/calls/public-routes';
import { parse } from '#worker/http/parse';
import { inCallTime } from './in-call-time.ts';
import { listCustomerBalances } from './list-balances.ts';
import { listCustomerEntities } from './list-customer-entities.ts';
import { makeChange } from './make-change.ts';
import { makeChanges, retryAfterOf } from './make-changes.ts';
import { openProvisioning } from './open-provisioning.ts';
import { readCustomer } from './read-customer.ts';
import { readCustomerLedger } from './read-customer-ledger.ts';

const { read, save, setGrant, removeGrant, setOverride, removeOverride } = provisioningEndpoints;
const {
  listBalances,
  listEntities,
  deleteEntity,
  readLedger,
  setBalance,
  takeBack,
  correctMeter,
  changeMany,
} = provisioningEndpoints;

export const CUSTOMER_CALLS = {
  readCustomer: keyRoute(read, async (call) => {
    const { customer } = paramsOf(read, call.request);
    const endsAt = call.startedAt + CHANGE_MS;
    return answerOf(await inCallTime(endsAt, () => readCustomer(call, readIdentifierSegment(customer))));
  }),
  saveCustomer: keyRoute(save, (call, { value }) =>
    changeOne(call, { change: 'save-customer', ...paramsOf(save, call.request), ...value }),
  ),
  grantPlan: keyRoute(setGrant, (call, { value }) =>
    changeOne(call, { change: 'grant-plan', ...paramsOf(setGrant, call.request), ...value }),
  ),
  revokePlan: keyRoute(removeGrant, (call) =>
    changeOne(call, { change: 'revoke-plan', ...paramsOf(removeGrant, call.request) }),
  ),
  setOverride: keyRoute(setOverride, (call, { value }) =>
    changeOne(call, { change: 'set-override', ...paramsOf(setOverride, call.request), ...value }),
  ),
  removeOverride: keyRoute(removeOverride, (call) =>
    changeOne(call, { change: 'remove-override', ...paramsOf(removeOverride, call.request) }),
  ),
  listBalances: keyRoute(listBalances, async (call) => {
    const { customer } = paramsOf(listBalances, call.request);
    const query = parse(listBalances.query, Object.fromEntries(new URLSearchParams(call.query)));
    const endsAt = call.startedAt + CHANGE_MS;
    const named = readIdentifierSegment(customer);
    return answerOf(await inCallTime(endsAt, () => listCustomerBalances(call, named, query)));
  }),
  listEntities: keyRoute(listEntities, async (call) => {
    const { customer } = paramsOf(listEntities, call.request);
    const { cursor } = parse(listEntities.query, Object.fromEntries(new URLSearchParams(call.query)));
    const endsAt = call.startedAt + CHANGE_MS;
    const named = readIdentifierSegment(customer);
    return answerOf(await inCallTime(endsAt, () => listCustomerEntities(call, named, cursor)));
  }),
  deleteEntity: keyRoute(deleteEntity, (call) => {
    const { customer, entity } = paramsOf(deleteEntity, call.request);
    return changeOne(call, { change: 'delete-entity', customer, entity: readIdentifierSegment(entity) });
  }),
  readLedger: keyRoute(readLedger, async (call) => {
    const { customer } = paramsOf(readLedger, call.request);
    const query = parse(readLedger.query, Object.fromEntries(new URLSearchParams(call.query)));
    const named = readIdentifierSegment(customer);
    const provisioning = await openProvisioning(call, CHANGE_MS);
    const read = () => readCustomerLedger(provisioning, named, query);
    return answerOf({
      status: 'success',
      requestId: call.requestId,
      ...(await inCallTime(provisioning.endsAt, read)),
    });
  }),
  setBalance: keyRoute(setBalance, (call, { value }) =>
    changeOne(call, { change: 'set-balance', ...paramsOf(setBalance, call.request), ...value }),
  ),
  takeBackBalance: keyRoute(takeBack, (call, { value }) =>
    changeOne(call, { change: 'take-back', ...paramsOf(takeBack, call.request), ...value }),
  ),
  correctMeter: keyRoute(correctMeter, (call, { value }) =>
    changeOne(call, { change: 'correct-meter', ...paramsOf(correctMeter, call.request), ...value }),
  ),
  changeCustomers: keyRoute(changeMany, async (call, { value }) => {
    const provisioning = await openProvisioning(call, CHANGES_MS);
    const results = await makeChanges(provisioning, value.changes);
    const answer = answerOf({ status: 'success', requestId: call.requestId, results });
    return { ...answer, retryAfterS: retryAfterOf(results) };
  }),
} as const;

/** @param change of the path and the body; what came by the path is checked here */
async function changeOne(
  call: PublicCall,
  { customer, ...change }: z.input<typeof customerChangeSchema>,
): Promise<PublicAnswer> {
  const named = { ...change, customer: readIdentifierSegment(customer) };
  const key = keyOfHeader(headerKeyOf(call), change.idempotencyKey, 'idempotencyKey');
  const checked: CustomerChange = parse(
    customerChangeSchema,
    key === undefined ? named : { ...named, idempotencyKey: key },
  );
  const made = await makeChange(await openProvisioning(call, CHANGE_MS), checked);
  return answerOf({ status: 'success', requestId: call.requestId, ...made });
}

function answerOf(body: object): PublicAnswer {
  return { text: JSON.stringify(body), outcome: null, recordedBody: null, ledgerMs: 0 };
}
