// Customers, end to end: find, inspect, grant, override and adjust, checked against the API.

import type { Page } from '@playwright/test';
import type { Environment } from '#contracts/console/environments';
import type { Plan } from '#contracts/console/plans';
import { identifierSegment } from '#engine/identity/identifier-segment';
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
import { visitPage } from './support/visit-page.ts';

const organisation = ownOrganisation('Carol Customers', 'Customer Care');
const { api } = organisation;
let key: string;

test.beforeEach(({ page }) => fill(page));

/** One seat and no exports for everybody; the plan Pro has 50 seats and 10 exports in a lifetime. */
async function fill(page: Page): Promise<void> {
  const workspace = organisation.workspace(page);
  const bounds = { min: 0, max: 1000, allowDecimal: false };
  const feature = await createFeature(workspace, {
    name: 'Workspaces',
    slug: 'workspaces',
    properties: [
      { name: 'seats', propertyKey: 'seats', type: 'number', value: 1, bounds },
      { name: 'exports', propertyKey: 'exports', type: 'meterable', value: { state: 'off' } },
    ],
  });
  const plan = await createPlan(workspace, { name: 'Pro plan', slug: 'pro' });
  const meter = { limit: 10, periodType: 'lifetime', uniqueResourceIds: false } as const;
  await setPlanValues(workspace, plan, {
    [feature.id]: [
      ...feature.systemFeatureProperties.map(({ id }) => ({ id, type: 'boolean' as const, value: true })),
      { id: idOf(feature, 'seats'), type: 'number', value: 50 },
      { id: idOf(feature, 'exports'), type: 'meterable', value: { state: 'metered', meter } },
    ],
  });
  key = await createKey(workspace, await previewOf(workspace));
}

/** The response to an application. The first call may wait until the preview environment is built. */
const ask = async (page: Page, userIdentifier: string) =>
  (await callPublicApi(page, key, { userIdentifier })).answer;

async function propertyOf(page: Page, who: string, property: 'seats' | 'exports'): Promise<unknown> {
  return (await ask(page, who)).features?.workspaces?.properties[property];
}

const count = (page: Page, userIdentifier: string, by: number) =>
  callPublicApi(
    page,
    key,
    { userIdentifier, feature: 'workspaces', property: 'exports', by },
    { path: 'counter-updates' },
  );

async function open(page: Page, who: string): Promise<void> {
  await expect.poll(() => propertyOf(page, who, 'seats'), { timeout: 10_000 }).toBe(1);
  await page.goto(`/o/${organisation.id}/customers/${identifierSegment(who)}`);
  await expect(page.getByRole('heading', { level: 1, name: who, exact: true })).toBeVisible();
}

const entitlement = (page: Page, property: string) =>
  page.getByRole('list', { name: 'Entitlements' }).getByRole('listitem').filter({ hasText: property });

/** Of a customer's page. */
const openTab = (page: Page, name: 'Entitlements' | 'Events' | 'History') =>
  page.getByRole('navigation', { name: 'Customer' }).getByRole('link', { name }).click();

