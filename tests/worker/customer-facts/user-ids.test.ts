// The application's own user ids in Stripe's metadata: aliases that follow what Stripe says, and never take what is not theirs.

import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CustomerChange } from '#contracts/console/customer-changes';
import type { CustomerList } from '#contracts/console/customer-list';
import type { Customer } from '#contracts/console/customers';
import type { StripeIntegration } from '#contracts/console/stripe';
import { isUserId } from '#contracts/public/identifiers';
import { check } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { customerTenant } from '#tests/support/customers';
import { eventually } from '#tests/support/eventually';
import { ofFiles } from '#tests/support/paying-tenants';
import { expectRefused } from '#tests/support/refusals';
import { auditRows } from '#tests/support/stored-state';
import { putCustomer } from '#tests/support/stripe-customers';
import { connectedTenant, type SellingTenant, sellingTenant } from '#tests/support/stripe-integrations';
import { publishAll } from '#tests/support/tenants';

let own: SellingTenant;
beforeAll(async () => {
  own = await sellingTenant();
  const early = await subscriber({ userId: 'early' }, own.pro.priceId);
  await eventually(async () => expect((await answerOf(early)).plans).toEqual(['pro']));
  expect((await answerOf('early')).plans).toEqual([]);
  await setKey('userId');
  await eventually(async () => expect((await answerOf('early')).plans).toEqual(['pro']));
});

async function setKey(userIdKey: string | null): Promise<void> {
  await own.tenant.make('PUT', own.connected.path, { userIdKey });
  await eventually(async () => expect((await own.connected.read()).userIdsReady).toBe(true));
}

/** @returns the customer's id in Stripe */
async function subscriber(metadata: Record<string, string>, price?: string, email?: string): Promise<string> {
  const { stripe } = own.connected.account;
  const { id } = await stripe.customers.create({ metadata, ...(email === undefined ? {} : { email }) });
  if (price !== undefined) await stripe.subscriptions.create({ customer: id, items: [{ price }] });
  await own.connected.deliver();
  return id;
}

async function setMetadata(id: string, metadata: Record<string, string>): Promise<void> {
  await own.connected.account.stripe.customers.update(id, { metadata });
  await own.connected.deliver();
}

async function answerOf(userIdentifier: string) {
  const { customer, warnings } = await check(own.secret, { userIdentifier });
  return { ...customer, warnings: warnings.map(({ code }) => code) };
}

const IS = (...plans: string[]) => ({ isCustomer: true, plans, warnings: [] });
const NOBODY = { isCustomer: false, plans: [], warnings: [] };

let serial = 0;
const newUserId = () => `user-${++serial}`;

const usedBy = async (userIdentifier: string) => {
  const { features } = await check(own.secret, { userIdentifier });
  const files = features.workspaces!.properties.files as { used?: number };
  return files.used;
};

test('an id finds its customer, follows changes, and ends with the key in the metadata', async () => {
  const [userId, other] = [newUserId(), newUserId()];
  const id = await subscriber({ userId }, own.pro.priceId);
  expect(await answerOf(userId)).toEqual(IS('pro'));
  await setMetadata(id, { userId: other });
  expect(await answerOf(other)).toEqual(IS('pro'));
  expect(await answerOf(userId)).toEqual(NOBODY);
  await setMetadata(id, { userId: '' });
  expect(await answerOf(other)).toEqual(NOBODY);
  expect(await answerOf(id)).toEqual(IS('pro'));
  await setMetadata(id, { userId });
  expect(await answerOf(userId)).toEqual(IS('pro'));
  await own.connected.account.stripe.customers.del(id);
  await own.connected.deliver();
  expect(await answerOf(userId)).toEqual(NOBODY);
});

