// Every code of the public API is the answer of a call, with the type and the status that the table says.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_GRANTS, MAX_OVERRIDES } from '#contracts/console/customers';
import { MAX_OPEN_BALANCES } from '#contracts/public/balances';
import { HTTP_STATUS } from '#contracts/public/error-types';
import { REFUSALS, type RefusalCode } from '#contracts/public/refusals';
import { expectConsole } from '#tests/support/expect-console';
import { type Provisioner, provisioner } from '#tests/support/provisioning';
import { publishAll } from '#tests/support/tenants';
import { CHANGES_BURST, takeChange } from '#worker/domains/customers/provisioning/limit-changes';
import type { Env } from '#worker/env';
import { handlePublicApi } from '#worker/public-api';

/** Codes that other tests meet, which make the situation: the test's file; or why no test calls the API for it. */
const ELSEWHERE: Partial<Record<RefusalCode, string>> = {
  'body-incomplete': 'tests/worker/http/hung-up-callers.test.ts',
  'key-revoked': 'tests/worker/customers/provisioning-bounds.test.ts',
  'customer-limit-reached': 'tests/worker/customers/provisioning-budget.test.ts',
  'too-many-new-customers': 'tests/worker/customers/provisioning-bounds.test.ts',
  'database-silent': 'tests/worker/customers/provisioning-bounds.test.ts',
  'no-time-left': 'tests/worker/customers/provisioning-bounds.test.ts',
  'too-many-unknown-keys': 'tests/worker/access/warm-path.test.ts',
  'too-many-calls': 'tests/worker/access/access-checks.test.ts',
  'allowance-used-up': 'tests/worker/access/access-checks.test.ts',
  'key-share-used-up': 'tests/worker/api-docs/api-description.test.ts',
  'stripe-customer-taken': 'tests/worker/customers/one-customer.test.ts',
  'stripe-customer-unknown': 'tests/worker/customers/one-customer.test.ts',
  'price-not-sold': 'tests/worker/sales/checkout.test.ts',
  'stripe-customer-needed': 'tests/worker/sales/checkout.test.ts',
  'stripe-refused': 'tests/worker/sales/checkout.test.ts',
  'stripe-unavailable': 'tests/worker/sales/checkout.test.ts',
  'hold-unknown': 'tests/worker/access/holds.test.ts',
  'extension-limit-reached': 'tests/worker/access/holds.test.ts',
  'hold-over': 'tests/worker/access/holds.test.ts',
  'hold-settled': 'tests/worker/access/holds.test.ts',
  'too-many-holds': 'tests/worker/access/holds.test.ts',
  'entity-required': 'tests/worker/access/entities.test.ts',
  'too-many-entities': 'tests/worker/access/entities.test.ts',
  // The API replaces a grant that exists; only the console refuses it.
  'grant-exists': 'worker/domains/customers/entries/grant-plan.ts',
};

const CHECKS = '/api/v1/access-checks';
const UPDATES = '/api/v1/counter-updates';
const CUSTOMERS = '/api/v1/customers';
const WHY = { reason: 'Invoice 2026-118' };
const FILES = { feature: 'workspaces', property: 'files' };

let own: Provisioner;
let open: string;
beforeAll(async () => {
  own = await provisioner();
  open = (await own.tenant.key(own.previewId, 'public')).value;
  await publishAll(own.tenant);
});

interface Sent {
  /** Default: a key that manages customers. */
  readonly key?: string | null;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bindings?: Partial<Env>;
}

