// The log and the page say what made a created customer one with a Stripe customer, and what separated them.
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { CustomerChange } from '#contracts/console/customer-changes';
import type { Customer } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { TestCheckAnswer } from '#contracts/console/test-access';
import type { CustomerAnswer } from '#contracts/public/customers';
import { eventually } from '#tests/support/eventually';
import { type JoiningTenant, joiningTenant, joinsLogged, newName } from '#tests/support/joining-tenants';
import { callCustomers } from '#tests/support/provisioning';
import { auditRows } from '#tests/support/stored-state';
import { connectedTenant } from '#tests/support/stripe-integrations';
import { publishAll } from '#tests/support/tenants';
import { openDatabase } from '#worker/db/database';
import { nameSubjects } from '#worker/domains/events/search-events';

let own: JoiningTenant;
beforeAll(async () => {
  own = await joiningTenant();
});

const sourceOf = ({ detail }: { readonly detail: unknown }) =>
  String((detail as { customerId?: string } | null)?.customerId);

test('the log says each joining and separating, and why: by a second one with the metadata, by a call, by the deletion of one', async () => {
  const name = newName();
  await own.save(name);
  const one = await own.newStripeCustomer({ metadata: { workspace: name }, pays: false });
  const two = await own.newStripeCustomer({ metadata: { workspace: name }, pays: false });
  const said = await own.newStripeCustomer({ pays: false });
  await own.changeStripeCustomer(two, { metadata: { workspace: '' } });
  await own.save(name, own.joinTo(said));
  await own.deleteStripeCustomer(said);
  await own.save(name, own.joinTo(one));
  await own.save(name, own.joinTo(null));
  expect(await joinsLogged(own, name)).toEqual([
    ['customer.joined', one, 'metadata'],
    ['customer.separated', one, 'ambiguity'],
    ['customer.joined', one, 'metadata'],
    ['customer.joined', said, null],
    ['customer.separated', one, 'replacement'],
    ['customer.separated', said, 'deletion'],
    ['customer.joined', one, 'metadata'],
    ['customer.joined', one, null],
    ['customer.separated', one, null],
    ['customer.joined', one, 'metadata'],
  ]);
  const { linked } = await own.tenant.make<Customer>('GET', own.path(name));
  expect(linked.find(({ id }) => id === one)?.joins).toMatchObject([
    { sameAs: name, by: 'metadata', joinedAt: expect.any(Number) },
  ]);
});

test('the console says in which environment a Stripe customer is which created one, and shows it to both', async () => {
  const [a, b] = [newName(), newName()];
  const one = await own.newStripeCustomer({ metadata: { workspace: a } });
  const { id: stageId } = await own.tenant.make<Environment>('POST', '/environments', {
    ...{ name: `Stage ${a}`, type: 'test' },
  });
  const key = await own.tenant.make<{ value: string }>('POST', '/api-keys', {
    ...{ environmentId: stageId, type: 'secret', name: `Stage ${a}`, managesCustomers: true },
  });
  const stage = (name: string) => callCustomers<CustomerAnswer>(key.value, 'PUT', `/${name}`, {});
  await eventually(async () => expect((await stage(a)).status).toBe(200));
  await own.save(b, own.joinTo(one));
  const joins = [
    { environmentId: own.previewId, sameAs: b, by: null, joinedAt: expect.any(Number) },
    { environmentId: stageId, sameAs: a, by: 'metadata', joinedAt: expect.any(Number) },
  ];
  for (const each of [a, b, one]) {
    const { linked } = await own.tenant.make<Customer>('GET', own.path(each));
    expect([each, linked.map(({ id }) => id)]).toEqual([each, [one]]);
    expect(linked[0]?.joins).toHaveLength(2);
    expect(linked[0]?.joins).toEqual(expect.arrayContaining(joins));
  }
  const db = openDatabase(env.DB);
  const searched = async (subject: string, environment: string) => {
    const { subjects } = await nameSubjects({ db }, own.tenant, { subject, environment });
    return [...new Set(subjects)].toSorted();
  };
  expect(await searched(a, stageId)).toEqual([a, one].toSorted());
  // There nobody was created as `a`, so it is a user ID of the Stripe customer.
  for (const each of [a, b, one]) expect(await searched(each, own.previewId)).toEqual([a, b, one].toSorted());
  expect(await searched(b, stageId)).toEqual([b]);
});