test('what was stored under the id belongs to the customer, and stays when the id is taken away', async () => {
  const userId = newUserId();
  await own.grant(userId, { planId: own.plusId });
  await own.override(userId, own.seats.id, 77);
  const id = await subscriber({}, own.pro.priceId);
  await update(own.secret, ofFiles(userId, { by: 3 }));
  expect(await answerOf(id)).toEqual(IS('pro'));
  await setMetadata(id, { userId });
  for (const name of [id, userId]) {
    await eventually(async () => expect((await answerOf(name)).plans.toSorted()).toEqual(['plus', 'pro']));
    await eventually(async () => expect(await usedBy(name)).toBe(3));
    const { features } = await check(own.secret, { userIdentifier: name });
    expect(features.workspaces!.properties.seats).toBe(77);
  }
  await update(own.secret, ofFiles(userId, { by: 2 }));
  await eventually(async () => expect(await usedBy(id)).toBe(5));
  await setMetadata(id, { userId: '' });
  await eventually(async () => expect((await answerOf(userId)).plans).toEqual(['plus']));
  expect(await usedBy(id)).toBe(5);
  await update(own.secret, ofFiles(userId, { by: 100 }));
  expect(await usedBy(id)).toBe(5);
});

test('carried by several customers it has the plans of all, keeps its usage and warns; the last one gets it', async () => {
  const userId = newUserId();
  const one = await subscriber({ userId }, own.pro.priceId);
  expect(await answerOf(userId)).toEqual(IS('pro'));
  const two = await subscriber({ userId }, own.plus.priceId);
  const both = { isCustomer: true, plans: ['pro', 'plus'], warnings: ['user-id-ambiguous'] };
  await eventually(async () => expect(await answerOf(userId)).toEqual(both));
  expect([await answerOf(one), await answerOf(two)]).toEqual([IS('pro'), IS('plus')]);
  await update(own.secret, ofFiles(userId, { by: 4 }));
  expect([await usedBy(userId), await usedBy(one)]).toEqual([4, 0]);
  await setMetadata(two, { userId: '' });
  await eventually(async () => expect(await answerOf(userId)).toEqual(IS('pro')));
  await eventually(async () => expect(await usedBy(one)).toBe(4));
});

const replacements = {
  'the first is deleted, then there is a second': async (one: string, userId: string) => {
    await own.connected.account.stripe.customers.del(one);
    await own.connected.deliver();
    return subscriber({ userId }, own.plus.priceId);
  },
  'both have it, then the first is deleted': async (one: string, userId: string) => {
    const two = await subscriber({ userId }, own.plus.priceId);
    await eventually(async () => expect(await usedBy(userId)).toBe(8));
    await own.connected.account.stripe.customers.del(one);
    await own.connected.deliver();
    return two;
  },
  'both have it, then the first no longer does': async (one: string, userId: string) => {
    const two = await subscriber({ userId }, own.plus.priceId);
    await setMetadata(one, { userId: '' });
    return two;
  },
  'both change in one delivery': async (one: string, userId: string) => {
    const two = await subscriber({}, own.plus.priceId);
    const { stripe } = own.connected.account;
    await stripe.customers.update(one, { metadata: { userId: '' } });
    await stripe.customers.update(two, { metadata: { userId } });
    await own.connected.deliver();
    return two;
  },
};

test.each(Object.entries(replacements))(
  'usage, grants and overrides go on under the id when another customer carries it: %s',
  async (_, replace) => {
    const userId = newUserId();
    await update(own.secret, ofFiles(userId, { by: 1 }));
    const one = await subscriber({ userId }, own.pro.priceId);
    await eventually(async () => expect(await usedBy(userId)).toBe(1));
    await update(own.secret, ofFiles(userId, { by: 2 }));
    await update(own.secret, ofFiles(one, { by: 5 }));
    await own.override(userId, own.seats.id, 77);
    const two = await replace(one, userId);
    for (const name of [two, userId]) {
      await eventually(async () => expect([name, await usedBy(name)]).toEqual([name, 8]));
      await eventually(async () => expect(await answerOf(name)).toEqual(IS('plus')));
      const { features } = await check(own.secret, { userIdentifier: name });
      expect(features.workspaces!.properties.seats).toBe(77);
    }
    await update(own.secret, ofFiles(userId, { by: 10 }));
    for (const name of [two, userId])
      await eventually(async () => expect([name, await usedBy(name)]).toEqual([name, 18]));
    // The former carrier keeps what it has, and nothing goes from one to the other any more.
    expect(await usedBy(one)).toBe(8);
    await update(own.secret, ofFiles(one, { by: 100 }));
    expect([await usedBy(one), await usedBy(userId)]).toEqual([108, 18]);
  },
);

