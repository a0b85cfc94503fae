// Usage: counter updates, consumption inside an access check, idempotency keys, limits.
import { describe, expect, it } from 'vitest';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { BATCH, CHECKS, type Client, inSeconds, newUser, UPDATES } from './client.ts';

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

  describe('usage that occurred earlier', () => {
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();

    it('takes `occurredAt` of the last 24 hours and 30 seconds ahead, and refuses others', async () => {
      const user = newUser();
      const HOUR = 3_600_000;
      for (const ms of [-23.9 * HOUR, -HOUR, 20_000]) {
        expect(await count(user, { occurredAt: at(ms) }), String(ms)).toMatchObject({ accepted: true });
      }
      const consume = { ...EXPORTS, occurredAt: at(-HOUR) };
      const taken = await client().check({ userIdentifier: user, consume });
      expect(taken.body.consumed).toMatchObject({ accepted: true, applied: 1 });
      for (const occurredAt of [at(-24.1 * HOUR), at(60_000), 'yesterday', '2026-11-01', 1_700_000_000_000]) {
        const update = { ...EXPORTS, userIdentifier: user, occurredAt };
        const refused = await client().refused(UPDATES, update);
        expect(refused.body).toMatchObject({
          errorType: 'invalid-request',
          issues: [{ path: 'occurredAt' }],
        });
        const check = { userIdentifier: user, consume: { ...EXPORTS, occurredAt } };
        expect((await client().refused(CHECKS, check)).body).toMatchObject({
          issues: [{ path: 'consume.occurredAt' }],
        });
      }
    });

    it('is the same request with the same `occurredAt` only', async () => {
      const update = { userIdentifier: newUser(), ...EXPORTS, idempotencyKey: 'late' };
      const [one, other] = [at(-60_000), at(-120_000)];
      await client().update({ ...update, occurredAt: one });
      const again = await client().update({ ...update, occurredAt: one });
      expect(again.body).toMatchObject({ replayed: true, meter: { used: 1 } });
      expect((await client().refused(UPDATES, { ...update, occurredAt: other })).status).toBe(409);
    });
  });

  describe('usage of a certain age', () => {
    const DAY = 86_400_000;

    it('takes `ageMs` of up to 24 hours, and refuses others, and two times in one update', async () => {
      const user = newUser();
      for (const ageMs of [0, 3_600_000, DAY]) {
        expect(await count(user, { ageMs }), String(ageMs)).toMatchObject({ accepted: true });
      }
      const taken = await client().check({ userIdentifier: user, consume: { ...EXPORTS, ageMs: 60_000 } });
      expect(taken.body.consumed).toMatchObject({ accepted: true, applied: 1 });
      const occurredAt = new Date().toISOString();
      const wrong = [-1, 0.5, DAY + 1, 1e300, '0', null, [0]].map((ageMs) => ({ ageMs }));
      for (const time of [...wrong, { ageMs: 0, occurredAt }]) {
        const update = { ...EXPORTS, ...time };
        const refused = await client().refused(UPDATES, { ...update, userIdentifier: user });
        expect(refused.body).toMatchObject({ errorType: 'invalid-request', issues: [{ path: 'ageMs' }] });
        const check = await client().refused(CHECKS, { userIdentifier: user, consume: update });
        expect(check.body).toMatchObject({ issues: [{ path: 'consume.ageMs' }] });
        const { body } = await client().updates([{ ...update, userIdentifier: user }]);
        expect(body.results).toMatchObject([{ errorType: 'invalid-request', issues: [{ path: 'ageMs' }] }]);
      }
    });

    it('is the same request at any age', async () => {
      const update = { userIdentifier: newUser(), ...EXPORTS, idempotencyKey: 'aged' };
      await client().update(update);
      for (const ageMs of [0, 30_000, 7_200_000]) {
        const again = await client().update({ ...update, ageMs });
        expect(again.body).toMatchObject({ replayed: true, meter: { used: 1 } });
      }
      const { status } = await client().refused(UPDATES, { ...update, ageMs: 0, by: 2 });
      expect(status).toBe(409);
    });
  });

  describe('a batch', () => {
    it('answers each update in order, as its own call would, and with 200 whatever fails', async () => {
      const [ada, eve] = [newUser(), newUser()];
      const { body } = await client().updates([
        { ...EXPORTS, userIdentifier: ada, by: 5 },
        { ...EXPORTS, userIdentifier: eve, by: 1.5 },
        { ...EXPORTS, userIdentifier: ada, by: -2 },
        { ...EXPORTS, userIdentifier: eve, enforce: true, by: 101 },
        'nothing',
        { ...EXPORTS, userIdentifier: ada, by: 4, enforce: true },
        { ...EXPORTS, feature: 'dark-mode', userIdentifier: eve },
      ]);
      expect(body.results).toMatchObject([
        { status: 'success', applied: 5, meter: { used: 5 } },
        { status: 'error', errorType: 'invalid-request', issues: [{ path: 'by' }] },
        { status: 'success', applied: -2, meter: { used: 3 } },
        { status: 'success', accepted: false, meter: { used: 0 } },
        { status: 'error', errorType: 'invalid-request' },
        { status: 'success', applied: 4, meter: { used: 7 } },
        { status: 'error', errorType: 'invalid-request', issues: [{ path: 'feature' }] },
      ]);
      expect(new Set(body.results.map(({ requestId }) => requestId)).size).toBe(7);
      expect(await readExports(ada)).toMatchObject({ used: 7 });
    });

    it('counts once for each idempotency key, also when the batch is sent again', async () => {
      const user = newUser();
      const updates = Array.from({ length: 100 }, (_, index) => ({
        ...EXPORTS,
        userIdentifier: user,
        idempotencyKey: `key-${index % 50}`,
      }));
      const first = await client().updates(updates);
      const replayed = first.body.results.filter((each) => each.status === 'success' && each.replayed);
      expect(replayed).toHaveLength(50);
      const again = await client().updates(updates);
      expect(again.body.results.every((each) => each.status === 'success' && each.replayed)).toBe(true);
      expect(await readExports(user)).toMatchObject({ used: 50 });
    });

    it('takes 1 to 100 updates, with a secret key, and no idempotency key for all of them', async () => {
      const update = { ...EXPORTS, userIdentifier: newUser() };
      for (const updates of [[], new Array(101).fill(update), undefined, update]) {
        expect((await client().refused(BATCH, { updates })).body).toMatchObject({
          errorType: 'invalid-request',
          issues: [{ path: 'updates' }],
        });
      }
      const { publicKey } = client().target;
      const updates = { updates: [update] };
      expect((await client().refused(BATCH, updates, { key: publicKey })).status).toBe(403);
      const headers = { 'idempotency-key': 'all' };
      expect((await client().refused(BATCH, updates, { headers })).body).toMatchObject({
        issues: [{ path: 'Idempotency-Key' }],
      });
    });
  });

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

    it('gives back with `givesBack` what one update counted, once, in whole or in part', async () => {
      const user = newUser();
      await count(user, { by: 7, idempotencyKey: 'order-1' });
      await count(user, { by: 5, idempotencyKey: 'order-2' });
      const back = (givesBack: string, more: object = {}) => count(user, { givesBack, ...more });
      expect(await back('order-1')).toMatchObject({ applied: -7, replayed: false, meter: { used: 5 } });
      expect(await back('order-1')).toMatchObject({ applied: -7, replayed: true });
      expect(await back('order-2', { by: -2 })).toMatchObject({ applied: -2, meter: { used: 3 } });
      const refused = async (body: object) => {
        const answer = await client().refused(UPDATES, { ...EXPORTS, userIdentifier: user, ...body });
        return [answer.status, answer.body.code, answer.body.issues?.[0]?.path];
      };
      const reused = { givesBack: 'order-1', by: -1 };
      expect(await refused(reused)).toEqual([409, 'idempotency-key-reused', 'givesBack']);
      const unknown = { givesBack: 'order-3' };
      expect(await refused(unknown)).toEqual([409, 'nothing-to-give-back', 'givesBack']);
      for (const [path, more] of Object.entries({
        by: { by: 3 },
        resourceId: { resourceId: 'r1' },
        ageMs: { ageMs: 5 },
      }))
        expect(await refused({ givesBack: 'order-2', ...more })).toMatchObject([
          400,
          expect.any(String),
          path,
        ]);
      expect(await readExports(user)).toMatchObject({ used: 3 });
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
