import {
  createExecutionContext,
  evictDurableObject,
  runInDurableObject,
  waitOnExecutionContext,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CustomerEntitlements } from '#contracts/console/customers';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { shardOf } from '#engine/ledger/shard-of';
import { ledgerAt } from '#objects/stubs';
import { check, propertyOf } from '#tests/support/access-checks';
import { countedEnv } from '#tests/support/counted-env';
import { update } from '#tests/support/counter-updates';
import { customerTenant } from '#tests/support/customers';
import { expectConsole } from '#tests/support/expect-console';
import {
  NOBODY,
  ofFiles,
  type PayingTenant,
  payingTenant,
  someAddress,
  withPlans,
} from '#tests/support/paying-tenants';
import {
  connectAccount,
  putCustomer,
  type SeededCustomer,
  someCustomerId,
  subscribed,
} from '#tests/support/stripe-customers';
import { publishAll } from '#tests/support/tenants';
import { inSeconds, newSigner } from '#tests/support/tokens';
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

  it('of several customers is an alias of one with a subscription, then of the newest', async () => {
    const email = someAddress();
    const older = await own.someone([], { email, createdAt: 1_000 });
    const newer = await own.someone([], { email, createdAt: 2_000 });
    const named = async () => (await standingOf(email)).identifier;
    expect(await named()).toBe(newer.id);
    expect(await own.plansOf(email)).toEqual(withPlans());
    await older.put({ createdAt: 1_000, subscriptions: [subscribed('prod_plus')] });
    expect(await own.plansOf(email)).toEqual(withPlans('plus'));
    expect(await named()).toBe(older.id);
    await newer.put({ createdAt: 2_000, subscriptions: [subscribed('prod_pro')] });
    expect(await own.plansOf(email)).toEqual(withPlans('pro'));
    expect(await own.plansOf(older.id)).toEqual(withPlans('plus'));
    await newer.put({ createdAt: 2_000, deletedAt: Date.now(), subscriptions: [] });
    expect(await own.plansOf(email)).toEqual(withPlans('plus'));
    expect(await own.plansOf(newer.id)).toEqual(NOBODY);
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
    await (await ledgerOf(id)).pushFacts(id, {
      ...{ version: Date.now() + 1, grants: [], overrides: [], stripe: null },
    });
    expect(await own.plansOf(email)).toEqual(NOBODY);
  });

  it('that its customer gave up is a customer of its own, even while D1 is down', async () => {
    const { id, email } = await own.someone([subscribed('prod_pro')]);
    expect(await own.plansOf(email)).toEqual(withPlans('pro'));
    await (await ledgerOf(id)).pushFacts(id, {
      ...{ version: Date.now() + 1, grants: [], overrides: [] },
      stripe: {
        ...{ integrationId: own.testAccount, customerId: id, email: someAddress() },
        ...{ isNamedByEmail: true, subscriptions: [] },
      },
    });
    const counted = countedEnv();
    counted.cutOffD1();
    expectConsole('warn', /customer facts could not be loaded/);
    const context = createExecutionContext();
    const request = new Request<unknown, IncomingRequestCfProperties>(
      'http://localhost:4001/api/v1/access-checks',
      {
        method: 'POST',
        headers: { authorization: `Bearer ${own.secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ userIdentifier: email }),
      },
    );
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

  it('that includes usage of the email from before the customer existed, once', async () => {
    const email = someAddress();
    await own.grant(email);
    const key = { idempotencyKey: `${email} once` };
    await update(own.secret, ofFiles(email, { by: 5, ...key }));
    await update(own.secret, ofFiles(email, { by: 2 }));
    const { id, put } = await own.someone([], { email });
    const used = async (userIdentifier: string) =>
      propertyOf(await check(own.secret, { userIdentifier }), 'workspaces', 'files');
    await expect.poll(() => used(id)).toMatchObject({ used: 7 });
    await update(own.secret, ofFiles(id, { by: 1 }));
    for (const name of [email, id, email]) expect(await used(name)).toMatchObject({ used: 8 });
    const retried = await update(own.secret, ofFiles(email, { by: 5, ...key }));
    expect(retried.body).toMatchObject({ replayed: true });
    await put({ subscriptions: [subscribed('prod_plus')] });
    await evictDurableObject(await ledgerOf(id));
    await evictDurableObject(await ledgerOf(email));
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
        ...{ name: `By ${claimIndex}`, claimKey, claimIndex, publicKey: signer.pem },
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
    await evictDurableObject(await ledgerOf(id));
    await evictDurableObject(await ledgerOf(email));
    expect(await own.plansOf(email)).toEqual(withPlans('plus'));
    await put({ subscriptions: [] });
    expect(await own.plansOf(email)).toEqual(withPlans());
  });

  it('gets the facts of the customers it knows or has usage of, and stores nothing of the others', async () => {
    const page = await Promise.all(
      Array.from({ length: 25 }, async () => {
        const one = { integrationId: own.testAccount, id: someCustomerId(), email: someAddress() };
        await putCustomer(own.tenant, one, false);
        return one;
      }),
    );
    const [known, named, used, ...others] = page as [SeededCustomer, SeededCustomer, SeededCustomer];
    expect(await own.plansOf(known.id)).toEqual(withPlans());
    expect(await own.plansOf(named.email!)).toEqual(withPlans());
    const before = someAddress();
    await own.grant(before);
    await update(own.secret, ofFiles(before, { by: 3 }));
    await putCustomer(own.tenant, { ...used, email: before }, false);
    for (const one of page) {
      const email = one.id === used.id ? before : one.email;
      await putCustomer(own.tenant, { ...one, email, subscriptions: [subscribed('prod_pro')] }, false);
    }
    await pushChangedCustomers(workContext(env, Date.now), {
      ...{ type: 'stripe.customers-changed', outboxId: 'out_page', orgId: own.tenant.orgId },
      customers: page.flatMap(({ id, email }) => [id, id === used.id ? before : email]),
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

describe('any changes of customers that share two emails', () => {
  it('the next check uses the current facts, by each identifier', async () => {
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
            expect([name, await own.plansOf(name)]).toEqual([name, expectedOf(name, model, grants)]);
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

function standingOf(name: string): Promise<CustomerEntitlements> {
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
