// Who may use what a plan limits for each entity: those that are a resource in use of another meter, the customer's seats.
import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { FeatureProperty } from '#contracts/console/features';
import type { EntitiesAnswer } from '#contracts/public/entities';
import type { ErrorBody } from '#contracts/public/errors';
import { check, propertyOf } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { type EntityTenant, entityTenant, limits, TOTAL } from '#tests/support/entities';
import { hold } from '#tests/support/holds';

const FILES = { feature: 'workspaces', property: 'files' };
const NO_SEAT = { allowed: false, reason: 'not-in-plan', limitOf: 'entity' };
let own: EntityTenant;
let featureId: string;
let seats: FeatureProperty;

beforeAll(async () => {
  own = await entityTenant();
  featureId = (await own.tenant.make<{ id: string }[]>('GET', '/features'))[0]!.id;
  seats = await property('desks', {
    state: 'metered',
    meter: { limit: 2, ...TOTAL, uniqueResourceIds: true },
  });
  for (const value of [limits(10, 4, seats.id), limits(undefined, 2, seats.id)])
    await own.limited('warm', value);
});

const property = (propertyKey: string, value: object, more: object = {}) =>
  own.tenant.make<FeatureProperty>('POST', `/features/${featureId}/properties`, {
    ...{ name: propertyKey, propertyKey, type: 'meterable', value },
    ...more,
  });
const checked = (customer: string, entityId?: string, more: object = {}) =>
  check(own.secret, { userIdentifier: customer, entityId, ...more });
const files = async (customer: string, entityId?: string) =>
  propertyOf(await checked(customer, entityId), 'workspaces', 'files');
const count = async (customer: string, entityId: string | undefined, by: number, more: object = {}) =>
  (await update(own.secret, { userIdentifier: customer, entityId, ...FILES, by, enforce: true, ...more }))
    .body;
const seat = async (customer: string, resourceId: string, release = false) =>
  (await update(own.secret, { userIdentifier: customer, ...FILES, property: 'desks', resourceId, release }))
    .body;

