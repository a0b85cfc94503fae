// A customer that an application creates by API and that pays at Stripe is one customer: what joins the two, and what separates them.
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { Customer } from '#contracts/console/customers';
import type { CustomerAnswer, CustomerChangeAnswer } from '#contracts/public/customers';
import { check } from '#tests/support/access-checks';
import { eventually } from '#tests/support/eventually';
import { type JoiningTenant, joiningTenant, joinsLogged, newName } from '#tests/support/joining-tenants';
import { auditRows } from '#tests/support/stored-state';
import { connectedTenant } from '#tests/support/stripe-integrations';
import { openDatabase } from '#worker/db/database';
import { loadCustomerFacts } from '#worker/domains/customer-facts/load-customer-facts';

let own: JoiningTenant;
beforeAll(async () => {
  own = await joiningTenant();
});

const REASON = 'A pilot customer';

const versionOf = async (each: string) =>
  (await loadCustomerFacts(openDatabase(env.DB), own.tenant, own.previewId, each)).version;

test('a Stripe customer that is deleted and created again leaves the customer what it has', async () => {
  const name = newName();
  const first = await own.newStripeCustomer({ metadata: { workspace: name } });
  await own.save(name);
  await own.use(name, 4);
  await own.manage('PUT', `/${name}/grants/plus`, { reason: REASON });
  await own.deleteStripeCustomer(first);
  await eventually(async () => expect(await own.answerOf(name)).toMatchObject({ plans: ['plus'] }));
  await own.newStripeCustomer({ metadata: { workspace: name } });
  await eventually(async () =>
    expect(await own.answerOf(name)).toMatchObject({ plans: ['plus', 'pro'], used: 4 }),
  );
});

test('what a key gave to a user ID stays with it when another Stripe customer carries it', async () => {
  const name = newName();
  const first = await own.newStripeCustomer({ metadata: { workspace: name } });
  const granted = await own.manage('PUT', `/${name}/grants/plus`, { reason: REASON });
  expect(granted.body).toMatchObject({ customer: first, changed: true });
  await own.manage('PUT', `/${name}/overrides/workspaces/seats`, { value: 44, reason: REASON });
  expect((await own.manage('PUT', `/${name}/grants/plus`, { reason: REASON })).body.changed).toBe(false);
  for (const each of [name, first])
    await eventually(async () =>
      expect(await own.answerOf(each)).toMatchObject({ plans: ['plus', 'pro'], seats: 44 }),
    );
  await own.deleteStripeCustomer(first);
  const second = await own.newStripeCustomer({ metadata: { workspace: name } });
  for (const each of [name, second])
    await eventually(async () =>
      expect(await own.answerOf(each)).toMatchObject({ plans: ['plus', 'pro'], seats: 44 }),
    );
  expect((await own.manage('DELETE', `/${name}/grants/plus`)).body.changed).toBe(true);
  await eventually(async () => expect((await own.answerOf(second)).plans).toEqual(['pro']));
});

test('a call says which Stripe customer it is, says another one, and takes it back', async () => {
  const name = newName();
  const integrationId = own.connected.integration.id;
  const [one, two] = [await own.newStripeCustomer({}), await own.newStripeCustomer({})];
  await own.save(name);
  await own.use(one, 2);
  expect(await own.save(name, { stripe: { integrationId, customerId: one } })).toMatchObject({
    changed: true,
  });
  expect(await own.save(name, { stripe: { integrationId, customerId: one } })).toMatchObject({
    changed: false,
  });
  for (const each of [name, one])
    await eventually(async () =>
      expect(await own.answerOf(each)).toMatchObject({ plans: ['pro'], used: 2, warnings: [] }),
    );
  expect(await own.save(name, { stripe: { integrationId, customerId: two } })).toMatchObject({
    changed: true,
  });
  await own.override(two, own.seats.id, 33);
  await eventually(async () => expect((await own.answerOf(name)).seats).toBe(33));
  await eventually(async () => expect((await own.answerOf(one)).seats).toBe(50));
  expect(await own.save(name, { stripe: null })).toMatchObject({ changed: true });
  await eventually(async () => expect((await own.answerOf(name)).plans).toEqual([]));
  await eventually(async () => expect(await own.answerOf(two)).toMatchObject({ plans: ['pro'], seats: 33 }));
  const actions = (await auditRows(own.tenant)).filter(({ targetId }) => targetId === name);
  expect(actions.map(({ action }) => action)).toEqual([
    'customer.created',
    'customer.joined',
    'customer.joined',
    'customer.separated',
    'customer.separated',
  ]);
  expect(await joinsLogged(own, name)).toEqual([
    ['customer.joined', one, null],
    ['customer.joined', two, null],
    ['customer.separated', one, 'replacement'],
    ['customer.separated', two, null],
  ]);
});

