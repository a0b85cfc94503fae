// What each entity of a customer may use, such as a member of a team, within what the customer may.
import { runInDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EntitiesAnswer } from '#contracts/public/entities';
import { inSeconds, newSigner } from '#lab/fixtures/tokens';
import { check, propertyOf, refusal } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { type EntityTenant, entityTenant, limits } from '#tests/support/entities';
import { eventually } from '#tests/support/eventually';
import { hold } from '#tests/support/holds';
import { ledgerOf } from '#tests/support/paying-tenants';
import { enableLocations, publishAll } from '#tests/support/tenants';

const FILES = { feature: 'workspaces', property: 'files' };
let own: EntityTenant;

beforeAll(async () => {
  own = await entityTenant(limits(10, 4), limits(undefined, 2), limits(10), limits(20, 4));
});

const checked = (customer: string, entityId?: string, more: object = {}) =>
  check(own.secret, { userIdentifier: customer, entityId, ...more });
const files = async (customer: string, entityId?: string) =>
  propertyOf(await checked(customer, entityId), 'workspaces', 'files');
const count = async (customer: string, entityId: string | undefined, by: number, more: object = {}) =>
  (await update(own.secret, { userIdentifier: customer, entityId, ...FILES, by, ...more })).body;
const codes = (answer: { warnings: readonly { code: string }[] }) => answer.warnings.map(({ code }) => code);

