// Credits by API: meters that cost an amount of another one. Both are counted or neither, in every call that counts.
import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import { check, propertyOf } from '#tests/support/access-checks';
import { putBalances } from '#tests/support/balances';
import { update } from '#tests/support/counter-updates';
import { type CustomerTenant, customerTenant } from '#tests/support/customers';
import { eventually } from '#tests/support/eventually';
import { newFeatureForAll } from '#tests/support/features';
import { hold } from '#tests/support/holds';
import { publicRequest } from '#tests/support/public-requests';
import { expectRefused } from '#tests/support/refusals';
import { enableLocations, publishAll } from '#tests/support/tenants';

/** A quarter of a credit for a token, 2.5 for an image, 10 for a seat. Pro has 100 credits, which are `files` of `workspaces`. */
let own: CustomerTenant;
let chat: Feature;
let tokens: FeatureProperty;
let free: FeatureProperty;

const metered = (limit: number, uniqueResourceIds = false) => ({
  state: 'metered',
  meter: { limit, periodType: 'lifetime', uniqueResourceIds },
});

beforeAll(async () => {
  own = await customerTenant();
  chat = await newFeatureForAll(own.tenant, { name: 'Chat', slug: 'chat' });
  tokens = await addMeter('tokens', metered(1_000), 0.25);
  await addMeter('images', { state: 'on' }, 2.5);
  await addMeter('seats', metered(50, true), 10);
  free = await addMeter('free', metered(5), null);
  await publishAll(own.tenant);
});

function addMeter(propertyKey: string, value: unknown, per: number | null): Promise<FeatureProperty> {
  return own.tenant.make('POST', `/features/${chat.id}/properties`, {
    ...{ name: propertyKey, propertyKey, type: 'meterable', value },
    costs: per === null ? null : { propertyId: own.files.id, per },
  });
}

async function granted(customer: string): Promise<void> {
  await own.grant(customer);
  await publishAll(own.tenant);
  await check(own.secret, { userIdentifier: customer });
}

const count = async (customer: string, property: string, by: number, more: object = {}) =>
  (await update(own.secret, { userIdentifier: customer, feature: 'chat', property, by, ...more })).body;
const read = async (customer: string, property: string, features = ['chat']) =>
  propertyOf(await check(own.secret, { userIdentifier: customer, features }), 'chat', property);
const credits = async (customer: string) =>
  propertyOf(await check(own.secret, { userIdentifier: customer }), 'workspaces', 'files');
const PAYER = { feature: 'workspaces', property: 'files' };

