// Meters that count by billing period: console and API save them, answers and updates read them.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { billingWindow } from '#engine/metering/billing-window';
import { check, propertyOf } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { eventually } from '#tests/support/eventually';
import { evict } from '#tests/support/evict';
import { ledgerOf, type PayingTenant, payingTenant } from '#tests/support/paying-tenants';
import { expectRefused } from '#tests/support/refusals';
import { subscribed } from '#tests/support/stripe-customers';
import { publishAll } from '#tests/support/tenants';
import { toldFacts } from '#tests/support/told-facts';
import { renewGrants } from '#worker/domains/customers/entries/renew-grants';
import { workContext } from '#worker/http/make-work-context';

const DAY = 86_400_000;
const FILES = { feature: 'workspaces', property: 'files' };
const meter = {
  limit: 3,
  periodType: 'billing',
  periodCount: 1,
  periodLength: 'month',
  uniqueResourceIds: false,
};
const value = { state: 'metered', meter };
let own: PayingTenant;

beforeAll(async () => {
  own = await payingTenant();
  await env.DB.prepare(
    `UPDATE plan_version SET properties = replace(properties, '"limit":100,"periodType":"lifetime"', ?)
     WHERE plan_id = ?`,
  )
    .bind('"limit":3,"periodType":"billing","periodCount":1,"periodLength":"month"', own.proId)
    .run();
  // Any change of the workspace makes a version of what is stored.
  await own.tenant.make('PUT', `/plans/${own.plusId}`, { name: 'Plus' });
  await publishAll(own.tenant);
  await own.grant('zoe');
  await eventually(async () => expect(await filesOf('zoe')).toMatchObject({ periodType: 'billing' }));
});

/** The customer has Pro, from then on. */
async function grantedSince(customer: string, anchorAt: number): Promise<void> {
  const { id } = await own.grant(customer);
  await env.DB.prepare('UPDATE customer_grant SET anchor_at = ? WHERE id = ?').bind(anchorAt, id).run();
  await publishAll(own.tenant);
}

/** The customer has Pro by a grant as releases before 1.3.0 wrote them. */
async function storedBefore(customer: string, createdAt: number): Promise<void> {
  const { id } = await own.grant(customer);
  await env.DB.prepare('UPDATE customer_grant SET created_at = ?, anchor_at = NULL WHERE id = ?')
    .bind(createdAt, id)
    .run();
  await publishAll(own.tenant);
}

const filesOf = async (userIdentifier: string) =>
  propertyOf(await check(own.secret, { userIdentifier }), 'workspaces', 'files');

it('a check and an update have the window of the anchor, and the explanation names it', async () => {
  const anchorAt = Date.now() - 70 * DAY;
  const minute = Math.floor(anchorAt / 60_000) * 60_000;
  const { resetsAt } = billingWindow(minute, 1, Date.now());
  await grantedSince('ada', anchorAt);
  const counted = await update(own.secret, { userIdentifier: 'ada', ...FILES, by: 2, idempotencyKey: 'one' });
  expect(counted).toMatchObject({ status: 200, body: { accepted: true, meter: { used: 2, resetsAt } } });
  const answer = await check(own.secret, { userIdentifier: 'ada' }, { query: '?explain=1' });
  expect(propertyOf(answer, 'workspaces', 'files')).toEqual({
    ...{ state: 'metered', allowed: true, limit: 3, used: 2, remaining: 1 },
    ...{ periodType: 'billing', periodCount: 1, periodLength: 'month', resetsAt },
  });
  expect(answer.explanation?.find(({ property }) => property === 'files')).toMatchObject({
    value,
    anchoredBy: 'grant',
  });
});

it('a subscription has the window of its own anchor, by each name, and a new one as soon as Stripe says so', async () => {
  const now = Date.now();
  const windowOf = (anchorAt: number) => billingWindow(Math.floor(anchorAt / 60_000) * 60_000, 1, now);
  const since = (anchorAt: number) => ({ subscriptions: [{ ...subscribed('prod_pro'), anchorAt }] });
  const { id, email, put } = await own.someone(since(now - 100 * DAY).subscriptions);
  const { resetsAt } = windowOf(now - 100 * DAY);
  for (const name of [id, email])
    expect(await filesOf(name)).toMatchObject({ periodType: 'billing', resetsAt });
  const answer = await check(own.secret, { userIdentifier: email }, { query: '?explain=1' });
  expect(answer.explanation?.find(({ property }) => property === 'files')).toMatchObject({
    anchoredBy: 'sub_pro',
  });
  await put(since(now - 110 * DAY));
  expect(await filesOf(id)).toMatchObject({ resetsAt: windowOf(now - 110 * DAY).resetsAt });
});