describe('a meter that limits the customer and each entity', () => {
  it('counts for both, and is refused by whichever limit is reached first', async () => {
    await own.limited('acme', limits(10, 4));
    expect(await files('acme', 'ada')).toMatchObject({
      ...{ allowed: true, limit: 10, used: 0, remaining: 10 },
      entity: { id: 'ada', limit: 4, used: 0, remaining: 4, allowed: true, resetsAt: null },
    });
    expect(await count('acme', 'ada', 3, { enforce: true })).toMatchObject({
      ...{ accepted: true, applied: 3, allowed: true },
      meter: { used: 3, remaining: 7, entity: { id: 'ada', limit: 4, used: 3, remaining: 1 } },
    });
    expect(await count('acme', 'ada', 2, { enforce: true })).toMatchObject({
      ...{ accepted: false, applied: 0, allowed: false, reason: 'limit-reached', limitOf: 'entity' },
      meter: { used: 3, entity: { used: 3 } },
    });
    expect(await count('acme', 'bob', 4, { enforce: true })).toMatchObject({ meter: { used: 7 } });
    expect(await count('acme', 'cleo', 4, { enforce: true })).toMatchObject({
      ...{ accepted: false, reason: 'limit-reached', limitOf: 'customer' },
      meter: { used: 7, entity: { id: 'cleo', used: 0, allowed: true } },
    });
    const ofBob = await checked('acme', 'bob');
    expect(ofBob.features.workspaces).toMatchObject({
      ...{ allowed: false, reason: 'limit-reached', limitOf: 'entity' },
      properties: { files: { allowed: false, limitOf: 'entity', used: 7, remaining: 3 } },
    });
    expect(codes(ofBob)).toEqual([]);
    const asked = { userIdentifier: 'acme', entityId: 'bob' };
    const explained = (await check(own.secret, asked, { query: '?explain=1' })).explanation;
    expect(explained?.find(({ property }) => property === 'files')?.reason).toMatch(
      /^Set by the plan.* bob has used 4 of 4, 0 left\.$/,
    );
    expect(await files('acme', 'ada')).toMatchObject({ allowed: true, entity: { remaining: 1 } });
  });

  it('without an entity shows the limit of each, says that it is no part of the decision, and counts for the customer alone', async () => {
    await own.limited('borg', limits(10, 4));
    const answer = await checked('borg');
    expect(propertyOf(answer, 'workspaces', 'files')).toMatchObject({
      ...{ allowed: true, used: 0, entity: { id: null, limit: 4 } },
    });
    expect(codes(answer)).toEqual(['entity-required']);
    const counted = await count('borg', undefined, 5, { enforce: true });
    expect(counted).toMatchObject({ accepted: true, meter: { used: 5 } });
    expect(codes(counted)).toEqual(['entity-required']);
    expect(await files('borg', 'ada')).toMatchObject({ used: 5, entity: { used: 0 } });
  });

  it('consumes for both in a check, which reads the entity after counting', async () => {
    await own.limited('cube', limits(10, 4));
    const consumed = (by: number) => checked('cube', 'ada', { consume: { ...FILES, by } });
    expect(await consumed(4)).toMatchObject({
      consumed: { accepted: true, used: 4, entity: { used: 4, remaining: 0 } },
      features: { workspaces: { allowed: true, properties: { files: { entity: { used: 4 } } } } },
    });
    expect(await consumed(1)).toMatchObject({
      consumed: { accepted: false, used: 4 },
      features: { workspaces: { allowed: false, reason: 'limit-reached', limitOf: 'entity' } },
    });
  });

  it('gives back to both, and repeats an answer by its key', async () => {
    await own.limited('dune', limits(10, 4));
    const first = await count('dune', 'ada', 4, { enforce: true, idempotencyKey: 'one' });
    expect(await count('dune', 'ada', 4, { enforce: true, idempotencyKey: 'one' })).toMatchObject({
      ...{ accepted: true, replayed: true, applied: 4, meter: first.meter },
    });
    expect(await count('dune', 'bob', 4, { enforce: true, idempotencyKey: 'one' })).toMatchObject({
      code: 'idempotency-key-reused',
    });
    expect(await count('dune', 'ada', -3)).toMatchObject({
      meter: { used: 1, entity: { used: 1, remaining: 3 } },
    });
  });

  it('counts beyond the limit of an entity unless it is enforced, and says so', async () => {
    await own.limited('ecru', limits(10, 4));
    expect(await count('ecru', 'ada', 6)).toMatchObject({
      ...{ accepted: true, allowed: false, reason: 'limit-reached', limitOf: 'entity' },
      meter: { used: 6, entity: { used: 6, remaining: 0, allowed: false } },
    });
  });

  it('holds for both, and settles with what was used', async () => {
    await own.limited('fuji', limits(10, 4));
    const held = await hold(own.secret, '', { userIdentifier: 'fuji', entityId: 'ada', ...FILES, amount: 3 });
    expect(held.body).toMatchObject({
      accepted: true,
      meter: { held: 3, entity: { held: 3, remaining: 1 } },
    });
    const more = { userIdentifier: 'fuji', entityId: 'ada', ...FILES, amount: 2 };
    expect((await hold(own.secret, '', more)).body).toMatchObject({
      ...{ accepted: false, hold: null, reason: 'limit-reached', limitOf: 'entity' },
    });
    const { id } = held.body.hold!;
    expect((await hold(own.secret, `/${id}/extend`, { amount: 2 })).body).toMatchObject({
      ...{ accepted: false, limitOf: 'entity' },
    });
    expect((await hold(own.secret, `/${id}/settle`, { amount: 1 })).body).toMatchObject({
      ...{ applied: 1, released: 2 },
      meter: { used: 1, entity: { id: 'ada', used: 1, remaining: 3 } },
    });
    expect(await files('fuji', 'ada')).toMatchObject({ used: 1, entity: { used: 1 } });
  });
});

describe('a meter that limits nothing but each entity', () => {
  it('is the meter of the entity, and takes no usage without one', async () => {
    await own.limited('gold', limits(undefined, 2));
    const alone = await checked('gold');
    expect(propertyOf(alone, 'workspaces', 'files')).toMatchObject({
      ...{ state: 'on', allowed: true, entity: { id: null, limit: 2 } },
    });
    expect(codes(alone)).toEqual(['entity-required']);
    expect(await count('gold', undefined, 1)).toMatchObject({
      ...{ code: 'entity-required', errorType: 'invalid-request' },
    });
    expect(await count('gold', 'ada', 2, { enforce: true })).toMatchObject({
      meter: { state: 'metered', limit: 2, used: 2, remaining: 0, entity: { id: 'ada', used: 2 } },
    });
    expect((await checked('gold', 'ada')).features.workspaces).toMatchObject({
      ...{ allowed: false, reason: 'limit-reached', limitOf: 'entity' },
      properties: { files: { state: 'metered', allowed: false, limit: 2, used: 2 } },
    });
    expect(await files('gold', 'bob')).toMatchObject({ allowed: true, used: 0, remaining: 2 });
    const consumed = { userIdentifier: 'gold', consume: FILES };
    expect((await refusal(own.secret, { body: consumed })).body.code).toBe('entity-required');
  });
});