describe('a check', () => {
  it('says what one costs and what is left for it, also where the paying feature is not asked for', async () => {
    await granted('ada');
    const unused = { ...PAYER, per: 0.25, allowed: true, remaining: 100 };
    expect(await read('ada', 'tokens')).toMatchObject({ state: 'metered', allowed: true, costs: unused });
    expect(await read('ada', 'images')).toMatchObject({ state: 'on', allowed: true, costs: { per: 2.5 } });
    expect(await read('ada', 'free')).not.toHaveProperty('costs');
    await count('ada', 'images', 39);
    for (const features of [['chat'], ['chat', 'workspaces'], ['workspaces', 'chat']])
      expect(await read('ada', 'tokens', features)).toMatchObject({ used: 0, costs: { remaining: 2 } });
  });

  it('allows none of what cannot be paid, and the feature neither where nothing else of it is open', async () => {
    await granted('bob');
    await count('bob', 'images', 39);
    expect(await read('bob', 'images')).toMatchObject({
      ...{ state: 'off', allowed: false },
      costs: { ...PAYER, per: 2.5, allowed: false, remaining: 2 },
    });
    expect(await read('bob', 'tokens')).toMatchObject({ allowed: true, remaining: 1_000 });
    await count('bob', 'tokens', 8);
    expect(await read('bob', 'tokens')).toMatchObject({
      allowed: false,
      remaining: 992,
      costs: { remaining: 0 },
    });
    const open = await check(own.secret, { userIdentifier: 'bob', features: ['chat'] });
    expect(open.features.chat).toMatchObject({ allowed: true });
    await count('bob', 'free', 5);
    const closed = await check(own.secret, { userIdentifier: 'bob', features: ['chat'] });
    expect(closed.features.chat).toMatchObject({ allowed: false, reason: 'limit-reached' });
  });

  it('of a customer without the paying meter allows nothing that costs it; unlimited credits always pay', async () => {
    expect(await read('nobody', 'images')).toMatchObject({
      ...{ state: 'off', allowed: false },
      costs: { ...PAYER, per: 2.5, allowed: false },
    });
    await own.override('rich', own.files.id, { state: 'on' });
    await publishAll(own.tenant);
    await expect
      .poll(() => read('rich', 'images'))
      .toMatchObject({ allowed: true, costs: { allowed: true } });
    expect(await count('rich', 'images', 1_000, { enforce: true })).toMatchObject({
      ...{ accepted: true, applied: 1_000, allowed: true },
      costs: { accepted: true, applied: 2_500, meter: { state: 'on', used: 2_500 } },
    });
    expect(await count('nobody', 'images', 1, { enforce: true })).toMatchObject({
      ...{ accepted: false, applied: 0, allowed: false, reason: 'limit-reached' },
      costs: { accepted: false, applied: 0, meter: { state: 'off' } },
    });
  });

  it('consumes both or neither', async () => {
    await granted('cem');
    const consuming = (by: number) =>
      check(own.secret, {
        ...{ userIdentifier: 'cem', features: ['chat'] },
        consume: { feature: 'chat', property: 'tokens', by },
      });
    const fits = await consuming(399);
    expect(fits.consumed).toMatchObject({
      ...{ accepted: true, applied: 399, used: 399, allowed: false },
      costs: { ...PAYER, accepted: true, applied: 100, remaining: 0, meter: { used: 100, remaining: 0 } },
    });
    expect(fits.features.chat).toMatchObject({ allowed: true });
    const refused = await consuming(1);
    expect(refused.consumed).toMatchObject({
      ...{ accepted: false, applied: 0, used: 399, allowed: false },
      costs: { accepted: false, applied: 0, meter: { used: 100 } },
    });
    expect(refused.features.chat).toMatchObject({ allowed: false, reason: 'limit-reached' });
  });
});

