// A customer that an application creates by API and that pays at Stripe is one customer, in whatever order the two become known.
import { beforeAll, describe, expect, test } from 'vitest';
import type { CustomerList } from '#contracts/console/customer-list';
import type { Customer, CustomerEntitlements } from '#contracts/console/customers';
import type { PlanSummary } from '#contracts/console/plans';
import type { CustomerAnswer } from '#contracts/public/customers';
import { check } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { eventually } from '#tests/support/eventually';
import { ofFiles } from '#tests/support/paying-tenants';
import { type Provisioner, provisioner } from '#tests/support/provisioning';
import { auditRows } from '#tests/support/stored-state';
import { type ConnectedTenant, connectedTenant } from '#tests/support/stripe-integrations';
import { publishAll } from '#tests/support/tenants';

let own: Provisioner;
let connected: ConnectedTenant;
let price: string;

beforeAll(async () => {
  own = await provisioner();
  connected = await connectedTenant({ tenant: own.tenant });
  const pro = await connected.account.newProduct('Pro');
  price = pro.priceId;
  await connected.sync('stripe-product');
  await own.tenant.make('PUT', `/plans/${own.proId}/products`, {
    addProducts: [{ integrationId: connected.integration.id, productId: pro.productId, version: 2 }],
  });
  await own.tenant.make('PUT', connected.path, { userIdKey: 'workspace' });
  await eventually(async () => expect((await connected.read()).userIdsReady).toBe(true));
  await publishAll(own.tenant);
});

let serial = 0;
const newName = () => `ws-${++serial}`;
const REASON = 'A pilot customer';

interface AtStripe {
  readonly metadata?: Record<string, string>;
  readonly email?: string;
  readonly pays?: boolean;
}

/** @returns the Stripe customer's id */
async function newStripeCustomer({ metadata = {}, email, pays = true }: AtStripe): Promise<string> {
  const { stripe } = connected.account;
  const { id } = await stripe.customers.create({ metadata, ...(email === undefined ? {} : { email }) });
  if (pays) await stripe.subscriptions.create({ customer: id, items: [{ price }] });
  await connected.deliver();
  return id;
}

async function changeStripeCustomer(
  id: string,
  given: { metadata?: Record<string, string>; email?: string },
) {
  await connected.account.stripe.customers.update(id, given);
  await connected.deliver();
}

async function save(name: string, body: object = {}) {
  const { status, body: made } = await own.manage('PUT', `/${name}`, body);
  expect([status, made.message]).toEqual([200, undefined]);
  return made;
}

const use = (userIdentifier: string, by: number) => update(own.secret, ofFiles(userIdentifier, { by }));

async function answerOf(userIdentifier: string) {
  const { customer, features, warnings } = await check(own.secret, { userIdentifier });
  const { files, seats } = features.workspaces!.properties;
  return {
    plans: customer.plans.toSorted(),
    used: (files as { used?: number }).used,
    seats,
    warnings: warnings.map(({ code }) => code),
  };
}

const permutations = <Kind>(kinds: readonly Kind[]): Kind[][] =>
  kinds.length === 0
    ? [[]]
    : kinds.flatMap((each) =>
        permutations(kinds.filter((other) => other !== each)).map((rest) => [each, ...rest]),
      );

const STEPS = ['created by API', 'pays at Stripe', 'named in metadata', 'has its email'] as const;
type Step = (typeof STEPS)[number];
const orders = permutations<Step>(STEPS);

