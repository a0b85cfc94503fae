import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Artifact } from '#contracts/artifacts';
import type { Customer, CustomerStanding } from '#contracts/customers';
import type { Environment } from '#contracts/environments';
import type { StoredSubscription } from '#contracts/stripe';
import { shardOf } from '#engine/ledger/shard-of';
import { ledgerAt } from '#objects/stubs';
import { check, propertyOf } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { type CustomerTenant, customerTenant } from '#tests/support/customers';
import {
  connectAccount,
  disconnectAccount,
  putCustomer,
  type SeededCustomer,
  someCustomerId,
  subscribed,
} from '#tests/support/stripe-customers';
import { storedProduct } from '#tests/support/stripe-rows';
import { publishAll } from '#tests/support/tenants';
import { inSeconds, newSigner, type Signer } from '#tests/support/tokens';
import type { TestedAccess } from '#worker/domains/access/test-access';
import { tellChangedCustomers } from '#worker/domains/customers/tell-customer-facts';

/** An organisation with an account of test mode and one of live mode; a product of each grants a plan. */
interface PayingTenant extends CustomerTenant {
  readonly testAccount: string;
  readonly liveAccount: string;
  readonly liveSecret: string;
  readonly liveId: string;
}

let own: PayingTenant;
let signer: Signer;
beforeAll(async () => {
  own = await payingTenant();
  signer = await newSigner();
});

/** prod_pro and prod_plus of both accounts grant the plans Pro (50 seats, 100 files) and Plus (5 seats). */
async function payingTenant(): Promise<PayingTenant> {
  const made = await customerTenant();
  const { tenant, proId, plusId } = made;
  const testAccount = await connectAccount(tenant);
  const liveAccount = await connectAccount(tenant, true);
  for (const [planId, productId] of [
    [proId, 'prod_pro'],
    [plusId, 'prod_plus'],
  ] as const) {
    const addProducts = [];
    for (const account of [testAccount, liveAccount]) {
      addProducts.push({ ...(await storedProduct(tenant, account, productId)), version: 2 });
    }
    await tenant.make('PUT', `/plans/${planId}/products`, { addProducts });
  }
  const version = await tenant.make<Artifact>('POST', '/artifacts', {});
  const live = await tenant.make<Environment>('POST', '/environments', { name: 'Shop', type: 'live' });
  await tenant.make('PUT', `/deployments/${live.id}/artifact`, { artifactId: version.id });
  const liveSecret = (await tenant.key(live.id)).value;
  await publishAll(tenant);
  const paying = { ...made, testAccount, liveAccount, liveSecret, liveId: live.id };
  // The accounts reach isolates with the snapshot.
  const first = someCustomerId();
  await putCustomer(tenant, { integrationId: liveAccount, id: first, livemode: true });
  const isKnown = async (secret: string) =>
    (await check(secret, { userIdentifier: first })).customer.isCustomer;
  for (const secret of [made.secret, liveSecret])
    await vi.waitFor(async () => expect(await isKnown(secret)).toBe(true), { timeout: 6_000 });
  return paying;
}

let serial = 0;
function someAddress(): string {
  serial += 1;
  return `payer-${serial}@tests.example`;
}

interface Someone {
  readonly id: string;
  readonly email: string;
  put(change: Partial<Parameters<typeof putCustomer>[1]>, isTold?: boolean): Promise<void>;
}

/** A customer of the account of test mode, unless another is said. */
async function someone(
  subscriptions: readonly StoredSubscription[] = [],
  more: Partial<Parameters<typeof putCustomer>[1]> = {},
): Promise<Someone> {
  const id = someCustomerId();
  const email = more.email ?? someAddress();
  const basis = { integrationId: own.testAccount, id };
  await putCustomer(own.tenant, { ...basis, subscriptions, ...more, email });
  return {
    ...{ id, email },
    put: (change, isTold) => putCustomer(own.tenant, { ...basis, ...more, email, ...change }, isTold),
  };
}

const plansOf = async (userIdentifier: string, secret = own.secret) =>
  (await check(secret, { userIdentifier })).customer;

const NOBODY = { isCustomer: false, plans: [] };
const withPlans = (...plans: string[]) => ({ isCustomer: true, plans });