test('ids that two customers swap at once are aliases of the new ones', async () => {
  const [a, b] = [newUserId(), newUserId()];
  const [one, two] = [
    await subscriber({ userId: a }, own.pro.priceId),
    await subscriber({ userId: b }, own.plus.priceId),
  ];
  const { stripe } = own.connected.account;
  await Promise.all([
    stripe.customers.update(one, { metadata: { userId: b } }),
    stripe.customers.update(two, { metadata: { userId: a } }),
  ]);
  await own.connected.deliver();
  await eventually(async () => {
    expect(await answerOf(a)).toEqual(IS('plus'));
    expect(await answerOf(b)).toEqual(IS('pro'));
  });
});

test('an exact Stripe id wins over a user id, also one that comes later', async () => {
  const userId = newUserId();
  const id = await subscriber({ userId }, own.pro.priceId);
  await own.grant(userId, { planId: own.plusId });
  await eventually(async () => expect((await answerOf(id)).plans.toSorted()).toEqual(['plus', 'pro']));
  await putCustomer(own.tenant, { integrationId: own.connected.integration.id, id: userId });
  await eventually(async () => expect(await answerOf(userId)).toEqual(IS('plus')));
  await eventually(async () => expect(await answerOf(id)).toEqual(IS('pro')));
});

test('a check by the id has the plans of its customer only, not of others with the same email', async () => {
  const [userId, email] = [newUserId(), `${newUserId()}@tests.example`];
  const id = await subscriber({ userId }, own.pro.priceId, email);
  await subscriber({}, own.plus.priceId, email);
  await eventually(async () => expect((await answerOf(email)).plans.toSorted()).toEqual(['plus', 'pro']));
  expect(await answerOf(userId)).toEqual(IS('pro'));
  expect(await answerOf(id)).toEqual(IS('pro'));
});

describe('a value that can be no user id', () => {
  const values = [
    'cus_Ab12',
    'cus_',
    ' padded',
    'padded ',
    '  ',
    'ada@tests.example',
    'a@b@c.example',
    'naïve',
    'tab\there',
    'x'.repeat(201),
  ];
  const fine = [
    '42',
    'auth0|5f7c',
    'a b',
    'tenant@user',
    "o'hara",
    '%_*[a]',
    '"quoted"',
    '{"json":1}',
    'x'.repeat(200),
    'null',
    '0',
  ];

  test('is ignored, and any other is taken, by the database as by the contracts', async () => {
    for (const value of [...values, ...fine]) {
      expect([value, isUserId(value)]).toEqual([value, fine.includes(value)]);
      const id = await subscriber({ userId: value });
      const row = await env.DB.prepare('SELECT user_id AS userId FROM stripe_customer WHERE id = ?')
        .bind(id)
        .first<{ userId: string | null }>();
      expect([value, row?.userId]).toEqual([value, isUserId(value) ? value : null]);
    }
  }, 60_000);
});

test('the customer page and the search know the id', async () => {
  const userId = `shown-${crypto.randomUUID()}`;
  await own.grant(userId, { planId: own.plusId });
  const id = await subscriber({ userId }, own.pro.priceId);
  for (const name of [id, userId]) {
    const { linked } = await own.tenant.make<Customer>('GET', own.path(name));
    expect(linked).toMatchObject([{ id, userId }]);
  }
  for (const query of [userId, userId.slice(0, 14)]) {
    const { items } = await own.tenant.make<CustomerList>('GET', `/customers?query=${query}`);
    expect(items.map(({ identifier }) => identifier)).toEqual([id]);
  }
  const page = await own.tenant.make<object>('GET', own.path(id, `/environments/${own.previewId}`));
  expect(page).toMatchObject({ viaUserIds: [{ userId, grants: [{ planId: own.plusId }] }] });
  const history = await own.tenant.make<{ items: CustomerChange[] }>('GET', own.path(id, '/changes'));
  expect(history.items.map(({ kind }) => kind)).toContain('manual');
});

