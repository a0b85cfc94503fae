// Customers that earlier releases stored under another spelling, or without one of their accounts.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Customer, CustomerEntitlements } from '#contracts/console/customers';
import type { ErrorBody } from '#contracts/public/errors';
import { check, propertyOf } from '#tests/support/access-checks';
import { putBalances } from '#tests/support/balances';
import { update } from '#tests/support/counter-updates';
import { expectConsole } from '#tests/support/expect-console';
import { countAs, listForRenewal, storeAs } from '#tests/support/former-customers';
import { ofFiles, type PayingTenant, payingTenant, withPlans } from '#tests/support/paying-tenants';
import { putCustomer, someCustomerId, subscribed } from '#tests/support/stripe-customers';
import { newTenant } from '#tests/support/tenants';
import { recordSeenCustomers } from '#worker/domains/customers/list/record-seen-customers';
import { renewIdentifiers } from '#worker/domains/customers/names/renew-identifiers';
import { workContext } from '#worker/http/make-work-context';

let own: PayingTenant;
beforeAll(async () => {
  own = await payingTenant();
});

const renew = () => renewIdentifiers(workContext(env, Date.now));
const someName = () => `jose\u0301-${crypto.randomUUID()}`;

describe.each([
  ['an email', () => `${someName()}@tests.example`],
  ['an identifier', someName],
])('%s that was stored in another normal form', (_what, newName) => {
  it('moves to the canonical one with its grants, overrides, balances and usage, and keeps what that one has', async () => {
    const former = newName();
    const name = former.normalize('NFC');
    const { id } = await own.grant(name, { planId: own.plusId, until: Date.now() + 60_000 });
    await update(own.secret, ofFiles(name));
    await storeAs(own.tenant, former, { planIds: [own.proId, own.plusId] });
    const balance = (id: string, called: string) => ({ id: `bal_${id}_${name}`, name: called, amount: 7 });
    await putBalances(own, name, balance('1', 'inv-1'));
    await putBalances(own, former, balance('2', 'inv-1'), balance('3', 'inv-2'));
    await countAs(own, former, 2);
    await listForRenewal(own.tenant, former);
    await renew();
    await renew();

    const page = await own.tenant.make<Customer>('GET', own.path(former));
    expect(page.identifier).toBe(name);
    expect(page.grants.map(({ planId }) => planId).toSorted()).toEqual([own.plusId, own.proId].toSorted());
    expect(page.grants.find((each) => each.id === id)?.until).toBeNull();
    const anchor = env.DB.prepare('SELECT anchor_at FROM customer_grant WHERE id = ?').bind(id);
    expect(await anchor.first('anchor_at'), 'the billing windows of the earlier grant').toBe(1);
    const { results } = await env.DB.prepare(
      'SELECT identifier FROM known_customer WHERE org_id = ? AND identifier IN (?, ?)',
    )
      .bind(own.tenant.orgId, name, former)
      .all();
    expect(results).toEqual([{ identifier: name }]);
    await expect
      .poll(async () =>
        propertyOf(await check(own.secret, { userIdentifier: former }), 'workspaces', 'files'),
      )
      .toMatchObject({ used: 3, limit: 121 });
    const balances = await env.DB.prepare(
      'SELECT name FROM customer_balance WHERE org_id = ? AND customer_identifier = ? ORDER BY id',
    )
      .bind(own.tenant.orgId, name)
      .all();
    expect(balances.results.map((each) => each.name)).toEqual(['inv-1', null, 'inv-2']);
  });
});

it('an email of a Stripe customer that was stored in another normal form is its alias again', async () => {
  const former = `${someName()}@tests.example`;
  const id = someCustomerId();
  const integrationId = own.testAccount;
  await putCustomer(own.tenant, {
    integrationId,
    id,
    email: former,
    subscriptions: [subscribed('prod_pro')],
  });
  await listForRenewal(own.tenant, former);
  await renew();
  await expect
    .poll(async () => (await check(own.secret, { userIdentifier: former })).customer)
    .toEqual(withPlans('pro'));
});

it('an id in two accounts whose facts lack one gets the plans of both', async () => {
  const { id } = await own.someone([subscribed('prod_plus')]);
  const { orgId } = own.tenant;
  const other = {
    integrationId: own.liveAccount,
    id,
    livemode: true,
    subscriptions: [subscribed('prod_pro')],
  };
  // Told to no ledger, and without a new version.
  await putCustomer(own.tenant, other, false);
  await env.DB.prepare('UPDATE stripe_customer SET facts_version = 1 WHERE org_id = ? AND integration_id = ?')
    .bind(orgId, own.liveAccount)
    .run();
  await listForRenewal(own.tenant, id, 'accounts');
  await renew();
  await expect.poll(() => own.plansOf(id)).toEqual(withPlans('pro', 'plus'));
});