it('a grant without an anchor has the window of its creation', async () => {
  const createdAt = Date.now() - 40 * DAY;
  await storedBefore('eve', createdAt);
  const { resetsAt } = billingWindow(Math.floor(createdAt / 60_000) * 60_000, 1, Date.now());
  expect(await filesOf('eve')).toMatchObject({ periodType: 'billing', resetsAt });
});

it('facts that a ledger stored without the anchors of grants are renewed once, also by other names of a customer', async () => {
  const createdAt = Date.now() - 40 * DAY;
  const { id, email } = await own.someone([]);
  const customers = ['ida-1', 'ida-2', id];
  for (const grantedTo of ['ida-1', 'ida-2', email]) await storedBefore(grantedTo, createdAt);
  for (const customer of customers) {
    await filesOf(customer);
    const ledger = await ledgerOf(own, customer);
    await runInDurableObject(ledger as never, (_: unknown, { storage }) =>
      storage.sql.exec(
        "UPDATE facts SET body = json_remove(body, '$.grants[0].anchorAt') WHERE customer = ?",
        customer,
      ),
    );
    await evict(ledger);
  }
  const anchors = async () => {
    const told = await toldFacts(own.previewId, customers);
    return customers.map((customer) => told.get(customer)?.grants[0]?.anchorAt);
  };
  expect(await anchors()).toEqual([undefined, undefined, undefined]);
  const run = async () => {
    await renewGrants(workContext(env, Date.now));
    return env.DB.prepare('SELECT facts_version AS at FROM organization WHERE id = ?')
      .bind(own.tenant.orgId)
      .first('at');
  };
  const version = await run();
  await expect.poll(anchors).toEqual([createdAt, createdAt, createdAt]);
  expect(await run()).toBe(version);
});

it('without an anchor, as of a subscription that an earlier release stored, the window is the calendar month', async () => {
  const { id } = await own.someone([subscribed('prod_pro')]);
  const now = new Date();
  expect(await filesOf(id)).toMatchObject({
    periodType: 'billing',
    resetsAt: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1),
  });
});

it('plans, defaults and overrides can have one, of at most twelve months', async () => {
  const { tenant, files, plusId, path } = own;
  const row = await env.DB.prepare('SELECT feature_id AS featureId FROM feature_property WHERE id = ?')
    .bind(files.id)
    .first<{ featureId: string }>();
  const { featureId } = row!;
  const why = { environmentId: null, reason: 'A pilot customer', until: null };
  const calls = [
    ['PUT', path('ada', '/overrides'), (given: unknown) => ({ ...why, propertyId: files.id, value: given })],
    [
      'PUT',
      `/plans/${plusId}/versions/2`,
      (given: unknown) => ({
        properties: { [featureId]: [{ id: files.id, type: 'meterable', value: given }] },
      }),
    ],
    [
      'POST',
      `/features/${featureId}/properties`,
      (given: unknown) => ({ name: 'Files', propertyKey: 'more-files', type: 'meterable', value: given }),
    ],
  ] as const;
  for (const [method, call, bodyOf] of calls) {
    const wrong = { state: 'metered', meter: { ...meter, periodCount: 13, periodLength: 'day' } };
    const at = call.includes('/plans/') ? `properties.${featureId}.0.value` : 'value';
    expect(await expectRefused(tenant, 400, method, call, bodyOf(wrong))).toEqual([
      `${at}.meter.periodLength: Must be month`,
      `${at}.meter.periodCount: Must be less than or equal to 12`,
    ]);
    const saved = await tenant.call(method, call, bodyOf(value));
    expect(saved.status, JSON.stringify(saved.body)).toBeLessThan(300);
  }
});
