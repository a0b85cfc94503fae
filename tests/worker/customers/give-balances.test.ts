// Calls about balances: what they give, change, take back, list and refuse, and what checks make of it.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { CustomerBalance } from '#contracts/console/customer-balances';
import type { CustomerChange } from '#contracts/console/customer-changes';
import type { Balance } from '#contracts/public/balances';
import type { LedgerAnswer, LedgerLine } from '#contracts/public/customer-ledger';
import type { BalancesAnswer, CustomerChangeAnswer } from '#contracts/public/customers';
import { check, propertyOf } from '#tests/support/access-checks';
import { putBalances } from '#tests/support/balances';
import { update } from '#tests/support/counter-updates';
import { hold } from '#tests/support/holds';
import { callCustomers, type Provisioner, provisioner } from '#tests/support/provisioning';
import { publishAll } from '#tests/support/tenants';

const FILES = { feature: 'workspaces', property: 'files' };
/** Of Pro, for life. */
const QUOTA = 100;
const DAY = 86_400_000;
let own: Provisioner;

beforeAll(async () => {
  own = await provisioner();
});

const given = { ...FILES, amount: 50, category: 'paid', reason: 'Invoice 118' };

/** A customer that was created by API and has Pro. */
async function withPro(customer: string): Promise<void> {
  await own.manage('PUT', `/${customer}`, {});
  await own.manage('PUT', `/${customer}/grants/pro`, { reason: 'A pilot customer' });
  await publishAll(own.tenant);
}

const give = (customer: string, id: string, more: object = {}) =>
  own.manage<CustomerChangeAnswer>('PUT', `/${customer}/balances/${id}`, { ...given, ...more });
const takeBack = (customer: string, id: string, amount: number, idempotencyKey?: string) =>
  own.manage<CustomerChangeAnswer>('POST', `/${customer}/balances/${id}/take-back`, {
    ...{ amount, reason: 'Refund', idempotencyKey },
  });
const list = async (customer: string, query = '') =>
  (await own.manage<BalancesAnswer>('GET', `/${customer}/balances${query}`)).body;
const count = async (customer: string, by: number, more: object = {}) =>
  (await update(own.secret, { userIdentifier: customer, ...FILES, by, enforce: true, ...more })).body;
const files = async (customer: string, more: object = {}) =>
  propertyOf(await check(own.secret, { userIdentifier: customer, ...more }), 'workspaces', 'files');

