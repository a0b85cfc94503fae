// Balances over a range: what was given and has ended by their rows, what was drawn by the roll-ups of calls.
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { CreditMetrics } from '#contracts/console/credit-metrics';
import { update } from '#tests/support/counter-updates';
import { eventually } from '#tests/support/eventually';
import { type Provisioner, provisioner } from '#tests/support/provisioning';
import { publishAll } from '#tests/support/tenants';

const FILES = { feature: 'workspaces', property: 'files' };
const DAY = 86_400_000;
/** Of Pro, for life. */
const QUOTA = 100;
let own: Provisioner;

beforeAll(async () => {
  own = await provisioner();
});

const metrics = (environment: string | null = null, range = '24h') =>
  own.tenant.make<CreditMetrics>(
    'GET',
    `/credit-metrics?criteria=${encodeURIComponent(JSON.stringify({ environment, range }))}`,
  );
const give = (id: string, amount: number, more: object = {}) =>
  own.manage('PUT', `/ada/balances/${id}`, {
    ...{ ...FILES, amount, category: 'paid', reason: 'Invoice 118', ...more },
  });

it('says so where no balance was ever given', async () => {
  expect(await metrics()).toEqual({
    hasBalances: false,
    drawnFrom: null,
    isComplete: true,
    figures: [],
  });
});

it('sums what was given, drawn and has ended by meter and source, in the environment and the range', async () => {
  await own.manage('PUT', '/ada', {});
  await own.manage('PUT', '/ada/grants/pro', { reason: 'A pilot customer' });
  await publishAll(own.tenant);
  await give('inv-118', 50);
  await give('inv-119', 30, { endsAt: Date.now() + DAY });
  await own.manage('POST', '/ada/balances/inv-118/take-back', { amount: 5, reason: 'Refund' });
  const path = own.path('ada', '/balances');
  const manual = { environmentId: null, propertyId: own.files.id, reason: 'A gift', priority: 90 };
  await own.tenant.make('POST', path, { ...manual, amount: 20, category: 'promotional' });
  await publishAll(own.tenant);
  const count = (by: number) => update(own.secret, { userIdentifier: 'ada', ...FILES, by, enforce: true });
  expect((await count(QUOTA + 80)).body).toMatchObject({ accepted: true });
  await count(-2);
  const figure = (source: string, more: object) => ({
    ...FILES,
    source,
    given: 0,
    drawn: 0,
    ended: 0,
    ...more,
  });
  await eventually(async () =>
    expect((await metrics(own.previewId)).figures).toEqual([
      figure('api', { given: 75, drawn: 75 }),
      figure('manual', { given: 20, drawn: 3 }),
    ]),
  );
  expect(await metrics()).toMatchObject({ hasBalances: true, drawnFrom: null, isComplete: true });

  await env.DB.prepare('UPDATE customer_balance SET ends_at = ? WHERE org_id = ? AND name = ?')
    .bind(Date.now() - 1_000, own.tenant.orgId, 'inv-119')
    .run();
  const live = await own.tenant.make<{ id: string }>('POST', '/environments', { name: 'Live', type: 'live' });
  expect((await metrics(own.previewId)).figures[0]).toEqual(
    figure('api', { given: 75, drawn: 75, ended: 30 }),
  );
  // What was given everywhere counts there, too, and nothing was drawn.
  expect((await metrics(live.id)).figures).toEqual([figure('manual', { given: 20 })]);

  await env.DB.prepare('UPDATE customer_balance SET created_at = created_at - ? WHERE org_id = ?')
    .bind(3 * DAY, own.tenant.orgId)
    .run();
  expect((await metrics(null, '24h')).figures[0]).toEqual(figure('api', { drawn: 75, ended: 30 }));
  expect((await metrics(null, '7d')).figures[0]).toEqual(figure('api', { given: 75, drawn: 75, ended: 30 }));
});

it('reads rows by an index of their times', async () => {
  const plan = async (where: string) => {
    const { results } = await env.DB.prepare(
      `EXPLAIN QUERY PLAN SELECT * FROM (SELECT amount FROM customer_balance WHERE org_id = 'x' AND ${where} LIMIT 9)`,
    ).all<{ detail: string }>();
    return results.map(({ detail }) => detail).join();
  };
  expect(await plan('created_at >= 5 AND created_at < 9 ORDER BY created_at DESC')).toContain(
    'customer_balance_given',
  );
  expect(
    await plan('ends_at >= 5 AND ends_at < 9 AND ends_at < 9000000000000000 ORDER BY ends_at DESC'),
  ).toContain('customer_balance_ended');
});
