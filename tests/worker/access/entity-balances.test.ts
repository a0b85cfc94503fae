// Balances of a customer's entities: only calls that name the entity have them, beside the customer's quota and the entity's own limit.
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BalancesAnswer, CustomerChangeAnswer } from '#contracts/public/customers';
import { check, propertyOf } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { type EntityTenant, entityTenant, limits } from '#tests/support/entities';
import { hold } from '#tests/support/holds';
import { openDatabase } from '#worker/db/database';
import { customerBalance } from '#worker/db/schema/customers';

const FILES = { feature: 'workspaces', property: 'files' };
let own: EntityTenant;

beforeAll(async () => {
  own = await entityTenant(limits(10, 4), limits(undefined, 2), limits(10));
});

const give = (customer: string, id: string, more: object = {}) =>
  own.manage<CustomerChangeAnswer>('PUT', `/${customer}/balances/${id}`, {
    ...{ ...FILES, amount: 5, category: 'paid', entityId: 'ada', reason: 'A gift', ...more },
  });
const list = async (customer: string, query = '') =>
  (await own.manage<BalancesAnswer>('GET', `/${customer}/balances${query}`)).body.balances;
const files = async (customer: string, entityId?: string, more: object = {}) =>
  propertyOf(await check(own.secret, { userIdentifier: customer, entityId, ...more }), 'workspaces', 'files');
const count = async (customer: string, entityId: string | undefined, by: number, more: object = {}) =>
  (
    await update(own.secret, {
      ...{ userIdentifier: customer, entityId, ...FILES, by, enforce: true, ...more },
    })
  ).body;

