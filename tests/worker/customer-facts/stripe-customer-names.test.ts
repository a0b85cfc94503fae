import {
  createExecutionContext,
  runDurableObjectAlarm,
  runInDurableObject,
  waitOnExecutionContext,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Customer, CustomerEntitlements } from '#contracts/console/customers';
import type { AccessCheckAnswer } from '#contracts/public/access';
import type { ErrorBody } from '#contracts/public/errors';
import { shardOf } from '#engine/ledger/shard-of';
import { ledgerAt } from '#objects/stubs';
import { check, propertyOf } from '#tests/support/access-checks';
import { countedEnv } from '#tests/support/counted-env';
import { update } from '#tests/support/counter-updates';
import { customerTenant } from '#tests/support/customers';
import { evict } from '#tests/support/evict';
import { expectConsole } from '#tests/support/expect-console';
import {
  NOBODY,
  ofFiles,
  type PayingTenant,
  payingTenant,
  someAddress,
  withPlans,
} from '#tests/support/paying-tenants';
import { auditTrail } from '#tests/support/stored-state';
import {
  connectAccount,
  putCustomer,
  type SeededCustomer,
  someCustomerId,
  subscribed,
} from '#tests/support/stripe-customers';
import { publishAll } from '#tests/support/tenants';
import { inSeconds, newSigner } from '#tests/support/tokens';
import { decideEmailOwners } from '#worker/domains/customer-facts/decide-email-owners';
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
    const named = async () => (await standingOf(email)).identifier;
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
    await evict(await ledgerOf(id));
    await evict(await ledgerOf(email));
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
    await evict(await ledgerOf(id));
    await evict(await ledgerOf(email));
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
      ...{ type: 'stripe.customers-changed', outboxId: 'out_page', orgId: own.tenant.orgId },
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
        const model: Model = new Map();
        const grants = new Map<string, { id: string; at: number }>();
        for (const [at, each] of steps.entries()) {
          if (each.kind === 'grant') {
            const { address } = each;
            const granted = grants.get(address);
            if (granted === undefined) {
              const { id } = await own.grant(address, { planId: own.plusId });
              grants.set(address, { id, at });
            } else {
              await own.tenant.make('DELETE', own.path(address, `/grants/${granted.id}`));
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
            const known = model.get(id);
            const role =
              known?.email === email
                ? known
                : { role: 'undecided' as const, roleAt: at, since: known === undefined ? -4 + who : at };
            const { role: emailRole, roleAt, since } = role;
            model.set(id, { email, product, isDeleted, role: emailRole, roleAt, since });
            for (const address of [email, known?.email ?? null]) decide(model, grants, address, at);
          }
          for (const name of [...addresses, ...customers.map(({ id }) => id)]) {
            expect([name, await own.plansOf(name)]).toEqual([name, expectedOf(name, model, grants)]);
          }
        }
        for (const [address, { id }] of grants) {
          await own.tenant.make('DELETE', own.path(address, `/grants/${id}`));
        }
        for (const { id } of customers) {
          await env.DB.prepare('UPDATE stripe_customer SET deleted_at = 1 WHERE id = ?').bind(id).run();
          await putCustomer(own.tenant, {
            ...{ integrationId: own.testAccount, id, email: null, subscriptions: [], deletedAt: Date.now() },
          });
          await env.DB.prepare('DELETE FROM stripe_customer WHERE id = ?').bind(id).run();
        }
      }),
      { numRuns: 5 },
    );
  });

  interface Modelled {
    readonly email: string | null;
    readonly product: string | null;
    readonly isDeleted: boolean;
    role: 'owner' | 'separate' | 'undecided';
    roleAt: number;
    /** In steps; customers that are new are older than every grant. */
    readonly since: number;
  }
  type Model = Map<string, Modelled>;

  const sharing = (model: Model, email: string | null) =>
    [...model].filter(([, each]) => email !== null && each.email === email && !each.isDeleted);

  /** The first undecided customer owns the email, unless another one does or the email has an older grant. */
  function decide(
    model: Model,
    grants: ReadonlyMap<string, { at: number }>,
    email: string | null,
    at: number,
  ) {
    const present = sharing(model, email).map(([, each]) => each);
    if (email === null || present.some(({ role }) => role === 'owner')) return;
    const [first] = present
      .filter(({ role }) => role === 'undecided')
      .sort((one, other) => one.since - other.since);
    if (first === undefined) return;
    first.role = (grants.get(email)?.at ?? Infinity) < first.since ? 'separate' : 'owner';
    first.roleAt = at;
  }

  function expectedOf(name: string, model: Model, grants: ReadonlyMap<string, unknown>) {
    const ownerOf = (email: string | null) =>
      sharing(model, email)
        .filter(([, { role }]) => role === 'owner')
        .sort(([, one], [, other]) => one.roleAt - other.roleAt)[0]?.[0];
    const customer = model.get(name);
    if (customer?.isDeleted) return NOBODY;
    const isGranted =
      customer === undefined
        ? grants.has(name)
        : customer.email !== null && ownerOf(customer.email) === name && grants.has(customer.email);
    const known = customer === undefined ? sharing(model, name).map(([, each]) => each) : [customer];
    const hasProduct = (product: string) => known.some((each) => each.product === product);
    const plans = [
      ...(hasProduct('prod_pro') ? ['pro'] : []),
      ...(hasProduct('prod_plus') || isGranted ? ['plus'] : []),
    ];
    return { isCustomer: known.length > 0, plans };
  }
});

