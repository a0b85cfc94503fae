// Customers that an application creates and changes by API.
import { describe, expect, it } from 'vitest';
import type { CustomerAnswer } from '#contracts/public/customers';
import { type Client, newUser } from './client.ts';

const ONE = '/{customer}';
const GRANT = '/{customer}/grants/{plan}';
const OVERRIDE = '/{customer}/overrides/{feature}/{property}';
const CORRECTIONS = '/{customer}/meter-corrections';
const WHY = { reason: 'Invoice 2026-118' };
const EXPORTS = { feature: 'data-exports', property: 'exports' };

const newCustomer = () => `customer-${crypto.randomUUID()}`;

export function describeCustomers(client: () => Client): void {
  const save = (customer: string, body: object = {}) => client().customers('PUT', `/${customer}`, ONE, body);
  const grant = (customer: string, body: object) =>
    client().customers('PUT', `/${customer}/grants/free`, GRANT, body);
  const plansOf = async (userIdentifier: string) =>
    (await client().check({ userIdentifier })).body.customer.plans;
  const maximum = `/overrides/dashboards/maxDashboards`;

  describe('a customer created by API', () => {
    it('gets a plan and an override, which checks see, and loses them', async () => {
      const customer = newCustomer();
      expect((await save(customer, { name: 'Acme Ltd' })).body).toMatchObject({ customer, changed: true });
      const until = Date.now() + 3_600_000;
      expect((await grant(customer, { ...WHY, until })).body.changed).toBe(true);
      await client().customers('PUT', `/${customer}${maximum}`, OVERRIDE, { ...WHY, value: 40 });
      const seen = async () => {
        const { customer: who, features } = (await client().check({ userIdentifier: customer })).body;
        return [who.plans, features.dashboards?.properties.maxDashboards];
      };
      await expect.poll(seen, { timeout: 5_000 }).toEqual([['team', 'free'].sort(), 40]);
      const { body } = await client().customers<CustomerAnswer>('GET', `/${customer}`, ONE);
      expect(body).toMatchObject({
        customer: { id: customer, name: 'Acme Ltd', email: null },
        grants: [{ plan: 'free', until, ...WHY, isActive: true }],
        overrides: [{ feature: 'dashboards', property: 'maxDashboards', value: 40, until: null }],
        subscriptions: [],
      });
      await client().customers('DELETE', `/${customer}/grants/free`, GRANT);
      await client().customers('DELETE', `/${customer}${maximum}`, OVERRIDE);
      await expect.poll(seen, { timeout: 5_000 }).toEqual([['team'], 25]);
      const again = await client().customers('DELETE', `/${customer}/grants/free`, GRANT);
      expect(again.body.changed).toBe(false);
    });

    it('is one customer under its ID and its email', async () => {
      const [customer, email] = [newCustomer(), newUser()];
      await save(customer, { email });
      await grant(email, WHY);
      await expect.poll(() => plansOf(customer), { timeout: 5_000 }).toContain('free');
      await expect.poll(() => plansOf(email.toUpperCase()), { timeout: 5_000 }).toContain('free');
      await client().update({ ...EXPORTS, userIdentifier: email, by: 3 });
      const { body } = await client().update({ ...EXPORTS, userIdentifier: customer, by: 1 });
      expect(body.meter).toMatchObject({ used: 4 });
      const other = await client().customers('PUT', `/${newCustomer()}`, ONE, { email });
      expect(other.status).toBe(409);
    });

    it('is one customer under its ID and its user ID, with what the user ID had', async () => {
      const [customer, userId] = [newCustomer(), newCustomer()];
      await client().update({ ...EXPORTS, userIdentifier: userId, by: 3 });
      await save(customer, { userId });
      await grant(userId, WHY);
      await expect.poll(() => plansOf(customer), { timeout: 5_000 }).toContain('free');
      await expect.poll(() => plansOf(userId), { timeout: 5_000 }).toContain('free');
      const used = async () =>
        (await client().update({ ...EXPORTS, userIdentifier: customer, by: 0 })).body.meter;
      await expect.poll(used, { timeout: 5_000 }).toMatchObject({ used: 3 });
      const { body } = await client().customers<CustomerAnswer>('GET', `/${userId}`, ONE);
      expect(body.customer).toMatchObject({ id: customer, userId });
      expect((await save(newCustomer(), { userId })).status).toBe(409);
    });

    it('changes once for one idempotency key, and refuses the key for another change', async () => {
      const customer = newCustomer();
      await save(customer);
      const first = await grant(customer, { ...WHY, idempotencyKey: 'first' });
      const again = await client().customers('PUT', `/${customer}/grants/free`, GRANT, WHY, {
        headers: { 'idempotency-key': 'first' },
      });
      expect([first.body.replayed, again.body.replayed]).toEqual([false, true]);
      expect(again.body).toEqual({ ...first.body, replayed: true, requestId: again.body.requestId });
      const other = await grant(customer, { reason: 'Another one', idempotencyKey: 'first' });
      expect(other.status).toBe(409);
    });

    it('adjusts usage once for one idempotency key', async () => {
      const customer = newCustomer();
      await save(customer);
      const correction = { ...EXPORTS, ...WHY, by: 5, idempotencyKey: 'correction' };
      const correct = () =>
        client().customers('POST', `/${customer}/meter-corrections`, CORRECTIONS, correction);
      expect((await correct()).body).toMatchObject({ applied: 5, replayed: false, meter: { used: 5 } });
      expect((await correct()).body).toMatchObject({ applied: 5, replayed: true });
      const { body } = await client().update({ ...EXPORTS, userIdentifier: customer, by: 1 });
      expect(body.meter).toMatchObject({ used: 6 });
    });

    it('makes the changes of a batch in order, and reports each', async () => {
      const [customer, unknown] = [newCustomer(), newCustomer()];
      const changes = [
        { change: 'save-customer', customer, name: 'Beta GmbH' },
        { change: 'grant-plan', customer: unknown, plan: 'free', ...WHY },
        { change: 'grant-plan', customer, plan: 'free', ...WHY },
      ];
      const { body } = await client().customers<{ results: object[] }>('POST', '', '', { changes });
      expect(body.results).toMatchObject([
        { status: 'success', customer },
        { status: 'error', errorType: 'not-found' },
        { status: 'success', customer, changed: true },
      ]);
      await expect.poll(() => plansOf(customer), { timeout: 5_000 }).toContain('free');
    });
  });

  describe('a call about customers', () => {
    it('is 403 where a public key reads or changes customers', async () => {
      const customer = newCustomer();
      await save(customer);
      const key = client().target.publicKey;
      for (const [method, body] of [
        ['GET', undefined],
        ['PUT', {}],
      ] as const) {
        const { status } = await client().customers(method, `/${customer}`, ONE, body, { key });
        expect(status).toBe(403);
      }
    });

    it.each([
      ['to a plan that does not exist', '/grants/gold', '/grants/{plan}', WHY, 'plan'],
      ['without a reason', '/grants/free', '/grants/{plan}', {}, 'reason'],
      [
        'that ends after the year 9999',

        '/grants/free',
        '/grants/{plan}',
        { ...WHY, until: 8.64e15 },
        'until',
      ],
      ['that has ended already', '/grants/free', '/grants/{plan}', { ...WHY, until: 1 }, 'until'],
      ['to an invalid email', '', '', { email: 'nowhere' }, 'email'],
      [
        'to a value of another type',

        '/overrides/dashboards/maxDashboards',
        '/overrides/{feature}/{property}',
        { ...WHY, value: true },
        'value',
      ],
    ])('of a change %s is 400 and names the field', async (_what, path, template, body, field) => {
      const customer = newCustomer();
      await save(customer);
      const refused = await client().customers<{ issues: { path: string }[] }>(
        'PUT',
        `/${customer}${path}`,
        `${ONE}${template}`,
        body,
      );
      expect([refused.status, refused.body.issues[0]?.path]).toEqual([400, field]);
    });

    it('is 404 for a customer that nobody knows', async () => {
      const customer = newCustomer();
      expect((await client().customers('GET', `/${customer}`, ONE)).status).toBe(404);
      expect((await grant(customer, WHY)).status).toBe(404);
    });
  });
}
