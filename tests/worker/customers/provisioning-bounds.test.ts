// What calls about customers refuse, repeat and leave alone: other keys, other tenants, other environments, retries and races.
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Customer } from '#contracts/console/customers';
import type { ChangeCustomersAnswer, CustomerAnswer } from '#contracts/public/customers';
import { CHANGE_MS, CHANGES_MS } from '#engine/outages/budget';
import { check, propertyOf } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { callCustomers, type Made, type Provisioner, provisioner } from '#tests/support/provisioning';
import { pass, SilentBindings, stopClock } from '#tests/support/silence';
import { connectAccount, putCustomer } from '#tests/support/stripe-customers';
import { newTenant, publishAll } from '#tests/support/tenants';
import {
  CHANGES_BURST,
  CHANGES_PER_SECOND,
  takeChange,
} from '#worker/domains/customers/provisioning/limit-changes';
import { MAX_NEW_CUSTOMERS } from '#worker/domains/customers/provisioning/save-customer';
import { handlePublicApi } from '#worker/public-api';

let own: Provisioner;
beforeAll(async () => {
  own = await provisioner();
});

let serial = 0;
function someone(): string {
  serial += 1;
  return `beta-${serial}`;
}

const WHY = { reason: 'Invoice 2026-118' };
const made = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  (await own.manage(method, path, body, headers)).body;
const refusedAt = ({ status, body }: { status: number; body: Made }) => [status, body.issues?.[0]?.path];

async function created(body: object = {}): Promise<string> {
  const who = someone();
  expect(await made('PUT', `/${who}`, body)).toMatchObject({ changed: true });
  return who;
}

async function count(table: string, where: string): Promise<number> {
  const row = await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).first<{
    n: number;
  }>();
  return row?.n ?? 0;
}

describe('a key', () => {
  it('without the permission reads, and changes nothing', async () => {
    const who = await created();
    const { secret } = own;
    expect((await callCustomers(secret, 'GET', `/${who}`)).status).toBe(200);
    for (const [method, path, body] of [
      ['PUT', `/${who}`, { name: 'Taken' }],
      ['PUT', `/${who}/grants/pro`, WHY],
      ['DELETE', `/${who}/grants/pro`, undefined],
      ['PUT', `/${who}/overrides/workspaces/seats`, { ...WHY, value: 3 }],
      ['DELETE', `/${who}/overrides/workspaces/seats`, undefined],
      ['POST', `/${who}/meter-corrections`, { feature: 'workspaces', property: 'files', by: 1, ...WHY }],
      ['POST', '', { changes: [{ change: 'save-customer', customer: who }] }],
    ] as const)
      expect((await callCustomers(secret, method, path, body)).status, `${method} ${path}`).toBe(403);
  });

  it('that is public cannot get the permission', async () => {
    const body = { environmentId: own.previewId, type: 'public', managesCustomers: true };
    expect(await own.tenant.call('POST', '/api-keys', body)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'managesCustomers' }] },
    });
  });

  it('that was revoked changes nothing from that moment, whatever replicas still say', async () => {
    const key = await own.tenant.make<{ id: string; value: string }>('POST', '/api-keys', {
      environmentId: own.previewId,
      type: 'secret',
      managesCustomers: true,
    });
    await publishAll(own.tenant);
    expect((await callCustomers(key.value, 'PUT', `/${someone()}`, {})).status).toBe(200);
    await env.DB.prepare('DELETE FROM api_key WHERE id = ?').bind(key.id).run();
    expect(await callCustomers(key.value, 'PUT', `/${someone()}`, {})).toMatchObject({
      status: 401,
      body: { code: 'key-revoked' },
    });
  });

  it('of another organisation or environment knows nothing of the customer, and changes it nowhere else', async () => {
    const who = await created({ name: 'Acme Ltd', email: 'acme@bounds.example' });
    await made('PUT', `/${who}/grants/pro`, WHY);
    const other = await provisioner();
    expect((await other.manage('GET', `/${who}`)).status).toBe(404);
    expect((await other.manage('PUT', `/${who}/grants/pro`, WHY)).status).toBe(404);
    const live = await own.tenant.make<{ id: string }>('POST', '/environments', {
      name: 'Live',
      description: null,
      url: null,
      type: 'live',
    });
    const key = await own.tenant.make<{ value: string }>('POST', '/api-keys', {
      environmentId: live.id,
      type: 'secret',
      managesCustomers: true,
    });
    await publishAll(own.tenant);
    const ofLive = await callCustomers<CustomerAnswer>(key.value, 'GET', `/${who}`);
    expect(ofLive.body).toMatchObject({ customer: { name: null, email: null, createdAt: null }, grants: [] });
    expect((await callCustomers(key.value, 'PUT', `/${who}`, { name: 'Live name' })).status).toBe(200);
    expect((await own.manage<CustomerAnswer>('GET', `/${who}`)).body.customer.name).toBe('Acme Ltd');
  });

  it('is named as the author in the history, on the grant and in the audit log', async () => {
    const who = await created({ name: 'Audited Ltd' });
    await made('PUT', `/${who}/grants/pro`, WHY);
    const by = { id: own.managing.id, name: 'Billing server' };
    const customer = await own.tenant.make<Customer>('GET', own.path(who));
    expect(customer.grants).toMatchObject([{ createdByUserId: null, createdByKey: by, ...WHY }]);
    const { items } = await own.tenant.make<{ items: object[] }>('GET', own.path(who, '/changes'));
    expect(items).toMatchObject([
      { action: 'customer.plan-granted', actorKey: by, actorUserId: null },
      {
        action: 'customer.created',
        actorKey: by,
        detail: { name: 'Audited Ltd', environmentId: own.previewId },
      },
    ]);
    const { items: found } = await own.tenant.make<{ items: object[] }>('GET', '/customers?query=audited');
    expect(found).toMatchObject([{ identifier: who, name: 'Audited Ltd', stripe: null }]);
  });
});

