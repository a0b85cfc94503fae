// Customers, walked as support would: somebody is found, seen as the engine sees them, granted a plan, given a value of
// their own and corrected; what the API then answers is held against it.
import type { Page } from '@playwright/test';
import type { Environment } from '#contracts/console/environments';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { Plan } from '#contracts/console/plans';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { identifierSegment } from '#engine/identity/identifier-segment';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Carol Customers', 'Customer Care');
const { api } = organisation;
let key: string;

test.beforeEach(({ page }) => fill(page));

/** One seat and no exports for everybody; the plan Pro has 50 seats and 10 exports in a lifetime. */
async function fill(page: Page): Promise<void> {
  const feature = await api<Feature>(page, 'POST', '/features', { name: 'Workspaces', slug: 'workspaces' });
  const add = (propertyKey: string, more: object) =>
    api<FeatureProperty>(page, 'POST', `/features/${feature.id}/properties`, {
      ...{ name: propertyKey, propertyKey, ...more },
    });
  const bounds = { min: 0, max: 1000, allowDecimal: false };
  const seats = await add('seats', { type: 'number', value: 1, bounds });
  const exports = await add('exports', { type: 'meterable', value: { state: 'off' } });
  const { planId } = await api<Plan>(page, 'POST', '/plans', { name: 'Pro plan', slug: 'pro' });
  const meter = { limit: 10, periodType: 'lifetime', uniqueResourceIds: false };
  await api(page, 'PUT', `/plans/${planId}/versions/1`, {
    properties: {
      [feature.id]: [
        { id: seats.id, type: 'number', value: 50 },
        { id: exports.id, type: 'meterable', value: { state: 'metered', meter } },
      ],
    },
  });
  const [preview] = await api<Environment[]>(page, 'GET', '/environments');
  ({ value: key } = await api<{ value: string }>(page, 'POST', '/api-keys', {
    environmentId: preview!.id,
    type: 'secret',
  }));
}

/** The response to an application. The first call may wait until the preview environment is built. */
async function ask(page: Page, userIdentifier: string): Promise<AccessCheckAnswer> {
  const response = await page.request.post('/api/v1/access-checks', {
    headers: { authorization: `Bearer ${key}` },
    data: { userIdentifier },
  });
  return (await response.json()) as AccessCheckAnswer;
}

async function propertyOf(page: Page, who: string, property: 'seats' | 'exports'): Promise<unknown> {
  return (await ask(page, who)).features?.workspaces?.properties[property];
}

const count = (page: Page, userIdentifier: string, by: number) =>
  page.request.post('/api/v1/counter-updates', {
    headers: { authorization: `Bearer ${key}` },
    data: { userIdentifier, feature: 'workspaces', property: 'exports', by },
  });

async function open(page: Page, who: string): Promise<void> {
  await expect.poll(() => propertyOf(page, who, 'seats'), { timeout: 10_000 }).toBe(1);
  await page.goto(`/o/${organisation.id}/customers/${identifierSegment(who)}`);
  await expect(page.getByRole('heading', { level: 1, name: who, exact: true })).toBeVisible();
}

