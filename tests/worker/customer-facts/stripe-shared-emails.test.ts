// Customers that share emails: any order of changes agrees with Stripe, and a stranger takes over nothing.
import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '#contracts/console/customers';
import type { EventExplanation } from '#contracts/console/event-explanation';
import type { ErrorBody } from '#contracts/public/errors';
import { check, propertyOf } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { eventually } from '#tests/support/eventually';
import { evict } from '#tests/support/evict';
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
import { auditTrail } from '#tests/support/stored-state';
import { putCustomer, someCustomerId, subscribed } from '#tests/support/stripe-customers';
import { eventIdOf } from '#worker/domains/access/calls/record-call';
import { decideEmailOwners } from '#worker/domains/customer-facts/decide-email-owners';
import { workContext } from '#worker/http/make-work-context';

let own: PayingTenant;
beforeAll(async () => {
  own = await payingTenant();
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
              integrationId: own.testAccount,
              id,
              createdAt,
              email,
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
            integrationId: own.testAccount,
            id,
            email: null,
            subscriptions: [],
            deletedAt: Date.now(),
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
      expect(await standingOf(own, email)).toMatchObject({
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
    await evict(await ledgerOf(own, email));
    await expectSeparate();
    const counted = await update(own.secret, ofFiles(email, { by: 1 }));
    expect(counted.body.warnings.map(({ code }) => code)).toEqual(['email-ambiguous']);
    expect(counted.body.meter).toMatchObject({ used: 6 });
    await own.grant(id);
    expect(await filesOf(id)).toMatchObject({ used: 0 });
  });

  it('is explained with the plans of all its customers, as long as nothing changes', async () => {
    const { email } = await own.someone([subscribed('prod_pro')]);
    await own.someone([subscribed('prod_plus')], { email, createdAt: Date.now() + 5_000 });
    const { requestId, customer } = await check(own.secret, { userIdentifier: email.toUpperCase() });
    expect(customer).toEqual(withPlans('pro', 'plus'));
    const path = `/events/${eventIdOf(requestId)}/explanation`;
    const explained = await eventually(() => own.tenant.make<EventExplanation>('GET', path));
    expect(explained.now?.plans).toEqual(['pro', 'plus']);
    expect(explained.properties.filter(({ isChanged }) => isChanged)).toEqual([]);
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
    expect((await standingOf(own, email)).identifier).toBe(id);
    // The email is still that of two customers.
    expect(await warningsOf(email)).toEqual(['email-ambiguous']);
    const log = (await auditTrail(own.tenant)).filter(
      ({ action, targetId }) => action === 'customer.email-linked' && targetId === email,
    );
    expect(log).toHaveLength(1);

    expect((await link(email, other.id)).status).toBe(200);
    expect((await standingOf(own, email)).identifier).toBe(other.id);
    expect(await own.plansOf(id)).toEqual(withPlans('plus'));
    await own.grant(id);
    expect(await filesOf(id)).toMatchObject({ used: 5 });
    expect(await filesOf(email)).toMatchObject({ used: 0 });

    // The last link wins, also of somebody who had one before.
    const plansByEmail = async () => (await check(own.secret, { userIdentifier: email })).customer.plans;
    expect(await plansByEmail()).toContain('pro');
    expect((await link(email, id)).status).toBe(200);
    expect((await standingOf(own, email)).identifier).toBe(id);
    await eventually(async () => expect(await plansByEmail()).toContain('plus'));
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
      if (isForgotten) await evict(await ledgerOf(own, email));
      expect((await update(own.secret, ofFiles(email, { by: 3 }))).body.accepted).toBe(true);
      // What is still to be merged is merged now.
      await runDurableObjectAlarm(await ledgerOf(own, email));
      await runDurableObjectAlarm(await ledgerOf(own, email));
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
