// Holds by API: an amount that counts at once, is settled with what was used, and ends by itself.
import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Event } from '#contracts/console/events';
import { LOCATIONS, type Location } from '#contracts/public/locations';
import { readHoldName } from '#engine/ledger/hold-name';
import { HOLD_PREFIX } from '#engine/metering/hold-id';
import { ledgerAt } from '#objects/stubs';
import { check, propertyOf } from '#tests/support/access-checks';
import { putBalances } from '#tests/support/balances';
import { update } from '#tests/support/counter-updates';
import { type CustomerTenant, customerTenant } from '#tests/support/customers';
import { hold } from '#tests/support/holds';
import { enableLocations, publishAll } from '#tests/support/tenants';

const FILES = { feature: 'workspaces', property: 'files' };
/** Of Pro, for life. */
const QUOTA = 100;
let own: CustomerTenant;

beforeAll(async () => {
  own = await customerTenant();
});

async function granted(customer: string): Promise<void> {
  await own.grant(customer);
  await publishAll(own.tenant);
  await check(own.secret, { userIdentifier: customer });
}

const open = (customer: string, amount: number, more: object = {}) =>
  hold(own.secret, '', { userIdentifier: customer, ...FILES, amount, ...more });
const settle = (id: string, amount: number, more: object = {}) =>
  hold(own.secret, `/${id}/settle`, { amount, ...more });
const extend = (id: string, body: object) => hold(own.secret, `/${id}/extend`, body);
const files = async (customer: string) =>
  propertyOf(await check(own.secret, { userIdentifier: customer }), 'workspaces', 'files');

it('a hold counts at once beside used, and what was used of it stays', async () => {
  await granted('ada');
  const first = await open('ada', 40);
  expect(first.body).toMatchObject({
    status: 'success',
    accepted: true,
    replayed: false,
    hold: { id: expect.stringMatching(/^hold_[a-z]+_/), amount: 40 },
    allowed: true,
    meter: { limit: QUOTA, used: 0, held: 40, remaining: 60 },
  });
  expect(first.body).not.toHaveProperty('applied');
  expect(await files('ada')).toMatchObject({ used: 0, held: 40, remaining: 60 });
  expect((await open('ada', 61)).body).toMatchObject({
    ...{ accepted: false, hold: null, allowed: false, reason: 'limit-reached' },
    meter: { used: 0, held: 40, remaining: 60 },
  });
  const { id } = first.body.hold!;
  expect((await extend(id, { amount: 10, idempotencyKey: 'more' })).body).toMatchObject({
    ...{ accepted: true, hold: { id, amount: 50 }, meter: { held: 50, remaining: 50 } },
  });
  expect((await extend(id, { amount: 10, idempotencyKey: 'more' })).body).toMatchObject({
    ...{ replayed: true, hold: { amount: 50 }, meter: { held: 50 } },
  });
  expect((await extend(id, { amount: 51 })).body).toMatchObject({ accepted: false, hold: { amount: 50 } });
  const settled = await settle(id, 31);
  expect(settled.body).toMatchObject({
    ...{ accepted: true, applied: 31, released: 19, overage: 0, meter: { used: 31, remaining: 69 } },
  });
  expect(settled.body.meter as object).not.toHaveProperty('held');
  expect((await settle(id, 31)).body).toMatchObject({ replayed: true, applied: 31, released: 19 });
  expect(await settle(id, 32)).toMatchObject({
    status: 409,
    body: { code: 'hold-settled', message: 'amount: The hold is settled with 31 already, and stays so' },
  });
  expect(await extend(id, {})).toMatchObject({ status: 409, body: { code: 'hold-over' } });
});

it('orLess holds what is left, and refuses when nothing is', async () => {
  await granted('bob');
  expect((await open('bob', 250, { orLess: true })).body).toMatchObject({ hold: { amount: QUOTA } });
  expect((await open('bob', 250, { orLess: true })).body).toMatchObject({ accepted: false, hold: null });
  expect(await files('bob')).toMatchObject({ allowed: false, used: 0, held: QUOTA, remaining: 0 });
});

