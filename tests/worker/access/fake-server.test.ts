// The law of tessera-sdk/fake-server: the same calls get the same answers from the fake server as from the Worker.
import { exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createCreditsWorkspace } from '#lab/fixtures/create-documented-workspace';
import { creditsVersion, documentedVersion } from '#lab/fixtures/documented-version';
import { randomFrom } from '#lab/fixtures/seeded-random';
import { createFakeServer } from '#sdk/fake-server';
import { documentedWorkspace } from '#tests/support/documented-workspace';
import { newTenant, publishAll } from '#tests/support/tenants';

const CALLS = 140;
const EXPORTS = { feature: 'data-exports', property: 'exports' };
const SEATS = { feature: 'team-seats', property: 'seats' };
/** Windows that trail behind the usage begin in the minute of the call, which two servers may see differently. */
const MINUTES = 2 * 60_000;

interface Call {
  /** Default: POST. */
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  readonly isPublic: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the holds that were made, which one `:hold` in the path is. */
  readonly hold?: number;
}

/** Calls of a few customers: checks, flags, counting, limits, seats, give-backs, repetitions, late usage, and what is refused. */
function callsOf(seed: number): Call[] {
  const { next, below } = randomFrom(seed);
  const pick = <Value>(...values: Value[]): Value => values[below(values.length)] as Value;
  const users = ['ada', 'Bob', 'cy'].map((name) => `${name}-${crypto.randomUUID()}@law.example`);
  const some = (odds: number, fields: object) => (next() < odds ? fields : {});
  const key = () => some(0.35, { idempotencyKey: `key-${below(6)}` });
  const time = () =>
    some(0.2, pick({ ageMs: below(90_000_000) }, { ageMs: -1 }, { occurredAt: 'yesterday' }));
  const amount = (least: number) => pick(1, 2, 7, 40, 60, least, 0.5);
  const seat = () => ({ ...SEATS, ...some(0.9, { resourceId: `seat-${below(14)}` }) });
  const who = () => ({ userIdentifier: pick(...users, ...users.map((user) => user.toUpperCase()), ' x ') });
  const update = () => ({
    ...who(),
    ...pick(
      () => ({ ...EXPORTS, by: amount(-30) }),
      () => EXPORTS,
      () => ({ ...seat(), ...some(0.3, { release: true }) }),
      () => ({ ...EXPORTS, resourceId: `file-${below(3)}` }),
      () => pick({ feature: 'dashboards', property: 'maxDashboards' }, { ...EXPORTS, feature: 'none' }),
    )(),
    ...some(0.5, { enforce: true }),
    ...key(),
    ...time(),
  });
  const check = () => ({
    ...some(0.85, who()),
    ...some(0.3, { features: pick(['data-exports'], ['team-seats', 'none']) }),
    ...some(0.5, {
      consume: { ...pick<object>({ ...EXPORTS, by: amount(1) }, EXPORTS, seat()), ...key(), ...time() },
    }),
    ...some(0.1, { include: ['subscriptions'] }),
    ...some(0.15, { context: pick<object>({ page: 1 }, { page: null }, { page: 1, at: [] }, {}) }),
  });
  const checkOfMany = () =>
    pick<() => unknown>(
      () => ({ ...some(0.85, who()), ...some(0.2, { context: { page: below(3) } }) }),
      () => ({ ...who(), userJwt: 'no.jwt' }),
      () => ({ ...who(), ...pick<object>({ consume: EXPORTS }, { context: { page: [] } }, { userJwt: '' }) }),
      () => pick<unknown>(null, 'ada', [], {}),
    )();
  const evaluation = () => ({
    ...some(0.9, {
      context: pick<() => unknown>(
        () => ({ targetingKey: pick(...users, users[0]?.toUpperCase(), ' x ', ''), page: below(3), at: [1] }),
        () => Object.fromEntries(Array.from({ length: 18 + below(4) }, (_, at) => [`field-${at}`, at])),
        () => ({ ...some(0.5, { targetingKey: pick(...users) }), userJwt: pick('no.jwt', '') }),
        () => pick<unknown>({}, [], 'ada'),
      )(),
    }),
    ...some(0.1, { flags: [] }),
  });
  const flag = () =>
    pick(
      '',
      '',
      '/team-seats',
      '/data-exports.exports',
      '/dashboards.maxDashboards',
      '/none',
      '/%',
      '/a.b.c',
    );
  const headers = () => some(0.1, { headers: { 'idempotency-key': `key-${below(6)}` } });
  return Array.from({ length: CALLS }, (): Call => {
    const isPublic = next() < 0.08;
    return pick<() => Call>(
      () => ({ path: '/api/v1/counter-updates', body: update(), isPublic, ...headers() }),
      () => ({
        path: `/api/v1/access-checks${pick('', '?explain=1', '?x=1')}`,
        body: check(),
        isPublic,
        ...headers(),
      }),
      () => ({ path: `/ofrep/v1/evaluate/flags${flag()}`, body: evaluation(), isPublic }),
      () => ({
        path: '/api/v1/counter-updates/batch',
        body: { updates: Array.from({ length: 1 + below(5) }, update) },
        isPublic,
      }),
      () => ({
        path: `/api/v1/access-checks/batch${pick('', '?explain=1', '?x=1')}`,
        body: {
          checks: Array.from({ length: below(6) }, checkOfMany),
          ...some(0.3, { features: pick(['data-exports'], ['team-seats', 'none'], []) }),
        },
        isPublic,
        ...headers(),
      }),
    )();
  });
}

