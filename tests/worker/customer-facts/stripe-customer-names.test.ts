// A Stripe customer is known by its id and its email: both lead to one customer with one ledger.

import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { inSeconds, newSigner } from '#lab/fixtures/tokens';
import { check, propertyOf } from '#tests/support/access-checks';
import { countedEnv } from '#tests/support/counted-env';
import { update } from '#tests/support/counter-updates';
import { customerTenant } from '#tests/support/customers';
import { evict } from '#tests/support/evict';
import { expectConsole } from '#tests/support/expect-console';
import {
  ledgerOf,
  NOBODY,
  ofFiles,
  type PayingTenant,
  payingTenant,
  someAddress,
  standingOf,
  withPlans,
} from '#tests/support/paying-tenants';
import { publicRequest } from '#tests/support/public-requests';
import {
  connectAccount,
  putCustomer,
  type SeededCustomer,
  someCustomerId,
  subscribed,
} from '#tests/support/stripe-customers';
import { publishAll } from '#tests/support/tenants';
import { pushChangedCustomers } from '#worker/domains/customer-facts/push-customer-facts';
import { workContext } from '#worker/http/make-work-context';
import worker from '#worker/index';

let own: PayingTenant;
beforeAll(async () => {
  own = await payingTenant();
});

describe('an email', () => {
  it('is an alias of its customer in any spelling', async () => {
    const { email } = await own.someone([subscribed('prod_pro')]);
    expect(await own.plansOf(email.toUpperCase())).toEqual(withPlans('pro'));
  });

  it('of several customers has the plans of all of them, and stays an alias of the first', async () => {
    const email = someAddress();
    const older = await own.someone([], { email, createdAt: 1_000 });
    const newer = await own.someone([], { email, createdAt: 2_000 });
    const named = async () => (await standingOf(own, email)).identifier;
    expect(await named()).toBe(older.id);
    expect(await own.plansOf(email)).toEqual(withPlans());
    await newer.put({ subscriptions: [subscribed('prod_pro')] });
    expect(await own.plansOf(email)).toEqual(withPlans('pro'));
    expect(await own.plansOf(older.id)).toEqual(withPlans());
    await older.put({ subscriptions: [subscribed('prod_plus')] });
    expect(await own.plansOf(email)).toEqual(withPlans('pro', 'plus'));
    expect(await own.plansOf(older.id)).toEqual(withPlans('plus'));
    expect(await own.plansOf(newer.id)).toEqual(withPlans('pro'));
    expect(await named()).toBe(older.id);
    await older.put({ deletedAt: Date.now(), subscriptions: [] });
    expect(await own.plansOf(email)).toEqual(withPlans('pro'));
    expect(await named()).toBe(newer.id);
    expect(await own.plansOf(older.id)).toEqual(NOBODY);
  });

  it('that the customer gave up is a customer of its own again, and the new one is the alias', async () => {
    const { id, email, put } = await own.someone([subscribed('prod_pro')]);
    const moved = someAddress();
    expect(await own.plansOf(email)).toEqual(withPlans('pro'));
    expect(await own.plansOf(moved)).toEqual(NOBODY);
    await put({ email: moved });
    expect(await own.plansOf(email)).toEqual(NOBODY);
    expect(await own.plansOf(moved)).toEqual(withPlans('pro'));
    expect(await own.plansOf(id)).toEqual(withPlans('pro'));
    await put({ email });
    expect(await own.plansOf(email)).toEqual(withPlans('pro'));
    expect(await own.plansOf(moved)).toEqual(NOBODY);
  });

  it('becomes an alias of another customer when the first one gives it up', async () => {
    const email = someAddress();
    const first = await own.someone([subscribed('prod_pro')], { email });
    await own.someone([subscribed('prod_plus', 'canceled')], { email });
    expect(await own.plansOf(email)).toEqual(withPlans('pro'));
    await first.put({ email: someAddress(), subscriptions: [subscribed('prod_pro')] });
    expect(await own.plansOf(email)).toEqual(withPlans());
    expect(await own.plansOf(first.id)).toEqual(withPlans('pro'));
  });

  it("cached as an alias is dropped when the customer's facts contradict it, with or without a push", async () => {
    const { id, email, put } = await own.someone([subscribed('prod_pro')]);
    expect(await own.plansOf(email)).toEqual(withPlans('pro'));
    await put({ email: someAddress() }, false);
    await (await ledgerOf(own, id)).pushFacts(id, {
      version: Date.now() + 1,
      grants: [],
      overrides: [],
      stripe: null,
    });
    expect(await own.plansOf(email)).toEqual(NOBODY);
  });

  it('that its customer gave up is a customer of its own, even while D1 is down', async () => {
    const { id, email } = await own.someone([subscribed('prod_pro')]);
    expect(await own.plansOf(email)).toEqual(withPlans('pro'));
    await (await ledgerOf(own, id)).pushFacts(id, {
      version: Date.now() + 1,
      grants: [],
      overrides: [],
      stripe: {
        integrationId: own.testAccount,
        customerId: id,
        email: someAddress(),
        isNamedByEmail: true,
        subscriptions: [],
      },
    });
    const counted = countedEnv();
    counted.cutOffD1();
    expectConsole('warn', /customer facts could not be loaded/);
    const context = createExecutionContext();
    const request = publicRequest('access-checks', own.secret, { userIdentifier: email });
    const response = await worker.fetch(request, counted.env, context);
    expect(((await response.json()) as AccessCheckAnswer).customer).toEqual(NOBODY);
    await waitOnExecutionContext(context);
  });

  it('of a deleted customer is a customer of its own, and the id is not found', async () => {
    const { id, email, put } = await own.someone([subscribed('prod_pro')]);
    expect(await own.plansOf(email)).toEqual(withPlans('pro'));
    await put({ deletedAt: Date.now(), subscriptions: [] });
    expect(await own.plansOf(email)).toEqual(NOBODY);
    const answer = await check(own.secret, { userIdentifier: id });
    expect(answer.customer).toEqual(NOBODY);
    expect(answer.warnings.map(({ code }) => code)).toEqual(['customer-not-found']);
  });

  it("of another organisation's customer has no effect", async () => {
    const other = await customerTenant();
    const account = await connectAccount(other.tenant);
    const { id, email } = await own.someone([subscribed('prod_pro')]);
    await putCustomer(other.tenant, { integrationId: account, id: someCustomerId(), email });
    await expect
      .poll(async () => (await check(other.secret, { userIdentifier: email })).customer.isCustomer)
      .toBe(true);
    expect((await check(other.secret, { userIdentifier: email })).customer.plans).toEqual([]);
    const answer = await check(other.secret, { userIdentifier: id });
    expect(answer.customer).toEqual(NOBODY);
    expect(answer.warnings.map(({ code }) => code)).toEqual(['customer-not-found']);
    expect(await own.plansOf(email)).toEqual(withPlans('pro'));
  });
});

