// Balances of demo customers, given through the public API as an application does when somebody has paid: two that are used from, one
// almost used up, and one frozen by a dispute. Of one, a bulk export holds a part, and another was settled.
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import { type HoldAnswer, holdEndpoints, MAX_HOLD_MS } from '#contracts/public/holds';
import { meteringEndpoints } from '#contracts/public/metering';
import type { Workspace } from '../workspace/build-workspace.ts';
import { callPublicApi } from '../workspace/call-public-api.ts';
import { balanceHolder } from './demo-customers.ts';

const DAY_MS = 86_400_000;
const EXPORTS = { feature: 'data-exports', property: 'exports' };
const QUESTIONS = { feature: 'ask-ai', property: 'questions' };
const CREDITS = { feature: 'ask-ai', property: 'credits' };
const REQUESTS = { feature: 'api-access', property: 'requests' };

interface DemoBalance {
  readonly customer: string;
  readonly id: string;
  readonly feature: string;
  readonly property: string;
  readonly amount: number;
  readonly category: 'paid' | 'promotional';
  readonly endsInDays?: number;
  readonly priority?: number;
  readonly frozen?: boolean;
  readonly costBasis?: { readonly currency: string; readonly amountMinor: number };
  readonly reason: string;
}

const euros = (amount: number) => ({ currency: 'eur', amountMinor: amount * 100 });

const balances: readonly DemoBalance[] = [
  {
    customer: balanceHolder,
    ...{ id: 'launch-week', ...EXPORTS, amount: 25, category: 'promotional', priority: 20, endsInDays: 20 },
    reason: 'Launch week: 25 exports for everybody on trial',
  },
  {
    customer: balanceHolder,
    ...{ id: 'inv-2041', ...EXPORTS, amount: 500, category: 'paid', endsInDays: 365 },
    ...{ costBasis: euros(49), reason: 'Export pack 500' },
  },
  {
    customer: balanceHolder,
    ...{ id: 'inv-2052', ...CREDITS, amount: 1_000, category: 'paid' },
    ...{ costBasis: euros(29), reason: 'AI credits 1,000' },
  },
  {
    customer: 'ada.abara@harbour-foods.example',
    ...{ id: 'inv-2063', ...REQUESTS, amount: 2_000, category: 'paid' },
    ...{ costBasis: euros(19), reason: 'Request pack 2,000' },
  },
  {
    customer: 'nadia.kowal@orchard-labs.example',
    ...{ id: 'inv-2077', ...REQUESTS, amount: 20_000, category: 'paid', frozen: true },
    ...{ costBasis: euros(99), reason: 'Request pack 20,000, disputed by the bank' },
  },
];

const uses = [
  { userIdentifier: balanceHolder, ...EXPORTS, by: 130 },
  { userIdentifier: balanceHolder, ...QUESTIONS, by: 130 },
  { userIdentifier: 'ada.abara@harbour-foods.example', ...REQUESTS, by: 1_940 },
];

/** Bulk exports, of which nobody knows the number before they are done. */
const holds = [
  { userIdentifier: balanceHolder, ...EXPORTS, amount: 40, used: 22 },
  { userIdentifier: balanceHolder, ...EXPORTS, amount: 60, used: null },
];

const KEY_NAME = 'Billing server';

/** Idempotent within a day: a balance is given once for its ID. @param now epoch milliseconds */
export async function seedBalances(
  workspace: Workspace,
  { baseUrl, environmentId, now }: { baseUrl: string; environmentId: string; now: number },
): Promise<void> {
  const key = await ensureManagingKey(workspace, environmentId);
  for (const { customer, id, endsInDays, ...given } of balances) {
    const endsAt = endsInDays === undefined ? {} : { endsAt: now + endsInDays * DAY_MS };
    const path = `/api/v1/customers/${encodeURIComponent(customer)}/balances/${id}`;
    await callPublicApi(baseUrl, key, path, { ...given, ...endsAt }, 'PUT');
  }
  for (const each of uses) {
    const idempotencyKey = `demo balances ${each.userIdentifier} ${each.property}`;
    await callPublicApi(baseUrl, key, meteringEndpoints.update.path, { ...each, idempotencyKey });
  }
  for (const { used, ...each } of holds) {
    const idempotencyKey = `demo hold ${each.userIdentifier} ${each.amount}`;
    const body = { ...each, lastsMs: MAX_HOLD_MS, idempotencyKey };
    const { hold } = await callPublicApi<HoldAnswer>(baseUrl, key, holdEndpoints.open.path, body);
    if (hold === null || used === null) continue;
    const settle = holdEndpoints.settle.path.replace(':hold', hold.id);
    await callPublicApi(baseUrl, key, settle, { amount: used });
  }
}

/** The key of the application that sells: it may change customers, unlike the one that checks. */
async function ensureManagingKey({ session, orgId }: Workspace, environmentId: string): Promise<string> {
  const params = { orgId };
  const { keys } = await session.call(apiKeyEndpoints.list, { params: { ...params, environmentId } });
  const present = keys.find(({ name }) => name === KEY_NAME);
  if (present !== undefined)
    return (await session.call(apiKeyEndpoints.reveal, { params: { ...params, keyId: present.id } })).value;
  const body = { environmentId, type: 'secret', name: KEY_NAME, managesCustomers: true } as const;
  return (await session.call(apiKeyEndpoints.create, { params, body })).value;
}