describe('the entities of a customer', () => {
  const listed = async (customer: string, query = '') => {
    const url = `http://localhost:4001/api/v1/customers/${customer}/entities${query}`;
    const headers = { authorization: `Bearer ${own.secret}` };
    const response = await exports.default.fetch(new Request(url, { headers }));
    return { status: response.status, body: await response.json<EntitiesAnswer>() };
  };

  it('are listed with what each has used and has left, in pages', async () => {
    await own.limited('mona', limits(10, 4));
    expect((await listed('mona')).body).toMatchObject({ entities: [], nextCursor: null, warnings: [] });
    await count('mona', 'zoe', 3);
    await count('mona', 'ada', 5);
    const meter = { ...FILES, limit: 4, resetsAt: null };
    expect((await listed('mona')).body.entities).toEqual([
      { id: 'ada', meters: [{ ...meter, used: 5, remaining: 0, allowed: false }] },
      { id: 'zoe', meters: [{ ...meter, used: 3, remaining: 1, allowed: true }] },
    ]);
    await runInDurableObject(await ledgerOf(own, 'mona'), (_, { storage }) => {
      storage.sql.exec(
        `WITH RECURSIVE more (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM more WHERE n < 218)
         INSERT INTO customer (identifier) SELECT 'mona' || char(0) || 'e' || n FROM more`,
      );
    });
    const first = (await listed('mona')).body;
    expect(first.entities).toHaveLength(100);
    expect(first.nextCursor).toBe('e198');
    const second = (await listed('mona', '?cursor=e198')).body;
    expect(second.entities.map(({ id }) => id)).toEqual([
      ...Array.from({ length: 20 }, (_, index) => `e${199 + index}`),
      'zoe',
    ]);
    expect(second.nextCursor).toBeNull();
  });

  it('end when one is deleted: in every region, by any name, with the customer’s usage as it was', async () => {
    const email = 'nina@tests.example';
    await own.limited('nina', limits(10, 4));
    expect(await own.manage('PUT', '/nina', { email })).toMatchObject({ status: 200 });
    const id = 'user/7~2F';
    const path = '/entities/user~2F7~7E2F';
    await count('nina', id, 3);
    await count('nina', 'bob', 1);
    const remove = (of: string) => own.manage('DELETE', `/${of}${path}`);
    expect(await remove(email)).toMatchObject({ status: 200, body: { customer: 'nina', changed: true } });
    expect(await remove('nina')).toMatchObject({ status: 200, body: { changed: false } });
    expect((await listed('nina')).body.entities.map((each) => each.id)).toEqual(['bob']);
    expect(await files('nina', id)).toMatchObject({ used: 4, entity: { used: 0, remaining: 4 } });
    expect(await own.manage('DELETE', '/nobody/entities/bob')).toMatchObject({
      status: 404,
      body: { code: 'customer-unknown' },
    });
    expect(await own.manage('DELETE', `/nina/entities/${'x'.repeat(201)}`)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'entity' }] },
    });
    const changes = [{ change: 'delete-entity', customer: 'nina', entity: 'bob', idempotencyKey: 'gone' }];
    const results = [{ status: 'success', changed: true, replayed: false }];
    expect(await own.manage('POST', '', { changes })).toMatchObject({ body: { results } });
    await eventually(async () => expect((await listed('nina')).body.entities).toEqual([]));
    expect(await own.manage('POST', '', { changes })).toMatchObject({
      body: { results: [{ changed: true, replayed: true }] },
    });
    const { results: rows } = await env.DB.prepare(
      "SELECT detail FROM audit_log WHERE target_id = 'nina' AND action = 'customer.entity-deleted' ORDER BY id",
    ).all<{ detail: string }>();
    expect(rows.map(({ detail }) => JSON.parse(detail).entity)).toEqual([id, 'bob']);
  });

  it('are the same by whichever name the customer is called', async () => {
    const email = 'olaf@tests.example';
    await own.limited('olaf', limits(10, 4));
    expect(await own.manage('PUT', '/olaf', { email })).toMatchObject({ status: 200 });
    await publishAll(own.tenant);
    await eventually(async () =>
      expect(await files(email, 'ada')).toMatchObject({ used: 0, entity: { limit: 4 } }),
    );
    await count(email, 'ada', 2);
    await count('olaf', 'ada', 1);
    expect(await files(email, 'ada')).toMatchObject({ used: 3, entity: { used: 3, remaining: 1 } });
    expect(await count(email, 'ada', 2, { enforce: true })).toMatchObject({ limitOf: 'entity' });
    expect((await listed('olaf')).body.entities).toMatchObject([{ id: 'ada', meters: [{ used: 3 }] }]);
  });

  it('are on its page nearest to their limits first', async () => {
    await own.limited('nora', limits(10, 4));
    await count('nora', 'ada', 1);
    await count('nora', 'bob', 4);
    const path = `${own.path('nora')}/environments/${own.previewId}/members`;
    expect(await own.tenant.make('GET', path)).toMatchObject({
      members: [
        { id: 'bob', meters: [{ used: 4, remaining: 0 }] },
        { id: 'ada', meters: [{ used: 1, remaining: 3 }] },
      ],
      isComplete: true,
      isWhole: true,
    });
  });
});