test('what a call says of Stripe customers is checked, and loses nothing', async () => {
  const [name, other] = [newName(), newName()];
  const integrationId = own.connected.integration.id;
  const customerId = await own.newStripeCustomer({});
  await own.save(name, { stripe: { integrationId, customerId } });
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
  await eventually(async () => expect((await own.answerOf(customerId)).plans).toEqual(['pro']));
  expect((await own.manage<CustomerAnswer>('GET', `/${customerId}`)).body.customer.id).toBe(name);
});

test('the same email alone takes nothing over: checks warn, and the page says that both are one', async () => {
  const name = newName();
  const email = `${name}@tests.example`;
  await own.save(name, { email });
  const id = await own.newStripeCustomer({ email });
  await eventually(async () =>
    expect(await own.answerOf(name)).toMatchObject({
      plans: [],
      warnings: ['email-belongs-to-stripe-customer'],
    }),
  );
  const { linked } = await own.tenant.make<Customer>('GET', own.path(name));
  expect(linked).toMatchObject([{ id, email, joins: [] }]);
  const isCustomer = async (each: string) =>
    (await check(own.secret, { userIdentifier: each })).customer.isCustomer;
  expect([await isCustomer(name), await isCustomer(email)]).toEqual([false, true]);
  const source = {
    environmentId: own.previewId,
    integrationId: own.connected.integration.id,
    customerId: id,
  };
  const joined = await own.tenant.make<Customer>('PUT', own.path(name, '/sources'), source);
  expect(joined.linked).toMatchObject([
    { id, joins: [{ environmentId: own.previewId, sameAs: name, by: null, joinedAt: expect.any(Number) }] },
  ]);
  for (const each of [name, id, email])
    await eventually(async () =>
      expect(await own.answerOf(each)).toMatchObject({ plans: ['pro'], warnings: [] }),
    );
  expect([await isCustomer(name), await isCustomer(email)]).toEqual([true, true]);
  const path = own.path(name, `/environments/${own.previewId}/sources/${own.connected.integration.id}/${id}`);
  await own.tenant.make('DELETE', path);
  await eventually(async () => expect((await own.answerOf(name)).plans).toEqual([]));
});

test('a person separates the Stripe customer that is named, and none of another account; a call takes all back', async () => {
  const name = newName();
  const account = await connectedTenant({ tenant: own.tenant });
  const one = await own.newStripeCustomer({});
  const two = await account.account.stripe.customers.create({});
  await account.deliver();
  const sources = [
    { integrationId: own.connected.integration.id, customerId: one },
    { integrationId: account.integration.id, customerId: two.id },
  ];
  for (const stripe of sources) await own.save(name, { stripe });
  const same = async () =>
    (await check(own.secret, { userIdentifier: name }, { query: '?explain=1' })).names?.aliases.toSorted();
  await eventually(async () => expect(await same()).toEqual([one, two.id].toSorted()));
  const path = (integrationId: string, customerId: string) =>
    own.path(name, `/environments/${own.previewId}/sources/${integrationId}/${customerId}`);
  // Of no effect: the one is not of that account.
  await own.tenant.make('DELETE', path(account.integration.id, one));
  await own.tenant.make('DELETE', path(own.connected.integration.id, one));
  await eventually(async () => expect(await same()).toEqual([two.id]));
  await own.save(name, { stripe: sources[0] });
  expect(await own.save(name, { stripe: null })).toMatchObject({ changed: true });
  await eventually(async () => expect(await same()).toEqual([]));
  const details = (await auditRows(own.tenant))
    .filter(({ targetId, action }) => targetId === name && action === 'customer.separated')
    .map(({ detail }) => detail);
  const [first, second] = sources.map((each) => ({
    ...{ environmentId: own.previewId, ...each },
    customerIds: [each.customerId],
  }));
  // The call that takes back both is one call, and each has an entry.
  const [byPerson, ...byCall] = details as { readonly isPart?: 1 }[];
  expect(byPerson).toEqual(first);
  expect(byCall.map(({ isPart: _, ...detail }) => detail)).toEqual(expect.arrayContaining([first, second]));
  expect(byCall.filter(({ isPart }) => isPart !== 1)).toHaveLength(1);
  expect(byCall).toHaveLength(2);
});