const entitlement = (page: Page, property: string) =>
  page.getByRole('table', { name: 'Entitlements' }).getByRole('row').filter({ hasText: property });

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('somebody is found by the whole identifier, and listed once something is granted', async ({ page }) => {
  await page.goto(`/o/${organisation.id}/`);
  await page.getByRole('link', { name: 'Customers', exact: true }).click();
  await expect(page.getByText('No manual grants or overrides yet')).toBeVisible();
  await page.getByRole('textbox', { name: 'Find a customer' }).fill('Ada@Example.com');
  await page.getByRole('link', { name: /Open ada@example.com/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'ada@example.com' })).toBeVisible();
  await expect(page.getByText('No plan, so every property has its default value.')).toBeVisible();

  await page.getByRole('button', { name: 'Grant a plan' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Grant plan' }).click();
  await expect(dialog.getByText('Required').first()).toBeVisible();
  await choose(page, 'Plan', 'Pro plan');
  await dialog.getByRole('button', { name: 'In 30 days' }).click();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('A pilot until the board decides');
  await dialog.getByRole('button', { name: 'Grant plan' }).click();
  await expect(page.getByText('Plan granted')).toBeVisible();

  const granted = page.getByRole('list', { name: 'Granted plans' });
  await expect(granted).toContainText('A pilot until the board decides');
  await expect(granted).toContainText(/ends in (29|30) days/);
  await expect(page.getByRole('list', { name: 'Plans of the customer' })).toContainText('granted manually');
  await expect(entitlement(page, 'seats')).toContainText('50');
  await expect(entitlement(page, 'seats')).toContainText('Pro plan');
  await expect.poll(() => propertyOf(page, 'ada@example.com', 'seats'), { timeout: 6_000 }).toBe(50);

  await page.goto(`/o/${organisation.id}/customers`);
  const row = page.getByRole('list', { name: 'Customers' }).getByRole('link', { name: /ada@example.com/ });
  await expect(row).toContainText('Pro plan');
  await row.click();

  await page.getByRole('button', { name: 'Actions for Pro plan' }).click();
  await page.getByRole('menuitem', { name: 'Withdraw' }).click();
  await page.getByRole('button', { name: 'Withdraw Pro plan' }).click();
  await expect(page.getByText('No plans granted manually.')).toBeVisible();
  expect(await propertyOf(page, 'ada@example.com', 'seats')).toBe(1);
});

test('a property is given a value of its own, checked like any other, and loses it again', async ({
  page,
}) => {
  await open(page, 'grace');
  await page.getByRole('button', { name: 'Override a property' }).click();
  const dialog = page.getByRole('dialog');
  await choose(page, 'Property', 'workspaces.seats');
  await dialog.getByLabel('Value', { exact: true }).fill('2000');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Moves in over the weekend');
  await dialog.getByRole('button', { name: 'Override property' }).click();
  await expect(dialog.getByText('Must be less than or equal to 1000')).toBeVisible();
  await dialog.getByLabel('Value', { exact: true }).fill('77');
  await choose(page, 'Environment', 'Preview');
  await dialog.getByRole('button', { name: 'Override property' }).click();
  await expect(page.getByText('Property overridden')).toBeVisible();
  await expect(entitlement(page, 'seats')).toContainText('77');
  await expect(entitlement(page, 'seats')).toContainText('Override');
  await expect.poll(() => propertyOf(page, 'grace', 'seats'), { timeout: 6_000 }).toBe(77);

  await page.getByRole('button', { name: 'Actions for workspaces.seats' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove override' }).click();
  await expect(page.getByText('No property is overridden.')).toBeVisible();
  await expect(entitlement(page, 'seats')).toContainText('Default');
  expect(await propertyOf(page, 'grace', 'seats')).toBe(1);
});

test('a meter shows what was used, and is corrected with a reason', async ({ page }) => {
  await open(page, 'team-4711');
  const [plan] = await api<Plan[]>(page, 'GET', '/plans');
  await api(page, 'POST', '/customers/team-4711/grants', {
    ...{ planId: plan!.planId, environmentId: null, reason: 'A pilot customer', until: null },
  });
  await count(page, 'team-4711', 12);
  await page.reload();
  const meter = page.getByRole('list', { name: 'Meters' }).getByRole('listitem');
  await expect(meter).toContainText('12 of 10 in a lifetime');
  await expect(meter).toContainText('Limit reached');
  await page.getByRole('button', { name: 'Correct Workspaces exports' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('-3.5');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Counted twice');
  await dialog.getByRole('button', { name: 'Correct meter' }).click();
  await expect(dialog.getByText('Must be a whole number')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('-8');
  await expect(dialog.getByText('12 used now, 4 afterwards.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Correct meter' }).click();
  await expect(page.getByText('Meter corrected')).toBeVisible();
  await expect(meter).toContainText('4 of 10');
  expect(await propertyOf(page, 'team-4711', 'exports')).toMatchObject({ used: 4, allowed: true });

  const events = page.getByRole('list', { name: 'Recent events' });
  await expect(events).toContainText('Counter update', { timeout: 15_000 });
  await expect(events).toContainText('workspaces.exports +12');
});

test('a customer’s page has an address of its own, whatever characters the identifier has', async ({
  page,
}) => {
  await page.goto(`/o/${organisation.id}/customers`);
  for (const who of ['..', 'a/b?c#d', 'a%2Fb', '100 % O’Hara "x"']) {
    await page.getByRole('textbox', { name: 'Find a customer' }).fill(who);
    await page.getByRole('link', { name: `Open ${who}` }).click();
    await expect(page.getByRole('heading', { level: 1, name: who, exact: true })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: who, exact: true })).toBeVisible();
    await expect(page.getByText('No plans granted manually.')).toBeVisible();
    await page.getByRole('link', { name: 'Customers', exact: true }).first().click();
  }
});

test('the environment stands in the address', async ({ page }) => {
  const live = await api<Environment>(page, 'POST', '/environments', { name: 'Production', type: 'live' });
  await open(page, 'ada');
  await expect(page.getByText('Nothing is deployed')).toBeVisible();
  await page.getByRole('navigation', { name: 'Environment' }).getByRole('link', { name: 'Preview' }).click();
  await expect(page).toHaveURL(/environment=env_/);
  await expect(entitlement(page, 'seats')).toBeVisible();
  await page.goto(`/o/${organisation.id}/customers/ada?environment=${live.id}`);
  await expect(page.getByText('Nothing is deployed')).toBeVisible();
});

test('the screens are accessible in both themes, and fit a telephone', async ({ page }) => {
  await open(page, 'ada');
  const [plan] = await api<Plan[]>(page, 'GET', '/plans');
  await api(page, 'POST', '/customers/ada/grants', {
    ...{ planId: plan!.planId, environmentId: null, reason: 'A pilot customer', until: null },
  });
  await count(page, 'ada', 9);
  await page.goto(`/o/${organisation.id}/customers`);
  await expect(page.getByRole('list', { name: 'Customers' })).toBeVisible();
  await expectAccessible(page, 'customers');
  await page.goto(`/o/${organisation.id}/customers/ada`);
  await expect(page.getByRole('list', { name: 'Recent events' })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole('list', { name: 'Meters' })).toBeVisible();
  await expectAccessible(page, 'a customer');
  await page.getByRole('button', { name: 'Override a property' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'overriding a property');
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['', '/ada']) {
    await page.goto(`/o/${organisation.id}/customers${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectFitting(page, path);
  }
});
