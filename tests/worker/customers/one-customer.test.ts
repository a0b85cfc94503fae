// A customer that an application creates by API and that pays at Stripe is one customer, in whatever order the two become known.
import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CustomerChange } from '#contracts/console/customer-changes';
import type { CustomerList } from '#contracts/console/customer-list';
import type { Customer, CustomerEntitlements } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { Event } from '#contracts/console/events';
import type { PlanSummary } from '#contracts/console/plans';
import type { TestCheckAnswer } from '#contracts/console/test-access';
import type { CustomerAnswer, CustomerChangeAnswer } from '#contracts/public/customers';
import { check } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { eventually } from '#tests/support/eventually';
import { ofFiles } from '#tests/support/paying-tenants';
import { callCustomers, type Provisioner, provisioner } from '#tests/support/provisioning';
import { auditRows } from '#tests/support/stored-state';
import { type ConnectedTenant, connectedTenant } from '#tests/support/stripe-integrations';
import { publishAll } from '#tests/support/tenants';
import { openDatabase } from '#worker/db/database';
import { loadCustomerFacts } from '#worker/domains/customer-facts/load-customer-facts';
import { nameSubjects } from '#worker/domains/events/search-events';

let own: Provisioner;
let connected: ConnectedTenant;
let price: string;