it('a person moves what is stored under a name that calls cannot send: grants, usage, and the log says so', async () => {
  const to = `jane-${crypto.randomUUID()}@tests.example`;
  const from = `${to} `;
  await storeAs(own.tenant, from, { planIds: [own.proId] });
  await countAs(own, from, 2);
  const move = (name: string, body: object) =>
    own.tenant.call<ErrorBody>('POST', own.path(name, '/move'), body);
  for (const refused of [await move(from, { to: ` ${to}` }), await move(to, { to: 'ada' })])
    expect(refused.status).toBe(400);
  expect((await move(`nobody-${to} `, { to })).status).toBe(404);
  expect((await move(from, { to: to.toUpperCase() })).body).toMatchObject({
    identifier: to,
    grants: [{ planId: own.proId }],
  });
  await expect
    .poll(async () => propertyOf(await check(own.secret, { userIdentifier: to }), 'workspaces', 'files'))
    .toMatchObject({ used: 2 });
  expect(await own.tenant.make<Customer>('GET', own.path(from))).toMatchObject({ grants: [] });
  const standing = await own.tenant.make<CustomerEntitlements>(
    'GET',
    own.path(from, `/environments/${own.previewId}`),
  );
  expect(standing.identifier).toBe(to);
  const { items } = await own.tenant.make<{ items: object[] }>('GET', own.path(to, '/changes'));
  expect(items).toMatchObject([{ action: 'customer.moved', detail: { from } }]);
});

it('a name that calls cannot send keeps what it has, and the list of the rest is empty', async () => {
  const name = `${someName()} `;
  await storeAs(own.tenant, name, { planIds: [own.proId] });
  for (const each of [name, 'müller']) await listForRenewal(own.tenant, each);
  await renew();
  const page = await own.tenant.make<Customer>('GET', own.path(name));
  expect(page).toMatchObject({ identifier: name, grants: [{ planId: own.proId }] });
  const [grant] = page.grants;
  expect((await own.tenant.call('POST', own.path(name, '/grants'), { planId: own.plusId })).status).toBe(400);
  expect((await own.tenant.call('DELETE', own.path(name, `/grants/${grant?.id}`))).status).toBe(204);
  const left = await env.DB.prepare('SELECT count(*) AS n FROM customer_renewal').first<{ n: number }>();
  expect(left?.n).toBe(0);
});

it('a spelling that an isolate of an earlier release records later is renewed as well', async () => {
  const tenant = await newTenant();
  const [recorded] = recordSeenCustomers(workContext(env, Date.now), [
    {
      type: 'customers.seen',
      orgId: tenant.orgId,
      resolutionMs: 0,
      featureLists: [],
      customers: [{ identifier: 'jose\u0301@x.test', at: Date.now(), readings: [] }],
    },
  ]);
  await recorded;
  await renew();
  const known = await env.DB.prepare('SELECT identifier FROM known_customer WHERE org_id = ?')
    .bind(tenant.orgId)
    .all<{ identifier: string }>();
  expect(known.results).toEqual([{ identifier: 'jos\u00e9@x.test' }]);
});

it('customers whose renewal always fails keep no others from theirs', async () => {
  const tenant = await newTenant();
  const stuck = Array.from({ length: 45 }, (_, index) => `stuck-${index}-jose\u0301`);
  const later = `later-${someName()}`;
  for (const each of [...stuck, later]) await listForRenewal(tenant, each);
  await env.DB.prepare(
    "CREATE TRIGGER stuck BEFORE INSERT ON customer WHEN new.identifier LIKE 'stuck-%' BEGIN SELECT RAISE(ABORT, 'stuck'); END",
  ).run();
  expectConsole('error', /could not be renewed/);
  for (let run = 0; run < 3; run += 1) await renew();
  await env.DB.prepare('DROP TRIGGER stuck').run();
  const left = await env.DB.prepare('SELECT identifier FROM customer_renewal WHERE org_id = ?')
    .bind(tenant.orgId)
    .all<{ identifier: string }>();
  expect(left.results.map(({ identifier }) => identifier).toSorted()).toEqual(stuck.toSorted());
});
