// The fake server with the client: usage, windows, faults and the clock, without a network.

import { expect, test } from 'vitest';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { SMALL } from '../../../engine/tests/small-workspace.ts';
import { createFakeServer, type FakeServer, type VersionJson } from '../../fake-server.ts';
import { createTessera } from '../../index.ts';
import { accessJson, createFakeTessera } from '../../testing.ts';

const ada = { user: 'ada' };
const version = () => JSON.parse(JSON.stringify(compileArtifact(SMALL))) as VersionJson;
const clientOf = ({ url, secretKey, fetch }: FakeServer) =>
  createTessera({ url, key: secretKey, fetch, timeoutMs: 50 });

/** A server whose customer ada has ten exports a month, and its client. */
function open() {
  const fake = createFakeServer(version());
  fake.grant('ada', 'pro');
  return { fake, tessera: clientOf(fake) };
}

test('plans and overrides apply, and usage is refused at the limit', async () => {
  const { fake, tessera } = open();
  expect(await tessera.get('analytics.seats', { on: ada, fallback: 0 })).toBe(5);
  expect(await tessera.get('analytics.seats', { on: { user: 'bob' }, fallback: 0 })).toBe(1);
  fake.set('ada', { 'analytics.seats': 9 });
  tessera.refresh(ada);
  expect(await tessera.get('analytics.seats', { on: ada, fallback: 0 })).toBe(9);
  expect(await tessera.consume('analytics.exports', { on: ada, by: 10, fallback: 'deny' })).toMatchObject({
    allowed: true,
    meter: { used: 10, remaining: 0 },
  });
  expect(await tessera.consume('analytics.exports', { on: ada, fallback: 'allow' })).toMatchObject({
    allowed: false,
    counted: 'no',
  });
  expect(await tessera.can('analytics', { on: ada, fallback: true })).toBe(false);
  expect(fake.used('ada', 'analytics.exports')).toBe(10);
});

test('a window ends by the server’s clock, and usage of an outage counts where it happened', async () => {
  const { fake, tessera } = open();
  tessera.count('analytics.exports', { on: ada, by: 4 });
  await tessera.flush();
  fake.advance(32 * 24 * 3_600_000);
  tessera.refresh();
  expect((await tessera.check(ada)).get('analytics.exports')).toMatchObject({ used: 0, limit: 10 });
  expect(fake.used('ada', 'analytics.exports')).toBe(4);
});

/** Five seats of the plan pro, where exports are off by default. */
function uniqueVersion(): VersionJson {
  const meter = { limit: 5, periodType: 'lifetime', uniqueResourceIds: true };
  const planValues = SMALL.planValues.map((each) =>
    each.propertyId === 'prop_exports' && each.planId === 'plan_pro'
      ? { ...each, value: { state: 'metered', meter } }
      : each,
  ) as typeof SMALL.planValues;
  const properties = SMALL.properties.map((each) =>
    each.id === 'prop_exports' ? { ...each, value: { state: 'off' as const } } : each,
  );
  return JSON.parse(JSON.stringify(compileArtifact({ ...SMALL, properties, planValues })));
}

test('of a meter with unique resources each counts once, also where it is off by default', async () => {
  const fake = createFakeServer(uniqueVersion());
  fake.grant('ada', 'pro');
  const tessera = clientOf(fake);
  for (const resource of ['one', 'two', 'one']) {
    tessera.count('analytics.exports', { on: ada, resource });
    await tessera.flush();
  }
  expect(fake.used('ada', 'analytics.exports')).toBe(2);
});

test.each(['down', 'lost', 'page', 500, 503, 429] as const)(
  'usage is counted once where a call meets: %s',
  async (fault) => {
    const { fake, tessera } = open();
    fake.fail(fault);
    tessera.count('analytics.exports', { on: ada, by: 3 });
    await tessera.flush({ timeoutMs: 15_000 });
    expect(fake.used('ada', 'analytics.exports')).toBe(3);
  },
);

test.each(['down', 'silent', 'page', 401, 500, 503, 429] as const)(
  'a check that meets %s gets its fallback',
  async (fault) => {
    const { fake } = open();
    fake.fail(fault, 2);
    const quiet = createTessera({
      url: fake.url,
      key: fake.secretKey,
      fetch: fake.fetch,
      timeoutMs: 50,
      onEvent: () => {},
    });
    expect(await quiet.can('analytics', { on: ada, fallback: false })).toBe(false);
    expect(fake.calls).toHaveLength(0);
  },
);

test('usage that was allowed in an outage is settled once, whether the lost call took it or not', async () => {
  for (const fault of ['lost', 'down'] as const) {
    const { fake, tessera } = open();
    fake.fail(fault, 2);
    const taken = await tessera.consume('analytics.exports', { on: ada, by: 2, fallback: 'allow' });
    expect(taken).toMatchObject({ allowed: true, counted: 'later' });
    await tessera.flush();
    expect(fake.used('ada', 'analytics.exports')).toBe(2);
  }
});