/** Calls about customers: created, named by id, email and user id, granted plans and values, corrected, read; and what is refused. */
function customerCallsOf(seed: number): Call[] {
  const { next, below } = randomFrom(seed);
  const pick = <Value>(...values: Value[]): Value => values[below(values.length)] as Value;
  const some = (odds: number, fields: object) => (next() < odds ? fields : {});
  const run = crypto.randomUUID();
  const ids = ['acme', 'beta', 'gamma/1'].map((name) => `${name}-${run}`);
  const emails = ['one', 'two'].map((name) => `${name}-${run}@law.example`);
  const userIds = ['u1', 'u2'].map((name) => `${name}-${run}`);
  const key = () => some(0.4, { idempotencyKey: `key-${below(6)}` });
  const entry = () => ({
    reason:
      next() < 0.9
        ? pick('Invoice 2026-118', ' Invoice 7 ', 'Invoice 7')
        : pick('no', '\u200b\u200b\u200b\u200b'),
    ...some(0.4, { until: next() < 0.8 ? pick<unknown>(null, 4e12) : pick<unknown>(1, 1e15, 'later') }),
    ...key(),
  });
  const meter = { limit: 20, periodType: 'fixed', periodLength: 'month', uniqueResourceIds: false };
  const saved = () => ({
    ...some(0.5, {
      name: next() < 0.8 ? pick<unknown>('Acme Ltd', ' Beta ', '', null) : pick<unknown>(7, 'x'.repeat(101)),
    }),
    ...some(0.5, {
      email:
        next() < 0.85
          ? pick<unknown>(...emails, emails[0]?.toUpperCase(), null)
          : pick<unknown>('nowhere', ''),
    }),
    ...some(0.3, {
      userId: next() < 0.85 ? pick<unknown>(...userIds, ids[0], null) : pick<unknown>('cus_1', ''),
    }),
    ...some(0.1, { stripe: pick<unknown>(null, {}, { integrationId: 'int_none' }) }),
    ...some(0.05, { plan: 'free' }),
    ...key(),
  });
  const value = () =>
    pick<unknown>(40, 40, 41, -1, 'xlsx', true, { state: 'on' }, { state: 'metered', meter }, null);
  const plan = () => pick('free', 'free', 'free', 'team', 'team', next() < 0.5 ? 'gold' : 'x');
  const correction = () => ({
    ...pick<object>(
      ...Array.from({ length: 5 }, () => EXPORTS),
      SEATS,
      { ...EXPORTS, feature: 'none' },
      { feature: 'dashboards', property: 'enabled' },
    ),
    by: pick(5, 5, 1, 1, -2, pick(0, 0.5)),
    reason: 'Imported',
    ...key(),
  });
  const property = () =>
    pick(
      ...Array.from({ length: 4 }, () => ({ feature: 'dashboards', property: 'maxDashboards' })),
      EXPORTS,
      { feature: 'data-exports', property: 'formats' },
      pick({ feature: 'dashboards', property: 'none' }, { feature: 'x', property: 'y' }),
    );
  const balance = () => pick('inv-1', 'inv-2', 'inv-3', pick('bal_1', 'a b'));
  const given = () => ({
    ...pick<object>(EXPORTS, EXPORTS, EXPORTS, SEATS, { feature: 'dashboards', property: 'enabled' }),
    amount: pick<unknown>(2, 2, 2, 5, 0, 'many'),
    category: pick('paid', 'paid', 'promotional', 'plan'),
    reason: pick('Bought', 'Bought', 'Given', 'x'),
    ...some(0.3, { priority: pick<unknown>(10, 50, 101) }),
    ...some(0.2, { frozen: next() < 0.5 }),
    ...some(0.2, { needsPlan: next() < 0.5 }),
    ...some(0.2, { endsAt: pick<unknown>(null, 4_102_444_800_000, 5) }),
    ...some(0.1, { costBasis: pick<unknown>(null, { currency: 'usd', amountMinor: 5 }, { currency: 'US' }) }),
    ...key(),
  });
  const taken = () => ({ amount: pick<unknown>(1, 3, 0), reason: 'Refund', ...key() });
  const change = (customer: string) =>
    pick<() => object>(
      () => ({ change: 'save-customer', customer, ...saved() }),
      () => ({ change: 'grant-plan', customer, plan: plan(), ...entry() }),
      () => ({ change: 'revoke-plan', customer, plan: plan(), ...key() }),
      () => ({ change: 'set-override', customer, ...property(), value: value(), ...entry() }),
      () => ({ change: 'remove-override', customer, ...property() }),
      () => ({ change: 'correct-meter', customer, ...correction() }),
      () => ({ change: 'set-balance', customer, balance: balance(), ...given() }),
      () => ({ change: 'take-back', customer, balance: balance(), ...taken() }),
    )();
  const headers = () => some(0.2, { headers: { 'idempotency-key': `key-${below(6)}` } });
  const named = () =>
    encodeURIComponent(pick(...ids, ...ids, ...emails, ...userIds, 'cus_9').replace('/', '~2F'));
  return Array.from({ length: CALLS }, (_, index): Call => {
    const isPublic = next() < 0.05;
    const one = `/api/v1/customers/${index < ids.length ? encodeURIComponent(ids[index]?.replace('/', '~2F') ?? '') : named()}`;
    const { feature, property: key } = property();
    if (index < ids.length) return { method: 'PUT', path: one, body: {}, isPublic: false };
    const sent = { isPublic, ...headers() };
    return pick<() => Call>(
      () => ({ ...sent, method: 'GET', path: `${one}${pick('', '?x=1')}` }),
      () => ({ ...sent, method: 'GET', path: one }),
      () => ({ ...sent, method: 'PUT', path: one, body: saved() }),
      () => ({ ...sent, method: 'PUT', path: `${one}/grants/${plan()}`, body: entry() }),
      () => ({ ...sent, method: 'DELETE', path: `${one}/grants/${plan()}` }),
      () => ({
        ...sent,
        method: 'PUT',
        path: `${one}/overrides/${feature}/${key}`,
        body: { ...some(0.95, { value: value() }), ...entry() },
      }),
      () => ({ ...sent, method: 'DELETE', path: `${one}/overrides/${feature}/${key}` }),
      () => ({ ...sent, path: `${one}/meter-corrections`, body: correction() }),
      () => ({
        ...sent,
        method: 'PUT',
        path: `${one}/balances/${encodeURIComponent(balance())}`,
        body: given(),
      }),
      () => ({ ...sent, path: `${one}/balances/${encodeURIComponent(balance())}/take-back`, body: taken() }),
      () => ({
        ...sent,
        method: 'GET',
        path: `${one}/balances${pick('', '?ended=1', '?property=exports', '?ended=1&feature=data-exports')}`,
      }),
      () => ({
        isPublic,
        path: '/api/v1/access-checks',
        body: {
          userIdentifier: pick(...ids),
          include: ['balances'],
          ...some(0.6, { consume: { ...EXPORTS, by: pick(1, 3, 9, -2) } }),
        },
      }),
      () => {
        const customer = pick(...ids, `none-${run}`);
        return {
          isPublic,
          path: '/api/v1/customers',
          body: { changes: Array.from({ length: 1 + below(4) }, () => change(customer)) },
        };
      },
      () => ({ ...sent, method: pick('PUT', 'PUT', 'PUT', 'DELETE'), path: one, body: {} }),
    )();
  });
}

