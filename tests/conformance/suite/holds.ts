// Amounts that are taken before they are used, and settled with what was used.
import { describe, expect, it } from 'vitest';
import { type Client, newUser, type SendOptions } from './client.ts';

const EXPORTS = { feature: 'data-exports', property: 'exports' };
/** Of the plan Team, a month. */
const QUOTA = 100;
const TEMPLATE = { open: '', extend: '/{hold}/extend', settle: '/{hold}/settle' };

export function describeHolds(client: () => Client): void {
  const open = (userIdentifier: string, amount: number, more: object = {}, options?: SendOptions) =>
    client().holds('', TEMPLATE.open, { ...EXPORTS, userIdentifier, amount, ...more }, options);
  const extend = (id: string, body: object) => client().holds(`/${id}/extend`, TEMPLATE.extend, body);
  const settle = (id: string, amount: number, more: object = {}) =>
    client().holds(`/${id}/settle`, TEMPLATE.settle, { amount, ...more });
  const made = async (userIdentifier: string, amount: number, more: object = {}) => {
    const { body } = await open(userIdentifier, amount, more);
    expect(body).toMatchObject({ accepted: true, replayed: false });
    return body.hold!.id;
  };
  const exportsOf = async (userIdentifier: string) =>
    (await client().check({ userIdentifier })).body.features['data-exports']?.properties.exports;

  describe('a hold', () => {
    it('counts against the limit at once, and only what was used of it stays', async () => {
      const user = newUser();
      const id = await made(user, 60);
      expect(await exportsOf(user)).toMatchObject({ used: 0, held: 60, remaining: QUOTA - 60 });
      expect((await open(user, 41)).body).toMatchObject({ accepted: false, hold: null, allowed: false });
      const { body } = await settle(id, 25);
      expect(body).toMatchObject({ accepted: true, applied: 25, released: 35, overage: 0 });
      expect(body.meter).toMatchObject({ used: 25, remaining: QUOTA - 25 });
      expect(await exportsOf(user)).not.toHaveProperty('held');
    });

    it('never exceeds the limit, also when calls race, and takes what is left with `orLess`', async () => {
      const user = newUser();
      const answers = await Promise.all(Array.from({ length: 8 }, () => open(user, 30)));
      expect(answers.filter(({ body }) => body.accepted)).toHaveLength(3);
      expect((await open(user, 30, { orLess: true })).body).toMatchObject({ hold: { amount: 10 } });
      expect((await open(user, 30, { orLess: true })).body).toMatchObject({ accepted: false, hold: null });
    });

    it('is made once for one idempotency key', async () => {
      const user = newUser();
      const id = await made(user, 7, { idempotencyKey: 'reply-1' });
      const again = await open(user, 7, { idempotencyKey: 'reply-1' });
      expect(again.body).toMatchObject({ replayed: true, hold: { id, amount: 7 } });
      expect((await open(user, 8, { idempotencyKey: 'reply-1' })).status).toBe(409);
      expect(await exportsOf(user)).toMatchObject({ held: 7 });
    });

    it('grows by what fits, once for one idempotency key', async () => {
      const id = await made(newUser(), 60);
      const more = { amount: 30, idempotencyKey: 'step-2' };
      expect((await extend(id, more)).body).toMatchObject({ accepted: true, hold: { amount: 90 } });
      expect((await extend(id, more)).body).toMatchObject({ replayed: true, hold: { amount: 90 } });
      expect((await extend(id, { ...more, amount: 1 })).status).toBe(409);
      expect((await extend(id, { amount: 11 })).body).toMatchObject({
        accepted: false,
        hold: { amount: 90 },
      });
    });

    it('is settled once: the same amount gets its answer, and another is a conflict', async () => {
      const id = await made(newUser(), 20);
      await settle(id, 5);
      expect((await settle(id, 5)).body).toMatchObject({ replayed: true, applied: 5, released: 15 });
      expect(await settle(id, 6)).toMatchObject({ status: 409, body: { code: 'hold-settled' } });
      expect(await extend(id, { amount: 1 })).toMatchObject({ status: 409, body: { code: 'hold-over' } });
      const extended = await made(newUser(), 20);
      const more = { amount: 1, idempotencyKey: 'step-2' };
      await extend(extended, more);
      await settle(extended, 5);
      expect((await extend(extended, more)).body).toMatchObject({ replayed: true, hold: { amount: 21 } });
    });

    it('that was too small counts all, or itself, or refuses', async () => {
      const user = newUser();
      const [all, capped, refused] = [await made(user, 10), await made(user, 10), await made(user, 10)];
      expect((await settle(all, 95)).body).toMatchObject({ applied: 95, overage: 15 });
      expect((await settle(capped, 11, { onExcess: 'cap' })).body).toMatchObject({ applied: 10 });
      const { body } = await settle(refused, 11, { onExcess: 'reject' });
      expect(body).toMatchObject({ accepted: false, applied: 0, meter: { held: 10, used: 105 } });
    });

    it('ends by itself, and can be settled afterwards', async () => {
      const user = newUser();
      const id = await made(user, 80, { lastsMs: 1_000 });
      await expect.poll(() => exportsOf(user), { timeout: 10_000 }).toMatchObject({ remaining: QUOTA });
      expect(await extend(id, { amount: 1 })).toMatchObject({ status: 409, body: { code: 'hold-over' } });
      expect((await settle(id, 30)).body).toMatchObject({ applied: 30, meter: { used: 30 } });
    });

    it('keeps what it took of a balance that is frozen and taken back', async () => {
      const customer = `customer-${crypto.randomUUID()}`;
      const balance = (change: object) =>
        client().customers('PUT', `/${customer}/balances/inv-1`, '/{customer}/balances/{balance}', {
          ...{ ...EXPORTS, amount: 50, category: 'paid', reason: 'Invoice 2026-118', ...change },
        });
      await client().customers('PUT', `/${customer}`, '/{customer}', { email: newUser() });
      await balance({});
      await expect.poll(() => exportsOf(customer), { timeout: 5_000 }).toMatchObject({ limit: QUOTA + 50 });
      const id = await made(customer, QUOTA + 20);
      await balance({ frozen: true });
      const back = { amount: 1_000, reason: 'Refund', idempotencyKey: 'refund' };
      const path = `/${customer}/balances/inv-1/take-back`;
      const taken = await client().customers('POST', path, '/{customer}/balances/{balance}/take-back', back);
      expect(taken.body).toMatchObject({ applied: 30 });
      const { body } = await settle(id, QUOTA + 15);
      expect(body).toMatchObject({ applied: QUOTA + 15, released: 5, meter: { used: QUOTA } });
      expect(body.draws).toMatchObject([{ amount: 15 }]);
    });

    it('is one of its customer under every name, whenever the name became one', async () => {
      const [customer, userId] = [`customer-${crypto.randomUUID()}`, `user-${crypto.randomUUID()}`];
      const id = await made(userId, 40);
      await client().customers('PUT', `/${customer}`, '/{customer}', { userId });
      await client().update({ ...EXPORTS, userIdentifier: userId, by: 0 });
      await expect.poll(() => exportsOf(customer), { timeout: 5_000 }).toMatchObject({ held: 40 });
      await client().update({ ...EXPORTS, userIdentifier: customer, by: 50 });
      await expect.poll(() => exportsOf(userId), { timeout: 5_000 }).toMatchObject({ used: 50, held: 40 });
      expect((await extend(id, { amount: 11 })).body).toMatchObject({
        accepted: false,
        hold: { amount: 40 },
      });
      const extended = await extend(id, { amount: 10 });
      expect(extended.body).toMatchObject({ accepted: true, meter: { used: 50, held: 50, remaining: 0 } });
      await expect.poll(() => exportsOf(customer), { timeout: 5_000 }).toMatchObject({ held: 50 });
      const { body } = await settle(id, 55);
      expect(body).toMatchObject({ applied: 55, overage: 5, meter: { used: 105, remaining: 0 } });
      for (const name of [customer, userId])
        await expect.poll(() => exportsOf(name), { timeout: 5_000 }).toMatchObject({ used: 105 });
    });

    it('needs a secret key, an amount and a meter of amounts, and exists', async () => {
      const user = newUser();
      expect((await open(user, 1, {}, { key: client().target.publicKey })).status).toBe(403);
      for (const [more, path] of [
        [{ amount: 0 }, 'amount'],
        [{ amount: 1.5 }, 'amount'],
        [{ lastsMs: 3_600_001 }, 'lastsMs'],
        [{ feature: 'team-seats', property: 'seats' }, 'property'],
      ] as const) {
        const refused = await open(user, 1, more);
        expect(refused).toMatchObject({ status: 400, body: { issues: [{ path }] } });
      }
      const unknown = await settle('hold_none', 1);
      expect(unknown).toMatchObject({ status: 404, body: { code: 'hold-unknown' } });
      expect(await exportsOf(user)).toMatchObject({ used: 0, remaining: QUOTA });
    });
  });
}