const ofFiles = (userIdentifier: string, more: object = {}) => ({
  ...{ userIdentifier, feature: 'workspaces', property: 'files' },
  ...more,
});

describe('a subscription', () => {
  it('grants its plan, by the id and by the e-mail address, from the answer to its webhook on until it ends', async () => {
    const { id, email, put } = await someone();
    expect(await plansOf(id)).toEqual(withPlans());
    expect(await plansOf(email)).toEqual(withPlans());
    await put({ subscriptions: [subscribed('prod_plus')] });
    expect(await plansOf(id)).toEqual(withPlans('plus'));
    expect(await plansOf(email)).toEqual(withPlans('plus'));
    await put({ subscriptions: [subscribed('prod_pro')] });
    expect(await plansOf(id)).toEqual(withPlans('pro'));
    expect(await plansOf(email)).toEqual(withPlans('pro'));
    await put({ subscriptions: [] });
    expect(await plansOf(id)).toEqual(withPlans());
    expect(await plansOf(email)).toEqual(withPlans());
  });

  it.each([
    ['active', true],
    ['trialing', true],
    ['past_due', true],
    ['incomplete', false],
    ['unpaid', false],
    ['paused', false],
    ['canceled', false],
    ['unknown', false],
  ] as const)('that is %s grants its plan: %s', async (status, isGranting) => {
    const { id } = await someone([subscribed('prod_pro', status)]);
    expect(await plansOf(id)).toEqual(isGranting ? withPlans('pro') : withPlans());
  });

  it('adds to what other subscriptions and grants by hand give', async () => {
    const { id, email } = await someone([subscribed('prod_plus')]);
    await own.grant(email);
    const answer = await check(own.secret, { userIdentifier: id });
    expect(answer.customer).toEqual(withPlans('pro', 'plus'));
    expect(propertyOf(answer, 'workspaces', 'seats')).toBe(50);
  });

  it('to a product that is linked to no plan grants nothing', async () => {
    const { id } = await someone([subscribed('prod_other')]);
    expect(await plansOf(id)).toEqual(withPlans());
  });

  it('names itself in explanations', async () => {
    const { email } = await someone([subscribed('prod_pro')]);
    const { explanation } = await check(own.secret, { userIdentifier: email }, { query: '?explain=1' });
    expect(explanation).toContainEqual(
      expect.objectContaining({
        property: 'seats',
        decidedBy: ['pro'],
        reason: "'pro' configures this value. 'pro' comes with prod_pro of sub_pro.",
        candidates: [
          {
            plan: 'pro',
            value: 50,
            from: [
              {
                ...{ kind: 'subscription', integrationId: own.testAccount },
                ...{ productId: 'prod_pro', subscriptionId: 'sub_pro', status: 'active' },
              },
            ],
          },
        ],
      }),
    );
  });

  it('leaves the validity of an answer at a minute', async () => {
    const { id } = await someone([subscribed('prod_plus')]);
    const { asOf, validUntil } = await check(own.secret, { userIdentifier: id });
    expect(validUntil - asOf).toBe(60_000);
  });
});

describe('a live environment', () => {
  it('counts live mode only; test and preview environments count both', async () => {
    const paying = [subscribed('prod_pro')];
    const inTest = await someone(paying);
    const inLive = await someone(paying, { integrationId: own.liveAccount, livemode: true });
    for (const { id, email } of [inTest, inLive]) {
      expect(await plansOf(id)).toEqual(withPlans('pro'));
      expect(await plansOf(email)).toEqual(withPlans('pro'));
    }
    for (const name of [inLive.id, inLive.email])
      expect(await plansOf(name, own.liveSecret)).toEqual(withPlans('pro'));
    for (const name of [inTest.id, inTest.email]) expect(await plansOf(name, own.liveSecret)).toEqual(NOBODY);
  });

  it('takes an e-mail address for its customer of live mode, whatever the one of test mode has', async () => {
    const email = someAddress();
    await someone([subscribed('prod_pro')], { email });
    await someone([subscribed('prod_plus', 'canceled')], {
      ...{ email, integrationId: own.liveAccount, livemode: true },
    });
    expect(await plansOf(email)).toEqual(withPlans('pro'));
    expect(await plansOf(email, own.liveSecret)).toEqual(withPlans());
  });
});