test('usage is given back by its key, once, in whole or in part, in order with other usage', async () => {
  const { fake, tessera } = open();
  const [on, meter] = [ada, 'analytics.exports'];
  const key = tessera.count(meter, { on, by: 5 });
  tessera.count(meter, { on, by: 3, idempotencyKey: 'order-2' });
  tessera.count(meter, { on, givesBack: key });
  tessera.count(meter, { on, givesBack: key });
  tessera.count(meter, { on, givesBack: 'order-2', by: -1 });
  await tessera.flush();
  expect(fake.used('ada', meter)).toBe(2);
  tessera.count(meter, { on, givesBack: 'order-3' });
  await expect(tessera.flush()).rejects.toMatchObject({ code: 'nothing-to-give-back' });
});

test('tokens name their user', async () => {
  const { fake } = open();
  fake.grant('ada@b.example', 'pro');
  const tessera = createTessera({ url: fake.url, key: fake.secretKey, fetch: fake.fetch });
  const access = await tessera.check({ token: fake.token('ada@b.example') });
  expect(access.plans).toContain('pro');
});

test('what the version does not have is refused where it is set up', () => {
  const { fake } = open();
  expect(() => fake.grant('ada', 'gold')).toThrow('no plan gold');
  expect(() => fake.set('ada', { 'analytics.none': 1 })).toThrow('no analytics.none');
  expect(() => fake.set('ada', { 'analytics.seats': 'many' })).toThrow('analytics.seats');
  expect(() => createFakeServer({ formatVersion: 2 })).toThrow('another release');
});

