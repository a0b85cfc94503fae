// Denial by reason, end to end: from calls that are refused to the row, the sentence, the metrics and the dashboard that say why.

import type { Page } from '@playwright/test';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { createDeployed, createFeature, createPlan } from '../../dev/workspace/build-workspace.ts';
import { callPublicApi } from './support/call-public-api.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Dora Denied', 'Refusal Works');
let key: string;

test.beforeEach(async ({ page }) => {
  const workspace = organisation.workspace(page);
  const meter = { limit: 2, periodType: 'lifetime', uniqueResourceIds: false } as const;
  const rows = {
    name: 'Rows',
    propertyKey: 'rows',
    type: 'meterable',
    value: { state: 'metered', meter },
  } as const;
  const exports = await createFeature(workspace, { name: 'Exports', slug: 'exports', properties: [rows] });
  await createFeature(workspace, { name: 'Single sign-on', slug: 'sso' });
  const values = { exports: { rows: { state: 'metered', meter } } } as const;
  const starter = { name: 'Starter', slug: 'starter', grantToAuthenticatedUsers: true, values };
  await createPlan(workspace, starter, [exports]);
  ({ secretKey: key } = await createDeployed(workspace, { name: 'Production', type: 'live' }));
  await expect
    .poll(async () => (await check(page, { features: ['exports'] })).features.exports)
    .toBeDefined();
});

/** A call from Tokyo. */
async function check(page: Page, data: object): Promise<AccessCheckAnswer> {
  const from = { country: 'JP', city: 'Tokyo', continent: 'AS' };
  return (await callPublicApi(page, key, data, { from })).answer;
}

test('every screen says why a call was denied, by the verdict of the answer', async ({ page }) => {
  const who = { userIdentifier: 'nadia@example.com' };
  const consume = { feature: 'exports', property: 'rows', by: 2 };
  expect((await check(page, { ...who, consume })).consumed).toMatchObject({ accepted: true });
  expect((await check(page, { ...who, consume })).features.exports).toMatchObject({
    reason: 'limit-reached',
  });
  expect((await check(page, { ...who, features: ['sso'] })).features.sso).toMatchObject({
    reason: 'not-in-plan',
  });
  const refused = await check(page, { userJwt: 'no token', features: ['exports', 'sso'] });
  expect(refused.features.exports).toMatchObject({ reason: 'not-in-plan' });

  const rows = page.getByRole('list', { name: 'Events' }).getByRole('link');
  await test.step('a row says the reason, and the feature once', async () => {
    // Isolates send what they have recorded once a second, and the list does not follow by itself.
    await expect(async () => {
      await page.goto(`/o/${organisation.id}/observe/events?outcome=denied`);
      await expect(rows.filter({ hasText: 'nadia@example.com' })).toHaveCount(2, { timeout: 5_000 });
      await expect(rows.filter({ hasText: 'Token not accepted' }).first()).toBeVisible({ timeout: 5_000 });
    }).toPass();
    const limited = rows.filter({ hasText: 'consumes exports.rows' });
    await expect(limited).toContainText('Limit reached (2 of 2)');
    const unplanned = rows.filter({ hasText: 'nadia@example.com' }).filter({ hasText: 'Not in plan' });
    await expect(unplanned).toContainText('sso');
    expect((await unplanned.textContent())?.match(/sso/g)).toHaveLength(1);
    await expect(rows.filter({ hasText: 'Token not accepted' }).first()).toContainText('exports, sso');
    await limited.click();
    await expect(page.getByRole('complementary', { name: 'Event' })).toContainText(
      'Did not count 2 of exports.rows: limit reached (2 of 2).',
    );
  });

  await test.step('the metrics count the calls that name a feature, by reason', async () => {
    await page.goto(`/o/${organisation.id}/observe/metrics?range=1h`);
    const features = page.getByRole('list', { name: 'Features' });
    await expect(features.getByRole('listitem').filter({ hasText: 'sso' })).toContainText(
      '1 not in plan, 1 token not accepted',
    );
    await expect(features.getByRole('listitem').filter({ hasText: 'exports' })).toContainText(
      '1 limit reached',
    );
    await expect(page.getByRole('slider', { name: 'Denials over time' })).toHaveAttribute(
      'aria-valuetext',
      /\d+ Not in plan, \d+ Limit reached, \d+ Token not accepted, 0 Blocked/,
    );
    await expect(page.getByRole('list', { name: 'Latency by region' })).toContainText('Asia');
    await expectAccessible(page, 'denials by reason');
  });

  await test.step('the dashboard says it too', async () => {
    await page.goto(`/o/${organisation.id}`);
    const decisions = page.getByRole('list', { name: 'Latest decisions' });
    await expect(decisions).toContainText('Limit reached (2 of 2)');
    await expect(decisions).toContainText('Not in plan');
  });
});