/** Holds of a few customers: opened, extended and settled in any order, among checks and counting; and what is refused. */
function holdCallsOf(seed: number): Call[] {
  const { next, below } = randomFrom(seed);
  const pick = <Value>(...values: Value[]): Value => values[below(values.length)] as Value;
  const some = (odds: number, fields: object) => (next() < odds ? fields : {});
  const users = ['ada', 'Bob'].map((name) => `${name}-${crypto.randomUUID()}@law.example`);
  const who = () =>
    next() < 0.95
      ? { userIdentifier: pick(...users, users[0]?.toUpperCase()) }
      : pick<object>({}, { userJwt: 'no.jwt' });
  const key = () => some(0.3, { idempotencyKey: `key-${below(5)}` });
  const lasts = () => some(0.3, { lastsMs: next() < 0.8 ? pick(60_000, 3_600_000) : pick(999, 3_600_001) });
  const used = () =>
    pick<unknown>(0, 1, 3, 3, 8, 8, 20, 60, next() < 0.3 ? pick<unknown>(-1, 0.5, '3', 2e12) : 5);
  const property = () => (next() < 0.9 ? EXPORTS : pick(SEATS, { ...EXPORTS, property: 'none' }));
  const headers = () => some(0.1, { headers: { 'idempotency-key': `key-${below(5)}` } });
  return Array.from({ length: CALLS }, (): Call => {
    const isPublic = next() < 0.05;
    const changed = { isPublic, hold: below(30), ...headers() };
    const opened = () => ({
      isPublic,
      path: '/api/v1/holds',
      body: {
        ...who(),
        ...property(),
        ...some(0.97, { amount: used() }),
        ...some(0.4, { orLess: next() < 0.8 }),
        ...lasts(),
        ...key(),
      },
      ...headers(),
    });
    return pick<() => Call>(
      opened,
      opened,
      () => ({
        ...changed,
        path: '/api/v1/holds/:hold/extend',
        body: { ...some(0.7, { amount: used() }), ...lasts(), ...key() },
      }),
      () => ({
        ...changed,
        path: '/api/v1/holds/:hold/settle',
        body: { amount: used(), ...some(0.4, { onExcess: pick('reject', 'cap', 'overflow', 'none') }) },
      }),
      () => ({
        isPublic,
        path: '/api/v1/access-checks',
        body: { ...who(), ...some(0.4, { consume: { ...EXPORTS, by: pick(1, 4, 30) } }) },
      }),
      () => ({
        isPublic,
        path: '/api/v1/counter-updates',
        body: { ...who(), ...EXPORTS, by: pick(2, 9, -4, -40), ...some(0.5, { enforce: true }), ...key() },
      }),
      () => ({
        isPublic,
        path: `/api/v1/holds/${pick('hold_x', 'bal_1', 'hold_weur_0_1_x')}/settle`,
        body: { amount: 1 },
      }),
    )();
  });
}