test('the log says who is apart because an account names no metadata key, names it again, and is disconnected', async () => {
  const account = await connectedTenant({ tenant: own.tenant });
  const name = newName();
  const said = newName();
  const created = await account.account.stripe.customers.create({ metadata: { workspace: name } });
  const other = await account.account.stripe.customers.create({});
  await account.deliver();
  await own.save(name);
  await own.save(said, { stripe: { integrationId: account.integration.id, customerId: other.id } });
  const changeKey = (userIdKey: string | null) => own.tenant.make('PUT', account.path, { userIdKey });
  const expected: unknown[] = [];
  const logs = async (...row: unknown[]) => {
    expected.push(row);
    await eventually(async () => expect(await joinsLogged(own, name)).toEqual(expected));
  };
  await changeKey('workspace');
  await logs('customer.joined', created.id, 'metadata');
  await changeKey(null);
  await logs('customer.separated', created.id, 'user-id-key');
  await changeKey('workspace');
  await logs('customer.joined', created.id, 'metadata');
  await own.tenant.make('DELETE', account.path);
  await logs('customer.separated', created.id, 'disconnection');
  await eventually(async () =>
    expect(await joinsLogged(own, said)).toEqual([
      ['customer.joined', other.id, null],
      ['customer.separated', other.id, 'disconnection'],
    ]),
  );
});

test('the page and the log say when two became one by metadata, and when they no longer were', async () => {
  const name = newName();
  await own.save(name);
  const [one, unrelated] = [
    await own.newStripeCustomer({ pays: false }),
    await own.newStripeCustomer({ pays: false }),
  ];
  await own.changeStripeCustomer(one, { metadata: { workspace: name } });
  await own.changeStripeCustomer(unrelated, { metadata: { workspace: 'ws-nobody' } });
  await own.changeStripeCustomer(one, { name: 'Ada' });
  const detail = {
    environmentId: own.previewId,
    integrationId: own.connected.integration.id,
    customerId: one,
  };
  const logged = async () =>
    (await auditRows(own.tenant))
      .filter((row) => [one, unrelated].includes(sourceOf(row)))
      .map((row) => [row.action, row.targetId, row.actorUserId, (row.detail as { by: string }).by]);
  expect(await logged()).toEqual([['customer.joined', name, null, 'metadata']]);
  for (const each of [name, one]) {
    const { items } = await own.tenant.make<{ items: CustomerChange[] }>('GET', own.path(each, '/changes'));
    expect(items).toContainEqual(
      expect.objectContaining({
        action: 'customer.joined',
        detail: expect.objectContaining({ ...detail, by: 'metadata' }),
      }),
    );
  }
  const { linked } = await own.tenant.make<Customer>('GET', own.path(name));
  expect(linked).toMatchObject([
    {
      id: one,
      joins: [{ environmentId: own.previewId, sameAs: name, by: 'metadata', joinedAt: expect.any(Number) }],
    },
  ]);
  await own.changeStripeCustomer(one, { metadata: { workspace: '' } });
  await own.changeStripeCustomer(one, { metadata: { workspace: name } });
  await own.deleteStripeCustomer(one);
  expect(await logged()).toEqual([
    ['customer.joined', name, null, 'metadata'],
    ['customer.separated', name, null, 'metadata'],
    ['customer.joined', name, null, 'metadata'],
    ['customer.separated', name, null, 'deletion'],
  ]);
});