const table = (page: Page) => page.getByRole('table', { name: 'Customers' });

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('somebody is looked up, granted a plan, and then found in the table by search, filter and keyboard', async ({
  page,
}) => {
  await page.goto(`/o/${organisation.id}/customers`);
  await expect(page.getByText('No customers yet')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('Ada@Example.com');
  await page.getByRole('link', { name: 'Look up ada@example.com as a customer ID' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'ada@example.com' })).toBeVisible();
  await expect(
    page.getByText('No plan. Properties have their default values unless overridden.'),
  ).toBeVisible();

  await page.getByRole('button', { name: 'Grant a plan' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Grant plan' }).click();
  await expect(dialog.getByText('Required').first()).toBeVisible();
  await choose(page, 'Plan', 'Pro plan');
  await dialog.getByRole('button', { name: 'In 30 days' }).click();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('A pilot until the board decides');
  await dialog.getByRole('button', { name: 'Grant plan' }).click();
  await expect(page.getByText('Plan granted', { exact: true })).toBeVisible();
  const granted = page.getByRole('list', { name: 'Granted plans' });
  await expect(granted).toContainText('A pilot until the board decides');
  await expect(granted).toContainText(/ends in (29|30) days/);
  await expect(page.getByRole('list', { name: 'Plans of the customer' })).toContainText('granted manually');
  await expect(entitlement(page, 'seats')).toContainText(/50.*Pro plan/);
  await expect.poll(() => propertyOf(page, 'ada@example.com', 'seats'), { timeout: 6_000 }).toBe(50);

  for (const who of ['ada-2', 'ada-3']) {
    await api(page, 'POST', `/customers/${who}/grants`, {
      planId: (await api<Plan[]>(page, 'GET', '/plans'))[0]!.planId,
      environmentId: null,
      reason: 'A pilot customer',
      until: null,
    });
  }
  await page.goto(`/o/${organisation.id}/customers?query=ada`);
  const rows = table(page).getByRole('row');
  await expect(rows).toHaveCount(4);
  await page.getByRole('button', { name: 'Has override' }).click();
  await expect(page.getByText('No customer in this filter begins with “ada”.')).toBeVisible();
  await page.getByRole('button', { name: 'Granted' }).click();
  await expect(rows).toHaveCount(4);
  await page.keyboard.press('j');
  await expect(rows.nth(1).getByRole('link')).toBeFocused();
  await page.keyboard.press('j');
  await expect(rows.nth(2).getByRole('link')).toBeFocused();
  await page.keyboard.press('Space');
  const sheet = page.getByRole('complementary', { name: 'Customer', exact: true });
  await expect(sheet.getByRole('heading', { name: 'ada-3' })).toBeVisible();
  await expect(sheet.getByRole('list').first()).toContainText('Pro plan');
  await page.keyboard.press('j');
  await expect(sheet.getByRole('heading', { name: 'ada@example.com' })).toBeVisible();
  await expectAccessible(page, 'a customer in the side sheet');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(rows.nth(3).getByRole('link')).toBeFocused();
  await page.keyboard.press('Enter');

  await page.getByRole('button', { name: 'Actions for Pro plan' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke Pro plan' }).click();
  await expect(granted).toHaveCount(0);
  await openTab(page, 'History');
  await expect(page.getByRole('list', { name: 'History' }).getByRole('listitem').first()).toContainText(
    'Pro plan revoked',
  );
  expect(await propertyOf(page, 'ada@example.com', 'seats')).toBe(1);
});

test('a property is overridden in its row, in one environment, tested with a check, and loses its value again', async ({
  page,
}) => {
  const live = await api<Environment>(page, 'POST', '/environments', { name: 'Production', type: 'live' });
  await open(page, 'grace');
  await expect(page.getByText('Nothing is deployed').first()).toBeVisible();
  const environment = page.getByRole('combobox', { name: 'Environment' }).first();
  await environment.selectOption('Preview');
  await expect(page).toHaveURL(/environment=env_/);
  await page.getByRole('button', { name: 'Override Workspaces seats' }).click();
  const editor = page.getByRole('form', { name: 'Override Workspaces seats' });
  await editor.getByLabel('Value', { exact: true }).fill('2000');
  await editor.getByRole('textbox', { name: 'Reason' }).fill('Moves in over the weekend');
  await editor.getByRole('button', { name: 'Override' }).click();
  await expect(editor.getByText('Must be less than or equal to 1,000')).toBeVisible();
  // A field that receives the focus places its caret a moment later.
  await editor.getByLabel('Value', { exact: true }).click();
  await editor.getByLabel('Value', { exact: true }).fill('77');
  // Neither another environment nor another row loses what was typed.
  await environment.selectOption('Production');
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Override Workspaces exports' }).click();
  await page.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByText('Leave without saving?')).toHaveCount(0);
  // It is for the environment that is looked at; another choice says that Production is part of it.
  await expect(editor.getByRole('combobox', { name: 'Environment' })).toHaveValue('Preview');
  await editor.getByRole('combobox', { name: 'Environment' }).click();
  await expect(page.getByRole('option', { name: 'All environments, including Production' })).toBeVisible();
  await page.getByRole('listbox').getByRole('option', { name: 'Preview' }).click();
  await editor.getByRole('button', { name: 'Override' }).click();
  await expect(editor).toHaveCount(0);
  await expect(entitlement(page, 'seats')).toContainText(/77.*Override.*Moves in over the weekend/);
  await expect.poll(() => propertyOf(page, 'grace', 'seats'), { timeout: 6_000 }).toBe(77);
  await page.getByRole('button', { name: 'Overridden' }).click();
  await expect(page.getByRole('list', { name: 'Entitlements' })).not.toContainText('exports');
  await expectAccessible(page, 'a customer with an override');

  await page.getByRole('button', { name: 'Test a check' }).click();
  const sheet = page.getByRole('complementary', { name: 'Test a check' });
  await expect(sheet.getByRole('region', { name: 'Explanation' })).toContainText(/seats.*77/);
  await expect(sheet.getByRole('group', { name: 'the response' })).toContainText('"seats": 77');
  await expectAccessible(page, 'a test check');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Actions for Workspaces seats' }).click();
  await page.getByRole('menuitem', { name: 'Edit override' }).click();
  await expect(editor.getByLabel('Value', { exact: true })).toHaveValue('77');
  await expect(editor.getByRole('combobox', { name: 'Environment' })).toBeDisabled();
  await expectAccessible(page, 'the editor of an override');
  await editor.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Actions for Workspaces seats' }).click();
  await page.getByRole('menuitem', { name: 'Remove override' }).click();
  const removal = page.getByRole('dialog', { name: 'Remove the override of Workspaces › seats?' });
  await removal.getByRole('button', { name: 'Remove override' }).click();
  await expect(page.getByText('No value is overridden in this environment.')).toBeVisible();
  expect(await propertyOf(page, 'grace', 'seats')).toBe(1);
  await openTab(page, 'History');
  const history = page.getByRole('list', { name: 'History' }).getByRole('listitem');
  await expect(history).toHaveText([
    /Override of workspaces.seats removed/,
    /workspaces.seats overridden: 77.*Moves in over the weekend · Preview/,
  ]);
  await page.goto(`/o/${organisation.id}/customers/grace?environment=${live.id}`);
  await expect(page.getByText('Nothing is deployed').first()).toBeVisible();
});

test('a meter shows what was used, and is corrected with a reason; the screens fit a telephone', async ({
  page,
}) => {
  await open(page, 'team-4711');
  const [plan] = await api<Plan[]>(page, 'GET', '/plans');
  await api(page, 'POST', '/customers/team-4711/grants', {
    planId: plan!.planId,
    environmentId: null,
    reason: 'A pilot customer',
    until: null,
  });
  await count(page, 'team-4711', 12);
  await page.reload();
  const meter = entitlement(page, 'exports');
  await expect(meter).toContainText('12 of 10 total');
  await expect(meter).toContainText('Limit reached');
  await page.getByRole('button', { name: 'Actions for Workspaces exports' }).click();
  await page.getByRole('menuitem', { name: 'Adjust usage…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('-3.5');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Counted twice');
  await dialog.getByRole('button', { name: 'Adjust usage' }).click();
  await expect(dialog.getByText('Must be a whole number')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('-8');
  await expect(dialog.getByText('12 used now, 4 afterwards.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Adjust usage' }).click();
  await expect(page.getByText('Usage adjusted', { exact: true })).toBeVisible();
  await expect(meter).toContainText('4 of 10');
  expect(await propertyOf(page, 'team-4711', 'exports')).toMatchObject({ used: 4, allowed: true });

  await openTab(page, 'Events');
  const events = page.getByRole('list', { name: 'Recent events' });
  await expect(events).toContainText('Counter update', { timeout: 15_000 });
  await expect(events).toContainText('workspaces.exports +12');
  await openTab(page, 'Entitlements');
  await page.getByRole('button', { name: 'Override Workspaces exports' }).click();
  await expectAccessible(page, 'a customer, with the override editor');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFitting(page, 'a customer');
  await page.goto(`/o/${organisation.id}/customers`);
  await expect(table(page).getByRole('link')).toHaveCount(1);
  await expectFitting(page, 'customers');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectAccessible(page, 'customers');
});

test('a customer’s page has an address of its own, whatever characters the identifier has', async ({
  page,
}) => {
  await page.goto(`/o/${organisation.id}/customers`);
  await expect(page.getByText('No customers yet')).toBeVisible();
  for (const who of ['..', 'a/b?c#d', 'a%2Fb', '100 % O’Hara "x"']) {
    await visitPage(page, `/o/${organisation.id}/customers?query=${encodeURIComponent(who)}`);
    await page.getByRole('link', { name: `Look up ${who} as a customer ID` }).click();
    await expect(page.getByRole('heading', { level: 1, name: who, exact: true })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: who, exact: true })).toBeVisible();
    await openTab(page, 'History');
    await expect(page.getByText('Nothing has changed for this customer yet.')).toBeVisible();
  }
});