describe('one customer has one ledger', () => {
  it('by id and by alias: updates, consumption and readings', async () => {
    const { id, email } = await own.someone([subscribed('prod_pro')]);
    await update(own.secret, ofFiles(email, { by: 2 }));
    await update(own.secret, ofFiles(id, { by: 3 }));
    const consume = { feature: 'workspaces', property: 'files', by: 4 };
    expect((await check(own.secret, { userIdentifier: email, consume })).consumed).toMatchObject({ used: 9 });
    for (const userIdentifier of [id, email, email.toUpperCase()]) {
      const answer = await check(own.secret, { userIdentifier });
      expect(propertyOf(answer, 'workspaces', 'files')).toMatchObject({ used: 9, limit: 100 });
    }
  });

  it('even if the first call of an isolate consumes by alias', async () => {
    const { id, email } = await own.someone([subscribed('prod_pro')]);
    const consume = { feature: 'workspaces', property: 'files', by: 4 };
    const answer = await check(own.secret, { userIdentifier: email, consume });
    expect(answer.consumed).toMatchObject({ accepted: true, used: 4 });
    expect((await update(own.secret, ofFiles(id, { by: 1 }))).body.meter).toMatchObject({ used: 5 });
  });

  it('with one scope of idempotency keys', async () => {
    const { id, email } = await own.someone([subscribed('prod_pro')]);
    const keyed = (name: string, by: number) =>
      update(own.secret, ofFiles(name, { by, idempotencyKey: 'by any name' }));
    expect(await keyed(id, 4)).toMatchObject({ status: 200, body: { replayed: false } });
    expect(await keyed(email, 4)).toMatchObject({ status: 200, body: { replayed: true } });
    expect(await keyed(email, 5)).toMatchObject({ status: 409, body: { errorType: 'conflict' } });
    const { id: otherId } = await own.someone([subscribed('prod_pro')]);
    expect(await keyed(otherId, 5)).toMatchObject({ status: 200, body: { replayed: false } });
  });

  it('that includes usage of the email from before the customer was known here, once', async () => {
    const email = someAddress();
    await own.grant(email);
    const key = { idempotencyKey: `${email} once` };
    await update(own.secret, ofFiles(email, { by: 5, ...key }));
    await update(own.secret, ofFiles(email, { by: 2 }));
    const { id, put } = await own.someone([], { email, createdAt: 1_000 });
    const used = async (userIdentifier: string) =>
      propertyOf(await check(own.secret, { userIdentifier }), 'workspaces', 'files');
    await expect.poll(() => used(id)).toMatchObject({ used: 7 });
    await update(own.secret, ofFiles(id, { by: 1 }));
    for (const name of [email, id, email]) expect(await used(name)).toMatchObject({ used: 8 });
    const retried = await update(own.secret, ofFiles(email, { by: 5, ...key }));
    expect(retried.body).toMatchObject({ replayed: true });
    await put({ subscriptions: [subscribed('prod_plus')] });
    await evict(await ledgerOf(own, id));
    await evict(await ledgerOf(own, email));
    for (const name of [id, email]) expect(await used(name)).toMatchObject({ used: 8 });
  });

  it('and one history: events have the id and are found by its aliases', async () => {
    const { id, email } = await own.someone([subscribed('prod_pro')]);
    await check(own.secret, { userIdentifier: email });
    await check(own.secret, { userIdentifier: id });
    await update(own.secret, ofFiles(email));
    type Events = { events: { subjectIdentifier: string; secondarySubjectIdentifiers: string[] }[] };
    const subject = { subjectIdentifier: id, secondarySubjectIdentifiers: [email] };
    const read = async (who: string) =>
      (await own.tenant.make<Events>('GET', own.path(who, '/events'))).events;
    await expect.poll(() => read(id)).toMatchObject([subject, subject, subject]);
    expect(await read(email)).toHaveLength(3);
  });

  it('also with tokens that contain an email or an id', async () => {
    const { tenant } = own;
    const signer = await newSigner();
    const { id, email } = await own.someone([subscribed('prod_pro')]);
    for (const [claimKey, claimIndex] of [
      ['email', 'email'],
      ['billing.customer', 'stripe_customer_id'],
    ]) {
      await tenant.make('POST', '/integrations/jwt', {
        name: `By ${claimIndex}`,
        claimKey,
        claimIndex,
        publicKey: signer.pem,
      });
    }
    await publishAll(tenant);
    const claims = [{ email: email.toUpperCase() }, { billing: { customer: id } }];
    for (const claim of claims) {
      const userJwt = await signer.sign({ ...claim, exp: inSeconds(600) });
      await expect.poll(async () => (await check(own.secret, { userJwt })).identity.method).toBe('jwt');
      expect((await check(own.secret, { userJwt })).customer).toEqual(withPlans('pro'));
      await update(own.secret, { userJwt, feature: 'workspaces', property: 'files', by: 2 });
    }
    const answer = await check(own.secret, { userIdentifier: id });
    expect(propertyOf(answer, 'workspaces', 'files')).toMatchObject({ used: 4 });
  });
});