describe('an idempotency key', () => {
  it('makes a change once, also when requests race, and replays its answer', async () => {
    const who = await created();
    const grant = () => own.manage('PUT', `/${who}/grants/pro`, { ...WHY, idempotencyKey: 'raced' });
    const answers = await Promise.all(Array.from({ length: 6 }, grant));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(answers.filter(({ body }) => !body.replayed)).toHaveLength(1);
    expect(answers.every(({ body }) => body.changed)).toBe(true);
    const isTheirs = `target_id = '${who}' AND action = 'customer.plan-granted'`;
    expect(await count('audit_log', isTheirs)).toBe(1);
    await made('DELETE', `/${who}/grants/pro`);
    expect(await made('PUT', `/${who}/grants/pro`, WHY, { 'idempotency-key': 'raced' })).toMatchObject({
      changed: true,
      replayed: true,
    });
    expect((await own.manage<CustomerAnswer>('GET', `/${who}`)).body.grants).toEqual([]);
  });

  it('belongs to one change of one customer, whatever it changed', async () => {
    const [who, other] = [await created(), await created()];
    const keyed = { 'idempotency-key': 'once' };
    expect(await made('DELETE', `/${who}/grants/pro`, undefined, keyed)).toMatchObject({ changed: false });
    expect(refusedAt(await own.manage('PUT', `/${who}/grants/pro`, WHY, keyed))).toEqual([
      409,
      'idempotencyKey',
    ]);
    expect(await made('PUT', `/${other}/grants/pro`, WHY, keyed)).toMatchObject({
      changed: true,
      replayed: false,
    });
    const differing = { ...WHY, idempotencyKey: 'another' };
    expect(refusedAt(await own.manage('PUT', `/${who}/grants/pro`, differing, keyed))).toEqual([
      400,
      'idempotencyKey',
    ]);
  });

  it('is forgotten after a day, with others', async () => {
    const who = await created();
    await made('PUT', `/${who}/grants/pro`, { ...WHY, idempotencyKey: 'old' });
    await env.DB.prepare('UPDATE provisioning_receipt SET created_at = created_at - 86400001').run();
    expect(await made('PUT', `/${who}/grants/pro`, { ...WHY, idempotencyKey: 'old' })).toMatchObject({
      changed: false,
      replayed: false,
    });
    expect(await count('provisioning_receipt', 'created_at < 1')).toBe(0);
    expect(await count('provisioning_receipt', `customer = '${who}'`)).toBe(1);
  });

  it('counts a correction once, also when requests race', async () => {
    const who = await created();
    await made('PUT', `/${who}/grants/pro`, WHY);
    const correction = { feature: 'workspaces', property: 'files', by: 4, ...WHY, idempotencyKey: 'fix' };
    const correct = () => own.manage('POST', `/${who}/meter-corrections`, correction);
    const answers = await Promise.all(Array.from({ length: 4 }, correct));
    expect(answers.map(({ body }) => body)).toMatchObject(Array(4).fill({ applied: 4 }));
    const { body } = await update(own.secret, {
      userIdentifier: who,
      feature: 'workspaces',
      property: 'files',
      by: 1,
    });
    expect(body.meter).toMatchObject({ used: 5 });
    const isTheirs = `target_id = '${who}' AND action = 'customer.meter-corrected'`;
    expect(await count('audit_log', isTheirs)).toBe(1);
    const other = await own.manage('POST', `/${who}/meter-corrections`, { ...correction, by: 5 });
    expect(refusedAt(other)).toEqual([409, 'idempotencyKey']);
  });
});

