// Usage: counter updates, consumption inside an access check, idempotency keys, limits.
import { describe, expect, it } from 'vitest';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { type Client, inSeconds, newUser, UPDATES } from './client.ts';

const EXPORTS = { feature: 'data-exports', property: 'exports' };
const SEATS = { feature: 'team-seats', property: 'seats' };

const exportsOf = (answer: AccessCheckAnswer) => answer.features['data-exports']?.properties.exports;

export function describeMetering(client: () => Client): void {
  /** Counts exports of that user. */
  const count = async (userIdentifier: string, more: object = {}) =>
    (await client().update({ ...EXPORTS, userIdentifier, ...more })).body;
  const seat = async (userIdentifier: string, resourceId: string, more: object = {}) =>
    (await client().update({ ...SEATS, userIdentifier, resourceId, ...more })).body;
  const readExports = async (userIdentifier: string, more: object = {}) =>
    exportsOf((await client().check({ userIdentifier, ...more })).body);

  describe('a counter update', () => {
    it('counts 1 by default, or `by`, and the next check shows it', async () => {
      const user = newUser();
      expect(await count(user)).toMatchObject({
        status: 'success',
        accepted: true,
        replayed: false,
        meter: {
          state: 'metered',
          allowed: true,
          limit: 100,
          used: 1,
          remaining: 99,
          periodType: 'rolling',
          periodCount: 1,
          periodLength: 'month',
        },
        warnings: [],
      });
      expect((await count(user, { by: 6 })).meter).toMatchObject({ used: 7, remaining: 93 });
      expect(await readExports(user)).toMatchObject({ used: 7, remaining: 93, allowed: true });
      expect(await readExports(user, { consistency: 'strict' })).toMatchObject({ used: 7 });
    });

    it('counts for the user of a signed token', async () => {
      const user = newUser();
      const userJwt = await client().target.sign({ email: user, exp: inSeconds(600) });
      await client().update({ ...EXPORTS, userJwt, by: 2 });
      expect(await readExports(user)).toMatchObject({ used: 2 });
    });

    it('counts beyond the limit unless `enforce` is set, and the check then denies as data', async () => {
      const user = newUser();
      expect((await count(user, { by: 100 })).meter).toMatchObject({ used: 100, allowed: false });
      expect(await count(user, { enforce: true })).toMatchObject({ accepted: false, meter: { used: 100 } });
      expect(await count(user)).toMatchObject({ accepted: true, meter: { used: 101, remaining: 0 } });
      expect(await readExports(user)).toMatchObject({ used: 101, allowed: false });
    });

    it('has a verdict: the amount within the limit is allowed, the last one too, and more is limit-reached', async () => {
      const user = newUser();
      const reached = { allowed: false, reason: 'limit-reached' };
      const consume = { ...EXPORTS, by: 1 };
      const featureOf = async (more: object) =>
        (await client().check({ userIdentifier: user, ...more })).body.features['data-exports'];
      expect(await count(user, { by: 99 })).toMatchObject({ allowed: true });
      const last = await featureOf({ consume });
      expect(last).toMatchObject({ allowed: true, properties: { exports: { used: 100, allowed: false } } });
      expect(await featureOf({ consume })).toMatchObject(reached);
      expect(await featureOf({})).toMatchObject(reached);
      expect(await count(user, { enforce: true })).toMatchObject({ accepted: false, ...reached });
      expect(await count(user)).toMatchObject({ accepted: true, ...reached });
    });

    it('with `enforce` accepts exactly what fits, also when requests race', async () => {
      const user = newUser();
      await count(user, { by: 90 });
      const answers = await Promise.all(Array.from({ length: 16 }, () => count(user, { enforce: true })));
      expect(answers.filter(({ accepted }) => accepted)).toHaveLength(10);
      expect(await readExports(user)).toMatchObject({ used: 100, remaining: 0 });
    });

    it('gives back with a negative amount, and never falls below 0', async () => {
      const user = newUser();
      await count(user, { by: 5 });
      expect((await count(user, { by: -2 })).meter).toMatchObject({ used: 3 });
      expect((await count(user, { by: -50 })).meter).toMatchObject({ used: 0 });
    });

    it('says in `applied` what it added or removed', async () => {
      const user = newUser();
      expect((await count(user, { by: 5 })).applied).toBe(5);
      expect((await count(user, { by: -50 })).applied).toBe(-5);
      expect((await count(user, { by: 101, enforce: true })).applied).toBe(0);
    });

    it('counts nothing without a resource where the meter counts unique ones, and warns', async () => {
      const user = newUser();
      const { body } = await client().update({ ...SEATS, userIdentifier: user, by: 1 });
      expect(body).toMatchObject({ accepted: false, applied: 0, meter: { used: 0 } });
      expect(body.warnings).toMatchObject([{ code: 'resource-id-missing' }]);
      const checked = await client().check({ userIdentifier: user, consume: { ...SEATS, by: 1 } });
      expect(checked.body.consumed).toMatchObject({ accepted: false, applied: 0, used: 0 });
      expect(checked.body.warnings).toMatchObject([{ code: 'resource-id-missing' }]);
    });

    it('counts a resource once, and releases it', async () => {
      const user = newUser();
      await seat(user, 'ada');
      expect((await seat(user, 'ada')).meter).toMatchObject({ used: 1, limit: 10 });
      expect((await seat(user, 'bob', { enforce: true })).meter).toMatchObject({ used: 2 });
      expect((await seat(user, 'ada', { release: true })).meter).toMatchObject({ used: 1, remaining: 9 });
    });

    it('counts once for one idempotency key and replays its answer', async () => {
      const user = newUser();
      const keyed = { by: 3, idempotencyKey: 'order-1' };
      const first = await count(user, keyed);
      await count(user, { by: 1 });
      const again = await count(user, keyed);
      expect(again).toMatchObject({ accepted: true, replayed: true, meter: first.meter });
      expect(await readExports(user)).toMatchObject({ used: 4 });
    });

    it('takes the idempotency key from the header as well, and refuses two that differ', async () => {
      const body = { ...EXPORTS, userIdentifier: newUser() };
      const options = { headers: { 'idempotency-key': 'from-the-header' } };
      expect((await client().update(body, options)).body.replayed).toBe(false);
      expect((await client().update(body, options)).body.replayed).toBe(true);
      const differing = await client().refused(UPDATES, { ...body, idempotencyKey: 'another' }, options);
      expect(differing).toMatchObject({ status: 400, body: { issues: [{ path: 'idempotencyKey' }] } });
    });

    it('refuses an idempotency key of another request as a conflict and counts nothing', async () => {
      const user = newUser();
      await count(user, { idempotencyKey: 'once' });
      const body = { ...EXPORTS, userIdentifier: user, idempotencyKey: 'once', by: 2 };
      expect(await client().refused(UPDATES, body)).toMatchObject({
        status: 409,
        body: { errorType: 'conflict', issues: [{ path: 'idempotencyKey' }] },
      });
      expect(await readExports(user)).toMatchObject({ used: 1 });
    });

    it('counts an idempotency key once for each customer', async () => {
      const [one, other] = [newUser(), newUser()];
      await count(one, { idempotencyKey: 'shared' });
      const { body } = await client().update({ ...EXPORTS, userIdentifier: other, idempotencyKey: 'shared' });
      expect(body).toMatchObject({ accepted: true, replayed: false, meter: { used: 1 } });
      await client().update({ ...EXPORTS, userIdentifier: other, by: 2, idempotencyKey: 'of its own' });
      expect(await readExports(one)).toMatchObject({ used: 1 });
      expect(await readExports(other)).toMatchObject({ used: 3 });
    });

    it('takes an idempotency key as the same under every name of the customer', async () => {
      const user = newUser();
      await count(user, { idempotencyKey: 'by any name' });
      const again = { ...EXPORTS, userIdentifier: user.toUpperCase(), idempotencyKey: 'by any name' };
      expect((await client().update(again)).body).toMatchObject({ replayed: true, meter: { used: 1 } });
      expect(await client().refused(UPDATES, { ...again, by: 2 })).toMatchObject({
        status: 409,
        body: { errorType: 'conflict' },
      });
    });

    it('counts for one customer in whatever normal form of Unicode the identifier is written', async () => {
      const user = newUser().replace('user', 'josé');
      await client().update({ ...EXPORTS, userIdentifier: user.normalize('NFD') });
      await client().update({ ...EXPORTS, userIdentifier: user });
      const { body } = await client().check({ userIdentifier: user.toUpperCase().normalize('NFD') });
      expect(body.features['data-exports']?.properties.exports).toMatchObject({ used: 2 });
    });

    it('counts for one customer in whatever case the email address is written', async () => {
      const user = newUser();
      await count(user.toUpperCase(), { by: 2 });
      expect(await readExports(user)).toMatchObject({ used: 2 });
    });
  });

  describe('consume in an access check', () => {
    const consume = async (userIdentifier: string, more: object = {}) =>
      (await client().check({ userIdentifier, consume: { ...EXPORTS, ...more } })).body;

    it('takes usage and answers with the meters after it', async () => {
      const answer = await consume(newUser(), { by: 4 });
      expect(answer.consumed).toMatchObject({ accepted: true, applied: 4, used: 4, remaining: 96 });
      expect(exportsOf(answer)).toMatchObject({ used: 4 });
    });

    it('takes nothing where it does not fit: denied is a 200', async () => {
      const user = newUser();
      await consume(user, { by: 99 });
      const answer = await consume(user, { by: 2 });
      expect(answer.status).toBe('success');
      expect(answer.consumed).toMatchObject({ accepted: false, used: 99 });
    });

    it('takes a resource once', async () => {
      const body = { userIdentifier: newUser(), consume: { ...SEATS, resourceId: 'ada' } };
      await client().check(body);
      expect((await client().check(body)).body.consumed).toMatchObject({ accepted: true, used: 1 });
    });

    it('takes usage once for one idempotency key', async () => {
      const user = newUser();
      const keyed = { by: 3, idempotencyKey: 'check-1' };
      await consume(user, keyed);
      expect((await consume(user, keyed)).consumed).toMatchObject({ accepted: true, replayed: true });
      expect(await readExports(user)).toMatchObject({ used: 3 });
    });
  });
}