test('a second Stripe customer with the same metadata ends the join, and all names of the first follow, until the second is deleted', async () => {
  const name = newName();
  const email = `${name}@tests.example`;
  const one = await own.named(email, { workspace: name });
  await own.save(name);
  await own.override(name, own.seats.id, 71);
  await eventually(async () =>
    expect([await own.plansOf(email), (await own.answerOf(email)).seats]).toEqual([['pro'], 71]),
  );
  await own.use(email, 1);
  const two = await own.newStripeCustomer({ metadata: { workspace: name }, pays: false });
  await eventually(async () => expect((await own.answerOf(one)).seats).toBe(50));
  await eventually(async () => expect([(await own.answerOf(email)).seats]).toEqual([50]));
  await own.deleteStripeCustomer(two);
  await eventually(async () => expect((await own.answerOf(one)).seats).toBe(71));
  await eventually(async () => expect((await own.answerOf(email)).seats).toBe(71));
});

test('what a call says goes before metadata, for all names of the Stripe customer that metadata names, until it is taken back', async () => {
  const name = newName();
  const email = `${name}@tests.example`;
  const one = await own.named(email, { workspace: name });
  await own.save(name);
  await own.override(name, own.seats.id, 71);
  await eventually(async () => expect((await own.answerOf(email)).seats).toBe(71));
  await own.use(email, 1);
  const two = await own.newStripeCustomer({});
  const versions = async () => Promise.all([one, email].map(versionOf));
  const before = await versions();
  await own.save(name, own.joinTo(two));
  const after = await versions();
  // Ledgers take the facts of higher versions only.
  expect(after.map((version, index) => version > before[index]!)).toEqual([true, true]);
  await eventually(async () => expect((await own.answerOf(one)).seats).toBe(50));
  await eventually(async () => expect((await own.answerOf(email)).seats).toBe(50));
  await own.save(name, own.joinTo(null));
  expect((await versions()).map((version, index) => version > after[index]!)).toEqual([true, true]);
  await eventually(async () => expect((await own.answerOf(one)).seats).toBe(71));
  await eventually(async () => expect((await own.answerOf(email)).seats).toBe(71));
});

test('a Stripe customer of which a call said so, and which Stripe has deleted, gives way to the next one with the metadata', async () => {
  const name = newName();
  const one = await own.newStripeCustomer({ metadata: { workspace: name } });
  await own.save(name, own.joinTo(one));
  await own.use(name, 4);
  await own.deleteStripeCustomer(one);
  await eventually(async () => expect(await own.plansOf(name)).toEqual([]));
  const two = await own.newStripeCustomer({ metadata: { workspace: name } });
  for (const each of [name, two])
    await eventually(async () =>
      expect(await own.answerOf(each)).toMatchObject({ plans: ['pro'], used: 4, warnings: [] }),
    );
});