describe('an update', () => {
  it('counts on both meters, rounded up, and is refused if either refuses', async () => {
    await granted('dan');
    expect(await count('dan', 'tokens', 5)).toMatchObject({
      ...{ accepted: true, applied: 5, allowed: true, meter: { used: 5, remaining: 995 } },
      costs: {
        ...PAYER,
        per: 0.25,
        accepted: true,
        applied: 2,
        remaining: 98,
        meter: { used: 2, limit: 100 },
      },
    });
    // 98 credits are left, and 995 tokens would cost 249.
    expect(await count('dan', 'tokens', 995, { enforce: true })).toMatchObject({
      ...{ accepted: false, applied: 0, reason: 'limit-reached', meter: { used: 5 } },
      costs: { accepted: false, applied: 0, meter: { used: 2 } },
    });
    await own.override('dan', own.files.id, metered(10_000));
    await publishAll(own.tenant);
    await expect.poll(() => credits('dan')).toMatchObject({ limit: 10_000 });
    expect(await count('dan', 'tokens', 996, { enforce: true })).toMatchObject({
      ...{ accepted: false, meter: { used: 5 } },
      costs: { accepted: true, applied: 0, meter: { used: 2 } },
    });
    // Beyond the limit without enforce, on both.
    expect(await count('dan', 'tokens', 1_000)).toMatchObject({
      ...{ accepted: true, allowed: false, meter: { used: 1_005, remaining: 0 } },
      costs: { applied: 250, meter: { used: 252 } },
    });
  });

  it('gives back rounded down', async () => {
    await granted('eve');
    await count('eve', 'tokens', 8);
    expect(await count('eve', 'tokens', -3)).toMatchObject({
      applied: -3,
      costs: { applied: 0, meter: { used: 2 } },
    });
    expect(await count('eve', 'tokens', -5)).toMatchObject({
      applied: -5,
      costs: { applied: -1, meter: { used: 1 } },
    });
    expect(await count('eve', 'tokens', -9)).toMatchObject({ applied: 0, costs: { applied: 0 } });
  });

  it('of a resource costs once, and its release gives that back', async () => {
    await granted('fay');
    const seat = async (resourceId: string, more: object = {}) =>
      (
        await update(own.secret, {
          userIdentifier: 'fay',
          feature: 'chat',
          property: 'seats',
          resourceId,
          ...more,
        })
      ).body;
    expect(await seat('a')).toMatchObject({ applied: 1, costs: { applied: 10, meter: { used: 10 } } });
    expect(await seat('a')).toMatchObject({ applied: 0, costs: { applied: 0, meter: { used: 10 } } });
    expect(await seat('b')).toMatchObject({ applied: 1, costs: { applied: 10, meter: { used: 20 } } });
    expect(await seat('a', { release: true })).toMatchObject({ applied: -1, costs: { applied: -10 } });
    expect(await credits('fay')).toMatchObject({ used: 10 });
  });

  it('repeated with its key counts once and says the same', async () => {
    await granted('gus');
    const first = await count('gus', 'tokens', 10, { idempotencyKey: 'k' });
    await count('gus', 'tokens', 100);
    const again = await count('gus', 'tokens', 10, { idempotencyKey: 'k' });
    const { requestId: _, replayed: __, ...said } = first;
    expect(again).toMatchObject({ ...said, replayed: true });
    expect(await credits('gus')).toMatchObject({ used: 28 });
  });

  it('draws on balances of the paying meter, and says so', async () => {
    await granted('hal');
    await putBalances(own, 'hal', { amount: 50 });
    await expect.poll(() => credits('hal')).toMatchObject({ limit: 150 });
    expect(await count('hal', 'images', 44, { enforce: true })).toMatchObject({
      ...{ accepted: true, applied: 44 },
      costs: { applied: 110, draws: [{ amount: 10 }], meter: { limit: 150, used: 110, remaining: 40 } },
    });
    expect(await count('hal', 'images', -2)).toMatchObject({
      costs: { applied: -5, draws: [{ amount: -5 }] },
    });
  });

  it('in a batch is decided as alone, in order', async () => {
    await granted('ian');
    const one = { userIdentifier: 'ian', feature: 'chat', property: 'images', by: 30, enforce: true };
    const request = publicRequest('counter-updates/batch', own.secret, { updates: [one, one] });
    const { results } = await (await exports.default.fetch(request)).json<{ results: unknown[] }>();
    expect(results).toMatchObject([
      { accepted: true, costs: { applied: 75, meter: { remaining: 25 } } },
      { accepted: false, costs: { accepted: false, applied: 0, meter: { remaining: 25 } } },
    ]);
  });

  it('made twenty times at once takes what is left, to the unit', async () => {
    await granted('jan');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => count('jan', 'images', 3, { enforce: true })),
    );
    expect(answers.filter(({ accepted }) => accepted)).toHaveLength(12);
    expect(await credits('jan')).toMatchObject({ used: 96, remaining: 4 });
    expect(await read('jan', 'images')).toMatchObject({ used: 36 });
  });
});

describe('a hold', () => {
  const open = (customer: string, property: string, amount: number, more: object = {}) =>
    hold(own.secret, '', { userIdentifier: customer, feature: 'chat', property, amount, ...more });

  it('holds on both meters, and is settled, extended and released on both', async () => {
    await granted('kim');
    const first = (await open('kim', 'tokens', 101)).body;
    expect(first).toMatchObject({
      ...{ accepted: true, hold: { amount: 101 }, meter: { used: 0, held: 101 } },
      costs: { ...PAYER, accepted: true, applied: 26, meter: { used: 0, held: 26, remaining: 74 } },
    });
    const { id } = first.hold!;
    expect(await read('kim', 'tokens')).toMatchObject({ held: 101, costs: { remaining: 74 } });
    expect(await credits('kim')).toMatchObject({ used: 0, held: 26 });
    expect((await hold(own.secret, `/${id}/extend`, { amount: 400 })).body).toMatchObject({
      ...{ accepted: false, hold: { amount: 101 } },
      costs: { accepted: false, meter: { held: 26 } },
    });
    expect((await hold(own.secret, `/${id}/extend`, { amount: 99 })).body).toMatchObject({
      ...{ accepted: true, hold: { amount: 200 }, meter: { held: 200 } },
      costs: { accepted: true, applied: 51, meter: { held: 51 } },
    });
    expect((await hold(own.secret, `/${id}/settle`, { amount: 30 })).body).toMatchObject({
      ...{ applied: 30, released: 170, meter: { used: 30 } },
      costs: { applied: 8, meter: { used: 8, remaining: 92 } },
    });
    const released = (await open('kim', 'images', 4)).body;
    expect(released.costs).toMatchObject({ applied: 10, meter: { held: 10 } });
    await hold(own.secret, `/${released.hold!.id}/settle`, { amount: 0 });
    expect(await credits('kim')).toMatchObject({ used: 8, remaining: 92 });
  });

  it('or less holds what both meters have left', async () => {
    await granted('lea');
    await count('lea', 'images', 30);
    expect((await open('lea', 'tokens', 1_000, { orLess: true })).body).toMatchObject({
      ...{ accepted: true, hold: { amount: 100 } },
      costs: { applied: 25, meter: { held: 25, remaining: 0 } },
    });
    expect((await open('lea', 'images', 1, { orLess: true })).body).toMatchObject({
      accepted: false,
      hold: null,
    });
  });
});