it('one idempotency key makes one hold', async () => {
  await granted('cleo');
  const [one, other] = await Promise.all([
    open('cleo', 10, { idempotencyKey: 'req-9' }),
    open('cleo', 10, { idempotencyKey: 'req-9' }),
  ]);
  expect(one.body.hold?.id).toBe(other.body.hold?.id);
  expect([one, other].map(({ body }) => body.replayed).sort()).toEqual([false, true]);
  expect(await files('cleo')).toMatchObject({ held: 10 });
  expect(await open('cleo', 11, { idempotencyKey: 'req-9' })).toMatchObject({
    status: 409,
    body: { code: 'idempotency-key-reused' },
  });
  const counted = await update(own.secret, {
    userIdentifier: 'cleo',
    ...FILES,
    by: 10,
    idempotencyKey: 'req-9',
  });
  expect(counted.body).toMatchObject({ code: 'idempotency-key-reused' });
});

it('one idempotency key makes one extension, and a hold has so many', async () => {
  await granted('kim');
  await putBalances(own, 'kim', { id: 'bal_kim', amount: 50 });
  const { id } = (await open('kim', 1, { lastsMs: 3_600_000 })).body.hold!;
  const more = (idempotencyKey: string, amount = 1) => extend(id, { amount, idempotencyKey });
  expect((await more('k0', 2)).body).toMatchObject({ replayed: false, hold: { amount: 3 } });
  expect(await more('k0', 3)).toMatchObject({
    ...{ status: 409, body: { code: 'idempotency-key-reused', issues: [{ path: 'idempotencyKey' }] } },
  });
  for (let made = 1; made < 100; made += 11)
    await Promise.all(Array.from({ length: 11 }, (_, index) => more(`k${made + index}`)));
  expect(await more('over')).toMatchObject({
    ...{ status: 409, body: { code: 'extension-limit-reached', issues: [{ path: 'hold' }] } },
  });
  expect((await more('k0', 2)).body).toMatchObject({ replayed: true, hold: { amount: 102 } });
  expect((await more('time', 0)).body).toMatchObject({ accepted: true, hold: { amount: 102 } });
  expect((await extend(id, { amount: 1 })).body).toMatchObject({ accepted: true, hold: { amount: 103 } });
});

it('more than is held counts, is capped, or is refused', async () => {
  await granted('dan');
  const ids: string[] = [];
  for (const key of ['a', 'b', 'c']) ids.push((await open('dan', 30, { idempotencyKey: key })).body.hold!.id);
  const [rejected = '', capped = '', counted = ''] = ids;
  expect((await settle(rejected, 31, { onExcess: 'reject' })).body).toMatchObject({
    ...{ accepted: false, meter: { used: 0, held: 90 } },
  });
  expect((await settle(capped, 31, { onExcess: 'cap' })).body).toMatchObject({ applied: 30, released: 0 });
  expect((await settle(counted, 45)).body).toMatchObject({
    ...{ applied: 45, overage: 5, meter: { used: 75, held: 30, remaining: 0 } },
  });
  expect((await settle(rejected, 0)).body).toMatchObject({ applied: 0, released: 30, meter: { used: 75 } });
});

it('gives the rest back to exactly the balances that it was taken from', async () => {
  await granted('eve');
  await putBalances(own, 'eve', { id: 'bal_eve', amount: 50 });
  const { body } = await open('eve', 120);
  expect(body).toMatchObject({
    draws: [{ from: 'bal_eve', amount: 20 }],
    meter: { held: 120, remaining: 30 },
  });
  const listed = await check(own.secret, { userIdentifier: 'eve', include: ['balances'] });
  expect(propertyOf(listed, 'workspaces', 'files')).toMatchObject({
    balances: [
      { kind: 'quota', amount: 100, used: 0, held: 100, remaining: 0 },
      { kind: 'balance', id: 'bal_eve', amount: 50, used: 0, held: 20, remaining: 30 },
    ],
  });
  expect((await settle(body.hold!.id, 104)).body).toMatchObject({
    ...{ applied: 104, released: 16, draws: [{ from: 'bal_eve', amount: 4 }] },
    meter: { limit: 150, used: 104, remaining: 46 },
  });
});

describe('a hold that nobody settles', () => {
  it('ends by the clock, is given back, and can be settled for a day', async () => {
    await granted('finn');
    const { body } = await open('finn', 60, { lastsMs: 1_000 });
    const { id } = body.hold!;
    await expect.poll(() => files('finn'), { timeout: 5_000 }).toMatchObject({ used: 0, remaining: QUOTA });
    expect(await files('finn')).not.toHaveProperty('held');
    const name = id.slice(HOLD_PREFIX.length);
    const environmentId = await own.tenant.previewId();
    const ledger = await ledgerAt(env, { environmentId, ...readHoldName(name, LOCATIONS)! });
    await runDurableObjectAlarm(ledger as never);
    expect(await extend(id, { amount: 1 })).toMatchObject({ status: 409, body: { code: 'hold-over' } });
    expect((await settle(id, 25)).body).toMatchObject({ applied: 25, released: 35, meter: { used: 25 } });
    expect(await files('finn')).toMatchObject({ used: 25, remaining: 75 });
  });
});