describe('an e-mail address', () => {
  it('stands for its customer however it is spelled', async () => {
    const { email } = await someone([subscribed('prod_pro')]);
    expect(await plansOf(email.toUpperCase())).toEqual(withPlans('pro'));
  });

  it('of several customers stands for one with a subscription, then for the newest', async () => {
    const email = someAddress();
    const older = await someone([], { email, createdAt: 1_000 });
    const newer = await someone([], { email, createdAt: 2_000 });
    const named = async () => (await standingOf(email)).identifier;
    expect(await named()).toBe(newer.id);
    expect(await plansOf(email)).toEqual(withPlans());
    await older.put({ createdAt: 1_000, subscriptions: [subscribed('prod_plus')] });
    expect(await plansOf(email)).toEqual(withPlans('plus'));
    expect(await named()).toBe(older.id);
    await newer.put({ createdAt: 2_000, subscriptions: [subscribed('prod_pro')] });
    expect(await plansOf(email)).toEqual(withPlans('pro'));
    expect(await plansOf(older.id)).toEqual(withPlans('plus'));
    await newer.put({ createdAt: 2_000, deletedAt: Date.now(), subscriptions: [] });
    expect(await plansOf(email)).toEqual(withPlans('plus'));
    expect(await plansOf(newer.id)).toEqual(NOBODY);
  });

  it('that the customer has no more stands for itself again, and the new one for the customer', async () => {
    const { id, email, put } = await someone([subscribed('prod_pro')]);
    const moved = someAddress();
    expect(await plansOf(email)).toEqual(withPlans('pro'));
    expect(await plansOf(moved)).toEqual(NOBODY);
    await put({ email: moved });
    expect(await plansOf(email)).toEqual(NOBODY);
    expect(await plansOf(moved)).toEqual(withPlans('pro'));
    expect(await plansOf(id)).toEqual(withPlans('pro'));
    await put({ email });
    expect(await plansOf(email)).toEqual(withPlans('pro'));
    expect(await plansOf(moved)).toEqual(NOBODY);
  });

  it('goes to another customer when the one whom it stood for gives it up', async () => {
    const email = someAddress();
    const first = await someone([subscribed('prod_pro')], { email });
    await someone([subscribed('prod_plus', 'canceled')], { email });
    expect(await plansOf(email)).toEqual(withPlans('pro'));
    await first.put({ email: someAddress(), subscriptions: [subscribed('prod_pro')] });
    expect(await plansOf(email)).toEqual(withPlans());
    expect(await plansOf(first.id)).toEqual(withPlans('pro'));
  });

  it('that an isolate remembers for a customer is given up when the customer says otherwise, told or not', async () => {
    const { id, email, put } = await someone([subscribed('prod_pro')]);
    expect(await plansOf(email)).toEqual(withPlans('pro'));
    await put({ email: someAddress() }, false);
    await (await ledgerOf(id)).tellFacts(id, {
      ...{ version: Date.now() + 1, grants: [], overrides: [], stripe: null },
    });
    expect(await plansOf(email)).toEqual(NOBODY);
  });

  it('of a deleted customer stands for itself, and the id for nobody', async () => {
    const { id, email, put } = await someone([subscribed('prod_pro')]);
    expect(await plansOf(email)).toEqual(withPlans('pro'));
    await put({ deletedAt: Date.now(), subscriptions: [] });
    expect(await plansOf(email)).toEqual(NOBODY);
    const answer = await check(own.secret, { userIdentifier: id });
    expect(answer.customer).toEqual(NOBODY);
    expect(answer.warnings.map(({ code }) => code)).toEqual(['customer-not-found']);
  });

  it("of another organisation's customer says nothing here", async () => {
    const other = await customerTenant();
    const account = await connectAccount(other.tenant);
    const { id, email } = await someone([subscribed('prod_pro')]);
    await putCustomer(other.tenant, { integrationId: account, id: someCustomerId(), email });
    await expect
      .poll(async () => (await check(other.secret, { userIdentifier: email })).customer.isCustomer, {
        timeout: 6_000,
      })
      .toBe(true);
    expect((await check(other.secret, { userIdentifier: email })).customer.plans).toEqual([]);
    const answer = await check(other.secret, { userIdentifier: id });
    expect(answer.customer).toEqual(NOBODY);
    expect(answer.warnings.map(({ code }) => code)).toEqual(['customer-not-found']);
    expect(await plansOf(email)).toEqual(withPlans('pro'));
  });
});