describe('a balance', () => {
  it('is given once for its ID, and extends the limit at once', async () => {
    await withPro('ada');
    const first = await give('ada', 'inv-118', { costBasis: { currency: 'usd', amountMinor: 2000 } });
    expect(first).toMatchObject({ status: 200, body: { customer: 'ada', changed: true, replayed: false } });
    expect(first.body.balance).toMatchObject({
      ...{ id: 'inv-118', ...FILES, amount: 50, takenBack: 0, used: 0, remaining: 50, state: 'active' },
      ...{ category: 'paid', source: { kind: 'api' }, endsAt: null, priority: 50, needsPlan: false },
      ...{ frozen: false, costBasis: { currency: 'usd', amountMinor: 2000 }, reason: 'Invoice 118' },
    });
    expect(await files('ada')).toMatchObject({ limit: QUOTA + 50, used: 0, remaining: 150 });
    const again = await give('ada', 'inv-118');
    expect(again.body).toMatchObject({ changed: false, balance: { id: 'inv-118', remaining: 50 } });
    expect((await list('ada')).balances).toHaveLength(1);
  });

  it('is drawn from after the quota, as updates and checks say with their sources in order', async () => {
    await withPro('bea');
    await give('bea', 'inv-1');
    await give('bea', 'gift', { amount: 10, category: 'promotional' });
    const counted = await count('bea', QUOTA + 12, { idempotencyKey: 'one' });
    const draws = [
      { from: 'gift', amount: 10 },
      { from: 'inv-1', amount: 2 },
    ];
    expect(counted).toMatchObject({
      accepted: true,
      applied: 112,
      draws,
      meter: { used: 112, remaining: 48 },
    });
    expect(await count('bea', QUOTA + 12, { idempotencyKey: 'one' })).toMatchObject({
      replayed: true,
      draws,
    });
    expect(await files('bea')).not.toHaveProperty('balances');
    expect(await files('bea', { include: ['balances'] })).toMatchObject({
      balances: [
        { kind: 'quota', amount: 100, used: 100, remaining: 0, endsAt: null },
        { kind: 'balance', id: 'gift', amount: 10, used: 10, remaining: 0, endsAt: null },
        { kind: 'balance', id: 'inv-1', amount: 50, used: 2, remaining: 48, endsAt: null },
      ],
    });
    expect((await count('bea', -5)).draws).toEqual([
      { from: 'inv-1', amount: -2 },
      { from: 'gift', amount: -3 },
    ]);
    const consumed = await check(own.secret, {
      userIdentifier: 'bea',
      consume: { ...FILES, by: 4 },
      include: ['balances', 'subscriptions'],
    });
    expect(consumed.consumed).toMatchObject({
      accepted: true,
      draws: [
        { from: 'gift', amount: 3 },
        { from: 'inv-1', amount: 1 },
      ],
    });
    expect(consumed.customer.subscriptions).toEqual([]);
  });

  it('gets back exactly what one update drew, once, and whole by default', async () => {
    await withPro('bob');
    await give('bob', 'inv-1');
    await count('bob', QUOTA + 7, { idempotencyKey: 'one' });
    await count('bob', 5, { idempotencyKey: 'two' });
    const back = (givesBack: string, more: object = {}) =>
      update(own.secret, { userIdentifier: 'bob', ...FILES, givesBack, ...more });
    const first = await back('one');
    expect(first).toMatchObject({
      status: 200,
      body: {
        applied: -(QUOTA + 7),
        replayed: false,
        draws: [{ from: 'inv-1', amount: -7 }],
        meter: { used: 5 },
      },
    });
    expect((await back('one')).body).toMatchObject({ applied: -(QUOTA + 7), replayed: true });
    expect(await back('one', { by: -1 })).toMatchObject({
      status: 409,
      body: { code: 'idempotency-key-reused', issues: [{ path: 'givesBack' }] },
    });
    expect((await back('two', { by: -2 })).body).toMatchObject({
      ...{ applied: -2, draws: [{ from: 'inv-1', amount: -2 }] },
    });
    expect(await back('three')).toMatchObject({
      status: 409,
      body: { code: 'nothing-to-give-back', issues: [{ path: 'givesBack' }] },
    });
    for (const [path, more] of Object.entries({
      by: { by: 3 },
      resourceId: { resourceId: 'r1' },
      ageMs: { ageMs: 5 },
      occurredAt: { occurredAt: new Date().toISOString() },
    }))
      expect(await back('two', more)).toMatchObject({ status: 400, body: { issues: [{ path }] } });
  });

  it('changes how it is drawn from, and nothing else', async () => {
    await withPro('cleo');
    await give('cleo', 'inv-1');
    await count('cleo', QUOTA + 20);
    const endsAt = Date.now() + DAY;
    const changed = await give('cleo', 'inv-1', { endsAt, priority: 10, reason: 'Extended' });
    expect(changed.body).toMatchObject({
      changed: true,
      balance: { endsAt, priority: 10, used: 20, remaining: 30, reason: 'Extended' },
    });
    expect((await give('cleo', 'inv-1', { reason: 'Extended' })).body.changed).toBe(false);
    await give('cleo', 'inv-1', { frozen: true, reason: 'Payment disputed' });
    expect(await files('cleo')).toMatchObject({ allowed: false, limit: QUOTA, used: QUOTA });
    expect((await list('cleo')).balances).toMatchObject([{ state: 'frozen', used: 20, remaining: 30 }]);
    await give('cleo', 'inv-1', { frozen: false, endsAt: null, reason: 'Won' });
    expect(await files('cleo')).toMatchObject({ limit: QUOTA + 50, used: 120, remaining: 30 });
  });

  test.each([
    ['amount', { amount: 51 }],
    ['category', { category: 'promotional' }],
    ['startsAt', { startsAt: 5 }],
  ])('never changes its %s', async (field, more) => {
    await withPro('dan');
    await give('dan', 'inv-1');
    const { status, body } = await give('dan', 'inv-1', more);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'balance-exists', issues: [{ path: field }] });
    expect(await files('dan')).toMatchObject({ limit: QUOTA + 50 });
  });

  it('is of the application’s own ID, of whichever alias the customer is named by', async () => {
    await own.manage('PUT', '/eli', { email: 'eli@tests.example', userId: 'eli-user' });
    await own.manage('PUT', '/eli/grants/pro', { reason: 'A pilot customer' });
    expect((await give('eli@tests.example', 'inv-1')).body).toMatchObject({ customer: 'eli', changed: true });
    expect((await give('eli-user', 'inv-1')).body).toMatchObject({ customer: 'eli', changed: false });
    for (const name of ['eli', 'eli@tests.example', 'eli-user']) {
      expect(await files(name)).toMatchObject({ limit: QUOTA + 50 });
      expect((await list(name)).balances).toHaveLength(1);
    }
  });

  it('counts only with a plan of the customer’s own, if it needs one', async () => {
    await own.manage('PUT', '/fay', {});
    await give('fay', 'inv-1', { needsPlan: true });
    await give('fay', 'inv-2', { amount: 5 });
    await publishAll(own.tenant);
    expect((await list('fay')).balances).toMatchObject([
      { id: 'inv-2', state: 'active' },
      { id: 'inv-1', state: 'needs-plan', remaining: 50 },
    ]);
    await own.manage('PUT', '/fay/grants/pro', { reason: 'A pilot customer' });
    expect(await files('fay')).toMatchObject({ limit: QUOTA + 55 });
    expect((await list('fay')).balances).toMatchObject([{ id: 'inv-2' }, { id: 'inv-1', state: 'active' }]);
  });
});

