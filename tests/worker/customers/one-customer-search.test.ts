// The list, searches and counts have a customer that is one with a Stripe customer once, by the names of both.
import { beforeAll, expect, test } from 'vitest';
import type { CustomerList } from '#contracts/console/customer-list';
import type { Environment } from '#contracts/console/environments';
import type { Event } from '#contracts/console/events';
import type { CustomerAnswer } from '#contracts/public/customers';
import { eventually } from '#tests/support/eventually';
import { type JoiningTenant, joiningTenant, newName } from '#tests/support/joining-tenants';
import { callCustomers } from '#tests/support/provisioning';
import { connectedTenant } from '#tests/support/stripe-integrations';

let own: JoiningTenant;
beforeAll(async () => {
  own = await joiningTenant();
});

async function listedForEach(...queries: readonly string[]): Promise<string[][]> {
  const lists = [];
  for (const query of queries) lists.push(await own.listedFor(query));
  return lists;
}

test('links to one customer, another and the first one count it once for a plan', async () => {
  const email = `${newName()}@tests.example`;
  const integrationId = own.connected.integration.id;
  await own.grant(email, { planId: own.plusId });
  const before = await own.plusCount();
  const [one, two] = [
    await own.newStripeCustomer({ email, pays: false }),
    await own.newStripeCustomer({ email, pays: false }),
  ];
  await own.grant(one, { planId: own.plusId });
  for (const customerId of [one, two, one])
    await own.tenant.make('PUT', own.path(email, '/link'), { integrationId, customerId });
  expect(await own.plusCount()).toBe(before);
});

test('a search finds each of the two by its own names after they are separated', async () => {
  const name = newName();
  const email = `${name}-mail@tests.example`;
  const one = await own.named(email, {}, `Zaphod${name}`);
  await own.save(name, { name: 'Workspace' });
  await own.save(name, own.joinTo(one));
  expect(await listedForEach(email, one, `Zaphod${name}`)).toEqual([[name], [name], [name]]);
  await own.save(name, own.joinTo(null));
  expect(await listedForEach(email, one, `Zaphod${name}`)).toEqual([[one], [one], [one]]);
});

test('a search by the names of a replaced Stripe customer finds that one', async () => {
  const name = newName();
  const email = `${name}-mail@tests.example`;
  const one = await own.named(email, {}, `Zaphod${name}`);
  const two = await own.named(`b${email}`, {}, `Arthur${name}`);
  await own.save(name, { name: 'Workspace' });
  await own.save(name, own.joinTo(one));
  await own.save(name, own.joinTo(two));
  expect(await listedForEach(email, one, `Zaphod${name}`)).toEqual([[one], [one], [one]]);
  expect(await listedForEach(`b${email}`, two, `Arthur${name}`)).toEqual([[name], [name], [name]]);
});

test('a search finds each by its own names after the metadata is removed', async () => {
  const name = newName();
  const email = `${name}-mail@tests.example`;
  const one = await own.named(email, { workspace: name }, `Zaphod${name}`);
  await own.save(name, { name: 'Workspace' });
  expect(await listedForEach(email, one, `Zaphod${name}`)).toEqual([[name], [name], [name]]);
  await own.changeStripeCustomer(one, { metadata: { workspace: '' } });
  expect(await listedForEach(email, one, `Zaphod${name}`)).toEqual([[one], [one], [one]]);
});

test('a search finds the first Stripe customer after a second one has the same metadata', async () => {
  const name = newName();
  const email = `${name}-mail@tests.example`;
  const one = await own.named(email, { workspace: name }, `Zaphod${name}`);
  await own.save(name, { name: 'Workspace' });
  await own.named(`c${name}@tests.example`, { workspace: name }, `Arthur${name}`);
  await eventually(async () => expect(await listedForEach(email, `Zaphod${name}`)).toEqual([[one], [one]]));
});

test('the list has one customer when the one of which a call said so is deleted, and another with its metadata is it from then on', async () => {
  const name = newName();
  const said = await own.newStripeCustomer({});
  await own.save(name, own.joinTo(said));
  const next = await own.newStripeCustomer({ metadata: { workspace: name } });
  expect(await listedForEach(next, said)).toEqual([[next], [name]]);
  await own.use(name, 3);
  expect(await own.answerOf(next)).toMatchObject({ used: 0 });
  await own.deleteStripeCustomer(said);
  expect(await own.listedFor(next)).toEqual([name]);
  for (const each of [name, next])
    await eventually(async () =>
      expect(await own.answerOf(each)).toMatchObject({ plans: ['pro'], used: 3, warnings: [] }),
    );
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
  await own.save(names[0], { stripe: { integrationId: account.integration.id, customerId: called.id } });
  await own.save(names[1], { name: `Own${names[1]}` });
  const searches = names.flatMap((name, index) => [`Zaphod${name}`, [called, carried][index]?.id ?? '']);
  for (const each of searches)
    await eventually(async () =>
      expect([each, await own.listedFor(each)]).toEqual([each, [expect.any(String)]]),
    );
  await own.tenant.make('DELETE', account.path);
  for (const each of searches)
    await eventually(async () => expect([each, await own.listedFor(each)]).toEqual([each, []]));
  for (const each of [...names, `Own${names[1]}`])
    expect([each, await own.listedFor(each)]).toEqual([each, [names.find((name) => each.includes(name))]]);
});