describe('one customer has one ledger', () => {
  it('whichever name is used: updates, consumption and readings', async () => {
    const { id, email } = await someone([subscribed('prod_pro')]);
    await update(own.secret, ofFiles(email, { by: 2 }));
    await update(own.secret, ofFiles(id, { by: 3 }));
    const consume = { feature: 'workspaces', property: 'files', by: 4 };
    expect((await check(own.secret, { userIdentifier: email, consume })).consumed).toMatchObject({ used: 9 });
    for (const userIdentifier of [id, email, email.toUpperCase()]) {
      const answer = await check(own.secret, { userIdentifier });
      expect(propertyOf(answer, 'workspaces', 'files')).toMatchObject({ used: 9, limit: 100 });
    }
  });

  it('also where consumption by the address is the first that an isolate hears of the customer', async () => {
    const { id, email } = await someone([subscribed('prod_pro')]);
    const consume = { feature: 'workspaces', property: 'files', by: 4 };
    const answer = await check(own.secret, { userIdentifier: email, consume });
    expect(answer.consumed).toMatchObject({ accepted: true, used: 4 });
    expect((await update(own.secret, ofFiles(id, { by: 1 }))).body.meter).toMatchObject({ used: 5 });
  });

  it('that has what was used by the address before there was a customer, once', async () => {
    const email = someAddress();
    await own.grant(email);
    const key = { idempotencyKey: `${email} once` };
    await update(own.secret, ofFiles(email, { by: 5, ...key }));
    await update(own.secret, ofFiles(email, { by: 2 }));
    const { id, put } = await someone([], { email });
    const used = async (userIdentifier: string) =>
      propertyOf(await check(own.secret, { userIdentifier }), 'workspaces', 'files');
    await expect.poll(() => used(id), { timeout: 3_000 }).toMatchObject({ used: 7 });
    await update(own.secret, ofFiles(id, { by: 1 }));
    for (const name of [email, id, email]) expect(await used(name)).toMatchObject({ used: 8 });
    const retried = await update(own.secret, ofFiles(email, { by: 5, ...key }));
    expect(retried.body).toMatchObject({ replayed: true });
    await put({ subscriptions: [subscribed('prod_plus')] });
    await evictDurableObject(await ledgerOf(id));
    await evictDurableObject(await ledgerOf(email));
    for (const name of [id, email]) expect(await used(name)).toMatchObject({ used: 8 });
  });

  it('and one history: events go by the id and are found by the other names', async () => {
    const { id, email } = await someone([subscribed('prod_pro')]);
    await check(own.secret, { userIdentifier: email });
    await check(own.secret, { userIdentifier: id });
    await update(own.secret, ofFiles(email));
    type Events = { events: { subjectIdentifier: string; secondarySubjectIdentifiers: string[] }[] };
    const subject = { subjectIdentifier: id, secondarySubjectIdentifiers: [email] };
    const read = async (who: string) =>
      (await own.tenant.make<Events>('GET', own.path(who, '/events'))).events;
    await expect.poll(() => read(id), { timeout: 3_000 }).toMatchObject([subject, subject, subject]);
    expect(await read(email)).toHaveLength(3);
  });

  it('by tokens too, that name an e-mail address or an id', async () => {
    const { tenant } = own;
    const { id, email } = await someone([subscribed('prod_pro')]);
    for (const [claimKey, claimIndex] of [
      ['email', 'email'],
      ['billing.customer', 'stripe_customer_id'],
    ]) {
      await tenant.make('POST', '/integrations/jwt', {
        ...{ name: `By ${claimIndex}`, claimKey, claimIndex, publicKey: signer.pem },
      });
    }
    await publishAll(tenant);
    const claims = [{ email: email.toUpperCase() }, { billing: { customer: id } }];
    for (const claim of claims) {
      const userJwt = await signer.sign({ ...claim, exp: inSeconds(600) });
      await expect
        .poll(async () => (await check(own.secret, { userJwt })).identity.method, { timeout: 6_000 })
        .toBe('jwt');
      expect((await check(own.secret, { userJwt })).customer).toEqual(withPlans('pro'));
      await update(own.secret, { userJwt, feature: 'workspaces', property: 'files', by: 2 });
    }
    const answer = await check(own.secret, { userIdentifier: id });
    expect(propertyOf(answer, 'workspaces', 'files')).toMatchObject({ used: 4 });
  });
});

