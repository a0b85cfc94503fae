// What each entity of a customer may use, such as a member of a team, within what the customer may.
import { beforeEach, describe, expect, it } from 'vitest';
import type { EntitiesAnswer } from '#contracts/public/entities';
import { type Client, codesOf, newUser } from './client.ts';

/** Ten of the customer, and four of each entity. */
const REPORTS = { feature: 'workspace', property: 'reports' };

export function describeMembers(client: () => Client): void {
  const secret = () => ({ key: client().target.creditsKey });
  const count = async (userIdentifier: string, fields: object) =>
    (await client().update({ userIdentifier, ...REPORTS, ...fields }, secret())).body;
  const check = async (userIdentifier: string, entityId?: string, more: object = {}) =>
    (await client().check({ userIdentifier, entityId, ...more }, secret())).body;
  const reportsOf = async (user: string, entityId?: string) =>
    (await check(user, entityId)).features.workspace?.properties.reports;
  const list = (customer: string, query = '') =>
    client().customers<EntitiesAnswer>('GET', `/${customer}/entities`, '/{customer}/entities', undefined, {
      ...secret(),
      query,
    });

  describe('an entity of a customer', () => {
    beforeEach(({ skip }) => skip(client().target.creditsKey === null, 'no workspace with credits'));

    it('is counted with its customer, and refused by whichever limit is reached first', async () => {
      const user = newUser();
      const enforced = (entityId: string, by: number) => count(user, { entityId, by, enforce: true });
      expect(await enforced('ada', 3)).toMatchObject({
        ...{ accepted: true, allowed: true },
        meter: { used: 3, remaining: 7, entity: { id: 'ada', limit: 4, used: 3, remaining: 1 } },
      });
      expect(await enforced('ada', 2)).toMatchObject({
        ...{ accepted: false, applied: 0, reason: 'limit-reached', limitOf: 'entity' },
        meter: { used: 3, entity: { used: 3 } },
      });
      expect(await enforced('bob', 4)).toMatchObject({ meter: { used: 7, entity: { used: 4 } } });
      expect(await enforced('cleo', 4)).toMatchObject({
        ...{ accepted: false, reason: 'limit-reached', limitOf: 'customer' },
        meter: { used: 7, entity: { used: 0, allowed: true } },
      });
      expect((await check(user, 'bob')).features.workspace).toMatchObject({
        ...{ allowed: false, reason: 'limit-reached', limitOf: 'entity' },
        properties: { reports: { allowed: false, limitOf: 'entity', used: 7, remaining: 3 } },
      });
      expect((await check(user, 'ada')).features.workspace).toMatchObject({ allowed: true });
    });

    it('is named in each call: without one the customer’s limit decides, and a warning says so', async () => {
      const user = newUser();
      const counted = await count(user, { by: 5, enforce: true });
      expect(counted).toMatchObject({ accepted: true, meter: { used: 5 } });
      expect(codesOf(counted)).toEqual(['entity-required']);
      const checked = await check(user);
      expect(codesOf(checked)).toEqual(['entity-required']);
      expect(checked.features.workspace?.properties.reports).toMatchObject({
        entity: { id: null, limit: 4 },
      });
      expect(await reportsOf(user, 'ada')).toMatchObject({ used: 5, entity: { id: 'ada', used: 0 } });
    });

    it('is consumed for in a check, once for one idempotency key', async () => {
      const user = newUser();
      const consume = { ...REPORTS, by: 4, idempotencyKey: 'one' };
      for (const replayed of [false, true])
        expect(await check(user, 'ada', { consume })).toMatchObject({
          consumed: { accepted: true, replayed, used: 4, entity: { used: 4, remaining: 0 } },
          features: { workspace: { properties: { reports: { entity: { used: 4, allowed: false } } } } },
        });
      const other = { userIdentifier: user, entityId: 'bob', consume };
      const { body } = await client().refused('/api/v1/access-checks', other, secret());
      expect(body.code).toBe('idempotency-key-reused');
    });

    it('is held for, and has what was used when the hold is settled', async () => {
      const user = newUser();
      const hold = (path: string, template: string, body: object) =>
        client().holds(path, template, body, secret());
      const open = (amount: number) =>
        hold('', '', { userIdentifier: user, entityId: 'ada', ...REPORTS, amount });
      const opened = (await open(3)).body;
      expect(opened).toMatchObject({ accepted: true, meter: { entity: { held: 3, remaining: 1 } } });
      expect((await open(2)).body).toMatchObject({ accepted: false, hold: null, limitOf: 'entity' });
      const settled = await hold(`/${opened.hold!.id}/settle`, '/{hold}/settle', { amount: 1 });
      expect(settled.body).toMatchObject({
        ...{ applied: 1, released: 2 },
        meter: { used: 1, entity: { id: 'ada', used: 1, remaining: 3 } },
      });
    });

    it('gets back what it gives back, also by `givesBack`, which knows whose usage it was', async () => {
      const user = newUser();
      await count(user, { entityId: 'ada', by: 3, idempotencyKey: 'one' });
      await count(user, { entityId: 'bob', by: 2 });
      expect(await count(user, { entityId: 'bob', by: -1 })).toMatchObject({
        meter: { used: 4, entity: { used: 1 } },
      });
      expect(await count(user, { givesBack: 'one', by: -2 })).toMatchObject({
        applied: -2,
        meter: { used: 2 },
      });
      expect(await reportsOf(user, 'ada')).toMatchObject({ used: 2, entity: { used: 1, remaining: 3 } });
    });

    it('is listed with what it has used and has left', async () => {
      const customer = `customer-${crypto.randomUUID()}`;
      const options = secret();
      await client().customers('PUT', `/${customer}`, '/{customer}', {}, options);
      expect((await list(customer)).body).toMatchObject({ entities: [], nextCursor: null });
      await count(customer, { entityId: 'zoe', by: 3 });
      await count(customer, { entityId: 'ada', by: 5 });
      const meter = { ...REPORTS, limit: 4, resetsAt: null };
      const listed = async (query = '') =>
        (await list(customer, query)).body.entities.map(({ id, meters }) => ({
          id,
          meters: meters.filter(({ property }) => property === REPORTS.property),
        }));
      await expect
        .poll(() => listed(), { timeout: 5_000 })
        .toEqual([
          { id: 'ada', meters: [{ ...meter, used: 5, remaining: 0, allowed: false }] },
          { id: 'zoe', meters: [{ ...meter, used: 3, remaining: 1, allowed: true }] },
        ]);
      expect(await listed('?cursor=ada')).toMatchObject([{ id: 'zoe' }]);
      expect((await list(`nobody-${customer}`)).status).toBe(404);
    });

    it('is deleted with its own usage, once; its customer’s stays', async () => {
      const customer = `customer-${crypto.randomUUID()}`;
      await client().customers('PUT', `/${customer}`, '/{customer}', {}, secret());
      await count(customer, { entityId: 'team/ada', by: 3 });
      await count(customer, { entityId: 'bob', by: 1 });
      const remove = async (of = customer) =>
        client().customers(
          ...(['DELETE', `/${of}/entities/team~2Fada`, '/{customer}/entities/{entity}'] as const),
          undefined,
          secret(),
        );
      expect((await remove()).body).toMatchObject({ customer, changed: true });
      expect((await remove()).body).toMatchObject({ customer, changed: false });
      await expect
        .poll(async () => (await list(customer)).body.entities.map(({ id }) => id), { timeout: 5_000 })
        .toEqual(['bob']);
      expect(await reportsOf(customer, 'team/ada')).toMatchObject({ used: 4, entity: { used: 0 } });
      expect((await remove(`nobody-${customer}`)).status).toBe(404);
    });

    it('needs a seat where the plan asks for one, and keeps its usage without', async () => {
      const user = newUser();
      const body = { userIdentifier: user, feature: 'drafting' };
      const sit = async (release: boolean) =>
        client().update({ ...body, property: 'desks', resourceId: 'ada', release }, secret());
      const draft = async (by: number) =>
        (await client().update({ ...body, property: 'drafts', entityId: 'ada', by, enforce: true }, secret()))
          .body;
      const refused = { accepted: false, allowed: false, reason: 'not-in-plan', limitOf: 'entity' };
      expect(await draft(1)).toMatchObject({ ...refused, meter: { entity: { used: 0, hasSeat: false } } });
      await sit(false);
      expect(await draft(3)).toMatchObject({ accepted: true, meter: { entity: { used: 3, remaining: 1 } } });
      await sit(true);
      expect(await draft(1)).toMatchObject({ ...refused, meter: { used: 3 } });
      expect((await check(user, 'ada')).features.drafting?.properties.drafts).toMatchObject({
        ...{ allowed: false, used: 3 },
        entity: { used: 3, remaining: 0, hasSeat: false },
      });
      await sit(false);
      expect(await draft(1)).toMatchObject({ accepted: true, meter: { entity: { used: 4 } } });
    });

    it('has an ID of 1 to 200 characters', async () => {
      for (const entityId of ['', 'x'.repeat(201), 7]) {
        const refused = await client().refused(
          '/api/v1/counter-updates',
          { userIdentifier: newUser(), ...REPORTS, entityId },
          secret(),
        );
        expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: 'entityId' }] } });
      }
    });
  });
}