describe('what customers of other services complain of in credits', () => {
  it('what was bought does not end with a gift that ends tomorrow', async () => {
    await withPro('carl');
    await give('carl', 'gift', { amount: 10, category: 'promotional', endsAt: Date.now() + DAY });
    await give('carl', 'inv-1');
    expect(await count('carl', QUOTA + 4)).toMatchObject({ draws: [{ from: 'gift', amount: 4 }] });
    const ends = { amount: 10, category: 'promotional', endsAt: Date.now() + 2000 };
    expect((await give('carl', 'gift', ends)).body).toMatchObject({ changed: true });
    await expect
      .poll(() => files('carl'), { timeout: 20_000 })
      .toMatchObject({ limit: QUOTA + 50, used: QUOTA, remaining: 50 });
  });

  it('calls at once never take more than is left', async () => {
    await withPro('cora');
    await give('cora', 'inv-1', { amount: 10 });
    await count('cora', QUOTA);
    const answers = await Promise.all([...Array(40)].map(() => count('cora', 1)));
    expect(answers.filter(({ accepted }) => accepted)).toHaveLength(10);
    expect(await files('cora')).toMatchObject({ allowed: false, used: QUOTA + 10, remaining: 0 });
  });

  it('each purchase keeps what was drawn from it when the order of drawing changes later', async () => {
    await withPro('cyd');
    await give('cyd', 'inv-1', { priority: 50 });
    await give('cyd', 'inv-2', { priority: 60 });
    await count('cyd', QUOTA + 20);
    expect((await give('cyd', 'inv-2', { priority: 45 })).body).toMatchObject({ changed: true });
    await count('cyd', 5);
    expect((await list('cyd')).balances.map(({ id, used, remaining }) => [id, used, remaining])).toEqual([
      ['inv-2', 5, 45],
      ['inv-1', 20, 30],
    ]);
  });
});

describe('taking back', () => {
  it('takes what is not used, once for an idempotency key, and no other balance changes', async () => {
    await withPro('gus');
    await give('gus', 'inv-1');
    await give('gus', 'inv-2', { amount: 7 });
    await count('gus', QUOTA + 20);
    const first = await takeBack('gus', 'inv-1', 1_000, 'refund-1');
    expect(first.body).toMatchObject({
      changed: true,
      applied: 30,
      balance: { id: 'inv-1', amount: 50, takenBack: 30, used: 20, remaining: 0, state: 'used-up' },
    });
    expect((await takeBack('gus', 'inv-1', 1_000, 'refund-1')).body).toEqual({
      ...first.body,
      requestId: expect.any(String),
      replayed: true,
    });
    expect((await takeBack('gus', 'inv-1', 1)).body).toMatchObject({ changed: false, applied: 0 });
    expect(await files('gus')).toMatchObject({ limit: 127, used: 120, remaining: 7 });
    expect((await list('gus')).balances).toMatchObject([{ id: 'inv-2', remaining: 7 }]);
    expect((await list('gus', '?ended=1')).balances).toHaveLength(2);
  });

  it('refuses a balance that the customer does not have', async () => {
    await withPro('hal');
    expect(await takeBack('hal', 'inv-9', 1)).toMatchObject({
      status: 404,
      body: { code: 'balance-unknown' },
    });
    await withPro('ivy');
    await give('ivy', 'inv-1');
    expect(await takeBack('hal', 'inv-1', 1)).toMatchObject({ status: 404 });
  });

  it('is one of several at once', async () => {
    await withPro('jon');
    await give('jon', 'inv-1');
    const taken = await Promise.all([10, 20, 40].map((amount) => takeBack('jon', 'inv-1', amount)));
    const sum = taken.reduce((total, { body }) => total + (body.applied ?? 0), 0);
    expect(sum).toBe(50);
    expect(await files('jon')).toMatchObject({ limit: QUOTA, remaining: QUOTA });
  });
});