test('grants by each name are the one customer’s: in checks, plans’ counts and the list', async () => {
  const name = newName();
  const email = `${name}@tests.example`;
  const before = await own.plusCount();
  const one = await own.named(email, {});
  await own.save(name, own.joinTo(one));
  for (const each of [name, one, email]) await own.grant(each, { planId: own.plusId });
  for (const each of [name, one, email])
    await eventually(async () => expect(await own.plansOf(each)).toEqual(['plus', 'pro']));
  expect(await own.plusCount()).toBe((before ?? 0) + 1);
  const { body } = await own.manage<CustomerAnswer>('GET', `/${name}`);
  expect(body.grants.length).toBeGreaterThan(0);
  expect(await listedForEach(email, one, name)).toEqual([[name], [name], [name]]);
});

test('grants of a created customer’s email count and are listed for the customer', async () => {
  const name = newName();
  const email = `${name}-j@tests.example`;
  const before = await own.plusCount();
  await own.save(name, { email });
  for (const each of [name, email]) await own.grant(each, { planId: own.plusId });
  for (const each of [name, email])
    await eventually(async () => expect(await own.plansOf(each)).toEqual(['plus']));
  expect(await own.plusCount()).toBe((before ?? 0) + 1);
  expect(await listedForEach(email, name)).toEqual([[name], [name]]);
});

test('a created customer whose ID is an email, and a Stripe customer with it, are both listed', async () => {
  const email = `${newName()}-m@tests.example`;
  await own.save(email);
  const one = await own.named(email);
  await eventually(async () => expect(await own.listedFor(email)).toEqual([one, email].toSorted()));
});

test('a search finds the customer by each name of both, also after one is renamed', async () => {
  const name = newName();
  const one = await own.named(`${name}-n@tests.example`, { workspace: `u-${name}` }, `Ford${name}`);
  await own.save(name, { name: `First${name}` });
  await own.save(name, own.joinTo(one));
  for (const each of [name, one, `u-${name}`, `Ford${name}`, `First${name}`])
    expect([each, await own.listedFor(each)]).toEqual([each, [name]]);
  await own.save(name, { name: `Second${name}` });
  for (const each of [name, one, `u-${name}`, `Ford${name}`, `Second${name}`])
    expect([each, await own.listedFor(each)]).toEqual([each, [name]]);
  expect(await own.listedFor(`First${name}`)).toEqual([]);
  await own.changeStripeCustomer(one, { name: `Prefect${name}` });
  for (const each of [`Prefect${name}`, `Second${name}`])
    await eventually(async () => expect([each, await own.listedFor(each)]).toEqual([each, [name]]));
  await eventually(async () => expect(await own.listedFor(`Ford${name}`)).toEqual([]));
});

test('events that were recorded under the names of both before they were one are found by each name, and again apart', async () => {
  const name = newName();
  const email = `${name}-ev@tests.example`;
  const one = await own.named(email);
  await own.save(name);
  for (const each of [name, one, email]) await own.use(each, 1);
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
  await own.save(name, own.joinTo(one));
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
  await own.save(name, own.joinTo(null));
  expect(await foundFor(name)).toEqual([name]);
  expect(await foundFor(one)).toEqual([email, one].toSorted());
});

test('the list says who was created by API, whatever plans the customer has', async () => {
  const name = newName();
  const one = await own.newStripeCustomer({ pays: false });
  await own.save(name, own.joinTo(one));
  await own.grant(name, { planId: own.plusId });
  const alone = await own.newStripeCustomer({ pays: false });
  const isCreated = async (query: string) => {
    const { items } = await own.tenant.make<CustomerList>('GET', `/customers?query=${query}`);
    return items.map((each) => [each.identifier, each.isCreated]);
  };
  expect(await isCreated(name)).toEqual([[name, true]]);
  expect(await isCreated(alone)).toEqual([[alone, false]]);
});

test('saving a customer in an environment where nobody is joined changes no words of one that is joined elsewhere', async () => {
  const name = newName();
  const email = `${name}@stripe.example`;
  const one = await own.named(email, {}, `Zaphod ${name}`);
  await own.save(name, own.joinTo(one));
  const stage = await own.tenant.make<Environment>('POST', '/environments', {
    ...{ name: `Of ${name}`, type: 'test' },
  });
  const key = await own.tenant.make<{ value: string }>('POST', '/api-keys', {
    ...{ environmentId: stage.id, type: 'secret', name: 'Stage', managesCustomers: true },
  });
  const inStage = (body: object) => callCustomers(key.value, 'PUT', `/${name}`, body);
  await eventually(async () => expect(await own.listedFor(email)).toEqual([name]));
  for (const body of [{}, { name: `Trillian ${name}` }]) {
    await eventually(async () => expect((await inStage(body)).status).toBe(200));
    await eventually(async () =>
      expect([body, await own.listedFor(email), await own.listedFor(one)]).toEqual([body, [name], [name]]),
    );
  }
  expect(await own.listedFor(`trillian ${name}`)).toEqual([name]);
});