test('the same id in two accounts is of several customers, until one account is disconnected', async () => {
  const userId = newUserId();
  await subscriber({ userId }, own.pro.priceId);
  const second = await connectedTenant({ tenant: own.tenant });
  await own.tenant.make('PUT', second.path, { userIdKey: 'uid' });
  await second.account.stripe.customers.create({ metadata: { uid: userId } });
  await second.deliver();
  await publishAll(own.tenant);
  await eventually(async () => expect((await answerOf(userId)).warnings).toEqual(['user-id-ambiguous']));
  await own.tenant.make('DELETE', second.path);
  await publishAll(own.tenant).catch(() => undefined);
  await eventually(async () => expect(await answerOf(userId)).toEqual(IS('pro')));
});

test('another key ends the aliases of the former one, and no key ends all', async () => {
  const [userId, uid] = [newUserId(), newUserId()];
  await subscriber({ userId, uid }, own.pro.priceId);
  expect(await answerOf(userId)).toEqual(IS('pro'));
  await setKey('uid');
  await eventually(async () => expect(await answerOf(uid)).toEqual(IS('pro')));
  await eventually(async () => expect(await answerOf(userId)).toEqual(NOBODY));
  await setKey(null);
  await eventually(async () => expect(await answerOf(uid)).toEqual(NOBODY));
  await setKey('userId');
  await eventually(async () => expect(await answerOf(userId)).toEqual(IS('pro')));
  expect(await auditRows(own.tenant)).toContainEqual({
    action: 'stripe-integration.updated',
    actorUserId: own.tenant.user.userId,
    targetId: own.connected.integration.id,
    detail: { changes: [{ field: 'userIdKey', from: 'userId', to: 'uid' }] },
  });
  for (const key of ['x'.repeat(41), 'a"b', 'a[b]']) {
    expect(await expectRefused(own.tenant, 400, 'PUT', own.connected.path, { userIdKey: key })).toHaveLength(
      1,
    );
  }
  const emptied = await own.tenant.make<StripeIntegration>('PUT', own.connected.path, {
    userIdKey: 'userId',
  });
  expect(emptied.userIdKey).toBe('userId');
});

test('a key that is set for many customers is read from what is stored, each id once in effect', async () => {
  const tenant = await customerTenant();
  const many = await connectedTenant({ tenant: tenant.tenant });
  const { orgId } = tenant.tenant;
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
     INSERT INTO stripe_customer (integration_id, org_id, id, livemode, metadata, subscriptions, created_at, read_at, facts_version)
     SELECT ?1, ?2, 'cus_Many' || i, 0, json_object('userId', 'many-' || (i % 699)), '[]', i, i, i FROM n`,
  )
    .bind(many.integration.id, orgId)
    .run();
  const secretOf = async (userIdentifier: string) =>
    (await check(tenant.secret, { userIdentifier })).customer;
  for (const name of ['many-1', 'cus_Many1', 'cus_Many700']) await tenant.grant(name);
  await update(tenant.secret, ofFiles('many-1', { by: 2 }));
  await tenant.tenant.make('PUT', many.path, { userIdKey: 'userId' });
  await eventually(async () => expect((await many.read()).userIdsReady).toBe(true));
  await eventually(async () => expect((await secretOf('many-698')).isCustomer).toBe(true));
  // Of the first and the last customer: in no step it seemed to be of one only.
  await eventually(async () => {
    const { warnings, features } = await check(tenant.secret, { userIdentifier: 'many-1' });
    expect(warnings.map(({ code }) => code)).toEqual(['user-id-ambiguous']);
    expect(features.workspaces!.properties.files).toMatchObject({ used: 2 });
  });
  for (const id of ['cus_Many1', 'cus_Many700']) {
    const { features } = await check(tenant.secret, { userIdentifier: id });
    expect(features.workspaces!.properties.files).toMatchObject({ used: 0 });
  }
  const left = await env.DB.prepare(
    "SELECT count(*) AS total FROM outbox WHERE org_id = ? AND type = 'stripe.user-ids-changed'",
  )
    .bind(orgId)
    .first<{ total: number }>();
  expect(left?.total).toBe(0);
}, 60_000);