describe('calls', () => {
  test.each<[string, object, string, string]>([
    ['no amount', { amount: undefined }, 'amount', 'invalid-field'],
    ['an amount of nothing', { amount: 0 }, 'amount', 'invalid-field'],
    ['a fraction', { amount: 1.5 }, 'amount', 'invalid-field'],
    ['an unknown category', { category: 'plan' }, 'category', 'invalid-field'],
    ['a priority beyond 100', { priority: 101 }, 'priority', 'invalid-field'],
    ['an end in the past', { endsAt: 5 }, 'endsAt', 'until-in-past'],
    [
      'an end before the start',
      { startsAt: Date.now() + 2 * DAY, endsAt: Date.now() + DAY },
      'endsAt',
      'invalid-field',
    ],
    ['an unknown property', { property: 'nothing' }, 'property', 'property-unknown'],
    ['a property that is no meter', { property: 'seats' }, 'property', 'property-not-meterable'],
    [
      'an unknown currency',
      { costBasis: { currency: 'USD', amountMinor: 1 } },
      'costBasis.currency',
      'invalid-field',
    ],
    ['an unknown field', { limit: 5 }, 'limit', 'invalid-field'],
  ])('refuse %s', async (_, more, path, code) => {
    await own.manage('PUT', '/kim', {});
    const { status, body } = await own.manage('PUT', '/kim/balances/inv-1', { ...given, ...more });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code, issues: [{ path }] });
    expect((await list('kim')).balances).toEqual([]);
  });

  it('refuse IDs that look like Tessera’s, unknown customers, and keys that may not', async () => {
    await own.manage('PUT', '/kim', {});
    expect(await give('kim', 'bal_1')).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'balance' }] },
    });
    expect(await give('nobody', 'inv-1')).toMatchObject({ status: 404, body: { code: 'customer-unknown' } });
    const other = await callCustomers(own.secret, 'PUT', '/kim/balances/inv-1', given);
    expect(other).toMatchObject({ status: 403, body: { code: 'managing-key-required' } });
  });

  it('come in a batch, too', async () => {
    await withPro('lea');
    const { body } = await own.manage<{ results: CustomerChangeAnswer[] }>('POST', '', {
      changes: [
        { change: 'set-balance', customer: 'lea', balance: 'inv-1', ...given, idempotencyKey: 'a' },
        {
          change: 'take-back',
          customer: 'lea',
          balance: 'inv-1',
          amount: 8,
          reason: 'Refund',
          idempotencyKey: 'b',
        },
      ],
    });
    expect(body.results).toMatchObject([
      { status: 'success', balance: { remaining: 50 } },
      { status: 'success', applied: 8, balance: { remaining: 42 } },
    ]);
  });

  it('close what has been used up for a while, and nothing else, where a customer has many', async () => {
    await withPro('mia');
    const ids = Array.from({ length: 21 }, (_, index) => `inv-${index}`);
    for (const id of ids) await give('mia', id, { amount: 1, priority: id === 'inv-0' ? 0 : 60 });
    await count('mia', QUOTA + 1 + 5);
    const open = async () => {
      const { results } = await env.DB.prepare(
        "SELECT name FROM customer_balance WHERE customer_identifier = 'mia' AND closed_at IS NULL",
      ).all<{ name: string }>();
      return results.map(({ name }) => name);
    };
    await give('mia', 'inv-21');
    expect(await open()).toHaveLength(22);
    const used = (await list('mia', '?ended=1')).balances.filter(({ remaining }) => remaining === 0);
    expect(used).toHaveLength(6);
    await env.DB.prepare(
      "UPDATE customer_balance SET created_at = created_at - 90000000 WHERE customer_identifier = 'mia' AND name <> 'inv-0'",
    ).run();
    await give('mia', 'inv-22');
    const closed = used.map(({ id }) => id).filter((id) => id !== 'inv-0');
    expect((await open()).toSorted()).toEqual(
      [...ids, 'inv-21', 'inv-22'].filter((id) => !closed.includes(id)).toSorted(),
    );
    expect(await files('mia')).toMatchObject({ used: expect.any(Number), remaining: 15 + 50 + 50 });
  });

  it('list newest first, page by page, of one meter', async () => {
    await withPro('max');
    // In batches that a busy machine makes within the time of one call.
    for (let from = 0; from < 102; from += 17) {
      const changes = Array.from({ length: 17 }, (_, index) => ({
        ...{ change: 'set-balance', customer: 'max', balance: `inv-${from + index}`, ...given },
      }));
      await own.manage('POST', '', { changes });
    }
    const first = await list('max', '?feature=workspaces&property=files');
    expect(first.balances).toHaveLength(100);
    const second = await list('max', `?cursor=${first.nextCursor}`);
    expect(second.nextCursor).toBeNull();
    const ids = [...first.balances, ...second.balances].map(({ id }: Balance) => id);
    expect(new Set(ids).size).toBe(102);
    expect((await list('max', '?property=seats')).balances).toEqual([]);
    expect(await own.manage('GET', '/max/balances?cursor=x')).toMatchObject({ status: 400 });
  });
});

