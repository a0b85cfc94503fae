// Balances on a customer's page: given, used, changed, frozen and taken back, checked against the API.
import type { Page } from '@playwright/test';
import type { CustomerBalance } from '#contracts/console/customer-balances';
import type { CustomerEntitlements } from '#contracts/console/customers';
import type { HoldAnswer } from '#contracts/public/holds';
import {
  createFeature,
  createKey,
  createPlan,
  previewOf,
  setPlanValues,
} from '../../dev/workspace/build-workspace.ts';
import { callPublicApi } from './support/call-public-api.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { idOf } from './support/plan-workspace.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Bella Balances', 'Balance Works');
const { api } = organisation;
const WHO = 'ada@example.com';
const CREDITS = { feature: 'models', property: 'credits' };
let key: string;
let environmentId: string;

/** Everyone who is signed in has 10 credits in a lifetime. */
test.beforeEach(async ({ page }) => {
  const workspace = organisation.workspace(page);
  const feature = await createFeature(workspace, {
    name: 'Models',
    slug: 'models',
    properties: [{ name: 'Credits', propertyKey: 'credits', type: 'meterable', value: { state: 'off' } }],
  });
  const plan = await createPlan(workspace, {
    ...{ name: 'Pro plan', slug: 'pro' },
    grantToAuthenticatedUsers: true,
  });
  const meter = { limit: 10, periodType: 'lifetime', uniqueResourceIds: false } as const;
  await setPlanValues(workspace, plan, {
    [feature.id]: [
      ...feature.systemFeatureProperties.map(({ id }) => ({ id, type: 'boolean' as const, value: true })),
      { id: idOf(feature, 'credits'), type: 'meterable', value: { state: 'metered', meter } },
    ],
  });
  environmentId = await previewOf(workspace);
  key = await createKey(workspace, environmentId);
});

const credits = async (page: Page) =>
  (await callPublicApi(page, key, { userIdentifier: WHO })).answer.features?.models?.properties.credits;

const use = (page: Page, by: number) =>
  callPublicApi(page, key, { userIdentifier: WHO, ...CREDITS, by }, { path: 'counter-updates' });

const hold = async (page: Page, path: string, body: object) =>
  (await callPublicApi<HoldAnswer>(page, key, body, { path: `holds${path}` })).answer;

const lines = (page: Page) =>
  page.getByRole('list', { name: 'Balances of Models credits' }).getByRole('listitem');
const bar = (page: Page) => page.getByRole('meter', { name: 'Models credits' }).first();
const dialog = (page: Page) => page.getByRole('dialog');
const reason = (page: Page) => dialog(page).getByRole('textbox', { name: 'Reason' });

