// Checks and updates of a customer with balances, as ledgers take them from facts.
import { beforeAll, expect, it } from 'vitest';
import { check, propertyOf } from '#tests/support/access-checks';
import { putBalances, type SeededBalance } from '#tests/support/balances';
import { update } from '#tests/support/counter-updates';
import { type CustomerTenant, customerTenant } from '#tests/support/customers';
import { publishAll } from '#tests/support/tenants';

const FILES = { feature: 'workspaces', property: 'files' };
/** Of Pro, for life. */
const QUOTA = 100;
let own: CustomerTenant;

beforeAll(async () => {
  own = await customerTenant();
});

const pushBalances = (customer: string, ...balances: readonly SeededBalance[]) =>
  putBalances(own, customer, ...balances);

/** The customer has Pro. */
async function granted(customer: string): Promise<void> {
  await own.grant(customer);
  await publishAll(own.tenant);
  await check(own.secret, { userIdentifier: customer });
}

const count = async (customer: string, by: number, more: object = {}) =>
  (await update(own.secret, { userIdentifier: customer, ...FILES, by, enforce: true, ...more })).body;

const files = async (customer: string) =>
  propertyOf(await check(own.secret, { userIdentifier: customer }), 'workspaces', 'files');

it('a balance extends the limit once the quota is used up, and is drawn from in the order of balances', async () => {
  await granted('ada');
  await pushBalances('ada', {}, { id: 'bal_2', amount: 10, category: 'promotional' });
  expect(await files('ada')).toMatchObject({ limit: 160, used: 0, remaining: 160 });
  expect(await count('ada', 105, { idempotencyKey: 'one' })).toMatchObject({
    accepted: true,
    meter: { limit: 160, used: 105, remaining: 55 },
  });
  // The promotional one has paid for five: without it, they are no usage of the others.
  await pushBalances('ada', {});
  expect(await files('ada')).toMatchObject({ allowed: true, limit: 150, used: 100, remaining: 50 });
  expect(await count('ada', 51)).toMatchObject({ accepted: false, meter: { used: 100, remaining: 50 } });
  expect(await count('ada', 50)).toMatchObject({ accepted: true, meter: { used: 150, remaining: 0 } });
  expect(await files('ada')).toMatchObject({ allowed: false, limit: 150, used: 150, remaining: 0 });
  expect(await count('ada', 105, { idempotencyKey: 'one' })).toMatchObject({
    ...{ accepted: true, replayed: true, applied: 105 },
  });
});

it('a frozen balance is drawn from no more, and has what it had when it is thawed', async () => {
  await granted('bob');
  await pushBalances('bob', {});
  expect(await count('bob', QUOTA + 20)).toMatchObject({ accepted: true });
  await pushBalances('bob', { isFrozen: true });
  expect(await files('bob')).toMatchObject({ allowed: false, limit: QUOTA, used: QUOTA, remaining: 0 });
  expect(await count('bob', 1)).toMatchObject({ accepted: false });
  await pushBalances('bob', {});
  expect(await files('bob')).toMatchObject({ limit: 150, used: 120, remaining: 30 });
});

it('what a frozen balance paid for cannot be given back, which the answer says', async () => {
  await granted('zoe');
  await pushBalances('zoe', {});
  await count('zoe', QUOTA, { ageMs: 300_000 });
  await count('zoe', 5);
  await pushBalances('zoe', { isFrozen: true });
  const returned = { accepted: true, applied: -3, lost: 5 };
  const key = { idempotencyKey: 'refund' };
  expect(await count('zoe', -8, key)).toMatchObject({ ...returned, replayed: false, meter: { used: 97 } });
  expect(await count('zoe', -8, key)).toMatchObject({ ...returned, replayed: true });
});

it('what is given back goes to what was drawn last', async () => {
  await granted('eve');
  await pushBalances('eve', {});
  await count('eve', QUOTA + 20);
  expect(await count('eve', -30)).toMatchObject({ accepted: true, applied: -30, meter: { used: 90 } });
  await pushBalances('eve');
  expect(await files('eve')).toMatchObject({ limit: QUOTA, used: 90, remaining: 10 });
});

it('usage above everything is counted without enforce, shown, and takes nothing of a later balance', async () => {
  await granted('joe');
  await pushBalances('joe', { amount: 5 });
  expect(await count('joe', QUOTA + 8, { enforce: false })).toMatchObject({
    accepted: true,
    meter: { limit: 105, used: 108, remaining: 0, overage: 3 },
  });
  await pushBalances('joe', { amount: 5 }, { id: 'bal_joe_2', amount: 10 });
  expect(await files('joe')).toMatchObject({
    allowed: true,
    limit: 115,
    used: 108,
    remaining: 10,
    overage: 3,
  });
  expect(await count('joe', 10)).toMatchObject({ accepted: true, meter: { remaining: 0, overage: 3 } });
});