describe('a person', () => {
  it('gives, changes and takes back in the console, and never overwrites what somebody else changed', async () => {
    await withPro('ned');
    const { tenant, previewId, path } = own;
    const here = { environmentId: previewId };
    const { id } = await tenant.make<{ id: string }>('POST', path('ned', '/balances'), {
      ...{ ...here, propertyId: own.files.id, amount: 20, category: 'promotional', reason: 'Sorry' },
    });
    const read = async (query = '') =>
      (
        await tenant.make<{ balances: CustomerBalance[] }>(
          'GET',
          path('ned', `/environments/${previewId}/balances${query}`),
        )
      ).balances;
    const [first] = await read();
    expect(first).toMatchObject({
      ...{ id, name: null, identifier: 'ned', amount: 20, used: 0, state: 'active', priority: 50 },
      ...{ source: { kind: 'manual' }, createdByKey: null, createdByUserId: expect.any(String) },
    });
    await count('ned', QUOTA + 5);
    const { updatedAt } = first as CustomerBalance;
    await tenant.make('PUT', path('ned', `/balances/${id}`), {
      updatedAt,
      frozen: true,
      reason: 'Under review',
    });
    const stale = await tenant.call('PUT', path('ned', `/balances/${id}`), { updatedAt, frozen: false });
    expect(stale.status).toBe(409);
    const [frozen] = await read();
    expect(frozen).toMatchObject({ state: 'frozen', used: 5, remaining: 15, reason: 'Under review' });
    const taken = await tenant.make('POST', path('ned', `/balances/${id}/take-back`), {
      ...{ ...here, updatedAt: frozen?.updatedAt, amount: 100, reason: 'Not theirs' },
    });
    expect(taken).toEqual({ applied: 15 });
    expect(await read()).toMatchObject([{ state: 'used-up', takenBack: 15, remaining: 0 }]);
    const { items } = await tenant.make<{ items: { action: string }[] }>('GET', path('ned', '/changes'));
    expect(items.map(({ action }) => action).slice(0, 3)).toEqual([
      'customer.balance-taken-back',
      'customer.balance-changed',
      'customer.balance-given',
    ]);
  });
});