describe('what is said by hand', () => {
  it('of the e-mail address holds for the customer, at once, and of two overrides the later', async () => {
    const { id, email } = await someone();
    expect(await plansOf(id)).toEqual(withPlans());
    await own.grant(email);
    expect(await plansOf(id)).toEqual(withPlans('pro'));
    expect(await plansOf(email)).toEqual(withPlans('pro'));
    const seats = async () =>
      propertyOf(await check(own.secret, { userIdentifier: id }), 'workspaces', 'seats');
    await own.override(id, own.seats.id, 7);
    expect(await seats()).toBe(7);
    await own.override(email, own.seats.id, 8);
    expect(await seats()).toBe(8);
    await own.override(email, own.seats.id, 9, { environmentId: own.previewId });
    await own.override(id, own.seats.id, 6);
    expect(await seats()).toBe(9);
  });

  it('of an address that stands for another customer does not', async () => {
    const email = someAddress();
    const older = await someone([], { email, createdAt: 1_000 });
    const newer = await someone([], { email, createdAt: 2_000 });
    await own.grant(email);
    expect(await plansOf(newer.id)).toEqual(withPlans('pro'));
    expect(await plansOf(older.id)).toEqual(withPlans());
  });

  it('of an address stays with it when the customer is called otherwise', async () => {
    const { id, email, put } = await someone();
    await own.grant(email);
    expect(await plansOf(id)).toEqual(withPlans('pro'));
    await put({ email: someAddress() });
    expect(await plansOf(id)).toEqual(withPlans());
    expect(await plansOf(email)).toEqual({ isCustomer: false, plans: ['pro'] });
  });
});

describe('an id in the form of Stripe that no account knows', () => {
  it('is answered for with a warning, and can be counted for', async () => {
    const id = someCustomerId();
    const answer = await check(own.secret, { userIdentifier: id });
    expect(answer.customer).toEqual(NOBODY);
    expect(answer.warnings.map(({ code }) => code)).toEqual(['customer-not-found']);
    const counted = await update(own.secret, ofFiles(id, { by: 3 }));
    expect(counted.status).toBe(200);
    expect(counted.body.warnings.map(({ code }) => code)).toEqual(['customer-not-found']);
    await putCustomer(own.tenant, {
      ...{ integrationId: own.testAccount, id, subscriptions: [subscribed('prod_pro')] },
    });
    const known = await check(own.secret, { userIdentifier: id });
    expect(known.warnings).toEqual([]);
    expect(propertyOf(known, 'workspaces', 'files')).toMatchObject({ used: 3 });
  });

  it('is nothing to warn of without a connected account', async () => {
    const other = await customerTenant();
    expect((await check(other.secret, { userIdentifier: someCustomerId() })).warnings).toEqual([]);
  });
});