describe('entities', () => {
  it('have what they used when a limit of each comes later, also under a plan without one', async () => {
    await own.limited('hive', limits(10));
    expect(await count('hive', 'ada', 3)).toMatchObject({ meter: { used: 3 } });
    expect((await files('hive', 'ada')) as object).not.toHaveProperty('entity');
    await own.limited('hive', limits(20, 4));
    expect(await files('hive', 'ada')).toMatchObject({
      limit: 20,
      used: 3,
      entity: { used: 3, remaining: 1 },
    });
  });

  it('of one name are others under each customer', async () => {
    await own.limited('iris', limits(10, 4));
    await own.limited('jade', limits(10, 4));
    await count('iris', 'ada', 4);
    expect(await files('jade', 'ada')).toMatchObject({ used: 0, entity: { used: 0 } });
  });

  it('are 10,000 of a customer at most; those that it has can go on', async () => {
    await own.limited('lima', limits(10, 4));
    await count('lima', 'ada', 1);
    await runInDurableObject(await ledgerOf(own, 'lima'), (_, { storage }) => {
      storage.sql.exec(
        `WITH RECURSIVE more (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < 9999)
         INSERT INTO customer (identifier) SELECT 'lima' || char(0) || 'e' || n FROM more`,
      );
    });
    const refused = await update(own.secret, { userIdentifier: 'lima', entityId: 'bob', ...FILES, by: 1 });
    expect(refused).toMatchObject({
      status: 429,
      body: { errorType: 'rate-limited', code: 'too-many-entities' },
    });
    expect(await count('lima', 'ada', 1)).toMatchObject({ meter: { used: 2, entity: { used: 2 } } });
  });

  it('are IDs of 1 to 200 characters', async () => {
    for (const entityId of ['', 'x'.repeat(201), 'a\0b', 7])
      expect((await refusal(own.secret, { body: { userIdentifier: 'kilo', entityId } })).body).toMatchObject({
        errorType: 'invalid-request',
        issues: [expect.objectContaining({ path: 'entityId' })],
      });
  });

  it('of a public key are ignored, because anyone can name any', async () => {
    const open = (await own.tenant.key(own.previewId, 'public')).value;
    await publishAll(own.tenant);
    expect(codes(await check(open, { entityId: 'ada' }))).toEqual(['entity-needs-secret-key']);
  });
});