describe('the ledger of a meter', () => {
  const ledger = async (customer: string, query = '') => {
    const path = `/${customer}/ledger?feature=workspaces&property=files${query}`;
    return own.manage<LedgerAnswer & { code?: string }>('GET', path);
  };
  const briefly = ({ kind, amount, balance, draws }: LedgerLine) => [kind, amount, balance ?? draws ?? null];

  it('lists what was given, used, given back, held, settled, corrected, taken back and lost', async () => {
    await withPro('audited');
    await give('audited', 'gone', { amount: 7, startsAt: Date.now() - 2 * DAY });
    await env.DB.prepare('UPDATE customer_balance SET ends_at = ? WHERE name = ? AND org_id = ?')
      .bind(Date.now() - DAY, 'gone', own.tenant.orgId)
      .run();
    await give('audited', 'inv-1', {
      costBasis: { currency: 'usd', amountMinor: 2000 },
      endsAt: Date.now() + DAY,
    });
    await count('audited', QUOTA + 5);
    await count('audited', -2);
    await count('audited', 1_000);
    const consume = { ...FILES, by: 3 };
    await check(own.secret, { userIdentifier: 'audited', consume });
    await check(own.secret, { userIdentifier: 'audited' });
    const held = await hold(own.secret, '', { userIdentifier: 'audited', ...FILES, amount: 10 });
    const { id } = held.body.hold!;
    await hold(own.secret, `/${id}/extend`, { amount: 4 });
    await hold(own.secret, `/${id}/settle`, { amount: 6 });
    await hold(own.secret, `/${id}/settle`, { amount: 6 });
    await own.manage('POST', '/audited/meter-corrections', {
      ...FILES,
      by: -1,
      reason: 'A fault',
      idempotencyKey: 'fix',
    });
    await takeBack('audited', 'inv-1', 1_000, 'refund');
    const inv = (amount: number) => [{ from: 'inv-1', amount }];
    await expect
      .poll(async () => (await ledger('audited')).body.lines?.map(briefly))
      .toEqual([
        ['taken-back', 39, 'inv-1'],
        ['corrected', -1, null],
        ['settled', 6, inv(6)],
        ['held', 4, inv(4)],
        ['held', 10, inv(10)],
        ['used', 3, inv(3)],
        ['returned', 2, inv(-2)],
        ['used', QUOTA + 5, inv(5)],
        ['given', 50, 'inv-1'],
        ['given', 7, 'gone'],
        ['ended', 7, 'gone'],
      ]);
    const { items } = await own.tenant.make<{ items: CustomerChange[] }>('GET', '/customers/audited/changes');
    expect(items.at(-1)).toMatchObject({ action: 'customer.balance-ended', detail: { name: 'gone' } });
    const { body } = await ledger('audited');
    expect(body).toMatchObject({ usageFrom: null, nextCursor: null });
    expect(body.lines[2]).toMatchObject({ hold: id, released: 8 });
    expect(body.lines[8]).toMatchObject({
      costBasis: { currency: 'usd', amountMinor: 2000 },
      reason: 'Invoice 118',
    });
    expect((await ledger('audited')).body.lines.map(({ at }) => at)).toEqual(
      body.lines.map(({ at }) => at).toSorted((one, other) => other - one),
    );
  });

  it('is read in pages, each line once', async () => {
    await withPro('paged');
    for (let used = 0; used < 55; used++) await count('paged', 1);
    const names = Array.from({ length: 150 }, (_, index) => `inv-${index}`);
    const day = Date.now() - DAY;
    const rows = names.map((name, index) => ({ id: `bal_${name}`, name, amount: 1, createdAt: day + index }));
    await putBalances(own, 'paged', ...rows);
    const sizes: number[] = [];
    const kinds = async () => {
      const lines: LedgerLine[] = [];
      sizes.length = 0;
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body }: { body: LedgerAnswer } = await ledger('paged', cursor && `&cursor=${cursor}`);
        sizes.push(body.lines.length);
        lines.push(...body.lines);
        cursor = body.nextCursor;
      }
      return lines;
    };
    await expect.poll(async () => (await kinds()).filter(({ kind }) => kind === 'used').length).toBe(55);
    const lines = (await kinds()).filter(({ kind }) => kind === 'given');
    expect(lines.map(({ balance }) => balance)).toEqual(names.toReversed());
    expect(sizes).toEqual([expect.any(Number), expect.any(Number), 50]);
  });

  it('refuses an unknown property, a wrong cursor and a key that may not', async () => {
    await withPro('unaudited');
    expect((await ledger('unaudited', '&cursor=x')).body).toMatchObject({ issues: [{ path: 'cursor' }] });
    const other = '/unaudited/ledger?feature=workspaces&property=none';
    expect((await own.manage('GET', other)).body).toMatchObject({ code: 'property-unknown' });
    expect((await own.manage('GET', '/unaudited/ledger?feature=workspaces')).body).toMatchObject({
      issues: [{ path: 'property' }],
    });
    const reader = await callCustomers(
      own.secret,
      'GET',
      '/unaudited/ledger?feature=workspaces&property=files',
    );
    expect(reader).toMatchObject({ status: 403, body: { code: 'managing-key-required' } });
  });
});