describe('a deleted integration', () => {
  it('says nothing more within five seconds, also of customers whose ledgers nobody told, and another takes its place', async () => {
    const leaving = await payingTenant();
    const { tenant, secret, testAccount, liveAccount } = leaving;
    const [id, liveCustomer, email] = [someCustomerId(), someCustomerId(), someAddress()];
    const subscriptions = [subscribed('prod_pro')];
    await putCustomer(tenant, { integrationId: testAccount, id, email, subscriptions });
    const { id: grantId } = await leaving.grant(email, { planId: leaving.plusId });
    expect(await plansOf(id, secret)).toEqual(withPlans('pro', 'plus'));
    expect(await plansOf(email, secret)).toEqual(withPlans('pro', 'plus'));
    await putCustomer(tenant, {
      ...{ integrationId: liveAccount, id: liveCustomer, email, livemode: true, subscriptions: [] },
    });
    expect(await plansOf(email, secret)).toEqual(withPlans('pro', 'plus'));
    await disconnectAccount(tenant, testAccount);
    await expect.poll(() => plansOf(id, secret), { timeout: 5_000 }).toEqual(NOBODY);
    expect(await plansOf(email, secret)).toEqual(withPlans('plus'));
    expect(await plansOf(liveCustomer, secret)).toEqual(withPlans('plus'));
    await disconnectAccount(tenant, liveAccount);
    await expect
      .poll(() => plansOf(email, secret), { timeout: 5_000 })
      .toEqual({ isCustomer: false, plans: ['plus'] });
    await tenant.make('DELETE', leaving.path(email, `/grants/${grantId}`));
    expect(await plansOf(email, secret)).toEqual(NOBODY);
  });
});

describe('a ledger', () => {
  it('that was evicted, or was not told, is right when it is next used', async () => {
    const { id, email, put } = await someone([subscribed('prod_plus')]);
    expect(await plansOf(email)).toEqual(withPlans('plus'));
    await evictDurableObject(await ledgerOf(id));
    await evictDurableObject(await ledgerOf(email));
    expect(await plansOf(email)).toEqual(withPlans('plus'));
    await put({ subscriptions: [] });
    expect(await plansOf(email)).toEqual(withPlans());
  });

  it('hears of a page of many customers where it knows them or has their usage, and keeps nothing of the others', async () => {
    const page = await Promise.all(
      Array.from({ length: 25 }, async () => {
        const one = { integrationId: own.testAccount, id: someCustomerId(), email: someAddress() };
        await putCustomer(own.tenant, one, false);
        return one;
      }),
    );
    const [known, named, used, ...others] = page as [SeededCustomer, SeededCustomer, SeededCustomer];
    expect(await plansOf(known.id)).toEqual(withPlans());
    expect(await plansOf(named.email!)).toEqual(withPlans());
    const before = someAddress();
    await own.grant(before);
    await update(own.secret, ofFiles(before, { by: 3 }));
    await putCustomer(own.tenant, { ...used, email: before }, false);
    for (const one of page) {
      const email = one.id === used.id ? before : one.email;
      await putCustomer(own.tenant, { ...one, email, subscriptions: [subscribed('prod_pro')] }, false);
    }
    await tellChangedCustomers(env, {
      ...{ type: 'stripe.customers-changed', outboxId: 'out_page', orgId: own.tenant.orgId },
      customers: page.flatMap(({ id, email }) => [id, id === used.id ? before : email]),
    });
    for (const other of others as SeededCustomer[]) {
      expect(await storedFacts(other.id)).toBeNull();
      expect(await storedFacts(other.email!)).toBeNull();
    }
    for (const name of [known.id, named.email!, named.id]) {
      expect(await plansOf(name)).toEqual(withPlans('pro'));
    }
    const usedBy = async (userIdentifier: string) =>
      propertyOf(await check(own.secret, { userIdentifier }), 'workspaces', 'files');
    await expect.poll(() => usedBy(used.id), { timeout: 3_000 }).toMatchObject({ used: 3 });
    for (const other of others as SeededCustomer[])
      expect(await plansOf(other.email!)).toEqual(withPlans('pro'));
  });

  it('hears what an address stands for when a check asks by it', async () => {
    const { id, email } = await someone([subscribed('prod_pro')]);
    await check(own.secret, { userIdentifier: email });
    await expect
      .poll(() => storedFacts(email))
      .toMatchObject({ nameOf: { integrationId: own.testAccount, customerId: id } });
  });
});