/** Customers whose meters cost credits, limit each entity, or roll over: counted, held, given back and listed; and what is refused. */
function creditCallsOf(seed: number): Call[] {
  const { next, below } = randomFrom(seed);
  const pick = <Value>(...values: Value[]): Value => values[below(values.length)] as Value;
  const some = (odds: number, fields: object) => (next() < odds ? fields : {});
  const run = crypto.randomUUID();
  const users = ['ada', 'bob'].map((name) => `${name}-${run}`);
  const meters = [
    { feature: 'assistant', property: 'replies' },
    { feature: 'assistant', property: 'images' },
    { feature: 'assistant', property: 'credits' },
    { feature: 'workspace', property: 'reports' },
    { feature: 'drafting', property: 'drafts' },
    { feature: 'api-access', property: 'calls' },
  ] as const;
  const meter = () => meters[below(meters.length)];
  const who = () => ({ userIdentifier: pick(...users) });
  const entity = () =>
    some(0.6, { entityId: next() < 0.95 ? pick('m1', 'm2', 'm3') : pick<unknown>('', 7, 'x'.repeat(201)) });
  const key = () => some(0.4, { idempotencyKey: `key-${below(8)}` });
  const amount = () => pick(1, 1, 2, 3, 5, 9, 21, 101);
  const headers = () => some(0.1, { headers: { 'idempotency-key': `key-${below(8)}` } });
  return Array.from({ length: CALLS }, (_, index): Call => {
    const isPublic = next() < 0.05;
    const customer = users[index];
    if (customer !== undefined)
      return { method: 'PUT', path: `/api/v1/customers/${customer}`, body: {}, isPublic: false };
    const changed = { isPublic, hold: below(30), ...headers() };
    return pick<() => Call>(
      () => ({
        isPublic,
        path: '/api/v1/counter-updates',
        body: {
          ...{ ...who(), ...meter(), ...entity(), ...key() },
          by: next() < 0.7 ? amount() : -amount(),
          ...some(0.5, { enforce: true }),
        },
        ...headers(),
      }),
      () => ({
        isPublic,
        path: '/api/v1/counter-updates',
        body: {
          ...{ ...who(), ...meter(), givesBack: `key-${below(8)}` },
          ...some(0.4, { by: next() < 0.8 ? -amount() : 2 }),
          ...some(0.2, entity()),
          ...some(
            0.1,
            pick<object>({ resourceId: 'r' }, { ageMs: 5 }, { occurredAt: '2026-01-01T00:00:00Z' }),
          ),
        },
      }),
      () => ({
        isPublic,
        path: `/api/v1/access-checks${pick('', '', '?explain=1')}`,
        body: {
          ...{ ...who(), ...entity() },
          ...some(0.6, { consume: { ...meter(), by: amount(), ...key() } }),
          ...some(0.3, { features: pick(['assistant'], ['workspace'], ['api-access', 'assistant']) }),
          ...some(0.3, { include: ['balances'] }),
        },
      }),
      () => ({
        isPublic,
        path: '/api/v1/access-checks/batch',
        body: { checks: Array.from({ length: 1 + below(3) }, () => ({ ...who(), ...entity() })) },
      }),
      () => ({
        isPublic,
        path: '/ofrep/v1/evaluate/flags',
        body: { context: { targetingKey: pick(...users), ...entity() } },
      }),
      () => ({
        isPublic,
        path: '/api/v1/holds',
        body: {
          ...who(),
          ...meter(),
          ...entity(),
          amount: amount(),
          ...some(0.4, { orLess: true }),
          ...key(),
        },
        ...headers(),
      }),
      () => ({
        isPublic,
        path: '/api/v1/counter-updates',
        body: {
          ...{ ...who(), feature: 'drafting', property: 'desks', resourceId: pick('m1', 'm2', 'm3') },
          ...some(0.4, { release: true }),
        },
      }),
      () => ({ ...changed, path: '/api/v1/holds/:hold/extend', body: { amount: amount(), ...key() } }),
      () => ({ ...changed, path: '/api/v1/holds/:hold/settle', body: { amount: pick(0, 1, amount()) } }),
      () => ({
        ...{ isPublic, method: 'DELETE', ...headers() },
        path: `/api/v1/customers/${pick(...users)}/entities/${pick('m1', 'm2', 'm4', 'x'.repeat(201))}`,
      }),
      () => ({
        ...{ isPublic, method: 'GET' },
        path: `/api/v1/customers/${pick(...users, 'none')}/entities${pick('', '?cursor=m1')}`,
      }),
      () => ({
        isPublic,
        path: `/api/v1/customers/${pick(...users)}/meter-corrections`,
        body: { ...meter(), by: pick(3, -2), reason: 'Imported', ...key() },
      }),
    )();
  });
}

