// The list of customers says what was granted and overridden by whichever of a customer's names, and by no name that is not its own.
import { beforeAll, expect, test } from 'vitest';
import type { CustomerList } from '#contracts/console/customer-list';
import type { Environment } from '#contracts/console/environments';
import { eventually } from '#tests/support/eventually';
import { newName } from '#tests/support/joining-tenants';
import { callCustomers, type Provisioner, provisioner } from '#tests/support/provisioning';
import { connectAccount, nameByMetadata, putCustomer, someCustomerId } from '#tests/support/stripe-customers';

let own: Provisioner;
let accounts: readonly [string, string];
beforeAll(async () => {
  own = await provisioner();
  accounts = [await connectAccount(own.tenant), await connectAccount(own.tenant)];
  await nameByMetadata(own.tenant);
});

const save = async (name: string, body: object = {}) =>
  expect((await own.manage('PUT', `/${name}`, body)).status).toBe(200);

/** In the list of those with a grant: the plans of each; undefined: it is not there. */
async function grantedPlans(name: string): Promise<string[] | undefined> {
  const { items } = await own.tenant.make<CustomerList>('GET', '/customers?filter=granted');
  return items.find(({ identifier }) => identifier === name)?.plans.map(({ planId }) => planId);
}

test('what is granted by a user ID is listed with the one customer that carries it', async () => {
  const [id, userId] = [someCustomerId(), newName()];
  await putCustomer(own.tenant, { integrationId: accounts[0], id, userId });
  await own.grant(userId, { planId: own.plusId });
  expect(await grantedPlans(id)).toEqual([own.plusId]);
  expect(await grantedPlans(userId)).toBeUndefined();
});

test('what is granted by the names of a joined Stripe customer is listed with the created one, unless they are nobody’s', async () => {
  const [name, userId, id] = [newName(), newName(), someCustomerId()];
  const email = `${name}@tests.example`;
  await putCustomer(own.tenant, { integrationId: accounts[0], id, userId, email });
  await save(name, { stripe: { integrationId: accounts[0], customerId: id } });
  const ofEmail = await own.grant(email, { planId: own.plusId });
  await own.grant(userId, { planId: own.proId });
  expect((await grantedPlans(name))?.toSorted()).toEqual([own.plusId, own.proId].toSorted());
  await own.tenant.make('DELETE', own.path(email, `/grants/${ofEmail.id}`));
  // Another customer carries the user ID.
  await putCustomer(own.tenant, { integrationId: accounts[0], id: someCustomerId(), userId });
  await save(name, { name: 'Acme' });
  expect(await grantedPlans(name)).toBeUndefined();
  expect(await grantedPlans(userId)).toEqual([own.proId]);
});

test('what is granted by the email of a customer in another environment is listed with it', async () => {
  const name = newName();
  const stage = await own.tenant.make<Environment>('POST', '/environments', { name: 'Stage', type: 'test' });
  const key = await own.tenant.make<{ value: string }>('POST', '/api-keys', {
    ...{ environmentId: stage.id, type: 'secret', name: 'Stage', managesCustomers: true },
  });
  await save(name, { email: `${name}@tests.example` });
  const email = `stage-${name}@tests.example`;
  await eventually(async () =>
    expect((await callCustomers(key.value, 'PUT', `/${name}`, { email })).status).toBe(200),
  );
  await save(name, { name: 'Acme' });
  await own.grant(email, { planId: own.plusId, environmentId: stage.id });
  expect(await grantedPlans(name)).toEqual([own.plusId]);
});

test('what is granted by the email of one of two Stripe customers with the same ID is listed with the ID', async () => {
  const [id, email] = [someCustomerId(), `${newName()}@tests.example`];
  await putCustomer(own.tenant, { integrationId: accounts[0], id, email, createdAt: 1 });
  await putCustomer(own.tenant, { integrationId: accounts[1], id, createdAt: 2 });
  await own.grant(email, { planId: own.plusId });
  expect(await grantedPlans(id)).toEqual([own.plusId]);
});