it('a plan’s cost applies instead of the property’s, and a plan has none of what costs nothing', async () => {
  const make = (slug: string) => own.tenant.make<{ planId: string }>('POST', '/plans', { name: slug, slug });
  const { planId } = await make('business');
  const path = `/plans/${planId}/versions/1`;
  const bodyOf = (id: string, costs: unknown) => ({
    properties: { [chat.id]: [{ id, type: 'meterable', value: { state: 'on', costs } }] },
  });
  const refused = async (id: string, costs: unknown) =>
    (await expectRefused(own.tenant, 400, 'PUT', path, bodyOf(id, costs)))[0];
  expect(await refused(free.id, { per: 3 })).toMatch(/\.0\.value\.costs: The property has no costs$/);
  expect(await refused(tokens.id, { per: 0.0001 })).toMatch(/\.0\.value\.costs\.per: Must be greater/);
  await own.tenant.make('PUT', path, bodyOf(tokens.id, { per: 0.5 }));
  await own.grant('ole');
  await own.grant('ole', { planId });
  await publishAll(own.tenant);
  await expect.poll(() => read('ole', 'tokens')).toMatchObject({ costs: { per: 0.25 } });
  await own.tenant.make('PUT', `/plans/${planId}/versions/2`, bodyOf(tokens.id, { per: 0.1 }));
  await publishAll(own.tenant);
  await expect.poll(() => read('ole', 'tokens')).toMatchObject({ costs: { per: 0.1, remaining: 100 } });
  expect(await count('ole', 'tokens', 100)).toMatchObject({
    costs: { per: 0.1, applied: 10, remaining: 90 },
  });
});

it('a correction takes nothing from the meter that pays, and gives nothing back to it', async () => {
  await granted('nia');
  const correct = (by: number) =>
    own.tenant.make('POST', own.path('nia', '/corrections'), {
      ...{ environmentId: own.previewId, propertyId: tokens.id, by, reason: 'A bug counted wrong' },
      idempotencyKey: crypto.randomUUID(),
    });
  await count('nia', 'tokens', 40);
  await correct(400);
  expect(await read('nia', 'tokens')).toMatchObject({ used: 440, costs: { remaining: 90 } });
  await correct(-440);
  expect(await read('nia', 'tokens')).toMatchObject({ used: 0, costs: { remaining: 90 } });
});

const PARIS = { 'x-dev-cf': JSON.stringify({ latitude: '48.86', longitude: '2.35', continent: 'EU' }) };
const CHICAGO = { 'x-dev-cf': JSON.stringify({ latitude: '41.88', longitude: '-87.63', continent: 'NA' }) };

it('two regions agree on both meters, whichever counted', async () => {
  await enableLocations(own.tenant, 'weur', 'enam');
  await granted('mia');
  const body = { userIdentifier: 'mia', feature: 'chat', property: 'images', by: 3 };
  for (const place of [PARIS, CHICAGO, PARIS])
    expect((await update(own.secret, body, place)).status).toBe(200);
  for (const headers of [PARIS, CHICAGO])
    await eventually(async () => {
      const answer = await check(own.secret, { userIdentifier: 'mia' }, { headers });
      expect(propertyOf(answer, 'workspaces', 'files')).toMatchObject({ used: 24 });
      expect(propertyOf(answer, 'chat', 'images')).toMatchObject({ used: 9, costs: { remaining: 76 } });
    });
});