interface Named {
  readonly feature: string;
  readonly property: string;
}

const byKey = (one: { readonly key: string }, other: { readonly key: string }) =>
  one.key < other.key ? -1 : 1;
const byName = (one: Named, other: Named) =>
  `${one.feature}.${one.property}` < `${other.feature}.${other.property}` ? -1 : 1;

const byText = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);

/** Without what is each server's own: ids, instants, and the words of what a field must be. */
function comparable(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => comparable(each));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([field, each]): [string, unknown][] => {
    if (name === 'hold' && ['id', 'expiresAt'].includes(field)) return [];
    if (['requestId', 'version', 'asOf', 'validUntil', 'createdAt', 'startsAt', 'seats'].includes(field))
      return [];
    // The first wrong field. How many more are named depends on what else is wrong.
    if (field === 'issues') return [[field, comparable((each as unknown[]).slice(0, 1))]];
    if ((field === 'message' && name !== 'warnings') || field === 'errorDetails') return [];
    if (field === 'resetsAt' && each !== null) return [[field, Math.round(Number(each) / MINUTES / 10)]];
    // Both in the order of the properties' ids.
    if (field === 'explanation' || field === 'meters')
      return [[field, (comparable(each) as Named[]).sort(byName)]];
    if (field === 'grants') return [[field, (comparable(each) as object[]).sort(byText)]];
    if (field === 'overrides') return [[field, (comparable(each) as object[]).sort(byText)]];
    if (field === 'flags') return [[field, (comparable(each) as { key: string }[]).sort(byKey)]];
    return [[field, comparable(each, field)]];
  });
  return Object.fromEntries(entries);
}