test('the email of a joined Stripe customer changes: the new one is the customer’s, the former counts for itself', async () => {
  const name = newName();
  const email = `${name}@tests.example`;
  const one = await own.named(email, {});
  await own.save(name, own.joinTo(one));
  await own.override(name, own.seats.id, 71);
  await own.use(email, 1);
  await eventually(async () => expect((await own.answerOf(email)).seats).toBe(71));
  await own.changeStripeCustomer(one, { email: `n${email}` });
  await eventually(async () => expect((await own.answerOf(`n${email}`)).seats).toBe(71));
  await eventually(async () => expect((await own.answerOf(email)).seats).toBe(1));
  await eventually(async () => expect(await own.listedFor(`n${email}`)).toEqual([name]));
});

test('a call that names no Stripe customer of the account creates nothing', async () => {
  const name = newName();
  const { status } = await own.manage('PUT', `/${name}`, { name: 'X', ...own.joinTo('cus_nobody') });
  expect(status).toBe(400);
  expect((await own.manage('GET', `/${name}`)).status).toBe(404);
});

test('of calls at once that name one Stripe customer, one has it, and the others create nothing', async () => {
  const names = Array.from({ length: 5 }, newName);
  const one = await own.newStripeCustomer({});
  const answers = await Promise.all(names.map((name) => own.manage('PUT', `/${name}`, own.joinTo(one))));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
  for (const [index, name] of names.entries()) {
    const hasIt = answers[index]?.status === 200;
    if (hasIt) expect(await own.listedFor(one)).toEqual([name]);
    expect((await own.manage('GET', `/${name}`)).status).toBe(hasIt ? 200 : 404);
  }
});

test('a call that creates a customer and says which Stripe customer it is does both or nothing, once for its key', async () => {
  const [name, other] = [newName(), newName()];
  const one = await own.newStripeCustomer({});
  const headers = { 'idempotency-key': `both-${name}` };
  const made = await own.manage('PUT', `/${name}`, { name: 'Workspace', ...own.joinTo(one) }, headers);
  expect(made.body).toMatchObject({ changed: true, replayed: false });
  const again = await own.manage('PUT', `/${name}`, { name: 'Workspace', ...own.joinTo(one) }, headers);
  expect(again.body).toMatchObject({ changed: true, replayed: true });
  await own.save(other);
  const { status } = await own.manage('PUT', `/${other}`, { name: 'Renamed', ...own.joinTo(one) });
  expect(status).toBe(409);
  expect((await own.manage<CustomerAnswer>('GET', `/${other}`)).body.customer.name).toBeNull();
  await own.save(name, { name: 'Alone', ...own.joinTo(null) });
  const actions = (await auditRows(own.tenant)).filter(({ targetId }) => targetId === name);
  expect(actions.map(({ action }) => action).toSorted()).toEqual([
    ...['customer.changed', 'customer.created'],
    ...['customer.joined', 'customer.separated'],
  ]);
});

test('a call that names a Stripe customer that has been deleted is refused, as before it was ever named', async () => {
  const name = newName();
  const one = await own.newStripeCustomer({});
  await own.save(name, own.joinTo(one));
  await own.deleteStripeCustomer(one);
  const { status, body } = await own.manage('PUT', `/${name}`, own.joinTo(one));
  expect([status, body.code, body.issues?.map(({ path }) => path)]).toEqual([
    400,
    'stripe-customer-unknown',
    ['stripe.customerId'],
  ]);
  expect(await own.save(name, { stripe: null })).toMatchObject({ changed: true });
});

test('a Stripe customer of which a call says another customer than its metadata pays for the one of the call', async () => {
  const [a, b] = [newName(), newName()];
  const one = await own.named(`${a}@tests.example`, { workspace: b });
  await own.save(b);
  await own.save(a, own.joinTo(one));
  await eventually(async () => expect(await own.answerOf(a)).toMatchObject({ plans: ['pro'], warnings: [] }));
  expect(await own.answerOf(b)).toMatchObject({ plans: [], warnings: [] });
});

