// Amounts beside the quota of a customer's plans: given, drawn from and taken back by API.
import { describe, expect, it } from 'vitest';
import type { BalancesAnswer } from '#contracts/public/customers';
import { type Client, newUser } from './client.ts';

const BALANCE = '/{customer}/balances/{balance}';
const TAKE_BACK = '/{customer}/balances/{balance}/take-back';
const EXPORTS = { feature: 'data-exports', property: 'exports' };
/** Of the plan Team, a month. */
const QUOTA = 100;
const GIVEN = { ...EXPORTS, amount: 50, category: 'paid', reason: 'Invoice 2026-118' };

export function describeBalances(client: () => Client): void {
  const newCustomer = async () => {
    const customer = `customer-${crypto.randomUUID()}`;
    await client().customers('PUT', `/${customer}`, '/{customer}', { email: newUser() });
    return customer;
  };
  const give = (customer: string, id: string, more: object = {}) =>
    client().customers('PUT', `/${customer}/balances/${id}`, BALANCE, { ...GIVEN, ...more });
  const exportsOf = async (userIdentifier: string, entityId?: string) => {
    const { body } = await client().check({ userIdentifier, entityId, include: ['balances'] });
    return body.features['data-exports']?.properties.exports;
  };
  const until = (customer: string, meter: object, entityId?: string) =>
    expect.poll(() => exportsOf(customer, entityId), { timeout: 5_000 }).toMatchObject(meter);

  describe('a balance', () => {
    it('extends the limit, and is given once for its ID', async () => {
      const customer = await newCustomer();
      const { body } = await give(customer, 'inv-1');
      expect(body).toMatchObject({ changed: true, balance: { id: 'inv-1', remaining: 50, state: 'active' } });
      await until(customer, { limit: QUOTA + 50, remaining: QUOTA + 50 });
      expect((await give(customer, 'inv-1')).body.changed).toBe(false);
      const other = await give(customer, 'inv-1', { amount: 51 });
      expect([other.status, (other.body as { code?: string }).code]).toEqual([409, 'balance-exists']);
    });

    it('is used after the quota: promotional before paid, and answers say what was taken from where', async () => {
      const customer = await newCustomer();
      await give(customer, 'inv-1');
      await give(customer, 'gift', { amount: 10, category: 'promotional' });
      await until(customer, { limit: QUOTA + 60 });
      const count = (by: number) =>
        client().update({ ...EXPORTS, userIdentifier: customer, by, enforce: true });
      const { body } = await count(QUOTA + 12);
      const draws = [
        { from: 'gift', amount: 10 },
        { from: 'inv-1', amount: 2 },
      ];
      expect(body).toMatchObject({ accepted: true, draws, meter: { remaining: 48 } });
      await until(customer, {
        balances: [
          { kind: 'quota', amount: QUOTA, used: QUOTA },
          { kind: 'balance', id: 'gift', remaining: 0 },
          { kind: 'balance', id: 'inv-1', remaining: 48 },
        ],
      });
      expect((await count(49)).body).toMatchObject({ accepted: false, allowed: false });
      const back = await count(-3);
      expect(back.body.draws).toEqual([
        { from: 'inv-1', amount: -2 },
        { from: 'gift', amount: -1 },
      ]);
    });

    it('is not used up by usage above everything', async () => {
      const customer = await newCustomer();
      await client().update({ ...EXPORTS, userIdentifier: customer, by: QUOTA + 7 });
      await give(customer, 'inv-1');
      await until(customer, { limit: 150, used: 107, overage: 7, remaining: 50, allowed: true });
    });

    it('of an entity is there for calls of that entity alone, whose use of it leaves the others theirs', async () => {
      const customer = await newCustomer();
      const { body } = await give(customer, 'inv-1', { entityId: 'user_7' });
      expect(body).toMatchObject({ balance: { id: 'inv-1', entityId: 'user_7', remaining: 50 } });
      await until(
        customer,
        { limit: QUOTA + 50, balances: [{}, { id: 'inv-1', entityId: 'user_7' }] },
        'user_7',
      );
      const count = (entityId: string | undefined, by: number) =>
        client().update({ ...EXPORTS, userIdentifier: customer, entityId, by, enforce: true });
      expect((await count('user_7', QUOTA + 20)).body).toMatchObject({
        ...{ accepted: true, draws: [{ from: 'inv-1', amount: 20 }] },
        meter: { limit: QUOTA + 50, remaining: 30 },
      });
      expect((await count('user_8', 1)).body).toMatchObject({ accepted: false, meter: { limit: QUOTA } });
      await until(customer, { limit: QUOTA, used: QUOTA, allowed: false });
      await until(customer, { limit: QUOTA + 50, used: QUOTA + 20, allowed: true }, 'user_7');
      const other = await give(customer, 'inv-1');
      expect([other.status, (other.body as { code?: string }).code]).toEqual([409, 'balance-exists']);
    });

    it('is drawn from no more while it is frozen', async () => {
      const customer = await newCustomer();
      await give(customer, 'inv-1', { frozen: true });
      await until(customer, { limit: QUOTA });
      await give(customer, 'inv-1', { frozen: false });
      await until(customer, { limit: QUOTA + 50 });
    });

    it('loses what is not used when it is taken back, and others nothing', async () => {
      const customer = await newCustomer();
      await give(customer, 'inv-1');
      await give(customer, 'inv-2', { amount: 7 });
      await until(customer, { limit: QUOTA + 57 });
      await client().update({ ...EXPORTS, userIdentifier: customer, by: QUOTA + 20 });
      const body = { amount: 1_000, reason: 'Refund', idempotencyKey: 'refund-1' };
      const path = `/${customer}/balances/inv-1/take-back`;
      const first = await client().customers('POST', path, TAKE_BACK, body);
      expect(first.body).toMatchObject({ applied: 30, balance: { used: 20, remaining: 0 } });
      const again = await client().customers('POST', path, TAKE_BACK, body);
      expect(again.body).toMatchObject({ applied: 30, replayed: true });
      await until(customer, { limit: QUOTA + 27, used: QUOTA + 20, remaining: 7 });
      const listed = await client().customers<BalancesAnswer>(
        'GET',
        `/${customer}/balances`,
        '/{customer}/balances',
      );
      expect(listed.body.balances).toMatchObject([{ id: 'inv-2', remaining: 7 }]);
    });
  });
}