describe('the entity of a user’s token', () => {
  it('is the one that its integration’s claim names, with a public key, too', async () => {
    const signer = await newSigner();
    await own.tenant.make('POST', '/integrations/jwt', {
      ...{ name: 'Sign-in', publicKey: signer.pem },
      ...{ claimKey: 'team', claimIndex: 'stripe_customer_id', entityClaimKey: 'sub' },
    });
    const open = (await own.tenant.key(own.previewId, 'public')).value;
    await own.limited('sage', limits(10, 4));
    const exp = inSeconds(600);
    const userJwt = await signer.sign({ team: 'sage', sub: 'ada', exp });
    await count('sage', 'ada', 3);
    await eventually(async () =>
      expect(propertyOf(await check(open, { userJwt }), 'workspaces', 'files')).toMatchObject({
        ...{ used: 3, entity: { id: 'ada', used: 3, remaining: 1 } },
      }),
    );
    expect(codes(await check(open, { userJwt, entityId: 'ada' }))).toEqual([]);
    const other = await check(open, { userJwt, entityId: 'bob' });
    expect(codes(other)).toEqual(['entity-needs-secret-key']);
    expect(propertyOf(other, 'workspaces', 'files')).toMatchObject({ entity: { id: 'ada' } });

    const counted = (more: object) => update(own.secret, { userJwt, ...FILES, by: 1, ...more });
    expect((await counted({})).body).toMatchObject({ meter: { entity: { id: 'ada', used: 4 } } });
    expect((await counted({ entityId: 'bob' })).body).toMatchObject({
      meter: { entity: { id: 'bob', used: 1 } },
    });
    const nobody = await signer.sign({ team: 'sage', exp });
    expect(codes(await check(open, { userJwt: nobody }))).toEqual(['entity-required']);
  });
});

describe('at the same time', () => {
  it('no more than either limit is accepted, and each acceptance is on both accounts', async () => {
    await own.limited('pete', limits(10, 4));
    const names = ['ada', 'bob', 'cleo', 'dan'];
    const calls = names.flatMap((name) =>
      Array.from({ length: 6 }, () => count('pete', name, 1, { enforce: true })),
    );
    const accepted = (await Promise.all(calls)).filter((answer) => answer.accepted);
    expect(accepted).toHaveLength(10);
    const each = await Promise.all(names.map((name) => files('pete', name)));
    const used = each.map((answer) => (answer as { entity: { used: number } }).entity.used);
    expect(Math.max(...used)).toBeLessThanOrEqual(4);
    expect(used.reduce((sum, amount) => sum + amount, 0)).toBe(10);
    expect(each[0]).toMatchObject({ used: 10, remaining: 0 });
  });

  it('several regions come to the same usage of customer and entity', async () => {
    await enableLocations(own.tenant, 'wnam', 'weur');
    await own.limited('quin', limits(10, 4));
    const from = (continent: string) => ({ 'x-dev-cf': JSON.stringify({ continent }) });
    const body = { userIdentifier: 'quin', entityId: 'ada', ...FILES };
    await update(own.secret, { ...body, by: 1 }, from('EU'));
    await update(own.secret, { ...body, by: 2 }, from('NA'));
    await eventually(async () => {
      for (const continent of ['EU', 'NA']) {
        const asked = { userIdentifier: 'quin', entityId: 'ada' };
        const answer = await check(own.secret, asked, { headers: from(continent) });
        expect(propertyOf(answer, 'workspaces', 'files')).toMatchObject({ used: 3, entity: { used: 3 } });
      }
    });
    expect((await update(own.secret, { ...body, by: 2, enforce: true }, from('NA'))).body).toMatchObject({
      ...{ accepted: false, limitOf: 'entity' },
    });
  });
});

it('what each costs says that an entity may not use as much, in updates and holds', async () => {
  const shop = await entityTenant(limits(10, 4));
  const [feature] = await shop.tenant.make<{ id: string }[]>('GET', '/features');
  await shop.tenant.make('POST', `/features/${feature?.id}/properties`, {
    ...{ name: 'pages', propertyKey: 'pages', type: 'meterable', value: { state: 'on' } },
    costs: { propertyId: shop.files.id, per: 1 },
  });
  await shop.limited('dune', limits(10, 4));
  const asked = { userIdentifier: 'dune', entityId: 'ada', feature: 'workspaces', property: 'pages' };
  const refused = {
    ...{ accepted: false, reason: 'limit-reached' },
    costs: { accepted: false, allowed: true, remaining: 4 },
  };
  await expect
    .poll(async () => (await update(shop.secret, { ...asked, by: 5, enforce: true })).body)
    .toMatchObject(refused);
  expect((await hold(shop.secret, '', { ...asked, amount: 5 })).body).toMatchObject(refused);
  expect((await hold(shop.secret, '', { ...asked, amount: 4 })).body).toMatchObject({
    ...{ accepted: true, costs: { accepted: true, remaining: 0 } },
  });
});