describe('an email', () => {
  it('is an alias of one customer, and counts for itself again when it is given up', async () => {
    const email = 'one@bounds.example';
    const who = await created({ email });
    expect(refusedAt(await own.manage('PUT', `/${someone()}`, { email }))).toEqual([409, 'email']);
    expect(await made('PUT', `/${encodeURIComponent('One@Bounds.Example')}/grants/pro`, WHY)).toMatchObject({
      customer: who,
    });
    const seats = async (userIdentifier: string) =>
      propertyOf(await check(own.secret, { userIdentifier }), 'workspaces', 'seats');
    await expect.poll(() => seats(email)).toBe(50);
    await made('PUT', `/${who}`, { email: null });
    await expect.poll(() => seats(email)).toBe(1);
    expect(await seats(who)).toBe(50);
  });

  it('with grants or usage of its own, or of a Stripe customer, is refused', async () => {
    await own.grant('granted@bounds.example');
    await update(own.secret, {
      userIdentifier: 'used@bounds.example',
      feature: 'workspaces',
      property: 'files',
      by: 1,
    });
    const other = await provisioner();
    const integrationId = await connectAccount(other.tenant);
    await putCustomer(other.tenant, { integrationId, id: 'cus_bounds1', email: 'stripe@bounds.example' });
    for (const email of ['granted@bounds.example', 'used@bounds.example'])
      expect(refusedAt(await own.manage('PUT', `/${someone()}`, { email })), email).toEqual([409, 'email']);
    const email = 'stripe@bounds.example';
    expect(refusedAt(await other.manage('PUT', `/${someone()}`, { email }))).toEqual([409, 'email']);
    for (const id of ['cus_bounds1', 'cus_unheard0f', encodeURIComponent(email)])
      expect(refusedAt(await other.manage('PUT', `/${id}`, { name: 'Mine' })), id).toEqual([409, 'customer']);
  });

  it('is not taken over by a later Stripe customer: plans of both apply, the rest stays', async () => {
    const other = await provisioner();
    const email = 'later@bounds.example';
    const who = someone();
    await other.manage('PUT', `/${who}`, { email });
    await other.manage('PUT', `/${who}/overrides/workspaces/seats`, { ...WHY, value: 9 });
    const integrationId = await connectAccount(other.tenant);
    await putCustomer(other.tenant, { integrationId, id: 'cus_later1', email });
    await publishAll(other.tenant);
    const seats = async (userIdentifier: string) =>
      propertyOf(await check(other.secret, { userIdentifier }), 'workspaces', 'seats');
    await expect.poll(() => seats(email)).toBe(9);
    expect(await seats(who)).toBe(9);
    expect(await seats('cus_later1')).toBe(1);
    const warned = async () =>
      (await check(other.secret, { userIdentifier: email })).warnings.map(({ code }) => code);
    await expect.poll(warned).toEqual(['email-ambiguous']);
  });
});