describe('whatever happens to customers who share two addresses', () => {
  it('the check that follows answers by what Stripe and people say then, by each of their names', async () => {
    const addresses = [someAddress(), someAddress()] as const;
    const customers = [1, 2, 3].map((order) => ({ id: someCustomerId(), createdAt: order * 1_000 }));
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('stripe' as const),
        who: fc.integer({ min: 0, max: 2 }),
        email: fc.constantFrom(...addresses, null),
        product: fc.constantFrom('prod_pro', 'prod_plus', null),
        isDeleted: fc.integer({ min: 1, max: 4 }).map((die) => die === 1),
      }),
      fc.record({ kind: fc.constant('grant' as const), address: fc.constantFrom(...addresses) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 12 }), async (steps) => {
        const model = new Map<string, { email: string | null; product: string | null; createdAt: number }>();
        const grants = new Map<string, string>();
        for (const each of steps) {
          if (each.kind === 'grant') {
            const { address } = each;
            const granted = grants.get(address);
            if (granted === undefined) {
              grants.set(address, (await own.grant(address, { planId: own.plusId })).id);
            } else {
              await own.tenant.make('DELETE', own.path(address, `/grants/${granted}`));
              grants.delete(address);
            }
          } else {
            const { who, email, product, isDeleted } = each;
            const { id, createdAt } = customers[who]!;
            await putCustomer(own.tenant, {
              ...{ integrationId: own.testAccount, id, createdAt, email },
              subscriptions: product === null || isDeleted ? [] : [subscribed(product)],
              deletedAt: isDeleted ? Date.now() : null,
            });
            if (isDeleted) model.delete(id);
            else model.set(id, { email, product, createdAt });
          }
          for (const name of [...addresses, ...customers.map(({ id }) => id)]) {
            expect([name, await plansOf(name)]).toEqual([name, expectedOf(name, model, grants)]);
          }
        }
        for (const [address, granted] of grants) {
          await own.tenant.make('DELETE', own.path(address, `/grants/${granted}`));
        }
        for (const { id } of customers) {
          await putCustomer(own.tenant, {
            ...{ integrationId: own.testAccount, id, subscriptions: [], deletedAt: Date.now() },
          });
        }
      }),
      { numRuns: 5 },
    );
  });

  type Model = ReadonlyMap<string, { email: string | null; product: string | null; createdAt: number }>;

  function expectedOf(name: string, model: Model, grants: ReadonlyMap<string, string>) {
    const named = (email: string | null) =>
      [...model]
        .filter(([, each]) => email !== null && each.email === email)
        .sort(
          ([, one], [, other]) =>
            Number(other.product !== null) - Number(one.product !== null) || other.createdAt - one.createdAt,
        )[0]?.[0];
    const id = model.has(name) ? name : named(name);
    const customer = id === undefined ? undefined : model.get(id);
    const address = customer === undefined ? name : named(customer.email) === id ? customer.email : null;
    const isGranted = address !== null && grants.has(address);
    const plans = [
      ...(customer?.product === 'prod_pro' ? ['pro'] : []),
      ...(customer?.product === 'prod_plus' || isGranted ? ['plus'] : []),
    ];
    return { isCustomer: customer !== undefined, plans };
  }
});

describe('the test check', () => {
  const test = (userIdentifier: string) =>
    own.tenant.make<TestedAccess>('POST', '/envs/preview/access-checks', {
      ...{ request: { userIdentifier }, apiKeyType: 'secret' },
    });

  it('says who the customer is, what it subscribes to, and which plans follow from that', async () => {
    const { id, email } = await someone([subscribed('prod_pro'), subscribed('prod_other', 'canceled')]);
    await own.grant(email, { planId: own.plusId });
    const { response, diagnostics } = await test(email);
    expect(response.customer).toEqual(withPlans('pro', 'plus'));
    expect(diagnostics.plans).toEqual(['pro', 'plus']);
    expect(diagnostics.planSources).toMatchObject([
      { plan: 'pro', from: [{ kind: 'subscription', productId: 'prod_pro', subscriptionId: 'sub_pro' }] },
      { plan: 'plus', from: [{ kind: 'grant' }] },
    ]);
    expect(diagnostics.storeData.customerData).toMatchObject({
      ...{ isCustomer: true, identifier: id },
      stripe: { id, email, integrationId: own.testAccount, testMode: true },
      subscriptions: [
        {
          ...{ id: 'sub_pro', status: 'active', isGranting: true },
          products: [{ id: 'prod_pro', name: 'Product prod_pro', plans: ['pro'] }],
        },
        {
          ...{ id: 'sub_other', status: 'canceled', isGranting: false },
          products: [{ id: 'prod_other', name: null, plans: [] }],
        },
      ],
    });
  });

  it('says of somebody whom Stripe does not know that they are no customer', async () => {
    const { response, diagnostics } = await test(someCustomerId());
    expect(diagnostics.storeData.customerData).toMatchObject({ isCustomer: false, stripe: null });
    expect(response.warnings.map(({ code }) => code)).toEqual(['customer-not-found']);
  });
});