describe('an entity without a seat', () => {
  it('is refused in checks, updates and holds; with one it is not', async () => {
    await own.limited('acme', limits(10, 4, seats.id));
    const before = await checked('acme', 'ada');
    expect(propertyOf(before, 'workspaces', 'files')).toMatchObject({
      ...{ allowed: false, limitOf: 'entity', used: 0, remaining: 10 },
      entity: { id: 'ada', limit: 4, used: 0, remaining: 0, allowed: false, hasSeat: false },
    });
    const refused = await count('acme', 'ada', 1, { idempotencyKey: 'one' });
    expect(refused).toMatchObject({
      ...{ accepted: false, applied: 0, ...NO_SEAT },
      meter: { used: 0, entity: { used: 0, hasSeat: false } },
    });
    expect(await count('acme', 'ada', 1, { idempotencyKey: 'one' })).toMatchObject({
      ...{ accepted: false, replayed: true, ...NO_SEAT, meter: refused.meter },
    });
    const held = { userIdentifier: 'acme', entityId: 'ada', ...FILES, amount: 1 };
    expect((await hold(own.secret, '', held)).body).toMatchObject({
      accepted: false,
      hold: null,
      ...NO_SEAT,
    });

    expect(await seat('acme', 'ada')).toMatchObject({ accepted: true, applied: 1 });
    expect(await files('acme', 'ada')).toMatchObject({
      allowed: true,
      entity: { remaining: 4, allowed: true },
    });
    expect((await files('acme', 'ada')) as object).not.toHaveProperty('entity.hasSeat');
    expect(await count('acme', 'ada', 3)).toMatchObject({ accepted: true, meter: { entity: { used: 3 } } });
    expect(await count('acme', 'bob', 1)).toMatchObject({ accepted: false, ...NO_SEAT });
  });

  it('that had one keeps its usage, gives back, and is not refused where nothing is enforced', async () => {
    await own.limited('borg', limits(10, 4, seats.id));
    await seat('borg', 'ada');
    await count('borg', 'ada', 3);
    expect(await seat('borg', 'ada', true)).toMatchObject({ applied: -1 });
    expect(await files('borg', 'ada')).toMatchObject({
      ...{ allowed: false, limitOf: 'entity', used: 3 },
      entity: { used: 3, remaining: 0, hasSeat: false },
    });
    expect(await count('borg', 'ada', 1)).toMatchObject({ accepted: false, ...NO_SEAT, meter: { used: 3 } });
    expect(await count('borg', 'ada', 1, { enforce: false })).toMatchObject({
      ...{ accepted: true, applied: 1, ...NO_SEAT, meter: { used: 4 } },
    });
    expect(await count('borg', 'ada', -2)).toMatchObject({ accepted: true, applied: -2 });
    await seat('borg', 'ada');
    expect(await files('borg', 'ada')).toMatchObject({ allowed: true, entity: { used: 2, remaining: 2 } });
  });

  it('that had one settles what it holds, and holds no more', async () => {
    await own.limited('fern', limits(10, 4, seats.id));
    await seat('fern', 'ada');
    const body = { userIdentifier: 'fern', entityId: 'ada', ...FILES, amount: 2 };
    const { id } = (await hold(own.secret, '', body)).body.hold!;
    await seat('fern', 'ada', true);
    expect((await hold(own.secret, `/${id}/extend`, { amount: 1 })).body).toMatchObject({
      ...{ accepted: false, ...NO_SEAT },
    });
    expect((await hold(own.secret, `/${id}/settle`, { amount: 2 })).body).toMatchObject({
      ...{ applied: 2, meter: { used: 2, entity: { used: 2, hasSeat: false } } },
    });
  });

  it('is refused where nothing but entities is limited, and says why', async () => {
    await own.limited('cube', limits(undefined, 2, seats.id));
    const asked = { userIdentifier: 'cube', entityId: 'ada', features: ['workspaces'] };
    const answer = await check(own.secret, asked, { query: '?explain=1' });
    expect(propertyOf(answer, 'workspaces', 'files')).toMatchObject({
      ...{ state: 'metered', allowed: false, limit: 2, used: 0, remaining: 0, limitOf: 'entity' },
    });
    const reason = answer.explanation?.find((each) => each.property === 'files')?.reason;
    expect(reason).toMatch(/ ada has no seat\.$/);
    const consumed = await checked('cube', 'ada', { consume: FILES });
    expect(consumed).toMatchObject({
      consumed: { accepted: false, entity: { hasSeat: false } },
      features: { workspaces: NO_SEAT },
    });
  });

  it('is listed as such', async () => {
    await own.limited('dune', limits(10, 4, seats.id));
    await seat('dune', 'ada');
    await count('dune', 'ada', 1);
    await count('dune', 'bob', 1, { enforce: false });
    const url = 'http://localhost:4001/api/v1/customers/dune/entities';
    const headers = { authorization: `Bearer ${own.secret}` };
    const response = await exports.default.fetch(new Request(url, { headers }));
    const meter = { ...FILES, limit: 4, used: 1, resetsAt: null };
    expect((await response.json<EntitiesAnswer>()).entities).toEqual([
      { id: 'ada', meters: [{ ...meter, remaining: 3, allowed: true }] },
      { id: 'bob', meters: [{ ...meter, remaining: 0, allowed: false, hasSeat: false }] },
    ]);
  });
});

describe('seats of a plan', () => {
  let planId: string;
  let versions = 1;
  beforeAll(async () => {
    const plan = { name: 'Seated', slug: 'seated' };
    planId = (await own.tenant.make<{ planId: string }>('POST', '/plans', plan)).planId;
  });
  const save = (id: string, value: object) =>
    own.tenant.call<ErrorBody>('PUT', `/plans/${planId}/versions/${versions}`, {
      properties: { [featureId]: [{ id, type: 'meterable', value }] },
    });

  test.each([
    ['no property', () => 'prop_none', 'Unknown property'],
    ['a property that is no meter', () => own.seats.id, 'Must be a meter'],
    ['the meter itself', () => own.files.id, 'A meter cannot be its own seats'],
    ['empty', () => '', 'Must not be empty'],
  ])('are refused if they are %s, naming the field', async (_, seatsOf, message) => {
    const value = { state: 'on', perEntity: { limit: 1, ...TOTAL, seats: seatsOf() } };
    const { status, body } = await save(own.files.id, value);
    expect(status).toBe(400);
    expect(body.issues).toEqual([{ path: `properties.${featureId}.0.value.perEntity.seats`, message }]);
  });

  test('keep their meter from being deleted as long as a plan needs it', async () => {
    const chairs = await property('chairs', { state: 'on' });
    expect((await save(own.files.id, limits(10, 4, chairs.id))).status).toBe(200);
    versions += 1;
    const path = `/features/${featureId}/properties/${chairs.id}`;
    const refused = await own.tenant.call<ErrorBody>('DELETE', path);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toMatch(
      /^A plan asks for a seat of this meter to use “.* › .*”\. Change it first\.$/,
    );
    expect((await save(own.files.id, limits(10, 4))).status).toBe(200);
    expect((await own.tenant.call('DELETE', path)).status).toBe(204);
  });
});