describe('while D1 is silent', () => {
  afterEach(() => void vi.useRealTimers());

  const call = (bindings: SilentBindings, method: string, path: string, body?: object) =>
    handlePublicApi(
      new Request(`http://localhost:4001/api/v1/customers${path}`, {
        method,
        headers: { authorization: `Bearer ${own.managing.value}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
      bindings.env,
      createExecutionContext(),
    );

  it.each([
    ['GET', '', undefined],
    ['PUT', '', { name: 'Ada' }],
    ['PUT', '/grants/pro', WHY],
    ['DELETE', '/grants/pro', undefined],
  ])('%s %s ends, and may be repeated', async (method, path, body) => {
    const who = await created();
    const bindings = new SilentBindings();
    expect((await call(bindings, 'GET', `/${who}`)).status).toBe(200);
    bindings.silence('DB');
    stopClock();
    const answer = call(bindings, method, `/${who}${path}`, body);
    await bindings.isWaiting();
    await pass(CHANGE_MS);
    const response = await answer;
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ errorType: 'unavailable', code: 'database-silent' });
  });

  it('a batch ends with a result for each change, and begins none after its end', async () => {
    const who = await created();
    const bindings = new SilentBindings();
    expect((await call(bindings, 'GET', `/${who}`)).status).toBe(200);
    const changes = Array.from({ length: 8 }, (_, index) => ({
      change: 'grant-plan',
      customer: `${who}-${index}`,
      plan: 'pro',
      ...WHY,
    }));
    stopClock();
    // Silent once the key's row has been read.
    const { DB } = bindings.env;
    const prepare = (sql: string) => {
      if (!sql.includes('api_key')) bindings.silence('DB');
      return DB.prepare(sql);
    };
    Object.assign(bindings.env, { DB: { prepare, batch: DB.batch } });
    const answer = call(bindings, 'POST', '', { changes });
    await bindings.isWaiting(2);
    await pass(CHANGES_MS);
    const { results } = await (await answer).json<{ results: Made[] }>();
    expect(results.map(({ errorType }) => errorType)).toEqual(changes.map(() => 'unavailable'));
    const begun = ['database-silent', 'database-silent'];
    expect(results.map(({ code }) => code)).toEqual([...begun, ...Array(6).fill('no-time-left')]);
    expect(bindings.pending).toBe(2);
  });
});

describe('a user ID', () => {
  it('is an alias of the customer, with what was stored under it, until it is removed', async () => {
    const [who, userId] = [someone(), someone()];
    await own.grant(userId);
    const files = { feature: 'workspaces', property: 'files' };
    await update(own.secret, { ...files, userIdentifier: userId, by: 4 });
    expect((await own.manage('PUT', `/${who}`, { userId })).body.changed).toBe(true);
    expect((await own.manage('PUT', `/${who}`, { userId })).body.changed).toBe(false);
    const of = async (userIdentifier: string) => {
      const answer = await check(own.secret, { userIdentifier });
      const { used } = propertyOf(answer, 'workspaces', 'files') as { used?: number };
      return [answer.customer, used, propertyOf(answer, 'workspaces', 'seats')];
    };
    for (const name of [who, userId])
      await expect.poll(() => of(name)).toEqual([{ isCustomer: false, plans: ['pro'] }, 4, 50]);
    const { body } = await own.manage<CustomerAnswer>('GET', `/${userId}`);
    expect(body).toMatchObject({ customer: { id: who, userId, email: null }, grants: [{ plan: 'pro' }] });
    expect(refusedAt(await own.manage('PUT', `/${someone()}`, { userId }))).toEqual([409, 'userId']);
    const other = someone();
    await own.manage('PUT', `/${other}`, {});
    expect(refusedAt(await own.manage('PUT', `/${who}`, { userId: other }))).toEqual([409, 'userId']);
    expect(refusedAt(await own.manage('PUT', `/${who}`, { userId: who }))).toEqual([400, 'userId']);
    // By its alias, the customer itself is saved.
    expect((await own.manage('PUT', `/${userId}`, { name: 'Ada' })).body.customer).toBe(who);
    await own.manage('PUT', `/${who}`, { userId: null });
    await expect.poll(async () => (await of(userId))[0]).toEqual({ isCustomer: false, plans: ['pro'] });
    await expect.poll(async () => (await of(who))[0]).toEqual({ isCustomer: false, plans: [] });
    // What was merged stays.
    await own.grant(who);
    await expect.poll(async () => (await of(who))[1]).toBe(4);
  });

  it('of a Stripe customer is refused, and a later Stripe customer with it takes nothing over', async () => {
    const other = await provisioner();
    const integrationId = await connectAccount(other.tenant);
    await env.DB.prepare('UPDATE stripe_integration SET user_ids_ready = 1 WHERE id = ?')
      .bind(integrationId)
      .run();
    const [who, userId] = [someone(), someone()];
    await putCustomer(other.tenant, { integrationId, id: 'cus_carrier1', userId: 'carried-1' });
    expect(refusedAt(await other.manage('PUT', `/${who}`, { userId: 'carried-1' }))).toEqual([409, 'userId']);
    await other.manage('PUT', `/${who}`, { userId });
    await other.manage('PUT', `/${who}/overrides/workspaces/seats`, { ...WHY, value: 9 });
    await putCustomer(other.tenant, { integrationId, id: 'cus_carrier2', userId });
    await publishAll(other.tenant);
    const of = async (userIdentifier: string) => {
      const answer = await check(other.secret, { userIdentifier });
      return [propertyOf(answer, 'workspaces', 'seats'), answer.warnings.map(({ code }) => code)];
    };
    await expect.poll(() => of(userId)).toEqual([9, ['user-id-ambiguous']]);
    expect(await of(who)).toEqual([9, []]);
    expect(await of('cus_carrier2')).toEqual([1, []]);
  });

  it.each(['', ' x', 'x ', 'cus_1', 'ada@tests.example', 'a\u0000b', 'ü', 'x'.repeat(201), 7])(
    'like %j is refused',
    async (userId) => {
      expect(refusedAt(await own.manage('PUT', `/${someone()}`, { userId }))).toEqual([400, 'userId']);
    },
  );
});

describe('a change', () => {
  it.each([
    ['%E2%80%8B', {}, [400, 'customer']],
    [`${'x'.repeat(201)}`, {}, [400, 'customer']],
    ['%zz', {}, [400, 'customer']],
    ['name-1', { name: 7 }, [400, 'name']],
    ['name-1', { name: 'x'.repeat(101) }, [400, 'name']],
    ['name-1', { name: 'a\u0000b' }, [400, 'name']],
    ['name-1', { email: 'x' }, [400, 'email']],
    ['name-1', { email: 'K@\u212a.example' }, [400, 'email']],
    ['a%40bounds.example', { email: 'b@bounds.example' }, [400, 'email']],
    ['name-1', { until: 1 }, [400, 'until']],
    ['name-1', '{"__proto__":{}}', [400, '__proto__']],
    ['name-1', '[', [400, '']],
  ])('of %s to %j is refused and names the field', async (customer, body, expected) => {
    expect(refusedAt(await own.manage('PUT', `/${customer}`, body))).toEqual(expected);
    expect(await count('provisioned_customer', "identifier = 'name-1'")).toBe(0);
  });

  it('takes any identifier that can be written in a path', async () => {
    for (const [segment, id] of [
      ['a%2Fb', 'a/b'],
      ['a~2Fc', 'a/c'],
      ['~2E~2E', '..'],
      ['M%C3%BCller', 'Müller'],
    ] as const)
      expect(await made('PUT', `/${segment}`, {})).toMatchObject({ customer: id, changed: true });
  });

  it('of what was set for all environments is the console’s', async () => {
    const who = await created();
    await own.grant(who);
    expect(refusedAt(await own.manage('DELETE', `/${who}/grants/pro`))).toEqual([409, 'plan']);
    await made('PUT', `/${who}/grants/pro`, WHY);
    expect(await made('DELETE', `/${who}/grants/pro`)).toMatchObject({ changed: true });
    expect((await own.tenant.make<Customer>('GET', own.path(who))).grants).toMatchObject([
      { environmentId: null },
    ]);
  });

  it('to a new end replaces the grant, whose billing windows stay, and to the same one writes nothing', async () => {
    const who = await created();
    const until = Date.now() + 60_000;
    const grant = (end: number | null) => made('PUT', `/${who}/grants/pro`, { ...WHY, until: end });
    const setRow = (change: string) =>
      env.DB.prepare(`UPDATE customer_grant SET ${change} WHERE customer_identifier = ?`).bind(who).run();
    const anchorAt = () =>
      env.DB.prepare('SELECT anchor_at AS at FROM customer_grant WHERE customer_identifier = ?')
        .bind(who)
        .first('at');
    expect(await grant(until)).toMatchObject({ changed: true });
    await setRow('created_at = 7, anchor_at = NULL');
    expect(await grant(until)).toMatchObject({ changed: false });
    expect(await grant(null)).toMatchObject({ changed: true });
    expect(await anchorAt()).toBe(7);
    // What has ended does not go on.
    await setRow('until = 9');
    expect(await grant(null)).toMatchObject({ changed: true });
    expect(await anchorAt()).toBeGreaterThan(9);
    const { grants } = (await own.manage<CustomerAnswer>('GET', `/${who}`)).body;
    expect(grants).toMatchObject([{ plan: 'pro', until: null }]);
  });

  it('of a batch runs in its customer’s order, and a wrong field refuses the batch', async () => {
    const [first, second] = [someone(), someone()];
    const changes = [
      { change: 'save-customer', customer: first },
      { change: 'grant-plan', customer: first, plan: 'pro', ...WHY },
      { change: 'revoke-plan', customer: first, plan: 'pro' },
      {
        change: 'set-override',
        customer: second,
        feature: 'workspaces',
        property: 'seats',
        value: 2,
        ...WHY,
      },
      { change: 'save-customer', customer: second },
      {
        change: 'set-override',
        customer: second,
        feature: 'workspaces',
        property: 'seats',
        value: 1e9,
        ...WHY,
      },
    ];
    const { results } = (await own.manage<{ results: Made[] }>('POST', '', { changes })).body;
    expect(results.map(({ status, changed, errorType }) => errorType ?? [status, changed])).toEqual([
      ['success', true],
      ['success', true],
      ['success', true],
      'not-found',
      ['success', true],
      'invalid-request',
    ]);
    expect(results[5]?.issues).toMatchObject([{ path: 'changes.5.value' }]);
    const wrong = [
      { change: 'save-customer', customer: someone() },
      { change: 'grant-plan', customer: 'x', plan: 'pro' },
    ];
    expect(refusedAt(await own.manage('POST', '', { changes: wrong }))).toEqual([400, 'changes.1.reason']);
    expect((await own.manage('GET', `/${wrong[0]!.customer}`)).status).toBe(404);
    const many = Array.from({ length: 101 }, () => wrong[0]);
    expect(refusedAt(await own.manage('POST', '', { changes: many }))).toEqual([400, 'changes']);
  });

  it('is limited, and so are new customers', async () => {
    const other = await provisioner();
    await other.manage('PUT', '/first', {});
    const insert = `INSERT INTO provisioned_customer SELECT environment_id, identifier || '-last', org_id, name, email,
      serial + ${MAX_NEW_CUSTOMERS - 1}, created_at, updated_at, created_by_key, user_id FROM provisioned_customer WHERE environment_id = ?`;
    await env.DB.prepare(insert).bind(other.previewId).run();
    expect(await other.manage('PUT', '/next', {})).toMatchObject({
      status: 429,
      body: { errorType: 'rate-limited', code: 'too-many-new-customers' },
    });
    expect(await other.manage('PUT', '/first', { name: 'Still saved' })).toMatchObject({ status: 200 });
    const yesterday =
      'UPDATE provisioned_customer SET created_at = created_at - 86400001 WHERE environment_id = ?';
    await env.DB.prepare(yesterday).bind(other.previewId).run();
    expect((await other.manage('PUT', '/next', {})).status).toBe(200);
    const now = 1_000_000;
    const take = (at: number) => takeChange('org_limited', at);
    for (let taken = 0; taken < CHANGES_BURST; taken++) take(now);
    expect(() => take(now)).toThrow('Customers can be changed 300 times at once');
    for (let taken = 0; taken < CHANGES_PER_SECOND; taken++) take(now + 1_000);
    expect(() => take(now + 1_000)).toThrow(/20 times a second/);
    takeChange('org_other', now);
  });

  it('says in a batch beyond the pace when each change, and all of them, can be sent again', async () => {
    const other = await provisioner();
    const batch = (count: number) => ({
      changes: Array.from({ length: count }, (_, index) => ({
        change: 'save-customer',
        customer: `c-${index}`,
      })),
    });
    const within = await other.manage<ChangeCustomersAnswer>('POST', '', batch(1));
    expect(within.headers.get('retry-after')).toBeNull();
    // The pace of the organisation, an hour ahead: nothing is left, and nothing comes back meanwhile.
    for (let taken = 0; taken < CHANGES_BURST; taken++)
      takeChange(other.tenant.orgId, Date.now() + 3_600_000);
    const { status, headers, body } = await other.manage<ChangeCustomersAnswer>('POST', '', batch(45));
    expect(status).toBe(200);
    const waits = body.results.map((each) => (each.status === 'error' ? each.retryAfterMs : null));
    const seconds = Array.from(
      { length: 45 },
      (_, index) => Math.ceil((index + 1) / CHANGES_PER_SECOND) * 1000,
    );
    expect(waits).toEqual(seconds);
    expect(headers.get('retry-after')).toBe('3');
    const unknown = { changes: [{ change: 'revoke-plan', customer: 'nobody', plan: 'free' }] };
    const refused = await own.manage<ChangeCustomersAnswer>('POST', '', unknown);
    expect(refused.body.results[0]).not.toHaveProperty('retryAfterMs');
    expect(refused.headers.get('retry-after')).toBeNull();
  });

  it('refuses an end after the year 9999, which is microseconds, and takes its last instant', async () => {
    const who = await created();
    const last = Date.UTC(10_000, 0, 1) - 1;
    for (const until of [last + 1, Date.now() * 1000, 8_640_000_000_000_000]) {
      const body = { ...WHY, until };
      const answer = await own.manage('PUT', `/${who}/grants/pro`, body);
      expect(refusedAt(answer)).toEqual([400, 'until']);
      expect(answer.body.message).toContain('at most the end of the year 9999');
    }
    expect(await made('PUT', `/${who}/grants/pro`, { ...WHY, until: last })).toMatchObject({ changed: true });
  });

  it('says of each grant whether it is active: not after its end', async () => {
    const who = await created();
    await made('PUT', `/${who}/grants/pro`, { ...WHY, until: Date.now() + 600_000 });
    const grants = async () => (await own.manage<CustomerAnswer>('GET', `/${who}`)).body.grants;
    expect(await grants()).toMatchObject([{ plan: 'pro', isActive: true }]);
    await env.DB.prepare('UPDATE customer_grant SET until = ? WHERE customer_identifier = ?')
      .bind(Date.now() - 1, who)
      .run();
    expect(await grants()).toMatchObject([{ plan: 'pro', isActive: false }]);
  });
});

it('organisations that are strangers share nothing but the identifier', async () => {
  const who = await created({ name: 'Mine' });
  const stranger = await newTenant();
  const key = (await stranger.key(await stranger.previewId())).value;
  expect((await callCustomers(key, 'GET', `/${who}`)).status).toBe(404);
});
