// Where no environment is asked about, such as in the list and in counts of customers, a name is whose checks say it is.
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import type { CustomerList } from '#contracts/console/customer-list';
import type { Environment } from '#contracts/console/environments';
import type { PlanSummary } from '#contracts/console/plans';
import { check } from '#tests/support/access-checks';
import { eventually } from '#tests/support/eventually';
import { callCustomers, type Provisioner, provisioner } from '#tests/support/provisioning';
import { connectAccount, nameByMetadata, putCustomer, someCustomerId } from '#tests/support/stripe-customers';
import { openDatabase } from '#worker/db/database';
import { findNameOwners, nameOwner } from '#worker/domains/customer-facts/customer-names';

let own: Provisioner;
let accounts: readonly [string, string];
beforeAll(async () => {
  own = await provisioner();
  accounts = [await connectAccount(own.tenant), await connectAccount(own.tenant)];
  await nameByMetadata(own.tenant);
});

const join = async (name: string, account: number, customerId: string) => {
  const stripe = { integrationId: accounts[account] ?? '', customerId };
  expect((await own.manage('PUT', `/${name}`, { stripe })).status).toBe(200);
};

const plusCount = async () =>
  (await own.tenant.make<PlanSummary[]>('GET', '/plan-summaries')).find(({ planId }) => planId === own.plusId)
    ?.customerCount ?? 0;

const listedFor = async (query: string) =>
  (await own.tenant.make<CustomerList>('GET', `/customers?query=${query}`)).items
    .map(({ identifier }) => identifier)
    .toSorted();

/** By checks, by the rule, and by its SQL. */
async function ownersOf(name: string) {
  const db = openDatabase(env.DB);
  const { names } = await check(own.secret, { userIdentifier: name }, { query: '?explain=1' });
  const [row] = await db.all<{ owner: string | null }>(
    sql`SELECT ${nameOwner(own.tenant.orgId, sql`n.value`)} AS owner FROM json_each(${JSON.stringify([name])}) n`,
  );
  const byRule = (await findNameOwners(db, own.tenant.orgId, [name])).get(name);
  return [names?.customer, byRule ?? name, row?.owner ?? name];
}

const expectOwner = (name: string, owner: string) =>
  eventually(async () => expect([name, await ownersOf(name)]).toEqual([name, [owner, owner, owner]]));

test('a user ID that two Stripe customers carry, who are one customer, is that customer’s', async () => {
  const ids = [someCustomerId(), someCustomerId()] as const;
  const before = await plusCount();
  await putCustomer(own.tenant, { integrationId: accounts[0], id: ids[0], userId: 'u-one' });
  await own.grant('u-one', { planId: own.plusId });
  await putCustomer(own.tenant, { integrationId: accounts[1], id: ids[1], userId: 'u-one' });
  await expectOwner('u-one', 'u-one');
  for (const [account, id] of ids.entries()) await join('ws-one', account, id);
  await own.grant('ws-one', { planId: own.plusId });
  await expectOwner('u-one', 'ws-one');
  expect(await plusCount()).toBe(before + 1);
  expect(await listedFor('u-one')).toEqual(['ws-one']);
  expect(await listedFor('ws-one')).toEqual(['ws-one']);
});

test('a user ID that two Stripe customers carry, of whom one is another customer, is nobody’s', async () => {
  const ids = [someCustomerId(), someCustomerId()] as const;
  for (const [account, id] of ids.entries())
    await putCustomer(own.tenant, { integrationId: accounts[account] ?? '', id, userId: 'u-two' });
  await join('ws-two', 0, ids[0]);
  await expectOwner('u-two', 'u-two');
  await join('ws-two.2', 1, ids[1]);
  await expectOwner('u-two', 'u-two');
});

test('an account whose user IDs are not in effect decides nothing', async () => {
  const ids = ['cus_A1none', 'cus_B1none'] as const;
  const [first, second] = accounts;
  for (const [account, id] of ids.entries())
    await putCustomer(own.tenant, { integrationId: accounts[account] ?? '', id, userId: 'u-unready' });
  const setReady = (integrationId: string, isReady: number) =>
    env.DB.prepare('UPDATE stripe_integration SET user_ids_ready = ? WHERE id = ?')
      .bind(isReady, integrationId)
      .run();
  for (const [unready, owner] of [
    [first, ids[1]],
    [second, ids[0]],
  ] as const) {
    await setReady(unready, 0);
    expect((await ownersOf('u-unready')).slice(1)).toEqual([owner, owner]);
    await setReady(unready, 1);
  }
});

test.each([0, 1])(
  'an ID of two accounts, of which the customer of one (%i) is joined, is its own',
  async (joined) => {
    const [id, name] = [someCustomerId(), `ws-three.${joined}`];
    const before = await plusCount();
    for (const [at, integrationId] of accounts.entries())
      await putCustomer(own.tenant, { integrationId, id, createdAt: at + 1 });
    await join(name, joined, id);
    for (const each of [id, name]) await own.grant(each, { planId: own.plusId });
    await expectOwner(id, id);
    expect(await plusCount()).toBe(before + 2);
    expect(await listedFor(id)).toEqual([id, name].toSorted());
    // All of them say so.
    await join(name, 1 - joined, id);
    await expectOwner(id, name);
    expect(await plusCount()).toBe(before + 1);
    expect(await listedFor(id)).toEqual([name]);
    // They say different ones.
    const other = `other.${joined}`;
    expect((await own.manage('PUT', `/${name}`, { stripe: null })).status).toBe(200);
    await join(name, joined, id);
    await join(other, 1 - joined, id);
    await expectOwner(id, id);
    expect(await plusCount()).toBe(before + 2);
    expect(await listedFor(id)).toEqual([id, name, other].toSorted());
  },
);

test('an email with which customers of two environments were created is the one’s of the live environment', async () => {
  const live = await own.tenant.make<Environment>('POST', '/environments', { name: 'Shop', type: 'live' });
  const key = await own.tenant.make<{ value: string }>('POST', '/api-keys', {
    ...{ environmentId: live.id, type: 'secret', name: 'Shop', managesCustomers: true },
  });
  const email = 'two-environments@tests.example';
  expect((await own.manage('PUT', '/a-tested', { email })).status).toBe(200);
  await eventually(async () =>
    expect((await callCustomers(key.value, 'PUT', '/b-sold', { email })).status).toBe(200),
  );
  expect(await ownersOf(email)).toEqual(['a-tested', 'b-sold', 'b-sold']);
});