async function act(page: Page, balance: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${balance}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('a balance is given, used after the quota, frozen and taken back', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/40[09] .*\/balances/);
  await expect.poll(() => credits(page), { timeout: 10_000 }).toMatchObject({ limit: 10 });
  await page.goto(`/o/${organisation.id}/customers/${WHO}`);
  await expect(page.getByRole('heading', { level: 2, name: 'Balances' })).toHaveCount(0);

  await test.step('from the menu of a meter, with errors at the fields', async () => {
    await page.getByRole('button', { name: 'Actions for Models credits' }).click();
    await page.getByRole('menuitem', { name: 'Add balance…' }).click();
    await dialog(page).getByRole('button', { name: 'Add balance' }).click();
    await expect(dialog(page).getByText('Required')).toHaveCount(2);
    await dialog(page).getByRole('textbox', { name: 'Amount of models.credits' }).fill('1,000');
    await dialog(page).getByRole('textbox', { name: 'Ends' }).fill('2020-01-01');
    await dialog(page).getByRole('textbox', { name: 'Starts' }).fill('2020-01-02');
    await dialog(page).getByRole('textbox', { name: 'Price paid' }).fill('49.901');
    await dialog(page).getByRole('button', { name: 'Add balance' }).click();
    await expect(dialog(page).getByText('Must be after the start')).toBeVisible();
    await expect(dialog(page).getByText('Write it like 49.90')).toBeVisible();
    await expect(dialog(page).getByText('Required')).toHaveCount(2);
    await dialog(page).getByRole('textbox', { name: 'Price paid' }).fill('49.90');
    await dialog(page).getByRole('textbox', { name: 'Currency' }).fill('eur');
    await dialog(page).getByRole('textbox', { name: 'Starts' }).fill('2019-12-01');
    await reason(page).fill('Invoice 118');
    await dialog(page).getByRole('button', { name: 'Add balance' }).click();
    await expect(dialog(page).getByText('Must be in the future')).toBeVisible();
    await dialog(page).getByRole('button', { name: 'In 30 days' }).click();
    await expectAccessible(page, 'adding a balance');
    await dialog(page).getByRole('button', { name: 'Add balance' }).click();
    await expect(page.getByText('Balance added', { exact: true })).toBeVisible();
  });

  await test.step('the quota comes first, then the balance, as calls count', async () => {
    await expect(lines(page)).toHaveText([
      /Quota.*Next to be used.*10 left/,
      /Paid balance.*€49\.90.*1,000 left/,
    ]);
    await expect(bar(page)).toHaveAttribute('aria-valuetext', '0 of 1,010 used');
    await expect.poll(() => credits(page), { timeout: 6_000 }).toMatchObject({ limit: 1_010 });
    await use(page, 160);
    await expect(lines(page)).toHaveText(
      [/Quota.*0 left.*10 of 10 used/, /Paid balance.*Next to be used.*850 left.*150 of 1,000 used/],
      { timeout: 15_000 },
    );
    await expect(bar(page)).toHaveAttribute('aria-valuetext', '160 of 1,010 used');
    await expectAccessible(page, 'balances of a customer');
    await expectFitting(page);
  });

  await test.step('what a hold takes stands beside what is used, until it is settled', async () => {
    const { id } = (await hold(page, '', { userIdentifier: WHO, ...CREDITS, amount: 300 })).hold!;
    await expect(lines(page).last()).toContainText(/550 left.*150 of 1,000 used, 300 held/, {
      timeout: 15_000,
    });
    await expect(bar(page)).toHaveAttribute('aria-valuetext', '160 used and 300 held of 1,010');
    await expect(page.getByText('300 held', { exact: true })).toHaveCount(3);
    await expectAccessible(page, 'a hold of a customer');
    await expectFitting(page);
    await hold(page, `/${id}/settle`, { amount: 0 });
    await expect(lines(page).last()).toContainText(/850 left.*150 of 1,000 used$/, { timeout: 15_000 });
  });

  await test.step('its menu leads to the events that drew from it', async () => {
    await act(page, 'Paid balance', 'Events');
    await expect(page.getByRole('button', { name: /^Drew from bal_/ })).toBeVisible();
    const rows = page.getByRole('list', { name: 'Events' }).getByRole('link');
    await expect(rows).toHaveText([/models\.credits holds 300/, /models\.credits \+160/]);
    await page.getByRole('button', { name: 'Filter by type' }).click();
    await page.getByRole('option', { name: 'Hold', exact: true }).click();
    await expect(rows).toHaveText([/models\.credits holds 300/]);
    await page
      .getByRole('button', { name: /^Drew from/ })
      .first()
      .click();
    await page.getByRole('option', { name: 'What was held' }).click();
    await expect(page.getByText('No events')).toBeVisible();
    await page.goto(`/o/${organisation.id}/customers/${WHO}`);
  });

  await test.step('what somebody else changed meanwhile is shown, and the change is saved on top', async () => {
    await act(page, 'Paid balance', 'Change…');
    await dialog(page).getByRole('textbox', { name: 'Priority' }).fill('20');
    await reason(page).fill('Use it first');
    const path = `/customers/${WHO}`;
    const { balances } = await api<{ balances: CustomerBalance[] }>(
      page,
      'GET',
      `${path}/environments/${environmentId}/balances`,
    );
    const { id, updatedAt } = balances[0]!;
    await api(page, 'PUT', `${path}/balances/${id}`, { updatedAt, endsAt: null, reason: 'No end' });
    await dialog(page).getByRole('button', { name: 'Save changes' }).click();
    await expect(dialog(page).getByRole('alert')).toContainText('It now has no end, priority 50');
    await dialog(page).getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Balance changed', { exact: true })).toBeVisible();
    await expect(lines(page).first()).toContainText(/Paid balance.*no end.*priority 20/);
  });

  await test.step('frozen, nothing of it counts; unfrozen, all of it does', async () => {
    await act(page, 'Paid balance', 'Freeze…');
    await reason(page).fill('A dispute');
    await dialog(page).getByRole('button', { name: 'Freeze balance' }).click();
    await expect(lines(page)).toHaveText([/Quota.*0 left/, /Paid balance.*Frozen.*850 left/]);
    await expect.poll(() => credits(page), { timeout: 6_000 }).toMatchObject({ limit: 10, used: 10 });
    await act(page, 'Paid balance', 'Unfreeze…');
    await reason(page).fill('Won');
    await dialog(page).getByRole('button', { name: 'Unfreeze balance' }).click();
    await expect(lines(page).first()).toContainText(/Paid balance.*Next to be used/);
  });

  await test.step('what is left is taken back, and what was used stays', async () => {
    await act(page, 'Paid balance', 'Take back…');
    await expect(dialog(page).getByRole('textbox', { name: 'Amount' })).toHaveValue('850');
    await reason(page).fill('A refund');
    await dialog(page).getByRole('button', { name: 'Take back', exact: true }).click();
    await expect(page.getByText('850 taken back', { exact: true })).toBeVisible();
    await expect(lines(page)).toHaveText([/Quota/]);
    await page.getByRole('button', { name: 'All', exact: true }).first().click();
    await expect(lines(page).filter({ hasText: 'Used up' })).toContainText(
      '150 of 1,000 used, 850 taken back',
    );
    await expectAccessible(page, 'balances of a customer that are used up');
  });

  await test.step('the history and the event say what happened', async () => {
    const tabs = page.getByRole('navigation', { name: 'Customer' });
    await tabs.getByRole('link', { name: 'History' }).click();
    await expect(page.getByRole('list', { name: 'History' })).toContainText(/850 of 1,000 .* taken back/);
    await tabs.getByRole('link', { name: 'Events' }).click();
    await page.getByRole('link', { name: /Counter update models\.credits \+160/ }).click();
    await expect(page.getByText('150 from')).toBeVisible();
    await page.goBack();
    await page.getByRole('link', { name: /Hold models\.credits settles 0 of 300/ }).click();
    await expect(page.getByText('released a hold of 300 of models.credits')).toBeVisible();
    await page.getByRole('link', { name: 'All its events' }).click();
    await expect(page.getByRole('link', { name: /Hold .*models\.credits/ })).toHaveCount(2);
  });
});