test('a client with stated answers allows what is stated, and denies the rest', async () => {
  const tessera = createFakeTessera({ 'reports.rows': 7, 'reports.runs': { used: 3, limit: 5 }, sso: false });
  const can = (gate: string) => tessera.can(gate, { on: ada, fallback: false });
  expect([await can('reports'), await can('sso'), await can('exports'), await can('reports.runs')]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(await tessera.get('reports.rows', { on: ada, fallback: 0 })).toBe(7);
  expect(await tessera.consume('reports.runs', { on: ada, fallback: 'deny' })).toMatchObject({
    allowed: true,
    counted: 'now',
  });
  tessera.count('reports.runs', { on: ada });
  await tessera.flush();
  expect(accessJson({ 'reports.rows': 7, sso: false }).features).toMatchObject({
    reports: { properties: { rows: 7 } },
    sso: { allowed: false },
  });
});

test('a client with stated answers counts each customer’s usage, and refuses it at the limit', async () => {
  const tessera = createFakeTessera({
    'reports.runs': { used: 3, limit: 5, per: 'month' },
    'team.seats': { used: 1, limit: 2, perResource: true },
  });
  const run = (more: object = {}) => tessera.consume('reports.runs', { on: ada, fallback: 'deny', ...more });
  expect(await run({ by: 3 })).toMatchObject({ allowed: false, counted: 'no', meter: { used: 3 } });
  expect(await run({ idempotencyKey: 'once' })).toMatchObject({ allowed: true, meter: { used: 4 } });
  expect(await run({ idempotencyKey: 'once' })).toMatchObject({ allowed: true, meter: { used: 4 } });
  tessera.count('reports.runs', { on: ada, by: 2, idempotencyKey: 'once' });
  await expect(tessera.flush()).rejects.toMatchObject({ type: 'conflict', code: 'idempotency-key-reused' });
  tessera.count('reports.runs', { on: ada, by: 4 });
  tessera.count('reports.runs', { on: ada, by: -2 });
  await tessera.flush();
  tessera.refresh(ada);
  const access = await tessera.check(ada);
  expect(access.get('reports.runs')).toMatchObject({ used: 6, remaining: 0, allowed: false });
  expect([access.can('reports'), access.source]).toEqual([false, 'live']);
  expect(await tessera.get('reports.runs', { on: { user: 'bob' }, fallback: null as never })).toMatchObject({
    used: 3,
  });
  const sit = (resource: string) => tessera.consume('team.seats', { on: ada, resource, fallback: 'deny' });
  expect(await sit('one')).toMatchObject({ allowed: true, meter: { used: 2 } });
  expect(await sit('one')).toMatchObject({ allowed: true, meter: { used: 2 } });
  expect(await sit('two')).toMatchObject({ allowed: false, meter: { used: 2 } });
});

test('an error has the API’s code, and none where something else answers', async () => {
  const { fake } = open();
  const refused = (key = fake.secretKey) => {
    const { url, fetch } = fake;
    return expect(createTessera({ url, key, fetch, timeoutMs: 50, onEvent: () => {} }).check(ada)).rejects;
  };
  await refused('tsr_sec_x').toMatchObject({ type: 'unauthenticated', code: 'key-unknown', status: 401 });
  fake.fail(503, 2);
  await refused().toMatchObject({ type: 'unavailable', code: 'environment-unavailable' });
  fake.fail('page', 2);
  await refused().toMatchObject({ type: 'server-error', code: null });
  fake.fail('down', 2);
  await refused().toMatchObject({ type: 'network', code: null });
});

/** Calls below /api/v1 with the secret key. */
function callerOf({ fetch, url, secretKey }: FakeServer) {
  const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' };
  return async (method: string, path: string, body?: object): Promise<object> => {
    const sent = body && { body: JSON.stringify(body) };
    return (await fetch(`${url}/api/v1/${path}`, { method, headers, ...sent })).json();
  };
}

test('a customer that an application creates has what it is granted, until it loses it', async () => {
  const { fake, tessera } = open();
  const call = callerOf(fake);
  expect(await call('PUT', 'customers/acme/grants/pro', { reason: 'Trial' })).toMatchObject({
    code: 'customer-unknown',
  });
  await call('PUT', 'customers/acme', { name: 'Acme Ltd', email: 'Acme@example.com' });
  const until = Date.now() + 60_000;
  expect(await call('PUT', 'customers/acme/grants/pro', { reason: 'Trial', until })).toMatchObject({
    changed: true,
  });
  const seats = () => {
    tessera.refresh();
    return tessera.get('analytics.seats', { on: { user: 'acme@example.com' }, fallback: 0 });
  };
  expect(await seats()).toBe(5);
  fake.advance(61_000);
  expect(await seats()).toBe(1);
  await call('PUT', 'customers/acme/overrides/analytics/seats', { value: 3, reason: 'Contract' });
  expect(await seats()).toBe(3);
  const stripe = { integrationId: 'int_1', customerId: 'cus_1' };
  expect(await call('PUT', 'customers/acme', { stripe })).toMatchObject({ code: 'stripe-customer-unknown' });
  fake.grant('acme', 'pro');
  expect(await call('GET', 'customers/acme@example.com')).toMatchObject({
    customer: { id: 'acme', name: 'Acme Ltd', email: 'acme@example.com' },
    grants: [{ plan: 'pro', reason: 'Set by the test', isActive: true }],
    overrides: [{ feature: 'analytics', property: 'seats', value: 3 }],
  });
});

test('usage and idempotency keys of a user id are its customer’s from then on', async () => {
  const fake = createFakeServer(version());
  const call = callerOf(fake);
  const count = (userIdentifier: string, more: object = {}) =>
    call('POST', 'counter-updates', { userIdentifier, feature: 'analytics', property: 'exports', ...more });
  fake.grant('u-1', 'pro');
  await count('u-1', { by: 4, idempotencyKey: 'once' });
  await call('PUT', 'customers/acme', {});
  await count('acme', { by: 2 });
  await call('PUT', 'customers/acme', { userId: 'u-1' });
  expect([fake.used('acme', 'analytics.exports'), fake.used('u-1', 'analytics.exports')]).toEqual([6, 6]);
  expect(await count('acme', { by: 4, idempotencyKey: 'once' })).toMatchObject({ replayed: true });
  expect(await count('acme', { by: -5 })).toMatchObject({ meter: { used: 1 } });
  expect(await call('PUT', 'customers/beta', { userId: 'u-1' })).toMatchObject({ code: 'user-id-taken' });
  expect(await call('POST', 'access-checks?explain=1', { userIdentifier: 'u-1' })).toMatchObject({
    names: { asked: 'u-1', customer: 'acme', aliases: ['u-1'], sharedWith: [] },
  });
});

test('seats that were taken under a user id are its customer’s, each once', async () => {
  const fake = createFakeServer(uniqueVersion());
  const call = callerOf(fake);
  const sit = (userIdentifier: string, resourceId: string, more: object = {}) =>
    call('POST', 'counter-updates', {
      userIdentifier,
      feature: 'analytics',
      property: 'exports',
      resourceId,
      ...more,
    });
  for (const user of ['u-1', 'acme']) fake.grant(user, 'pro');
  for (const seat of ['one', 'two']) await sit('u-1', seat);
  for (const seat of ['two', 'three']) await sit('acme', seat);
  await call('PUT', 'customers/acme', { userId: 'u-1' });
  expect(await sit('acme', 'one')).toMatchObject({ applied: 0, meter: { used: 3 } });
  expect(await sit('u-1', 'two', { release: true })).toMatchObject({ meter: { used: 2 } });
});