/** @param isWithCredits in the workspace with credits, not in the documented one */
async function expectSameAnswers(calls: readonly Call[], isWithCredits = false): Promise<void> {
  const { keys } = isWithCredits ? await withCredits() : await documentedWorkspace();
  const fake = createFakeServer(isWithCredits ? creditsVersion() : documentedVersion());
  const servers = [
    {
      ...keys,
      holds: [] as string[],
      fetch: (path: string, init: RequestInit) =>
        exports.default.fetch(new Request(`http://localhost:4001${path}`, init)),
    },
    {
      holds: [] as string[],
      secret: fake.secretKey,
      public: fake.publicKey,
      fetch: (path: string, init: RequestInit) => fake.fetch(`${fake.url}${path}`, init),
    },
  ];
  for (const [index, { method = 'POST', path, body, isPublic, headers, hold = 0 }] of calls.entries()) {
    const [real, imitated] = await Promise.all(
      servers.map(async (server) => {
        const { holds } = server;
        const known = holds[hold % (holds.length || 1)] ?? 'hold_none';
        const answer = await server.fetch(path.replace(':hold', known), {
          method,
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${isPublic ? server.public : server.secret}`,
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const answered = (await answer.json()) as { readonly hold?: { readonly id: string } | null };
        if (path === '/api/v1/holds' && answered.hold) holds.push(answered.hold.id);
        return { status: answer.status, body: comparable(answered) };
      }),
    );
    expect(imitated, `call ${index}: ${method} ${path} ${JSON.stringify(body)}`).toEqual(real);
  }
}

async function withCredits() {
  const tenant = await newTenant();
  const previewId = await tenant.previewId();
  const secret = await createCreditsWorkspace(tenant, previewId);
  const { value } = await tenant.key(previewId, 'public');
  await publishAll(tenant);
  return { keys: { secret, public: value } };
}

test.each([11, 12, 13])('the same calls get the same answers (seed %d)', async (seed) => {
  await expectSameAnswers(callsOf(seed));
});

test.each([21, 22, 23])('the same calls about customers get the same answers (seed %d)', async (seed) => {
  await expectSameAnswers(customerCallsOf(seed));
});

test.each([31, 32, 33])('the same calls about holds get the same answers (seed %d)', async (seed) => {
  await expectSameAnswers(holdCallsOf(seed));
});

test.each([41, 42, 43])(
  'the same calls about credits and entities get the same answers (seed %d)',
  async (seed) => {
    await expectSameAnswers(creditCallsOf(seed), true);
  },
);