async function call(path: string, { key, method, body, headers, bindings }: Sent = {}) {
  const request = new Request(`http://localhost:4001${path}`, {
    method: method ?? 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key ?? own.managing.value}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const context = createExecutionContext();
  const response =
    bindings === undefined
      ? await exports.default.fetch(request)
      : await handlePublicApi(request, { ...env, ...bindings }, context);
  await waitOnExecutionContext(context);
  return { status: response.status, body: await response.json() };
}

const met = new Set<RefusalCode>();

function expectCode(code: RefusalCode, { status, body }: { status: number; body: unknown }): void {
  expect(body).toMatchObject({ status: 'error', code, errorType: REFUSALS[code] });
  expect(status, code).toBe(HTTP_STATUS[REFUSALS[code]]);
  met.add(code);
}

describe('a call is refused with the code', () => {
  it.each<[RefusalCode, string, Sent]>([
    ['key-missing', CHECKS, { key: null }],
    ['key-malformed', CHECKS, { key: 'tsr_sec_x' }],
    ['path-unknown', '/api/v1/access-check', {}],
    ['method-not-allowed', CHECKS, { method: 'PUT' }],
    ['invalid-field', CHECKS, { body: { user: 'ada' } }],
    ['invalid-field', `${CHECKS}?explain=no`, { body: {} }],
    ['invalid-field', `${CUSTOMERS}/%E2%80%8B`, { method: 'GET' }],
    ['body-malformed', CHECKS, { body: '{' }],
    ['body-too-complex', CHECKS, { body: '['.repeat(100) }],
    ['body-too-large', CHECKS, { body: { userJwt: 'x'.repeat(65_536) } }],
    ['content-type-unsupported', CHECKS, { body: {}, headers: { 'content-type': 'text/plain' } }],
    ['content-encoding-unsupported', CHECKS, { body: {}, headers: { 'content-encoding': 'gzip' } }],
  ])('%s: %s', async (code, path, sent) => expectCode(code, await call(path, sent)));

  it('of another key', async () => {
    const last = own.secret.slice(-1) === '0' ? '1' : '0';
    expectCode('key-malformed', await call(CHECKS, { key: own.secret.slice(0, -1) + last }));
    const foreign = await provisioner();
    await foreign.tenant.call('DELETE', `/api-keys/${foreign.managing.id}`);
    await publishAll(foreign.tenant);
    await expect
      .poll(async () => (await call(CHECKS, { key: foreign.managing.value, body: {} })).status)
      .toBe(401);
    expectCode('key-unknown', await call(CHECKS, { key: foreign.managing.value, body: {} }));
    expectCode('secret-key-required', await call(`${CUSTOMERS}/ada`, { key: open, method: 'GET' }));
    const counted = { userIdentifier: 'ada', ...FILES };
    expectCode('secret-key-required', await call(UPDATES, { key: open, body: counted }));
    expectCode(
      'managing-key-required',
      await call(CUSTOMERS, {
        key: own.secret,
        body: { changes: [{ change: 'save-customer', customer: 'ada' }] },
      }),
    );
  });
});

describe('a count is refused with the code', () => {
  const count = (body: object, bindings?: Partial<Env>) =>
    call(UPDATES, { body: { userIdentifier: 'ada', ...FILES, ...body }, bindings });
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();

  it.each<[RefusalCode, object]>([
    ['feature-unknown', { feature: 'nothing' }],
    ['property-unknown', { property: 'nothing' }],
    ['property-not-meterable', { property: 'seats' }],
    ['occurred-too-long-ago', { occurredAt: at(-90_000_000) }],
    ['occurred-in-future', { occurredAt: at(600_000) }],
    ['token-not-verified', { userIdentifier: undefined, userJwt: 'a.b.c' }],
  ])('%s', async (code, body) => expectCode(code, await count(body)));

  it('that a check has as well, and each update of a batch', async () => {
    expectCode('subject-anonymous', await call(CHECKS, { body: { consume: FILES } }));
    expectCode('token-not-verified', await call(CHECKS, { body: { userJwt: 'a.b.c', consume: FILES } }));
    expectCode('secret-key-required', await call(CHECKS, { key: open, body: { consume: FILES } }));
    const keyed = (by: number) => ({ userIdentifier: 'ada', ...FILES, by, idempotencyKey: 'once' });
    await call(UPDATES, { body: keyed(1) });
    expectCode('idempotency-key-reused', await call(UPDATES, { body: keyed(2) }));
    expectCode('nothing-to-give-back', await count({ givesBack: 'never' }));
    const updates = [keyed(2), { ...keyed(1), feature: 'nothing' }, { user: 'ada' }, keyed(1)];
    const { body } = await call(`${UPDATES}/batch`, { body: { updates } });
    expect(body).toMatchObject({
      results: [
        { code: 'idempotency-key-reused', errorType: 'conflict' },
        { code: 'feature-unknown', errorType: 'invalid-request' },
        { code: 'invalid-field', errorType: 'invalid-request' },
        { status: 'success' },
      ],
    });
    const checks = [{ user: 'ada' }, { userIdentifier: 'ada' }];
    expect((await call(`${CHECKS}/batch`, { body: { checks } })).body).toMatchObject({
      results: [{ code: 'invalid-field' }, { status: 'success' }],
    });
  });

  it('nothing-deployed', async () => {
    const made = await own.tenant.make<{ id: string }>('POST', '/environments', {
      name: 'New',
      type: 'test',
    });
    const { value: key } = await own.tenant.key(made.id);
    await publishAll(own.tenant);
    expectCode('nothing-deployed', await call(UPDATES, { key, body: { userIdentifier: 'ada', ...FILES } }));
  });

  it('that the ledger’s answer, or its silence, comes to', async () => {
    const answering = (outcomes: object[]) => {
      const answer = JSON.stringify({ kind: 'answered', outcomes, readings: [], isWhole: true });
      return { LEDGER: { getByName: () => ({ answerText: async () => answer }) } as never };
    };
    expectCode('count-too-large', await count({}, answering([{ kind: 'too-large' }])));
    expectConsole('error', /did not decide/);
    expectCode('server-error', await count({}, answering([])));
    const broken = { getByName: () => ({ answerText: () => Promise.reject(new Error('Cut off')) }) } as never;
    expectCode('usage-unavailable', await count({}, { LEDGER: broken }));
    const cutOff = new Proxy(
      {},
      {
        get: () => () => {
          throw new Error('Cut off');
        },
      },
    ) as never;
    const away = { DB: cutOff, ENVIRONMENT_REPLICA: cutOff };
    expectCode('environment-unavailable', await count({}, away));
  });
});

describe('an evaluation for OpenFeature', () => {
  const FLAGS = '/ofrep/v1/evaluate/flags';
  const codeOf = async (path: string, sent: Sent) =>
    ((await call(path, sent)).body as { metadata: { code: RefusalCode } }).metadata.code;

  it('has the code in the metadata of its error, as the stock providers show it', async () => {
    expect(await codeOf(FLAGS, { key: null, body: {} })).toBe('key-missing');
    expect(await codeOf(FLAGS, { body: { context: 'ada' } })).toBe('invalid-field');
    expect(await codeOf(FLAGS, { method: 'PUT' })).toBe('method-not-allowed');
    expect(await codeOf('/ofrep/v1/flags', { body: {} })).toBe('path-unknown');
    const unknown = await call(`${FLAGS}/workspaces.width`, { body: {} });
    expect(unknown).toMatchObject({ status: 404, body: { metadata: { code: 'flag-unknown' } } });
    met.add('flag-unknown');
  });
});

describe('a call about customers is refused with the code', () => {
  let serial = 0;
  async function created(body: object = {}): Promise<string> {
    serial += 1;
    const who = `coded-${serial}`;
    expect((await own.manage('PUT', `/${who}`, body)).status).toBe(200);
    return who;
  }
  const change = (method: string, path: string, body?: unknown, bindings?: Partial<Env>) =>
    call(CUSTOMERS + path, { method, body, bindings });
  const correct = (who: string, body: object, bindings?: Partial<Env>) =>
    change('POST', `/${who}/meter-corrections`, { ...FILES, ...WHY, by: 1, ...body }, bindings);
  const run = (sql: string, ...values: unknown[]) =>
    env.DB.prepare(sql)
      .bind(...values)
      .run();

  it('of what it names', async () => {
    const who = await created();
    expectCode('customer-unknown', await change('GET', '/unheard-of'));
    expectCode('plan-unknown', await change('PUT', `/${who}/grants/gold`, WHY));
    expectCode('until-in-past', await change('PUT', `/${who}/grants/pro`, { ...WHY, until: 1 }));
    const seats = `/${who}/overrides/workspaces/seats`;
    expectCode('property-unknown', await change('PUT', `${seats}x`, { ...WHY, value: 1 }));
    expectCode('value-invalid', await change('PUT', seats, { ...WHY, value: 'many' }));
    expectCode('meter-unknown', await correct(who, { property: 'seats' }));
    const counted = { limit: 5, periodType: 'lifetime', uniqueResourceIds: true };
    const value = { state: 'metered', meter: counted };
    await own.manage('PUT', `/${who}/overrides/workspaces/files`, { ...WHY, value });
    expectCode('meter-counts-resources', await correct(who, {}));
    await own.grant(who, { planId: own.proId });
    expectCode('set-for-all-environments', await change('DELETE', `/${who}/grants/pro`));
    const keyed = { ...WHY, idempotencyKey: 'granted' };
    await change('PUT', `/${who}/grants/plus`, keyed);
    expectCode(
      'idempotency-key-reused',
      await change('PUT', `/${who}/grants/plus`, { ...keyed, until: 9e12 }),
    );
  });

  it('of names that are taken', async () => {
    expectCode('customer-in-stripe', await change('PUT', '/cus_NffrFeUfNV2Hib', { name: 'Ada' }));
    await created({ email: 'coded@example.com', userId: 'user_coded' });
    expectCode('email-taken', await change('PUT', '/coded-email', { email: 'coded@example.com' }));
    expectCode('user-id-taken', await change('PUT', '/coded-id', { userId: 'user_coded' }));
    await own.grant('used@example.com');
    expectCode('email-has-data', await change('PUT', '/coded-used', { email: 'used@example.com' }));
  });

  it('in a batch, for each change', async () => {
    const who = await created();
    const changes = [
      { change: 'grant-plan', customer: who, plan: 'gold', ...WHY },
      { change: 'revoke-plan', customer: 'unheard-of', plan: 'pro' },
    ];
    expect((await own.manage('POST', '', { changes })).body).toMatchObject({
      results: [
        { code: 'plan-unknown', errorType: 'invalid-request' },
        { code: 'customer-unknown', errorType: 'not-found' },
      ],
    });
  });

  it('at the limits of one customer', async () => {
    const who = await created();
    const fill = (table: string, columns: string, values: string, count: number) =>
      run(
        `INSERT INTO ${table} (id, org_id, environment_id, customer_identifier, reason, created_at, ${columns})
          WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
          SELECT '${table}_' || n, ?, ?, ?, 'Pilot', 1, ${values} FROM numbers`,
        count,
        own.tenant.orgId,
        own.previewId,
        who,
      );
    await fill('customer_grant', 'plan_id', "'plan_' || n", MAX_GRANTS);
    expectCode('grant-limit-reached', await change('PUT', `/${who}/grants/pro`, WHY));
    await fill('customer_override', 'property_id, value, updated_at', "'prop_' || n, '1', 1", MAX_OVERRIDES);
    const seats = `/${who}/overrides/workspaces/seats`;
    expectCode('override-limit-reached', await change('PUT', seats, { ...WHY, value: 2 }));
  });

  it('about a balance', async () => {
    const who = await created();
    const given = { ...FILES, amount: 50, category: 'paid', ...WHY };
    const give = (id: string, more: object = {}) =>
      change('PUT', `/${who}/balances/${id}`, { ...given, ...more });
    const takeBack = { ...WHY, amount: 1, idempotencyKey: 'one' };
    expectCode('balance-unknown', await change('POST', `/${who}/balances/inv-1/take-back`, takeBack));
    await give('inv-1');
    expectCode('balance-exists', await give('inv-1', { amount: 51 }));
    await run(
      `INSERT INTO customer_balance (id, org_id, environment_id, customer_identifier, reason, created_at, property_id,
          amount, category, source, starts_at, updated_at)
        WITH RECURSIVE numbers(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
        SELECT 'bal_' || n, ?, ?, ?, 'Pilot', 1, 'prop_' || n, 1, 'paid', '{"kind":"api"}', 1, 1 FROM numbers`,
      MAX_OPEN_BALANCES,
      own.tenant.orgId,
      own.previewId,
      who,
    );
    expectCode('balance-limit-reached', await give('inv-201'));
  });

  /** A database in which something happens before each commit. */
  function beforeCommits(happen: () => Promise<unknown>): { DB: D1Database } {
    let isWriting = false;
    const DB = {
      prepare(sql: string) {
        isWriting ||= !/^\s*select/i.test(sql);
        return env.DB.prepare(sql);
      },
      async batch(statements: D1PreparedStatement[]) {
        if (isWriting) await happen();
        isWriting = false;
        return env.DB.batch(statements);
      },
    };
    return { DB: DB as unknown as D1Database };
  }

  it('if another call is faster', async () => {
    const who = await created();
    const renamed = beforeCommits(() =>
      run('UPDATE provisioned_customer SET name = ? WHERE identifier = ?', crypto.randomUUID(), who),
    );
    expectCode('customer-busy', await change('PUT', `/${who}`, { name: 'Mine' }, renamed));
    const gone = (table: string) =>
      beforeCommits(() => run(`DELETE FROM ${table} WHERE customer_identifier = ?`, who));
    await change('PUT', `/${who}/grants/pro`, WHY);
    expectCode(
      'grant-unknown',
      await change('DELETE', `/${who}/grants/pro`, undefined, gone('customer_grant')),
    );
    const seats = `/${who}/overrides/workspaces/seats`;
    await change('PUT', seats, { ...WHY, value: 2 });
    expectCode('override-unknown', await change('DELETE', seats, undefined, gone('customer_override')));
  });

  it('database-unavailable', async () => {
    const who = await created();
    const full = beforeCommits(() =>
      Promise.reject(new Error('D1_ERROR: database or disk is full: SQLITE_FULL')),
    );
    expectConsole('error', /request failed/);
    expectCode('database-unavailable', await change('PUT', `/${who}`, { name: 'Ada' }, full));
  });

  it('too-many-changes', async () => {
    const other = await provisioner();
    const key = other.managing.value;
    const put = () => call(`${CUSTOMERS}/first`, { key, method: 'PUT', body: {}, bindings: {} });
    await put();
    // Later than the call, so that nothing is given back until then.
    const later = Date.now() + 60_000;
    for (let taken = 0; taken < CHANGES_BURST; taken++) takeChange(other.tenant.orgId, later);
    expectCode('too-many-changes', await put());
  });

  it('environment-unknown', async () => {
    const other = await provisioner();
    const key = other.managing.value;
    await call(`${CUSTOMERS}/ada`, { key, method: 'PUT', body: {} });
    await run('UPDATE environment SET deleted_at = 1 WHERE id = ?', other.previewId);
    const body = { ...FILES, ...WHY, by: 1 };
    expectCode('environment-unknown', await call(`${CUSTOMERS}/ada/meter-corrections`, { key, body }));
  });
});

it('no code is left that no call answers with', () => {
  const known = [...met, ...Object.keys(ELSEWHERE)];
  expect(known.toSorted()).toEqual(Object.keys(REFUSALS).toSorted());
});
