// What open holds have taken, beside what is used: in a customer's balances by API and on its page in the console.
import { beforeAll, expect, it } from 'vitest';
import type { CustomerBalance } from '#contracts/console/customer-balances';
import type { CustomerEntitlements } from '#contracts/console/customers';
import type { BalancesAnswer, CustomerChangeAnswer } from '#contracts/public/customers';
import { check } from '#tests/support/access-checks';
import { hold } from '#tests/support/holds';
import { type Provisioner, provisioner } from '#tests/support/provisioning';
import { publishAll } from '#tests/support/tenants';

const FILES = { feature: 'workspaces', property: 'files' };
/** Of Pro, for life. */
const QUOTA = 100;
const REASON = { reason: 'A pilot customer' };
let own: Provisioner;

beforeAll(async () => {
  own = await provisioner();
});

async function withBalance(customer: string): Promise<void> {
  await own.manage('PUT', `/${customer}`, {});
  await own.manage('PUT', `/${customer}/grants/pro`, REASON);
  await own.manage('PUT', `/${customer}/balances/inv-1`, {
    ...{ ...FILES, amount: 50, category: 'paid', ...REASON },
  });
  await publishAll(own.tenant);
}

const open = async (userIdentifier: string, amount: number) => {
  const { body } = await hold(own.secret, '', { userIdentifier, ...FILES, amount });
  return body.hold?.id ?? '';
};
const settle = (id: string, amount: number) => hold(own.secret, `/${id}/settle`, { amount });
const listed = async (customer: string) =>
  (await own.manage<BalancesAnswer>('GET', `/${customer}/balances`)).body.balances;
const takeBack = (customer: string, amount: number) =>
  own.manage<CustomerChangeAnswer>('POST', `/${customer}/balances/inv-1/take-back`, { amount, ...REASON });

it('of a balance is no part of what is used of it, and stays where it is if the balance is taken back', async () => {
  await withBalance('ada');
  const id = await open('ada', QUOTA + 20);
  expect(await listed('ada')).toMatchObject([{ amount: 50, used: 0, held: 20, remaining: 30 }]);
  expect((await takeBack('ada', 50)).body).toMatchObject({
    applied: 30,
    balance: { takenBack: 30, used: 0, held: 20, remaining: 0, state: 'active' },
  });
  await settle(id, QUOTA + 5);
  const [balance] = await listed('ada');
  expect(balance).toMatchObject({ used: 5, remaining: 15, state: 'active' });
  expect(balance).not.toHaveProperty('held');
});

it('is on the customer’s page: of meters, of balances, and in the explanation', async () => {
  await withBalance('bea');
  await settle(await open('bea', 60), 60);
  await open('bea', 50);
  const { tenant, previewId, path } = own;
  const read = <Answer>(below: string) => tenant.make<Answer>('GET', path('bea', below));
  const { entitlements } = await read<CustomerEntitlements>(`/environments/${previewId}`);
  const files = entitlements.find(({ property }) => property === 'files');
  expect(files).toMatchObject({
    ...{ used: 60, held: 50, heldUntil: expect.any(Number) },
    meter: { limit: 150, used: 60, held: 50, remaining: 40 },
    reason: expect.stringContaining(
      '60 of 100 of Pro plan are used and 40 held, none left; 0 of 50 (inv-1) are used and 10 held, 40 left.',
    ),
  });
  const { balances } = await read<{ balances: CustomerBalance[] }>(`/environments/${previewId}/balances`);
  expect(balances).toMatchObject([{ used: 0, held: 10, remaining: 40, state: 'active' }]);
  const explained = await check(own.secret, { userIdentifier: 'bea' }, { query: '?explain=1' });
  expect(explained.explanation?.find(({ property }) => property === 'files')).toMatchObject({
    ...{ used: 60, held: 50 },
  });
});