/** The page is told that so much of the month before rolled over: a month cannot pass in a test. */
async function rollOver(page: Page, amount: number): Promise<void> {
  await page.route(`**/customers/*/environments/${environmentId}`, async (route) => {
    const response = await route.fetch();
    const entitled = (await response.json()) as CustomerEntitlements;
    for (const { meter } of entitled.entitlements) {
      if (meter?.state !== 'metered') continue;
      const endsAt = Date.now() + 20 * 86_400_000;
      meter.balances = [
        {
          ...{ kind: 'balance', id: 'roll:prop_1:0', source: 'rollover', rolledFrom: Date.UTC(2026, 9, 1) },
          ...{ amount, used: 1, remaining: amount - 1, endsAt },
        },
        { kind: 'quota', amount: 10, used: 0, remaining: 10, endsAt },
      ];
      Object.assign(meter, { limit: 10 + amount, used: 1, remaining: 9 + amount });
    }
    await route.fulfill({ response, json: entitled });
  });
}

test('what rolled over is listed where nothing was bought or given, before the quota that ends with it', async ({
  page,
}) => {
  await expect.poll(() => credits(page), { timeout: 10_000 }).toMatchObject({ limit: 10 });
  await rollOver(page, 4);
  await page.goto(`/o/${organisation.id}/customers/${WHO}`);
  const rolled = lines(page).first();
  await expect(rolled).toContainText('Rolled over from October 2026');
  await expect(rolled).toContainText('Next to be used');
  await expect(rolled).toContainText('3 left');
  await expect(rolled.getByRole('button')).toHaveCount(0);
  await expect(lines(page).nth(1)).toContainText('Quota');
  await expectAccessible(page, 'a customer with what rolled over');
  await expectFitting(page);
});

test('a balance can be one member’s, and is listed with whose it is', async ({ page }) => {
  await expect.poll(() => credits(page), { timeout: 10_000 }).toMatchObject({ limit: 10 });
  await page.goto(`/o/${organisation.id}/customers/${WHO}`);
  await page.getByRole('button', { name: 'Actions for Models credits' }).click();
  await page.getByRole('menuitem', { name: 'Add balance…' }).click();
  await dialog(page).getByRole('textbox', { name: 'Amount of models.credits' }).fill('50');
  await dialog(page).getByRole('textbox', { name: 'Member' }).fill('user_7');
  await reason(page).fill('A pilot user');
  await expectAccessible(page, 'adding a member’s balance');
  await dialog(page).getByRole('button', { name: 'Add balance' }).click();
  await expect(lines(page)).toHaveText([/Quota.*10 left/, /Paid balance.*only for user_7.*50 left/]);
  await expect(bar(page)).toHaveAttribute('aria-valuetext', '0 of 10 used');
  const theirs = { userIdentifier: WHO, entityId: 'user_7' };
  const ofMember = async () =>
    (await callPublicApi(page, key, theirs)).answer.features?.models?.properties.credits;
  await expect.poll(ofMember, { timeout: 6_000 }).toMatchObject({ limit: 60 });
  expect(await credits(page)).toMatchObject({ limit: 10 });
  await expectFitting(page);
});