describe('whatever becomes known first, in the end it is one customer by every name', {
  timeout: 120_000,
}, () => {
  test.each(orders.map((order) => [order.join(', '), order] as const))('%s', async (_, order) => {
    const name = newName();
    const email = `${name}@tests.example`;
    let id: string | undefined;
    let metadata = {};
    let known: string | undefined;
    let used = 0;
    for (const step of order) {
      if (step === 'created by API') {
        await save(name, { name: 'Workspace' });
        await own.manage('PUT', `/${name}/grants/plus`, { reason: REASON });
      } else if (step === 'pays at Stripe') {
        id = await newStripeCustomer({ metadata, ...(known === undefined ? {} : { email: known }) });
        await own.override(id, own.seats.id, 77);
      } else if (step === 'named in metadata') {
        metadata = { workspace: name };
        if (id !== undefined) await changeStripeCustomer(id, { metadata });
      } else {
        known = email;
        if (id !== undefined) await changeStripeCustomer(id, { email });
      }
      const names = order.slice(0, order.indexOf(step) + 1);
      const isJoined = names.includes('pays at Stripe') && names.includes('named in metadata');
      // Only what is the customer's at that moment: its own name, and after that the Stripe one.
      for (const each of isJoined || !names.includes('pays at Stripe') ? [name] : [name, id ?? '']) {
        await use(each, 1);
        used += 1;
      }
    }
    const stripeId = id ?? '';
    const expected = { plans: ['plus', 'pro'], used, seats: 77, warnings: [] };
    const allNames = [name, stripeId, email];
    for (const each of allNames)
      await eventually(async () => expect([each, await answerOf(each)]).toEqual([each, expected]));
    const each = allNames[orders.indexOf(order) % 3] ?? name;
    const { body } = await own.manage<CustomerAnswer>('GET', `/${each}`);
    expect(body.customer).toMatchObject({ id: name, name: 'Workspace' });
    expect(body.access.customer.plans.toSorted()).toEqual(['plus', 'pro']);
    expect(body.overrides).toMatchObject([{ property: 'seats', value: 77 }]);
    const page = await own.tenant.make<CustomerEntitlements>(
      'GET',
      own.path(each, `/environments/${own.previewId}`),
    );
    expect(page.identifier).toBe(name);
    expect(page.plans.map(({ slug }) => slug).toSorted()).toEqual(['plus', 'pro']);
    const { names } = await check(own.secret, { userIdentifier: each }, { query: '?explain=1' });
    expect(names).toMatchObject({ asked: each, customer: name, sharedWith: [] });
    expect(names?.aliases.toSorted()).toEqual([stripeId, email].toSorted());
    const { items } = await own.tenant.make<CustomerList>(
      'GET',
      `/customers?query=${encodeURIComponent(each)}`,
    );
    expect([each, items.map(({ identifier }) => identifier)]).toEqual([each, [name]]);
    // What one name counts, the others show.
    await use(stripeId, 3);
    for (const each of [name, email])
      await eventually(async () => expect((await answerOf(each)).used).toBe(used + 3));
  });
});

test('a Stripe customer that is deleted and created again leaves the customer what it has', async () => {
  const name = newName();
  const first = await newStripeCustomer({ metadata: { workspace: name } });
  await save(name);
  await use(name, 4);
  await own.manage('PUT', `/${name}/grants/plus`, { reason: REASON });
  await connected.account.stripe.customers.del(first);
  await connected.deliver();
  await eventually(async () => expect(await answerOf(name)).toMatchObject({ plans: ['plus'] }));
  await newStripeCustomer({ metadata: { workspace: name } });
  await eventually(async () =>
    expect(await answerOf(name)).toMatchObject({ plans: ['plus', 'pro'], used: 4 }),
  );
});

test('what a key gave to a user ID stays with it when another Stripe customer carries it', async () => {
  const name = newName();
  const first = await newStripeCustomer({ metadata: { workspace: name } });
  const granted = await own.manage('PUT', `/${name}/grants/plus`, { reason: REASON });
  expect(granted.body).toMatchObject({ customer: first, changed: true });
  await own.manage('PUT', `/${name}/overrides/workspaces/seats`, { value: 44, reason: REASON });
  expect((await own.manage('PUT', `/${name}/grants/plus`, { reason: REASON })).body.changed).toBe(false);
  for (const each of [name, first])
    await eventually(async () =>
      expect(await answerOf(each)).toMatchObject({ plans: ['plus', 'pro'], seats: 44 }),
    );
  await connected.account.stripe.customers.del(first);
  await connected.deliver();
  const second = await newStripeCustomer({ metadata: { workspace: name } });
  for (const each of [name, second])
    await eventually(async () =>
      expect(await answerOf(each)).toMatchObject({ plans: ['plus', 'pro'], seats: 44 }),
    );
  expect((await own.manage('DELETE', `/${name}/grants/plus`)).body.changed).toBe(true);
  await eventually(async () => expect((await answerOf(second)).plans).toEqual(['pro']));
});