it('is found wherever its region has handed it, also once that region is enabled again', async () => {
  const two = await customerTenant();
  const regions = async (...enabled: Location[]) => {
    await enableLocations(two.tenant, ...enabled);
    await publishAll(two.tenant);
  };
  await two.grant('lea');
  await regions('wnam', 'weur');
  const PARIS = { 'x-dev-cf': JSON.stringify({ latitude: '48.86', longitude: '2.35', continent: 'EU' }) };
  const made = () =>
    hold(two.secret, '', { userIdentifier: 'lea', ...FILES, amount: 5, lastsMs: 3_600_000 }, PARIS);
  await expect.poll(async () => (await made()).body.hold?.id).toMatch(/^hold_weur_/);
  const [id, other] = [(await made()).body.hold!.id, (await made()).body.hold!.id];
  const call = (of: string, path: string, amount: number) => hold(two.secret, `/${of}/${path}`, { amount });
  await enableLocations(two.tenant, 'wnam');
  const leaving = await call(other, 'settle', 2);
  expect(leaving.status, JSON.stringify(leaving.body)).toBeOneOf([200, 503]);
  await publishAll(two.tenant);
  await expect
    .poll(() => call(id, 'extend', 1))
    .toMatchObject({ status: 200, body: { hold: { amount: 6 } } });
  expect(await call(other, 'settle', 2)).toMatchObject({ status: 200, body: { applied: 2 } });
  await regions('wnam', 'weur');
  await expect.poll(async () => (await made()).body.hold?.id).toMatch(/^hold_weur_/);
  expect(await call(other, 'settle', 2)).toMatchObject({ status: 200, body: { replayed: true } });
  expect(await call(id, 'settle', 3)).toMatchObject({ status: 200, body: { applied: 3, released: 3 } });
});

it('is an event of the customer, stored with the count', async () => {
  await granted('gil');
  const { body } = await open('gil', 5);
  const { body: settled } = await settle(body.hold!.id, 3);
  const eventOf = async ({ requestId }: { requestId: string }) =>
    (await own.tenant.call<object>('GET', `/events/${requestId.replace('req', 'evt')}`)).body;
  const id = body.hold!.id;
  await expect
    .poll(() => eventOf(body))
    .toMatchObject({
      ...{ type: 'cu', subjectIdentifier: 'gil', isError: false },
      request: { ...FILES, amount: 5 },
      response: { hold: { id, amount: 5 } },
    });
  await expect
    .poll(() => eventOf(settled))
    .toMatchObject({
      ...{ type: 'cu', subjectIdentifier: 'gil', isError: false },
      request: { ...FILES, hold: id, amount: 3 },
      response: { applied: 3, released: 2, hold: { id } },
    });
});

it('is an event of its own type, found by what it drew from, also where the call is a conflict', async () => {
  await granted('kai');
  await putBalances(own, 'kai', { id: 'bal_kai', name: 'inv-118', amount: 50 });
  const { body } = await open('kai', 120);
  const { id } = body.hold!;
  const settled = await settle(id, 104);
  const conflict = await settle(id, 105);
  const over = await extend(id, { amount: 1 });
  const counted = await update(own.secret, { userIdentifier: 'kai', ...FILES, by: 2 });
  const checked = await check(own.secret, { userIdentifier: 'kai', consume: { ...FILES, by: 1 } });
  const asked = [body, settled.body, conflict.body, over.body, counted.body, checked];
  const NAMES = ['open', 'settle', 'conflict', 'over', 'counted', 'checked'];
  const found = async (criteria: object) => {
    const text = encodeURIComponent(JSON.stringify(criteria));
    const page = await own.tenant.make<{ events: Event[] }>('GET', `/event-search?criteria=${text}`);
    const positions = page.events.map((event) =>
      asked.findIndex(({ requestId }) => requestId.replace('req', 'evt') === event.id),
    );
    return positions.filter((at) => at !== -1).map((at) => NAMES[at]);
  };
  const subject = 'kai';
  await expect.poll(async () => (await found({ subject })).toSorted()).toEqual(NAMES.toSorted());
  expect(await found({ subject, type: 'cu', isHold: true })).toEqual(['over', 'conflict', 'settle', 'open']);
  expect(await found({ subject, type: 'cu', isHold: false })).toEqual(['counted']);
  expect(await found({ textSearch: id })).toEqual(['over', 'conflict', 'settle', 'open']);
  expect(await found({ subject, drewFrom: 'balance:inv-118' })).toEqual([
    ...['checked', 'counted', 'settle', 'open'],
  ]);
  expect(await found({ subject, drewFrom: 'held' })).toEqual(['settle']);
  expect(await found({ subject, drewFrom: 'quota' })).toEqual(['settle', 'open']);
  const { body: event } = await own.tenant.call<Event>(
    'GET',
    `/events/${conflict.body.requestId.replace('req', 'evt')}`,
  );
  expect(event).toMatchObject({
    ...{ type: 'cu', isHold: true, isError: true, subjectIdentifier: 'kai' },
    request: { ...FILES, hold: id, amount: 105, onExcess: 'overflow' },
    response: { code: 'hold-settled' },
  });
});