describe('a balance of an entity', () => {
  it('extends the limits of the customer and of the entity, for calls of the entity alone', async () => {
    await own.limited('acme', limits(10, 4));
    const { body } = await give('acme', 'gift');
    expect(body.balance).toMatchObject({ id: 'gift', entityId: 'ada', remaining: 5, state: 'active' });
    expect(await files('acme', 'ada', { include: ['balances'] })).toMatchObject({
      ...{ limit: 15, used: 0, remaining: 15, entity: { id: 'ada', limit: 9, used: 0, remaining: 9 } },
      balances: [{ kind: 'quota' }, { kind: 'balance', id: 'gift', entityId: 'ada', remaining: 5 }],
    });
    for (const other of ['bob', undefined]) {
      const answer = await files('acme', other, { include: ['balances'] });
      expect(answer).toMatchObject({ limit: 10, remaining: 10, entity: { limit: 4 } });
      expect(answer).not.toHaveProperty('balances');
    }
    // Of seven, the entity's own limit leaves four.
    expect(await count('acme', 'ada', 7)).toMatchObject({
      ...{ accepted: true, draws: [{ from: 'gift', amount: 3 }] },
      meter: { limit: 15, used: 7, remaining: 8, entity: { limit: 9, used: 7, remaining: 2 } },
    });
    expect(await files('acme', 'bob')).toMatchObject({
      limit: 10,
      used: 4,
      remaining: 6,
      entity: { used: 0 },
    });
    expect(await count('acme', 'ada', 3)).toMatchObject({ accepted: false, limitOf: 'entity' });
    expect(await count('acme', 'bob', 5)).toMatchObject({ accepted: false, limitOf: 'entity' });
    expect(await count('acme', 'bob', 4)).toMatchObject({ accepted: true, meter: { used: 8, remaining: 2 } });
    expect(await list('acme')).toMatchObject([{ id: 'gift', entityId: 'ada', used: 3, remaining: 2 }]);
  });

  it('pays in the customer’s stead where the quota is used up, and takes back what it paid', async () => {
    await own.limited('borg', limits(10, 4));
    await give('borg', 'gift');
    for (const entity of ['bob', 'cleo']) await count('borg', entity, 4);
    expect(await count('borg', 'dan', 2)).toMatchObject({ accepted: true, meter: { remaining: 0 } });
    expect(await files('borg', 'bob')).toMatchObject({ allowed: false, remaining: 0 });
    const key = { idempotencyKey: 'job-1' };
    expect(await count('borg', 'ada', 5, key)).toMatchObject({
      ...{ accepted: true, allowed: true, draws: [{ from: 'gift', amount: 5 }] },
      meter: { limit: 15, used: 15, remaining: 0, entity: { used: 5, remaining: 4 } },
    });
    expect(await count('borg', 'ada', 1)).toMatchObject({ accepted: false, limitOf: 'customer' });
    // Whoever gives it back need not name the entity.
    expect(await count('borg', undefined, -2, { givesBack: 'job-1', enforce: false })).toMatchObject({
      ...{ applied: -2, draws: [{ from: 'gift', amount: -2 }] },
    });
    expect(await files('borg', 'ada')).toMatchObject({ used: 13, remaining: 2, entity: { used: 3 } });
    // Others give back usage of the customer.
    expect(await count('borg', 'bob', -1)).toMatchObject({ applied: -1 });
    expect(await files('borg', 'ada')).toMatchObject({ used: 12, remaining: 3, entity: { used: 3 } });
  });

  it('is held and settled', async () => {
    await own.limited('cube', limits(10, 4));
    await give('cube', 'gift');
    const opened = await hold(own.secret, '', {
      ...{ userIdentifier: 'cube', entityId: 'ada', ...FILES, amount: 99, orLess: true },
    });
    expect(opened.body).toMatchObject({
      ...{ accepted: true, hold: { amount: 9 } },
      meter: { held: 9, remaining: 6, entity: { held: 9, remaining: 0 } },
    });
    const settled = await hold(own.secret, `/${opened.body.hold!.id}/settle`, { amount: 6 });
    expect(settled.body).toMatchObject({
      ...{ accepted: true, draws: [{ from: 'gift', amount: 2 }] },
      meter: { limit: 15, used: 6, entity: { limit: 9, used: 6, remaining: 3 } },
    });
    expect(await list('cube')).toMatchObject([{ used: 2, remaining: 3 }]);
  });

  it('extends the only limit where nothing but entities are limited, and the customer’s where no entity is', async () => {
    await own.limited('dune', limits(undefined, 2));
    await give('dune', 'gift');
    // Nothing is drawn of the customer's where nothing limits it.
    await give('dune', 'inv-1', { entityId: undefined, priority: 0 });
    expect(await count('dune', 'ada', 6)).toMatchObject({
      ...{ accepted: true, draws: [{ from: 'gift', amount: 4 }] },
      meter: { limit: 7, used: 6, remaining: 1 },
    });
    expect(await files('dune', 'ada', { include: ['balances'] })).toMatchObject({
      ...{ limit: 7, used: 6, remaining: 1 },
      balances: [
        { kind: 'quota', used: 2 },
        { id: 'gift', entityId: 'ada', used: 4 },
      ],
    });
    expect(await files('dune', 'bob')).toMatchObject({ limit: 2, used: 0 });
    expect(await list('dune')).toMatchObject([
      { id: 'inv-1', used: 0 },
      { id: 'gift', used: 4 },
    ]);
    await own.limited('echo', limits(10));
    await give('echo', 'gift');
    expect(await count('echo', 'ada', 12)).toMatchObject({ accepted: true, meter: { limit: 15, used: 12 } });
    expect(await files('echo', 'bob')).toMatchObject({ limit: 10, used: 10, remaining: 0 });
    expect(await files('echo', 'ada')).toMatchObject({ limit: 15, used: 12, remaining: 3 });
  });

  it('ends, is frozen and taken back like any other, and never changes its owner', async () => {
    await own.limited('fox', limits(10, 4));
    await give('fox', 'gift');
    await give('fox', 'gift', { frozen: true });
    expect(await files('fox', 'ada')).toMatchObject({ limit: 10, entity: { limit: 4 } });
    await give('fox', 'gift', { frozen: false, endsAt: Date.now() + 60_000 });
    expect(await files('fox', 'ada')).toMatchObject({ limit: 15, entity: { limit: 9 } });
    await own.manage('POST', '/fox/balances/gift/take-back', { amount: 3, reason: 'Refund' });
    expect(await files('fox', 'ada')).toMatchObject({ limit: 12, entity: { limit: 6 } });
    for (const entityId of ['bob', undefined]) {
      const { status, body } = await give('fox', 'gift', { entityId });
      expect({ ...body, status }).toMatchObject({
        ...{ status: 409, code: 'balance-exists', issues: [{ path: 'entityId' }] },
      });
    }
    const paying = await give('fox', 'other', { paysOverage: true });
    expect(paying).toMatchObject({ status: 400, body: { issues: [{ path: 'paysOverage' }] } });
    await give('fox', 'bound', { needsPlan: true });
    expect(await list('fox')).toMatchObject([
      { id: 'bound', state: 'active' },
      { id: 'gift', amount: 5, takenBack: 3 },
    ]);
  });

  it('is closed to releases that would give it to the whole customer', async () => {
    await own.limited('golf', limits(10, 4));
    await give('golf', 'gift');
    const [row] = await openDatabase(env.DB)
      .select()
      .from(customerBalance)
      .where(eq(customerBalance.customerIdentifier, 'golf'));
    expect(row).toMatchObject({ entityId: 'ada', closedAt: 0 });
  });

  it('is not refilled when its entity is deleted', async () => {
    await own.limited('zara', limits(10, 4));
    await give('zara', 'gift');
    expect(await count('zara', 'ada', 7)).toMatchObject({ draws: [{ from: 'gift', amount: 3 }] });
    expect(await own.manage('DELETE', '/zara/entities/ada')).toMatchObject({ body: { changed: true } });
    expect(await list('zara')).toMatchObject([{ id: 'gift', used: 3, remaining: 2 }]);
    // Four of its own limit, and two of the balance.
    expect(await files('zara', 'ada')).toMatchObject({ entity: { limit: 9, used: 3, remaining: 6 } });
    expect(await count('zara', 'ada', 7)).toMatchObject({ accepted: false, limitOf: 'entity' });
    expect(await count('zara', 'ada', 6)).toMatchObject({
      ...{ accepted: true, draws: [{ from: 'gift', amount: 2 }] },
    });
    expect(await count('zara', 'ada', 1)).toMatchObject({ accepted: false, limitOf: 'entity' });
  });
});
