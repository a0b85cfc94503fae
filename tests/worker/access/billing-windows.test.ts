// Meters that count by billing period: answers and updates read them, and no call saves one.
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import { billingWindow } from '#engine/metering/billing-window';
import { check, propertyOf } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { type CustomerTenant, customerTenant } from '#tests/support/customers';
import { ledgerOf } from '#tests/support/paying-tenants';
import { expectRefused } from '#tests/support/refusals';
import { publishAll } from '#tests/support/tenants';

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
let own: CustomerTenant;

beforeAll(async () => {
  own = await customerTenant();
  await env.DB.prepare(
    `UPDATE plan_version SET properties = replace(properties, '"limit":100,"periodType":"lifetime"', ?)
     WHERE plan_id = ?`,
  )
    .bind('"limit":3,"periodType":"billing","periodCount":1,"periodLength":"month"', own.proId)
    .run();
  // Any change of the workspace makes a version of what is stored.
  await own.tenant.make('PUT', `/plans/${own.plusId}`, { name: 'Plus' });
  await publishAll(own.tenant);
});

/** The customer has Pro, from then on. Nothing loads the anchor from the database yet. */
async function grantedSince(customer: string, anchorAt: number): Promise<void> {
  await own.grant(customer);
  await publishAll(own.tenant);
  const body = { userIdentifier: customer };
  await check(own.secret, body);
  const facts: CustomerFacts = {
    version: Date.now() + DAY,
    grants: [{ planId: own.proId, until: null, anchorAt }],
    overrides: [],
  };
  await (await ledgerOf(own, customer)).pushFacts(customer, facts);
}

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

it('without an anchor the window is the calendar month', async () => {
  await own.grant('bob');
  await publishAll(own.tenant);
  const now = new Date();
  expect(propertyOf(await check(own.secret, { userIdentifier: 'bob' }), 'workspaces', 'files')).toMatchObject(
    {
      periodType: 'billing',
      resetsAt: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1),
    },
  );
});

it('no call saves one, and the refusal names the field', async () => {
  const { tenant, files, plusId, path } = own;
  const row = await env.DB.prepare('SELECT feature_id AS featureId FROM feature_property WHERE id = ?')
    .bind(files.id)
    .first<{ featureId: string }>();
  const { featureId } = row!;
  const refused = 'meter.periodType: Must be one of fixed, rolling, lifetime';
  const why = { environmentId: null, reason: 'A pilot customer', until: null };
  const override = { ...why, propertyId: files.id, value };
  expect(await expectRefused(tenant, 400, 'PUT', path('ada', '/overrides'), override)).toEqual([
    `value.${refused}`,
  ]);
  const properties = { [featureId]: [{ id: files.id, type: 'meterable', value }] };
  expect(await expectRefused(tenant, 400, 'PUT', `/plans/${plusId}/versions/1`, { properties })).toEqual([
    `properties.${featureId}.0.value.${refused}`,
  ]);
  const property = { name: 'Files', propertyKey: 'more-files', type: 'meterable', value };
  expect(await expectRefused(tenant, 400, 'POST', `/features/${featureId}/properties`, property)).toEqual([
    `value.${refused}`,
  ]);
});