test('a call says which Stripe customer it is, says another one, and takes it back', async () => {
  const name = newName();
  const integrationId = connected.integration.id;
  const [one, two] = [await newStripeCustomer({}), await newStripeCustomer({})];
  await save(name);
  await use(one, 2);
  expect(await save(name, { stripe: { integrationId, customerId: one } })).toMatchObject({ changed: true });
  expect(await save(name, { stripe: { integrationId, customerId: one } })).toMatchObject({ changed: false });
  for (const each of [name, one])
    await eventually(async () =>
      expect(await answerOf(each)).toMatchObject({ plans: ['pro'], used: 2, warnings: [] }),
    );
  expect(await save(name, { stripe: { integrationId, customerId: two } })).toMatchObject({ changed: true });
  await own.override(two, own.seats.id, 33);
  await eventually(async () => expect((await answerOf(name)).seats).toBe(33));
  await eventually(async () => expect((await answerOf(one)).seats).toBe(50));
  expect(await save(name, { stripe: null })).toMatchObject({ changed: true });
  await eventually(async () => expect((await answerOf(name)).plans).toEqual([]));
  await eventually(async () => expect(await answerOf(two)).toMatchObject({ plans: ['pro'], seats: 33 }));
  const actions = (await auditRows(own.tenant)).filter(({ targetId }) => targetId === name);
  expect(actions.map(({ action }) => action)).toEqual([
    'customer.created',
    'customer.joined',
    'customer.joined',
    'customer.separated',
  ]);
});

test('what a call says of Stripe customers is checked, and loses nothing', async () => {
  const [name, other] = [newName(), newName()];
  const integrationId = connected.integration.id;
  const customerId = await newStripeCustomer({});
  await save(name, { stripe: { integrationId, customerId } });
  const refused = async (path: string, stripe: unknown) => {
    const { status, body } = await own.manage('PUT', `/${path}`, { stripe });
    return [status, body.code, body.issues?.map((issue) => issue.path)];
  };
  const unknown = [400, 'stripe-customer-unknown', ['stripe.customerId']];
  expect(await refused(other, { integrationId, customerId: 'cus_nobody' })).toEqual(unknown);
  expect(await refused(other, { integrationId: 'stripe_nobody', customerId })).toEqual(unknown);
  const taken = [409, 'stripe-customer-taken', ['stripe.customerId']];
  expect(await refused(other, { integrationId, customerId })).toEqual(taken);
  expect(await refused(other, { integrationId })).toEqual([400, 'invalid-field', ['stripe.customerId']]);
  expect(await refused(other, 'cus_1')).toEqual([400, 'invalid-field', ['stripe']]);
  const elsewhere = await connectedTenant();
  const { id } = await elsewhere.account.stripe.customers.create({});
  await elsewhere.deliver();
  const foreign = { integrationId: elsewhere.integration.id, customerId: id };
  expect(await refused(name, foreign)).toEqual(unknown);
  await eventually(async () => expect((await answerOf(customerId)).plans).toEqual(['pro']));
  expect((await own.manage<CustomerAnswer>('GET', `/${customerId}`)).body.customer.id).toBe(name);
});

test('the same email alone takes nothing over: checks warn, and the page says that both are one', async () => {
  const name = newName();
  const email = `${name}@tests.example`;
  await save(name, { email });
  const id = await newStripeCustomer({ email });
  await eventually(async () =>
    expect(await answerOf(name)).toMatchObject({ plans: [], warnings: ['email-belongs-to-stripe-customer'] }),
  );
  const { linked } = await own.tenant.make<Customer>('GET', own.path(name));
  expect(linked).toMatchObject([{ id, email, sameAs: null }]);
  const source = { environmentId: own.previewId, integrationId: connected.integration.id, customerId: id };
  const joined = await own.tenant.make<Customer>('PUT', own.path(name, '/sources'), source);
  expect(joined.linked).toMatchObject([{ id, sameAs: name }]);
  for (const each of [name, id, email])
    await eventually(async () =>
      expect(await answerOf(each)).toMatchObject({ plans: ['pro'], warnings: [] }),
    );
  await own.tenant.make('DELETE', own.path(name, `/environments/${own.previewId}/sources`));
  await eventually(async () => expect((await answerOf(name)).plans).toEqual([]));
});

test('links to one customer, another and the first one count it once for a plan', async () => {
  const email = `${newName()}@tests.example`;
  const integrationId = connected.integration.id;
  await own.grant(email, { planId: own.plusId });
  const before = await own.tenant.make<PlanSummary[]>('GET', '/plans');
  const [one, two] = [
    await newStripeCustomer({ email, pays: false }),
    await newStripeCustomer({ email, pays: false }),
  ];
  await own.grant(one, { planId: own.plusId });
  for (const customerId of [one, two, one])
    await own.tenant.make('PUT', own.path(email, '/link'), { integrationId, customerId });
  const after = await own.tenant.make<PlanSummary[]>('GET', '/plans');
  const countOf = (plans: readonly PlanSummary[]) =>
    plans.find(({ planId }) => planId === own.plusId)?.customerCount;
  expect(countOf(after)).toBe(countOf(before));
});