describe('the console', () => {
  it('shows the customer behind an address: who it is, its subscriptions, and the plans that come with them', async () => {
    const { id, email } = await someone([subscribed('prod_pro')], { name: 'Ada Lovelace' });
    const linked = {
      ...{ id, email, name: 'Ada Lovelace', testMode: true, integrationId: own.testAccount },
      subscriptions: [{ id: 'sub_pro', status: 'active', isGranting: true, products: [{ id: 'prod_pro' }] }],
    };
    for (const name of [id, email]) {
      expect((await own.tenant.make<Customer>('GET', own.path(name))).linked).toMatchObject([linked]);
      expect(await standingOf(name)).toMatchObject({
        identifier: id,
        plans: [
          {
            ...{ slug: 'pro', from: ['subscription'] },
            subscriptions: [
              {
                ...{ subscriptionId: 'sub_pro', status: 'active' },
                ...{ productId: 'prod_pro', productName: 'Product prod_pro' },
              },
            ],
          },
        ],
      });
    }
  });

  it('finds customers at Stripe by parts of their id, e-mail address and name, and no address of before', async () => {
    const { id, email, put } = await someone([], { name: 'Grace Hopper' });
    type List = { items: { identifier: string }[]; linked: { id: string }[] };
    const find = (query: string) =>
      own.tenant.make<List>('GET', `/customers?query=${encodeURIComponent(query)}`);
    for (const query of [id.slice(2, 20), email.toUpperCase(), 'grace HOP']) {
      const { items, linked } = await find(query);
      expect(items).toEqual([]);
      expect(linked).toMatchObject([{ id, email, name: 'Grace Hopper', testMode: true }]);
    }
    expect((await find('')).linked).toEqual([]);
    await put({ email: someAddress() });
    expect(await find(email)).toMatchObject({ items: [], linked: [] });
    await own.grant(email);
    expect((await find(email)).items).toMatchObject([{ identifier: email, planIds: [own.proId] }]);
    await put({ deletedAt: Date.now() });
    expect((await find(id)).linked).toEqual([]);
  });

  it('corrects the meter of the customer, whichever name is used', async () => {
    const { id, email } = await someone([subscribed('prod_pro')]);
    await update(own.secret, ofFiles(id, { by: 10 }));
    await own.tenant.make('POST', own.path(email, '/corrections'), {
      ...{ environmentId: own.previewId, propertyId: own.files.id, by: -4 },
      ...{ reason: 'Counted twice', idempotencyKey: `${id} once` },
    });
    const answer = await check(own.secret, { userIdentifier: id });
    expect(propertyOf(answer, 'workspaces', 'files')).toMatchObject({ used: 6 });
  });
});

function standingOf(name: string): Promise<CustomerStanding> {
  return own.tenant.make('GET', own.path(name, `/environments/${own.previewId}`));
}

async function ledgerOf(who: string) {
  const row = await env.DB.prepare(
    'SELECT o.data_locations AS locations, e.ledger_shards AS shards FROM environment e JOIN organization o ON o.id = e.org_id WHERE e.id = ?',
  )
    .bind(own.previewId)
    .first<{ locations: string; shards: number }>();
  const [location] = JSON.parse(row!.locations);
  return ledgerAt(env, { environmentId: own.previewId, location, shard: shardOf(who, row!.shards) });
}

async function storedFacts(who: string): Promise<unknown> {
  return runInDurableObject(await ledgerOf(who), (_object, { storage: { sql } }) => {
    const hasTable = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'facts'").toArray().length > 0;
    if (!hasTable) return null;
    const [row] = sql.exec<{ body: string }>('SELECT body FROM facts WHERE customer = ?', who).toArray();
    return row === undefined ? null : (JSON.parse(row.body) as unknown);
  });
}
