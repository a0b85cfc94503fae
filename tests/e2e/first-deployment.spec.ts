// A new user's whole path through the console: from no organisation to a deployed version that an access check uses, and a
// change of it. The API is called only as an application would.

import type { Page } from '@playwright/test';
import { callPublicApi } from './support/call-public-api.ts';
import { join, newPerson } from './support/people.ts';
import { expect, test } from './support/test.ts';

const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Main' });

async function createOrganisation(page: Page): Promise<void> {
  await join(page.request, newPerson('Nora Newcomer'));
  await page.goto('/');
  await page.getByRole('link', { name: 'Create organisation', exact: true }).click();
  await page.getByLabel('Organisation name').fill('Newcomer Works');
  await page.getByRole('button', { name: 'Create organisation' }).click();
}

/** A feature with a limit that has a default. */
async function createFeature(page: Page): Promise<void> {
  await menuOf(page).getByRole('link', { name: 'Features' }).click();
  await page.getByRole('button', { name: 'Create a feature' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Data exports');
  await page.getByRole('dialog').getByRole('button', { name: 'Create feature' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Data exports' })).toBeVisible();
  await page.getByRole('button', { name: 'Add a property' }).click();
  const property = page.getByRole('dialog');
  await property.getByLabel('Name').fill('Rows');
  await property.getByRole('radio', { name: 'Number', exact: true }).check();
  await property.getByLabel('Default value').fill('100');
  await property.getByRole('button', { name: 'Create property' }).click();
  await expect(property).toBeHidden();
}

/** A plan for everybody signed in that allows more. */
async function createPlan(page: Page): Promise<void> {
  await menuOf(page).getByRole('link', { name: 'Plans' }).click();
  await page.getByRole('button', { name: 'Add a Plan' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Starter');
  await page.getByRole('dialog').getByRole('button', { name: 'Create plan' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Starter' })).toBeVisible();
  const plan = page.getByRole('navigation', { name: 'Plan' });
  await plan.getByRole('link', { name: 'Manage' }).click();
  await page.getByLabel('Assign to Registered Users').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Plan updated').first()).toBeVisible();
  await plan.getByRole('link', { name: 'Features' }).click();
  await page.getByRole('link', { name: 'Configure Features' }).first().click();
  await page
    .getByRole('region', { name: 'All features' })
    .getByRole('checkbox', { name: 'Data exports', exact: true })
    .check();
  await page.getByRole('button', { name: 'Set a value for Data exports: Rows' }).click();
  await page.getByRole('textbox', { name: 'Data exports: Rows' }).fill('5000');
  await page.getByRole('button', { name: 'Update Plan' }).click();
  await expect(page).toHaveURL(/\/feature$/);
}

async function createVersion(page: Page): Promise<void> {
  await menuOf(page).getByRole('link', { name: 'Environments' }).click();
  await page.getByRole('link', { name: 'Changes' }).click();
  await expect(page.getByRole('region', { name: 'Plan Starter' })).toContainText('5,000');
  await page.getByRole('button', { name: 'Create New Version' }).click();
  await expect(page.getByText('Version 1 created')).toBeVisible();
  // It stays after the toast.
  await expect(page.getByRole('button', { name: 'Deploy v1 to Production' })).toBeEnabled();
}

/** Returns a secret key of Production, which every new organisation has. */
async function createKey(page: Page): Promise<string> {
  const tabs = page.getByRole('navigation', { name: 'Environments' });
  await tabs.getByRole('link', { name: 'Environments' }).click();
  await page.getByRole('table').getByRole('link', { name: 'Production' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Production' })).toBeVisible();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('button', { name: 'Create secret key' }).click();
  return (await page.getByTestId('new-key').textContent()) ?? '';
}

/** Ends once the version has arrived everywhere. */
async function deployVersion(page: Page): Promise<void> {
  await menuOf(page).getByRole('link', { name: 'Environments' }).click();
  await page.getByRole('button', { name: 'Deploy version 1', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Deploy version 1 to Production' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deploy version 1 to Production' }).click();
  const tile = page.getByRole('list', { name: 'What runs where' }).getByRole('link', { name: /Production/ });
  await expect(tile).toContainText('Deployed');
}

test('from an empty organisation to an answered access check, through the page alone', async ({ page }) => {
  await createOrganisation(page);
  await createFeature(page);
  await createPlan(page);
  await createVersion(page);
  const key = await createKey(page);
  await deployVersion(page);
  const ask = async () => (await callPublicApi(page, key, { userIdentifier: 'ada@example.com' })).answer;
  await expect.poll(async () => (await ask()).version?.number).toBe(1);
  const answer = await ask();
  expect(answer).toMatchObject({
    status: 'success',
    identity: { isAuthenticated: true },
    customer: { plans: ['starter'] },
    features: { 'data-exports': { properties: { enabled: true, rows: 5000 } } },
  });
});