test('a check by one of a customer’s emails has nothing of who shares another one', async () => {
  const name = newName();
  const [email, created] = [`${name}@tests.example`, `own-${name}@tests.example`];
  const one = await own.newStripeCustomer({ email, pays: false });
  await own.save(name, { email: created });
  await own.save(name, own.joinTo(one));
  await own.newStripeCustomer({ email });
  await eventually(async () => expect(await own.plansOf(email)).toEqual(['pro']));
  for (const each of [created, name, one]) expect([each, await own.plansOf(each)]).toEqual([each, []]);
});

test('the metadata key changes while the two are one, and back', async () => {
  const name = newName();
  const email = `${name}@tests.example`;
  const one = await own.named(email, { workspace: name });
  await own.save(name);
  await own.override(name, own.seats.id, 71);
  await own.use(email, 1);
  await own.use(one, 1);
  for (const each of [email, one, name])
    await eventually(async () => expect((await own.answerOf(each)).seats).toBe(71));
  await own.tenant.make('PUT', own.connected.path, { userIdKey: 'other' });
  await eventually(async () => expect((await own.connected.read()).userIdsReady).toBe(true));
  for (const each of [one, email])
    await eventually(async () => expect([each, (await own.answerOf(each)).seats]).toEqual([each, 50]));
  await own.tenant.make('PUT', own.connected.path, { userIdKey: 'workspace' });
  await eventually(async () => expect((await own.connected.read()).userIdsReady).toBe(true));
  for (const each of [one, email])
    await eventually(async () => expect([each, (await own.answerOf(each)).seats]).toEqual([each, 71]));
  await eventually(async () =>
    expect([await own.listedFor(email), await own.listedFor(one)]).toEqual([[name], [name]]),
  );
});

test('refusals of a saved customer begin with the field, and say what is so', async () => {
  const [name, other] = [newName(), newName()];
  const email = `${name}@tests.example`;
  await own.save(name, { email, userId: `${name}.user` });
  const customerId = await own.newStripeCustomer({});
  await own.save(other, own.joinTo(customerId));
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
  const alone = await own.newStripeCustomer({});
  const known = 'Is a Stripe customer. Its name and email come from Stripe';
  expect(await refusal(alone, { name: 'Ada' })).toEqual(of('customer-in-stripe', 'customer', known));
  const taken = 'Belongs to another customer';
  expect(await refusal(newName(), { email })).toEqual(of('email-taken', 'email', taken));
  expect(await refusal(newName(), { userId: `${name}.user` })).toEqual(of('user-id-taken', 'userId', taken));
  const isOthers = 'This Stripe customer is another customer’s already';
  expect(await refusal(name, own.joinTo(customerId))).toEqual(
    of('stripe-customer-taken', 'stripe.customerId', isOthers),
  );
});

test('before two become one, or apart, the amounts that stay with each are known', async () => {
  const name = newName();
  const one = await own.newStripeCustomer({});
  await own.save(name);
  await own.use(name, 3);
  await own.use(one, 20);
  const usage = async () => {
    const path = own.path(name, `/environments/${own.previewId}/sources/${one}/usage`);
    const { meters } = await own.tenant.make<{ meters: { used: number; stripeUsed: number }[] }>('GET', path);
    return meters.map(({ used, stripeUsed }) => [used, stripeUsed]);
  };
  expect(await usage()).toEqual([[3, 20]]);
  await own.save(name, own.joinTo(one));
  await eventually(async () => expect(await usage()).toEqual([[23, 20]]));
  await own.use(one, 100);
  expect(await usage()).toEqual([[123, 20]]);
  const { separated } = (await own.save(name, own.joinTo(null))) as CustomerChangeAnswer;
  expect(separated).toEqual([
    {
      integrationId: own.connected.integration.id,
      customerId: one,
      meters: [{ feature: 'workspaces', property: 'files', used: 123, stripeUsed: 20 }],
    },
  ]);
  expect(await own.save(name, own.joinTo(null))).not.toHaveProperty('separated');
  for (const [each, used] of [
    [name, 123],
    [one, 20],
  ] as const)
    await eventually(async () => expect((await own.answerOf(each)).used).toBe(used));
});