beforeAll(async () => {
  own = await provisioner();
  connected = await connectedTenant({ tenant: own.tenant });
  price = (await connected.sell({ Pro: own.proId })).Pro.priceId;
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

async function listedFor(query: string) {
  const { items } = await own.tenant.make<CustomerList>(
    'GET',
    `/customers?query=${encodeURIComponent(query)}`,
  );
  return items.map(({ identifier }) => identifier).toSorted();
}
const joinTo = (customerId: string | null) =>
  customerId === null
    ? { stripe: null }
    : { stripe: { integrationId: connected.integration.id, customerId } };

/** With a name, an email and a subscription. */
async function named(email: string, metadata: Record<string, string> = {}, name = `Person ${email}`) {
  const { stripe } = connected.account;
  const { id } = await stripe.customers.create({ metadata, email, name });
  await stripe.subscriptions.create({ customer: id, items: [{ price }] });
  await connected.deliver();
  return id;
}
const plusCount = async () =>
  (await own.tenant.make<PlanSummary[]>('GET', '/plan-summaries')).find(({ planId }) => planId === own.plusId)
    ?.customerCount;

const versionOf = async (each: string) =>
  (await loadCustomerFacts(openDatabase(env.DB), own.tenant, own.previewId, each)).version;

const plansOf = async (each: string) => (await answerOf(each)).plans;

const permutations = <Kind>(kinds: readonly Kind[]): Kind[][] =>
  kinds.length === 0
    ? [[]]
    : kinds.flatMap((each) =>
        permutations(kinds.filter((other) => other !== each)).map((rest) => [each, ...rest]),
      );

/** OpenFeature's flags of the customer: all, and the one of its seats. */
async function flagsOf(targetingKey: string) {
  const evaluate = async (path: string) => {
    const request = new Request(`http://localhost:4001/ofrep/v1/evaluate/flags${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${own.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ context: { targetingKey } }),
    });
    return (await exports.default.fetch(request)).json<{ flags?: OfrepFlag[] } & OfrepFlag>();
  };
  const all = (await evaluate('')).flags?.find(({ key }) => key === 'workspaces.seats')?.value;
  return { all, one: (await evaluate('/workspaces.seats')).value };
}

interface OfrepFlag {
  readonly key: string;
  readonly value: unknown;
}

/** Every way to ask for the customer says the same of it. */
async function expectSame(
  each: string,
  customer: { name: string; aliases: readonly string[]; since: number },
) {
  const { name, aliases, since } = customer;
  expect([each, await flagsOf(each)]).toEqual([each, { all: 77, one: 77 }]);
  const { body } = await own.manage<CustomerAnswer>('GET', `/${each}`);
  expect(body.customer).toMatchObject({ id: name, name: 'Workspace' });
  expect(body.access.customer.plans.toSorted()).toEqual(['plus', 'pro']);
  expect(body.overrides).toMatchObject([{ property: 'seats', value: 77 }]);
  const path = own.path(each, `/environments/${own.previewId}`);
  const page = await own.tenant.make<CustomerEntitlements>('GET', path);
  expect([each, page.identifier, page.plans.map(({ slug }) => slug).toSorted()]).toEqual([
    ...[each, name],
    ['plus', 'pro'],
  ]);
  const { names } = await check(own.secret, { userIdentifier: each }, { query: '?explain=1' });
  expect(names).toMatchObject({ asked: each, customer: name, sharedWith: [] });
  expect(names?.aliases.toSorted()).toEqual(aliases.toSorted());
  expect([each, await listedFor(each)]).toEqual([each, [name]]);
  const criteria = encodeURIComponent(
    JSON.stringify({ environment: own.previewId, subject: each, timeFrom: since }),
  );
  const exported = await own.tenant.user.fetch(
    `/api/orgs/${own.tenant.orgId}/event-export?format=ndjson&criteria=${criteria}`,
  );
  const asked = (await exported.text())
    .trim()
    .split('\n')
    .flatMap(
      (line) =>
        (JSON.parse(line) as { request: { userIdentifier?: string } | null }).request?.userIdentifier ?? [],
    );
  expect([each, [...new Set(asked)].toSorted()]).toEqual([each, [name, ...aliases].toSorted()]);
}

const STEPS = ['created by API', 'pays at Stripe', 'named in metadata', 'has its email'] as const;
type Step = (typeof STEPS)[number];
const orders = permutations<Step>(STEPS);

describe('whatever becomes known first, in the end it is one customer by every name', {
  timeout: 120_000,
}, () => {
  test.each(orders.map((order, index) => [order.join(', '), order, index] as const))(
    '%s',
    async (_, order, index) => {
      const [name, since] = [newName(), Date.now()];
      const email = `${name}@tests.example`;
      const grantedBefore = (await plusCount()) ?? 0;
      let id: string | undefined;
      let metadata = {};
      let known: string | undefined;
      /** What the customer has counted, and what the Stripe customer has that is not it yet. */
      let [used, apart] = [0, 0];
      const payAtStripe = async () => {
        id = await newStripeCustomer({ metadata, ...(known === undefined ? {} : { email: known }) });
        await own.override(id, own.seats.id, 77);
      };
      for (const [at, step] of order.entries()) {
        if (step === 'created by API') {
          await save(name, { name: 'Workspace' });
          await own.manage('PUT', `/${name}/grants/plus`, { reason: REASON });
        } else if (step === 'pays at Stripe') {
          await payAtStripe();
        } else if (step === 'named in metadata') {
          metadata = { workspace: name };
          if (id !== undefined) await changeStripeCustomer(id, { metadata });
        } else {
          known = email;
          if (id !== undefined) await changeStripeCustomer(id, { email });
        }
        const steps = order.slice(0, at + 1);
        const isJoined = steps.includes('pays at Stripe') && steps.includes('named in metadata');
        if (isJoined) [used, apart] = [used + apart, 0];
        await use(name, 1);
        used += 1;
        if (id === undefined || at !== index % STEPS.length) continue;
        // Between two steps the Stripe customer counts, and is deleted and created again, or a call joins it and takes that back.
        if (index % 8 < 4) {
          await connected.account.stripe.customers.del(id);
          await connected.deliver();
          await payAtStripe();
          apart = 0;
        } else if (!isJoined && steps.includes('created by API')) {
          await use(id, 1);
          await save(name, joinTo(id));
          await eventually(async () => expect((await answerOf(name)).used).toBe(used + 1));
          used += 1;
          await save(name, joinTo(null));
          await eventually(async () => expect((await plansOf(name)).includes('pro')).toBe(false));
        }
        if (isJoined) continue;
        await use(id, 1);
        apart += 1;
      }
      const stripeId = id ?? '';
      const expected = { plans: ['plus', 'pro'], used: used + apart, seats: 77, warnings: [] };
      const aliases = [stripeId, email];
      for (const each of [name, ...aliases])
        await eventually(async () => expect([each, await answerOf(each)]).toEqual([each, expected]));
      for (const each of [name, ...aliases])
        await eventually(() => expectSame(each, { name, aliases, since }));
      expect(await plusCount()).toBe(grantedBefore + 1);
      // What one name counts, the others show.
      await use(stripeId, 3);
      for (const each of [name, email])
        await eventually(async () => expect((await answerOf(each)).used).toBe(used + apart + 3));
    },
  );
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
    'customer.separated',
  ]);
  expect(await joinsLogged(name)).toEqual([
    ['customer.joined', one, null],
    ['customer.joined', two, null],
    ['customer.separated', one, 'replacement'],
    ['customer.separated', two, null],
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
  expect(linked).toMatchObject([{ id, email, joins: [] }]);
  const isCustomer = async (each: string) =>
    (await check(own.secret, { userIdentifier: each })).customer.isCustomer;
  expect([await isCustomer(name), await isCustomer(email)]).toEqual([false, true]);
  const source = { environmentId: own.previewId, integrationId: connected.integration.id, customerId: id };
  const joined = await own.tenant.make<Customer>('PUT', own.path(name, '/sources'), source);
  expect(joined.linked).toMatchObject([
    { id, joins: [{ environmentId: own.previewId, sameAs: name, by: null, joinedAt: expect.any(Number) }] },
  ]);
  for (const each of [name, id, email])
    await eventually(async () =>
      expect(await answerOf(each)).toMatchObject({ plans: ['pro'], warnings: [] }),
    );
  expect([await isCustomer(name), await isCustomer(email)]).toEqual([true, true]);
  const path = own.path(name, `/environments/${own.previewId}/sources/${connected.integration.id}/${id}`);
  await own.tenant.make('DELETE', path);
  await eventually(async () => expect((await answerOf(name)).plans).toEqual([]));
});

test('the console says in which environment a Stripe customer is which created one, and shows it to both', async () => {
  const [a, b] = [newName(), newName()];
  const one = await newStripeCustomer({ metadata: { workspace: a } });
  const { id: stageId } = await own.tenant.make<Environment>('POST', '/environments', {
    ...{ name: `Stage ${a}`, type: 'test' },
  });
  const key = await own.tenant.make<{ value: string }>('POST', '/api-keys', {
    ...{ environmentId: stageId, type: 'secret', name: `Stage ${a}`, managesCustomers: true },
  });
  const stage = (name: string) => callCustomers<CustomerAnswer>(key.value, 'PUT', `/${name}`, {});
  await eventually(async () => expect((await stage(a)).status).toBe(200));
  await save(b, joinTo(one));
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

test('a person separates the Stripe customer that is named, and none of another account; a call takes all back', async () => {
  const name = newName();
  const account = await connectedTenant({ tenant: own.tenant });
  const one = await newStripeCustomer({});
  const two = await account.account.stripe.customers.create({});
  await account.deliver();
  const sources = [
    { integrationId: connected.integration.id, customerId: one },
    { integrationId: account.integration.id, customerId: two.id },
  ];
  for (const stripe of sources) await save(name, { stripe });
  const same = async () =>
    (await check(own.secret, { userIdentifier: name }, { query: '?explain=1' })).names?.aliases.toSorted();
  await eventually(async () => expect(await same()).toEqual([one, two.id].toSorted()));
  const path = (integrationId: string, customerId: string) =>
    own.path(name, `/environments/${own.previewId}/sources/${integrationId}/${customerId}`);
  // Of no effect: the one is not of that account.
  await own.tenant.make('DELETE', path(account.integration.id, one));
  await own.tenant.make('DELETE', path(connected.integration.id, one));
  await eventually(async () => expect(await same()).toEqual([two.id]));
  await save(name, { stripe: sources[0] });
  expect(await save(name, { stripe: null })).toMatchObject({ changed: true });
  await eventually(async () => expect(await same()).toEqual([]));
  const details = (await auditRows(own.tenant))
    .filter(({ targetId, action }) => targetId === name && action === 'customer.separated')
    .map(({ detail }) => detail);
  expect(details).toEqual([
    { environmentId: own.previewId, ...sources[0], customerIds: [one] },
    { environmentId: own.previewId, customerIds: expect.arrayContaining([one, two.id]) },
  ]);
});

test('links to one customer, another and the first one count it once for a plan', async () => {
  const email = `${newName()}@tests.example`;
  const integrationId = connected.integration.id;
  await own.grant(email, { planId: own.plusId });
  const before = await plusCount();
  const [one, two] = [
    await newStripeCustomer({ email, pays: false }),
    await newStripeCustomer({ email, pays: false }),
  ];
  await own.grant(one, { planId: own.plusId });
  for (const customerId of [one, two, one])
    await own.tenant.make('PUT', own.path(email, '/link'), { integrationId, customerId });
  expect(await plusCount()).toBe(before);
});

test('a second Stripe customer with the same metadata ends the join, and all names of the first follow, until the second is deleted', async () => {
  const name = newName();
  const email = `${name}@tests.example`;
  const one = await named(email, { workspace: name });
  await save(name);
  await own.override(name, own.seats.id, 71);
  await eventually(async () =>
    expect([await plansOf(email), (await answerOf(email)).seats]).toEqual([['pro'], 71]),
  );
  await use(email, 1);
  const two = await newStripeCustomer({ metadata: { workspace: name }, pays: false });
  await eventually(async () => expect((await answerOf(one)).seats).toBe(50));
  await eventually(async () => expect([(await answerOf(email)).seats]).toEqual([50]));
  await connected.account.stripe.customers.del(two);
  await connected.deliver();
  await eventually(async () => expect((await answerOf(one)).seats).toBe(71));
  await eventually(async () => expect((await answerOf(email)).seats).toBe(71));
});

test('what a call says goes before metadata, for all names of the Stripe customer that metadata names, until it is taken back', async () => {
  const name = newName();
  const email = `${name}@tests.example`;
  const one = await named(email, { workspace: name });
  await save(name);
  await own.override(name, own.seats.id, 71);
  await eventually(async () => expect((await answerOf(email)).seats).toBe(71));
  await use(email, 1);
  const two = await newStripeCustomer({});
  const versions = async () => Promise.all([one, email].map(versionOf));
  const before = await versions();
  await save(name, joinTo(two));
  const after = await versions();
  // Ledgers take the facts of higher versions only.
  expect(after.map((version, index) => version > before[index]!)).toEqual([true, true]);
  await eventually(async () => expect((await answerOf(one)).seats).toBe(50));
  await eventually(async () => expect((await answerOf(email)).seats).toBe(50));
  await save(name, joinTo(null));
  expect((await versions()).map((version, index) => version > after[index]!)).toEqual([true, true]);
  await eventually(async () => expect((await answerOf(one)).seats).toBe(71));
  await eventually(async () => expect((await answerOf(email)).seats).toBe(71));
});

test('a search finds each of the two by its own names after they are separated', async () => {
  const name = newName();
  const email = `${name}-mail@tests.example`;
  const one = await named(email, {}, `Zaphod${name}`);
  await save(name, { name: 'Workspace' });
  await save(name, joinTo(one));
  expect([await listedFor(email), await listedFor(one), await listedFor(`Zaphod${name}`)]).toEqual([
    [name],
    [name],
    [name],
  ]);
  await save(name, joinTo(null));
  expect([await listedFor(email), await listedFor(one), await listedFor(`Zaphod${name}`)]).toEqual([
    [one],
    [one],
    [one],
  ]);
});

test('a search by the names of a replaced Stripe customer finds that one', async () => {
  const name = newName();
  const email = `${name}-mail@tests.example`;
  const one = await named(email, {}, `Zaphod${name}`);
  const two = await named(`b${email}`, {}, `Arthur${name}`);
  await save(name, { name: 'Workspace' });
  await save(name, joinTo(one));
  await save(name, joinTo(two));
  expect([await listedFor(email), await listedFor(one), await listedFor(`Zaphod${name}`)]).toEqual([
    [one],
    [one],
    [one],
  ]);
  expect([await listedFor(`b${email}`), await listedFor(two), await listedFor(`Arthur${name}`)]).toEqual([
    [name],
    [name],
    [name],
  ]);
});

test('a search finds each by its own names after the metadata is removed', async () => {
  const name = newName();
  const email = `${name}-mail@tests.example`;
  const one = await named(email, { workspace: name }, `Zaphod${name}`);
  await save(name, { name: 'Workspace' });
  expect([await listedFor(email), await listedFor(one), await listedFor(`Zaphod${name}`)]).toEqual([
    [name],
    [name],
    [name],
  ]);
  await changeStripeCustomer(one, { metadata: { workspace: '' } });
  expect([await listedFor(email), await listedFor(one), await listedFor(`Zaphod${name}`)]).toEqual([
    [one],
    [one],
    [one],
  ]);
});

test('a search finds the first Stripe customer after a second one has the same metadata', async () => {
  const name = newName();
  const email = `${name}-mail@tests.example`;
  const one = await named(email, { workspace: name }, `Zaphod${name}`);
  await save(name, { name: 'Workspace' });
  await named(`c${name}@tests.example`, { workspace: name }, `Arthur${name}`);
  await eventually(async () =>
    expect([await listedFor(email), await listedFor(`Zaphod${name}`)]).toEqual([[one], [one]]),
  );
});

test('a Stripe customer of which a call said so, and which Stripe has deleted, gives way to the next one with the metadata', async () => {
  const name = newName();
  const one = await newStripeCustomer({ metadata: { workspace: name } });
  await save(name, joinTo(one));
  await use(name, 4);
  await connected.account.stripe.customers.del(one);
  await connected.deliver();
  await eventually(async () => expect(await plansOf(name)).toEqual([]));
  const two = await newStripeCustomer({ metadata: { workspace: name } });
  for (const each of [name, two])
    await eventually(async () =>
      expect(await answerOf(each)).toMatchObject({ plans: ['pro'], used: 4, warnings: [] }),
    );
});

test('the list has one customer when the one of which a call said so is deleted, and another with its metadata is it from then on', async () => {
  const name = newName();
  const said = await newStripeCustomer({});
  await save(name, joinTo(said));
  const next = await newStripeCustomer({ metadata: { workspace: name } });
  expect([await listedFor(next), await listedFor(said)]).toEqual([[next], [name]]);
  await use(name, 3);
  expect(await answerOf(next)).toMatchObject({ used: 0 });
  await connected.account.stripe.customers.del(said);
  await connected.deliver();
  expect(await listedFor(next)).toEqual([name]);
  for (const each of [name, next])
    await eventually(async () =>
      expect(await answerOf(each)).toMatchObject({ plans: ['pro'], used: 3, warnings: [] }),
    );
});

test('the email of a joined Stripe customer changes: the new one is the customer’s, the former counts for itself', async () => {
  const name = newName();
  const email = `${name}@tests.example`;
  const one = await named(email, {});
  await save(name, joinTo(one));
  await own.override(name, own.seats.id, 71);
  await use(email, 1);
  await eventually(async () => expect((await answerOf(email)).seats).toBe(71));
  await changeStripeCustomer(one, { email: `n${email}` });
  await eventually(async () => expect((await answerOf(`n${email}`)).seats).toBe(71));
  await eventually(async () => expect((await answerOf(email)).seats).toBe(1));
  await eventually(async () => expect(await listedFor(`n${email}`)).toEqual([name]));
});

test('a call that names no Stripe customer of the account creates nothing', async () => {
  const name = newName();
  const { status } = await own.manage('PUT', `/${name}`, { name: 'X', ...joinTo('cus_nobody') });
  expect(status).toBe(400);
  expect((await own.manage('GET', `/${name}`)).status).toBe(404);
});

test('of calls at once that name one Stripe customer, one has it, and the others create nothing', async () => {
  const names = Array.from({ length: 5 }, newName);
  const one = await newStripeCustomer({});
  const answers = await Promise.all(names.map((name) => own.manage('PUT', `/${name}`, joinTo(one))));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
  for (const [index, name] of names.entries()) {
    const hasIt = answers[index]?.status === 200;
    if (hasIt) expect(await listedFor(one)).toEqual([name]);
    expect((await own.manage('GET', `/${name}`)).status).toBe(hasIt ? 200 : 404);
  }
});

test('a call that creates a customer and says which Stripe customer it is does both or nothing, once for its key', async () => {
  const [name, other] = [newName(), newName()];
  const one = await newStripeCustomer({});
  const headers = { 'idempotency-key': `both-${name}` };
  const made = await own.manage('PUT', `/${name}`, { name: 'Workspace', ...joinTo(one) }, headers);
  expect(made.body).toMatchObject({ changed: true, replayed: false });
  const again = await own.manage('PUT', `/${name}`, { name: 'Workspace', ...joinTo(one) }, headers);
  expect(again.body).toMatchObject({ changed: true, replayed: true });
  await save(other);
  const { status } = await own.manage('PUT', `/${other}`, { name: 'Renamed', ...joinTo(one) });
  expect(status).toBe(409);
  expect((await own.manage<CustomerAnswer>('GET', `/${other}`)).body.customer.name).toBeNull();
  await save(name, { name: 'Alone', ...joinTo(null) });
  const actions = (await auditRows(own.tenant)).filter(({ targetId }) => targetId === name);
  expect(actions.map(({ action }) => action).toSorted()).toEqual([
    ...['customer.changed', 'customer.created'],
    ...['customer.joined', 'customer.separated'],
  ]);
});

test('a call that names a Stripe customer that has been deleted is refused, as before it was ever named', async () => {
  const name = newName();
  const one = await newStripeCustomer({});
  await save(name, joinTo(one));
  await connected.account.stripe.customers.del(one);
  await connected.deliver();
  const { status, body } = await own.manage('PUT', `/${name}`, joinTo(one));
  expect([status, body.code, body.issues?.map(({ path }) => path)]).toEqual([
    400,
    'stripe-customer-unknown',
    ['stripe.customerId'],
  ]);
  expect(await save(name, { stripe: null })).toMatchObject({ changed: true });
});

test('after an account is disconnected, a search finds the customer by its own names only', async () => {
  const account = await connectedTenant({ tenant: own.tenant });
  await own.tenant.make('PUT', account.path, { userIdKey: 'workspace' });
  await eventually(async () => expect((await account.read()).userIdsReady).toBe(true));
  const names = [newName(), newName()] as const;
  const given = names.map((name) => ({ name: `Zaphod${name}`, email: `${name}-mail@tests.example` }));
  const [called, carried] = [
    await account.account.stripe.customers.create({ ...given[0] }),
    await account.account.stripe.customers.create({ ...given[1], metadata: { workspace: names[1] } }),
  ];
  await account.deliver();
  await save(names[0], { stripe: { integrationId: account.integration.id, customerId: called.id } });
  await save(names[1], { name: `Own${names[1]}` });
  const searches = names.flatMap((name, index) => [`Zaphod${name}`, [called, carried][index]?.id ?? '']);
  for (const each of searches)
    await eventually(async () => expect([each, await listedFor(each)]).toEqual([each, [expect.any(String)]]));
  await own.tenant.make('DELETE', account.path);
  for (const each of searches)
    await eventually(async () => expect([each, await listedFor(each)]).toEqual([each, []]));
  for (const each of [...names, `Own${names[1]}`])
    expect([each, await listedFor(each)]).toEqual([each, [names.find((name) => each.includes(name))]]);
});

test('grants by each name are the one customer’s: in checks, plans’ counts and the list', async () => {
  const name = newName();
  const email = `${name}@tests.example`;
  const before = await plusCount();
  const one = await named(email, {});
  await save(name, joinTo(one));
  for (const each of [name, one, email]) await own.grant(each, { planId: own.plusId });
  for (const each of [name, one, email])
    await eventually(async () => expect(await plansOf(each)).toEqual(['plus', 'pro']));
  expect(await plusCount()).toBe((before ?? 0) + 1);
  const { body } = await own.manage<CustomerAnswer>('GET', `/${name}`);
  expect(body.grants.length).toBeGreaterThan(0);
  expect([await listedFor(email), await listedFor(one), await listedFor(name)]).toEqual([
    [name],
    [name],
    [name],
  ]);
});

test('grants of a created customer’s email count and are listed for the customer', async () => {
  const name = newName();
  const email = `${name}-j@tests.example`;
  const before = await plusCount();
  await save(name, { email });
  for (const each of [name, email]) await own.grant(each, { planId: own.plusId });
  for (const each of [name, email])
    await eventually(async () => expect(await plansOf(each)).toEqual(['plus']));
  expect(await plusCount()).toBe((before ?? 0) + 1);
  expect([await listedFor(email), await listedFor(name)]).toEqual([[name], [name]]);
});

test('a Stripe customer of which a call says another customer than its metadata pays for the one of the call', async () => {
  const [a, b] = [newName(), newName()];
  const one = await named(`${a}@tests.example`, { workspace: b });
  await save(b);
  await save(a, joinTo(one));
  await eventually(async () => expect(await answerOf(a)).toMatchObject({ plans: ['pro'], warnings: [] }));
  expect(await answerOf(b)).toMatchObject({ plans: [], warnings: [] });
});

test('a check by one of a customer’s emails has nothing of who shares another one', async () => {
  const name = newName();
  const [email, own] = [`${name}@tests.example`, `own-${name}@tests.example`];
  const one = await newStripeCustomer({ email, pays: false });
  await save(name, { email: own });
  await save(name, joinTo(one));
  await newStripeCustomer({ email });
  await eventually(async () => expect(await plansOf(email)).toEqual(['pro']));
  for (const each of [own, name, one]) expect([each, await plansOf(each)]).toEqual([each, []]);
});

test('the metadata key changes while the two are one, and back', async () => {
  const name = newName();
  const email = `${name}@tests.example`;
  const one = await named(email, { workspace: name });
  await save(name);
  await own.override(name, own.seats.id, 71);
  await use(email, 1);
  await use(one, 1);
  for (const each of [email, one, name])
    await eventually(async () => expect((await answerOf(each)).seats).toBe(71));
  await own.tenant.make('PUT', connected.path, { userIdKey: 'other' });
  await eventually(async () => expect((await connected.read()).userIdsReady).toBe(true));
  for (const each of [one, email])
    await eventually(async () => expect([each, (await answerOf(each)).seats]).toEqual([each, 50]));
  await own.tenant.make('PUT', connected.path, { userIdKey: 'workspace' });
  await eventually(async () => expect((await connected.read()).userIdsReady).toBe(true));
  for (const each of [one, email])
    await eventually(async () => expect([each, (await answerOf(each)).seats]).toEqual([each, 71]));
  await eventually(async () =>
    expect([await listedFor(email), await listedFor(one)]).toEqual([[name], [name]]),
  );
});

test('a created customer whose ID is an email, and a Stripe customer with it, are both listed', async () => {
  const email = `${newName()}-m@tests.example`;
  await save(email);
  const one = await named(email);
  await eventually(async () => expect(await listedFor(email)).toEqual([one, email].toSorted()));
});
test('a search finds the customer by each name of both, also after one is renamed', async () => {
  const name = newName();
  const one = await named(`${name}-n@tests.example`, { workspace: `u-${name}` }, `Ford${name}`);
  await save(name, { name: `First${name}` });
  await save(name, joinTo(one));
  for (const each of [name, one, `u-${name}`, `Ford${name}`, `First${name}`])
    expect([each, await listedFor(each)]).toEqual([each, [name]]);
  await save(name, { name: `Second${name}` });
  for (const each of [name, one, `u-${name}`, `Ford${name}`, `Second${name}`])
    expect([each, await listedFor(each)]).toEqual([each, [name]]);
  expect(await listedFor(`First${name}`)).toEqual([]);
  await connected.account.stripe.customers.update(one, { name: `Prefect${name}` });
  await connected.deliver();
  for (const each of [`Prefect${name}`, `Second${name}`])
    await eventually(async () => expect([each, await listedFor(each)]).toEqual([each, [name]]));
  await eventually(async () => expect(await listedFor(`Ford${name}`)).toEqual([]));
});

test('events that were recorded under the names of both before they were one are found by each name, and again apart', async () => {
  const name = newName();
  const email = `${name}-ev@tests.example`;
  const one = await named(email);
  await save(name);
  for (const each of [name, one, email]) await use(each, 1);
  const foundFor = async (subject: string, environment?: string) => {
    const criteria = encodeURIComponent(JSON.stringify({ subject, environment }));
    const { events } = await own.tenant.make<{ events: Event[] }>(
      'GET',
      `/event-search?criteria=${criteria}`,
    );
    const asked = events
      .filter(({ type }) => type === 'cu')
      .map(({ request }) => request as { userIdentifier: string });
    return asked.map(({ userIdentifier }) => userIdentifier).toSorted();
  };
  await eventually(async () => expect(await foundFor(one)).toEqual([email, one].toSorted()));
  expect(await foundFor(name)).toEqual([name]);
  await save(name, joinTo(one));
  for (const each of [name, one, email]) {
    expect([each, await foundFor(each)]).toEqual([each, [name, one, email].toSorted()]);
    expect(await foundFor(each, own.previewId)).toEqual([name, one, email].toSorted());
    const page = await own.tenant.make<{ events: Event[] }>('GET', own.path(each, '/events'));
    expect(page.events.filter(({ type }) => type === 'cu')).toHaveLength(3);
  }
  const criteria = encodeURIComponent(JSON.stringify({ subject: name, type: 'cu' }));
  const file = await own.tenant.user.fetch(
    `/api/orgs/${own.tenant.orgId}/event-export?format=ndjson&criteria=${criteria}`,
  );
  expect((await file.text()).trim().split('\n')).toHaveLength(3);
  await save(name, joinTo(null));
  expect(await foundFor(name)).toEqual([name]);
  expect(await foundFor(one)).toEqual([email, one].toSorted());
});

/** What the log says of a created customer's joins, the first first. */
async function joinsLogged(name: string) {
  const { results } = await env.DB.prepare(
    `SELECT action, coalesce(detail ->> 'customerId', detail ->> '$.customerIds[0]') AS id, detail ->> 'by' AS reason FROM audit_log
      WHERE org_id = ? AND target_id = ? AND action IN ('customer.joined', 'customer.separated') ORDER BY audit_log.at, audit_log.id`,
  )
    .bind(own.tenant.orgId, name)
    .all<{ action: string; id: string; reason: string | null }>();
  return results.map(({ action, id, reason }) => [action, id, reason]);
}

const sourceOf = ({ detail }: { readonly detail: unknown }) =>
  String((detail as { customerId?: string } | null)?.customerId);

test('the log says each joining and separating, and why: by a second one with the metadata, by a call, by the deletion of one', async () => {
  const name = newName();
  await save(name);
  const one = await newStripeCustomer({ metadata: { workspace: name }, pays: false });
  const two = await newStripeCustomer({ metadata: { workspace: name }, pays: false });
  const said = await newStripeCustomer({ pays: false });
  await changeStripeCustomer(two, { metadata: { workspace: '' } });
  await save(name, joinTo(said));
  await connected.account.stripe.customers.del(said);
  await connected.deliver();
  await save(name, joinTo(one));
  await save(name, joinTo(null));
  expect(await joinsLogged(name)).toEqual([
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

test('the log says who is apart because an account names no metadata key, names it again, and is disconnected', async () => {
  const account = await connectedTenant({ tenant: own.tenant });
  const name = newName();
  const said = newName();
  const created = await account.account.stripe.customers.create({ metadata: { workspace: name } });
  const other = await account.account.stripe.customers.create({});
  await account.deliver();
  await save(name);
  await save(said, { stripe: { integrationId: account.integration.id, customerId: other.id } });
  const changeKey = (userIdKey: string | null) => own.tenant.make('PUT', account.path, { userIdKey });
  const expected: unknown[] = [];
  const logs = async (...row: unknown[]) => {
    expected.push(row);
    await eventually(async () => expect(await joinsLogged(name)).toEqual(expected));
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
    expect(await joinsLogged(said)).toEqual([
      ['customer.joined', other.id, null],
      ['customer.separated', other.id, 'disconnection'],
    ]),
  );
});

test('the page and the log say when two became one by metadata, and when they no longer were', async () => {
  const name = newName();
  await save(name);
  const [one, unrelated] = [
    await newStripeCustomer({ pays: false }),
    await newStripeCustomer({ pays: false }),
  ];
  await changeStripeCustomer(one, { metadata: { workspace: name } });
  await changeStripeCustomer(unrelated, { metadata: { workspace: 'ws-nobody' } });
  await connected.account.stripe.customers.update(one, { name: 'Ada' });
  await connected.deliver();
  const detail = { environmentId: own.previewId, integrationId: connected.integration.id, customerId: one };
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
  await changeStripeCustomer(one, { metadata: { workspace: '' } });
  await changeStripeCustomer(one, { metadata: { workspace: name } });
  await connected.account.stripe.customers.del(one);
  await connected.deliver();
  expect(await logged()).toEqual([
    ['customer.joined', name, null, 'metadata'],
    ['customer.separated', name, null, 'metadata'],
    ['customer.joined', name, null, 'metadata'],
    ['customer.separated', name, null, 'deletion'],
  ]);
});

test('a call that creates a customer logs which Stripe customers it is by metadata, except those that the call names', async () => {
  const [name, both, ambiguous] = [newName(), newName(), newName()];
  const integrationId = connected.integration.id;
  const carrierOf = (workspace: string) => newStripeCustomer({ metadata: { workspace }, pays: false });
  const [one, two] = [await carrierOf(name), await carrierOf(both)];
  for (const each of [ambiguous, ambiguous]) await carrierOf(each);
  await save(name);
  await save(name, { name: 'Known' });
  await save(both, joinTo(two));
  await save(ambiguous);
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
  await save(name);
  const { stripe } = connected.account;
  const ids: string[] = [];
  for (let each = 0; each < 2; each++)
    ids.push((await stripe.customers.create({ metadata: { workspace: name } })).id);
  await connected.sync('stripe-customer');
  await connected.deliver();
  const rows = (await auditRows(own.tenant)).filter((row) => ids.includes(sourceOf(row)));
  expect(rows).toEqual([]);
});

test('refusals of a saved customer begin with the field, and say what is so', async () => {
  const [name, other] = [newName(), newName()];
  const email = `${name}@tests.example`;
  await save(name, { email, userId: `${name}.user` });
  const customerId = await newStripeCustomer({});
  await save(other, joinTo(customerId));
  const refusal = async (path: string, body: object) => {
    const { status, body: made } = await own.manage('PUT', `/${path}`, body);
    return [status, made.code, made.message, made.issues];
  };
  const of = (code: string, path: string, message: string) => [
    409,
    code,
    `${path}: ${message}`,
    [{ path, message }],
  ];
  const unknown = 'No connected account has this Stripe customer. Use an ID that does not begin with cus_';
  expect(await refusal('cus_Unknown1', { name: 'Ada' })).toEqual(
    of('customer-in-stripe', 'customer', unknown),
  );
  const alone = await newStripeCustomer({});
  const known = 'Is a Stripe customer. Its name and email come from Stripe';
  expect(await refusal(alone, { name: 'Ada' })).toEqual(of('customer-in-stripe', 'customer', known));
  const taken = 'Belongs to another customer';
  expect(await refusal(newName(), { email })).toEqual(of('email-taken', 'email', taken));
  expect(await refusal(newName(), { userId: `${name}.user` })).toEqual(of('user-id-taken', 'userId', taken));
  const isOthers = 'This Stripe customer is another customer’s already';
  expect(await refusal(name, joinTo(customerId))).toEqual(
    of('stripe-customer-taken', 'stripe.customerId', isOthers),
  );
});

test('the console’s test check says by which names the customer was found', async () => {
  const name = newName();
  const one = await newStripeCustomer({});
  await save(name, joinTo(one));
  await eventually(async () => {
    const path = own.path(one, `/environments/${own.previewId}/test-check`);
    const { diagnostics } = await own.tenant.make<TestCheckAnswer>('POST', path, {});
    expect(diagnostics.names).toEqual({ asked: one, customer: name, aliases: [one], sharedWith: [] });
  });
});

test('the list says who was created by API, whatever plans the customer has', async () => {
  const name = newName();
  const one = await newStripeCustomer({ pays: false });
  await save(name, joinTo(one));
  await own.grant(name, { planId: own.plusId });
  const alone = await newStripeCustomer({ pays: false });
  const isCreated = async (query: string) => {
    const { items } = await own.tenant.make<CustomerList>('GET', `/customers?query=${query}`);
    return items.map((each) => [each.identifier, each.isCreated]);
  };
  expect(await isCreated(name)).toEqual([[name, true]]);
  expect(await isCreated(alone)).toEqual([[alone, false]]);
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
  await save(one, { email });
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
  await save(name, { userId });
  const carrier = await newStripeCustomer({ metadata: { workspace: userId }, pays: false });
  const other = await newStripeCustomer({ email: `other-${email}`, pays: false });
  await save(email, joinTo(other));
  const linked = async (of: string) =>
    (await own.tenant.make<Customer>('GET', own.path(of))).linked.map(({ id }) => id);
  expect(await linked(name)).toEqual([carrier]);
  expect(await linked(email)).toEqual([other]);
});

test('before two become one, or apart, the amounts that stay with each are known', async () => {
  const name = newName();
  const one = await newStripeCustomer({});
  await save(name);
  await use(name, 3);
  await use(one, 20);
  const usage = async () => {
    const path = own.path(name, `/environments/${own.previewId}/sources/${one}/usage`);
    const { meters } = await own.tenant.make<{ meters: { used: number; stripeUsed: number }[] }>('GET', path);
    return meters.map(({ used, stripeUsed }) => [used, stripeUsed]);
  };
  expect(await usage()).toEqual([[3, 20]]);
  await save(name, joinTo(one));
  await eventually(async () => expect(await usage()).toEqual([[23, 20]]));
  await use(one, 100);
  expect(await usage()).toEqual([[123, 20]]);
  const { separated } = (await save(name, joinTo(null))) as CustomerChangeAnswer;
  expect(separated).toEqual([
    {
      integrationId: connected.integration.id,
      customerId: one,
      meters: [{ feature: 'workspaces', property: 'files', used: 123, stripeUsed: 20 }],
    },
  ]);
  expect(await save(name, joinTo(null))).not.toHaveProperty('separated');
  for (const [each, used] of [
    [name, 123],
    [one, 20],
  ] as const)
    await eventually(async () => expect((await answerOf(each)).used).toBe(used));
});