describe('a ledger', () => {
  it('that was evicted, or missed a push, is correct when it is next used', async () => {
    const { id, email, put } = await own.someone([subscribed('prod_plus')]);
    expect(await own.plansOf(email)).toEqual(withPlans('plus'));
    await evict(await ledgerOf(own, id));
    await evict(await ledgerOf(own, email));
    expect(await own.plansOf(email)).toEqual(withPlans('plus'));
    await put({ subscriptions: [] });
    expect(await own.plansOf(email)).toEqual(withPlans());
  });

  it('gets the facts of the customers it knows or has usage of, and stores nothing of the others', async () => {
    const before = someAddress();
    const page = await Promise.all(
      Array.from({ length: 25 }, async (_, index) => {
        const email = index === 2 ? before : someAddress();
        const one = { integrationId: own.testAccount, id: someCustomerId(), email };
        await putCustomer(own.tenant, one, false);
        return one;
      }),
    );
    const [known, named, used, ...others] = page as [SeededCustomer, SeededCustomer, SeededCustomer];
    expect(await own.plansOf(known.id)).toEqual(withPlans());
    expect(await own.plansOf(named.email!)).toEqual(withPlans());
    await own.grant(before);
    await update(own.secret, ofFiles(before, { by: 3 }));
    for (const one of page) {
      await putCustomer(own.tenant, { ...one, subscriptions: [subscribed('prod_pro')] }, false);
    }
    await pushChangedCustomers(workContext(env, Date.now), {
      type: 'stripe.customers-changed',
      outboxId: 'out_page',
      orgId: own.tenant.orgId,
      customers: page.flatMap(({ id, email }) => [id, email]),
    });
    for (const other of others as SeededCustomer[]) {
      expect(await storedFacts(other.id)).toBeNull();
      expect(await storedFacts(other.email!)).toBeNull();
    }
    for (const name of [known.id, named.email!, named.id]) {
      expect(await own.plansOf(name)).toEqual(withPlans('pro'));
    }
    const usedBy = async (userIdentifier: string) =>
      propertyOf(await check(own.secret, { userIdentifier }), 'workspaces', 'files');
    await expect.poll(() => usedBy(used.id)).toMatchObject({ used: 3 });
    for (const other of others as SeededCustomer[])
      expect(await own.plansOf(other.email!)).toEqual(withPlans('pro'));
  });

  it('learns that an email is an alias when a check uses it', async () => {
    const { id, email } = await own.someone([subscribed('prod_pro')]);
    await check(own.secret, { userIdentifier: email });
    await expect
      .poll(() => storedFacts(email))
      .toMatchObject({ aliasOf: { integrationId: own.testAccount, customerId: id } });
  });
});

async function storedFacts(who: string): Promise<unknown> {
  return runInDurableObject(await ledgerOf(own, who), (_object, { storage: { sql } }) => {
    const hasTable = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'facts'").toArray().length > 0;
    if (!hasTable) return null;
    const [row] = sql.exec<{ body: string }>('SELECT body FROM facts WHERE customer = ?', who).toArray();
    return row === undefined ? null : (JSON.parse(row.body) as unknown);
  });
}