describe('is refused', () => {
  it('beyond a hundred open ones', async () => {
    await granted('jim');
    for (let held = 0; held < 100; held += 10)
      await Promise.all(Array.from({ length: 10 }, () => open('jim', 1)));
    expect(await open('jim', 1)).toMatchObject({ status: 429, body: { code: 'too-many-holds' } });
  });

  it('for whom it does not belong to, and for what nothing can be held of', async () => {
    await granted('hal');
    const { id } = (await open('hal', 5)).body.hold!;
    const other = await customerTenant();
    expect(await hold(other.secret, `/${id}/settle`, { amount: 1 })).toMatchObject({
      status: 404,
      body: { code: 'hold-unknown' },
    });
    for (const unknown of [
      'hold_',
      'bal_1',
      'hold_weur_0_1_01',
      'hold_mars_0_1_x',
      `${id}0`,
      '%00',
      'hold_weur_zzzzz_x',
    ])
      expect(await settle(unknown, 1), unknown).toMatchObject({ status: expect.toBeOneOf([404, 400]) });
    expect(await files('hal')).toMatchObject({ held: 5 });
  });

  it.each([
    [{ amount: 0 }, 'amount'],
    [{ amount: 1.5 }, 'amount'],
    [{ amount: 1e13 }, 'amount'],
    [{ amount: '5' }, 'amount'],
    [{ lastsMs: 999 }, 'lastsMs'],
    [{ lastsMs: 3_600_001 }, 'lastsMs'],
    [{ userIdentifier: undefined }, 'userIdentifier'],
    [{ by: 1 }, 'by'],
    [{ feature: 'none' }, 'feature'],
    [{ property: 'none' }, 'property'],
  ])('%j, naming %s', async (change, path) => {
    expect(await open('ida', 5, change)).toMatchObject({ status: 400, body: { issues: [{ path }] } });
  });
});

describe('a plan that changes while a hold is open', () => {
  it.each([
    ['off', { state: 'off' }],
    ['unlimited', { state: 'on' }],
  ])('to %s', async (name, value) => {
    const customer = `mia-${name}`;
    await granted(customer);
    const { id } = (await open(customer, 30)).body.hold!;
    await own.override(customer, own.files.id, value);
    await publishAll(own.tenant);
    await expect.poll(() => files(customer)).toMatchObject({ state: value.state });
    expect((await extend(id, { amount: 0 })).body).toMatchObject({ accepted: true, hold: { amount: 30 } });
    expect((await extend(id, { amount: 200 })).body.accepted).toBe(name === 'unlimited');
    expect((await settle(id, 40)).body).toMatchObject({
      accepted: true,
      applied: 40,
      overage: 0,
      meter: value,
    });
  });
});

it('is nobody’s with another environment’s key or a public one', async () => {
  await granted('nia');
  const { id } = (await open('nia', 5)).body.hold!;
  const elsewhere = await own.tenant.make('POST', '/environments', { name: 'Elsewhere', type: 'test' });
  const [other, visible] = await Promise.all([
    own.tenant.key(elsewhere.id),
    own.tenant.key(own.previewId, 'public'),
  ]);
  await publishAll(own.tenant);
  for (const path of ['extend', 'settle']) {
    expect((await hold(other.value, `/${id}/${path}`, { amount: 1 })).status).toBe(404);
    expect((await hold(visible.value, `/${id}/${path}`, { amount: 1 })).status).toBe(403);
  }
  expect(await files('nia')).toMatchObject({ held: 5 });
});