test('a call that creates a customer logs which Stripe customers it is by metadata, except those that the call names', async () => {
  const [name, both, ambiguous] = [newName(), newName(), newName()];
  const integrationId = own.connected.integration.id;
  const carrierOf = (workspace: string) => own.newStripeCustomer({ metadata: { workspace }, pays: false });
  const [one, two] = [await carrierOf(name), await carrierOf(both)];
  for (const each of [ambiguous, ambiguous]) await carrierOf(each);
  await own.save(name);
  await own.save(name, { name: 'Known' });
  await own.save(both, own.joinTo(two));
  await own.save(ambiguous);
  const logged = (await auditRows(own.tenant))
    .filter((row) => [name, both, ambiguous].includes(row.targetId ?? '') && row.action === 'customer.joined')
    .map(({ targetId, actorUserId, detail }) => ({ targetId, actorUserId, detail }));
  const detail = { environmentId: own.previewId, integrationId };
  expect(logged).toEqual([
    {
      ...{ targetId: name, actorUserId: null },
      detail: { ...detail, customerId: one, customerIds: [one], by: 'metadata' },
    },
    { targetId: both, actorUserId: null, detail: { ...detail, customerId: two, isPart: 1 } },
  ]);
  const { linked } = await own.tenant.make<Customer>('GET', own.path(name));
  expect(linked[0]?.joins).toMatchObject([{ sameAs: name, by: 'metadata', joinedAt: expect.any(Number) }]);
});

test('two Stripe customers that carry one ID are logged as one with nobody', async () => {
  const name = newName();
  await own.save(name);
  const { stripe } = own.connected.account;
  const ids: string[] = [];
  for (let each = 0; each < 2; each++)
    ids.push((await stripe.customers.create({ metadata: { workspace: name } })).id);
  await own.connected.sync('stripe-customer');
  await own.connected.deliver();
  const rows = (await auditRows(own.tenant)).filter((row) => ids.includes(sourceOf(row)));
  expect(rows).toEqual([]);
});

test('the console’s test check says by which names the customer was found', async () => {
  const name = newName();
  const one = await own.newStripeCustomer({});
  await own.save(name, own.joinTo(one));
  await eventually(async () => {
    const path = own.path(one, `/environments/${own.previewId}/test-check`);
    const { diagnostics } = await own.tenant.make<TestCheckAnswer>('POST', path, {});
    expect(diagnostics.names).toEqual({ asked: one, customer: name, aliases: [one], sharedWith: [] });
  });
});

test('the history of a customer has what changed under its names of each environment, and not what was another’s there', async () => {
  const [one, two] = [newName(), newName()];
  const email = `${one}@tests.example`;
  const stage = await own.tenant.make<Environment>('POST', '/environments', {
    name: `Of ${one}`,
    type: 'test',
  });
  const key = await own.tenant.make<{ value: string }>('POST', '/api-keys', {
    ...{ environmentId: stage.id, type: 'secret', name: 'Stage', managesCustomers: true },
  });
  await publishAll(own.tenant);
  await own.save(one, { email });
  expect((await callCustomers(key.value, 'PUT', `/${two}`, { email })).status).toBe(200);
  await own.grant(email, { planId: own.plusId, environmentId: own.previewId, reason: 'In preview' });
  await own.grant(email, { planId: own.plusId, environmentId: stage.id, reason: 'In stage' });
  await own.grant(email, { planId: own.proId, environmentId: null, reason: 'Everywhere' });
  const reasons = async (name: string) => {
    const { items } = await own.tenant.make<{ items: CustomerChange[] }>('GET', own.path(name, '/changes'));
    return items
      .flatMap((each) => (each.kind === 'manual' ? String(each.detail.reason ?? '') : ''))
      .filter(Boolean);
  };
  expect(await reasons(one)).toEqual(['Everywhere', 'In preview']);
  expect(await reasons(two)).toEqual(['Everywhere', 'In stage']);
});

test('the page lists who carries the customer’s user ID, and a joined Stripe customer with another email than its ID', async () => {
  const [name, email] = [newName(), `${newName()}@tests.example`];
  const userId = `${name}.user`;
  await own.save(name, { userId });
  const carrier = await own.newStripeCustomer({ metadata: { workspace: userId }, pays: false });
  const other = await own.newStripeCustomer({ email: `other-${email}`, pays: false });
  await own.save(email, own.joinTo(other));
  const linked = async (of: string) =>
    (await own.tenant.make<Customer>('GET', own.path(of))).linked.map(({ id }) => id);
  expect(await linked(name)).toEqual([carrier]);
  expect(await linked(email)).toEqual([other]);
});