describe('an email that somebody else enters at a checkout', () => {
  const filesOf = async (userIdentifier: string) =>
    propertyOf(await check(own.secret, { userIdentifier }), 'workspaces', 'files');
  const warningsOf = async (userIdentifier: string) =>
    (await check(own.secret, { userIdentifier })).warnings.map(({ code }) => code);
  const link = (email: string, customerId: string, integrationId = own.testAccount) =>
    own.tenant.call<Customer & ErrorBody>('PUT', own.path(email, '/link'), { integrationId, customerId });

  it('keeps its grants and usage, and has the plans of the new customer as well', async () => {
    const email = someAddress();
    await own.grant(email);
    await update(own.secret, ofFiles(email, { by: 5 }));
    const { id, put } = await own.someone([subscribed('prod_plus')], { email });
    const expectSeparate = async () => {
      expect(await own.plansOf(email)).toEqual(withPlans('pro', 'plus'));
      expect(await filesOf(email)).toMatchObject({ used: 5, limit: 100 });
      expect(await own.plansOf(id)).toEqual(withPlans('plus'));
      expect(await warningsOf(email)).toEqual(['email-ambiguous']);
      expect(await warningsOf(id)).toEqual([]);
      expect(await standingOf(email)).toMatchObject({
        identifier: email,
        plans: [
          { slug: 'pro', from: ['grant'] },
          { slug: 'plus', from: ['subscription'], subscriptions: [{ productName: 'Product prod_plus' }] },
        ],
        warnings: [{ code: 'email-ambiguous' }],
      });
    };
    await expectSeparate();
    // Further events of the customer decide nothing.
    await put({ subscriptions: [subscribed('prod_plus')], name: 'Mallory' });
    await evict(await ledgerOf(email));
    await expectSeparate();
    const counted = await update(own.secret, ofFiles(email, { by: 1 }));
    expect(counted.body.warnings.map(({ code }) => code)).toEqual(['email-ambiguous']);
    expect(counted.body.meter).toMatchObject({ used: 6 });
    await own.grant(id);
    expect(await filesOf(id)).toMatchObject({ used: 0 });
  });

  it('keeps usage alone as well, and a customer that takes the email later is as new as one', async () => {
    const email = someAddress();
    await own.tenant.make('DELETE', own.path(email, `/grants/${(await own.grant(email)).id}`));
    await update(own.secret, ofFiles(email, { by: 2 }));
    const { id, put } = await own.someone([subscribed('prod_pro')], { createdAt: 1_000 });
    await put({ email });
    expect(await filesOf(email)).toMatchObject({ used: 2 });
    expect(await filesOf(id)).toMatchObject({ used: 0 });
    expect(await warningsOf(email)).toEqual(['email-ambiguous']);
  });

  it('of a paying customer stays theirs: plans, usage and grants', async () => {
    const { id, email } = await own.someone([subscribed('prod_pro')]);
    await own.grant(email, { planId: own.plusId });
    await update(own.secret, ofFiles(email, { by: 7 }));
    expect(await warningsOf(email)).toEqual([]);
    const stranger = await own.someone([subscribed('prod_other')], { email, createdAt: Date.now() + 5_000 });
    expect(await own.plansOf(email)).toEqual(withPlans('pro', 'plus'));
    expect(await own.plansOf(stranger.id)).toEqual(withPlans());
    for (const name of [email, id]) expect(await filesOf(name)).toMatchObject({ used: 7 });
    expect(await warningsOf(email)).toEqual(['email-ambiguous']);
    expect(await warningsOf(id)).toEqual([]);
    const { linked } = await own.tenant.make<Customer>('GET', own.path(stranger.id));
    expect(linked.map((each) => [each.id, each.emailRole])).toEqual([
      [stranger.id, 'undecided'],
      [id, 'owner'],
    ]);
  });

  it('is linked to a customer by a person: grants, overrides and usage move, once, and the log says so', async () => {
    const email = someAddress();
    await own.grant(email);
    await own.override(email, own.seats.id, 9);
    await update(own.secret, ofFiles(email, { by: 5 }));
    const { id } = await own.someone([subscribed('prod_plus')], { email });
    const other = await own.someone([subscribed('prod_pro')], { email, createdAt: Date.now() + 5_000 });
    expect(await own.plansOf(id)).toEqual(withPlans('plus'));

    const answers = await Promise.all([link(email, id), link(email, id), link(email, id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[0]?.body.linked[0]).toMatchObject({ id, emailRole: 'linked' });
    expect(await own.plansOf(id)).toEqual(withPlans('pro', 'plus'));
    await expect.poll(() => filesOf(id), { timeout: 5_000 }).toMatchObject({ used: 5 });
    expect(await filesOf(email)).toMatchObject({ used: 5 });
    expect(propertyOf(await check(own.secret, { userIdentifier: id }), 'workspaces', 'seats')).toBe(9);
    expect((await standingOf(email)).identifier).toBe(id);
    // The email is still that of two customers.
    expect(await warningsOf(email)).toEqual(['email-ambiguous']);
    const log = (await auditTrail(own.tenant)).filter(
      ({ action, targetId }) => action === 'customer.email-linked' && targetId === email,
    );
    expect(log).toHaveLength(1);

    expect((await link(email, other.id)).status).toBe(200);
    expect((await standingOf(email)).identifier).toBe(other.id);
    expect(await own.plansOf(id)).toEqual(withPlans('plus'));
    await own.grant(id);
    expect(await filesOf(id)).toMatchObject({ used: 5 });
    expect(await filesOf(email)).toMatchObject({ used: 0 });
  });

  it('counts for itself again once its customer has another one: what it counts then is merged into nobody', async () => {
    const email = someAddress();
    await own.grant(email);
    await update(own.secret, ofFiles(email, { by: 5 }));
    const { id, put } = await own.someone([subscribed('prod_pro')], { email });
    expect((await link(email, id)).status).toBe(200);
    await expect.poll(() => filesOf(id), { timeout: 5_000 }).toMatchObject({ used: 5 });
    await put({ email: someAddress(), subscriptions: [subscribed('prod_pro')] });
    for (const isForgotten of [false, true]) {
      if (isForgotten) await evict(await ledgerOf(email));
      expect((await update(own.secret, ofFiles(email, { by: 3 }))).body.accepted).toBe(true);
      // What is still to be merged is merged now.
      await runDurableObjectAlarm(await ledgerOf(email));
      await runDurableObjectAlarm(await ledgerOf(email));
      expect(await filesOf(id)).toMatchObject({ used: 5 });
    }
    expect(await filesOf(email)).toMatchObject({ used: 11 });
  });

  it('is linked only to a customer that has it', async () => {
    const { id, email } = await own.someone();
    const elsewhere = await own.someone();
    for (const [customerId, integrationId] of [
      [elsewhere.id, own.testAccount],
      [id, own.liveAccount],
      ['cus_none', own.testAccount],
    ] as const) {
      const refused = await link(email, customerId, integrationId);
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({ issues: [{ path: 'customerId' }] });
    }
    const notEmail = await link(id, id);
    expect(notEmail.body).toMatchObject({ issues: [{ path: 'identifier' }] });
    expect((await link(email, '')).status).toBe(400);
    expect((await link(email, id)).status).toBe(200);
  });

  it('moves nothing while a ledger cannot be asked, and is decided later', async () => {
    const { id, email } = await own.someone([], { email: someAddress() });
    await env.DB.prepare("UPDATE stripe_customer SET email_role = 'undecided' WHERE id = ?").bind(id).run();
    const role = async () =>
      (await own.tenant.make<Customer>('GET', own.path(email))).linked.map(({ emailRole }) => emailRole);
    const { orgId } = own.tenant;
    const ctx = workContext(env, Date.now);
    const outage = () => Promise.reject(new Error('The ledger does not answer'));
    await expect(decideEmailOwners(ctx, orgId, [email], outage)).rejects.toThrow(/does not answer/);
    expect(await role()).toEqual(['undecided']);
    await decideEmailOwners(ctx, orgId, [email], async () => new Map([[email, Date.now() + 60_000]]));
    expect(await role()).toEqual(['owner']);
  });
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
