// The dashboard: first steps of a new organisation, usage as it really is, and what it says when something is amiss.

import type { Page } from '@playwright/test';
import type { Artifact } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { UsageItem } from '#contracts/console/usage';
import { callPublicApi } from './support/call-public-api.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { join, newPerson } from './support/people.ts';
import { expectAfterRetries } from './support/settle-page.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Dot Dashboard', 'Board Works');
const { api } = organisation;

/** Returns the full key. */
async function makeKey(page: Page, environmentId: string): Promise<string> {
  const key = await api<{ value: string }>(page, 'POST', '/api-keys', { environmentId, type: 'secret' });
  return key.value;
}

/** Calls the public API as a customer's application in London would, until it has answered `times`. */
async function check(page: Page, key: string, times: number): Promise<void> {
  const from = { country: 'GB', city: 'London', continent: 'EU' };
  const ask = async () =>
    (await callPublicApi(page, key, { userIdentifier: 'ada@example.com' }, { from })).status;
  // A new key is accepted everywhere only after a few seconds. Calls refused until then are not counted for the organisation.
  await expect.poll(ask).toBe(200);
  for (let made = 1; made < times; made += 1) expect(await ask()).toBe(200);
}

/** Waits until the organisation's event stream has counted them. */
async function counted(page: Page, total: number): Promise<UsageItem[]> {
  const read = async () => (await api<{ items: UsageItem[] }>(page, 'GET', '/usage/periods/day')).items;
  await expect
    .poll(async () => (await read()).reduce((sum, item) => sum + item.total, 0))
    .toBeGreaterThanOrEqual(total);
  return read();
}

async function setUpAll(page: Page): Promise<{ preview: Environment; live: Environment }> {
  await api(page, 'POST', '/features', { name: 'Exports', slug: 'exports' });
  await api(page, 'POST', '/plans', { name: 'Team', slug: 'team' });
  const { artifactId } = await api<Artifact>(page, 'POST', '/artifacts');
  const live = await api<Environment>(page, 'POST', '/environments', { name: 'Production', type: 'live' });
  await api(page, 'PUT', `/deployments/${live.id}/artifact`, { artifactId });
  const environments = await api<Environment[]>(page, 'GET', '/environments');
  return { live, preview: environments.find(({ type }) => type === 'preview')! };
}

test('a new organisation is led through its first steps, each checked off by what there is', async ({
  page,
}) => {
  await page.goto(`/o/${organisation.id}/`);
  await expect(page.getByRole('heading', { name: 'Welcome, Dot Dashboard' })).toBeVisible();
  const steps = page.getByRole('list', { name: 'Ship your first version' }).getByRole('listitem');
  await expect(steps).toHaveCount(5);
  await expect(page.getByText('Completed 0/5')).toHaveCount(2);
  await expect(steps.first()).toHaveAttribute('aria-current', 'step');
  await expect(page.getByRole('region', { name: 'Requests remaining' })).toContainText('100,000 of 100,000');
  await expectAccessible(page, 'the quick start');

  await test.step('a feature and a plan open, once they are created', async () => {
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Create a feature' }).click();
    await dialog.getByLabel('Name').fill('Exports');
    await dialog.getByRole('button', { name: 'Create feature' }).click();
    await expect(page).toHaveURL(/\/features\/[a-z]+_/);
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await expect(page.getByText('Completed 1/5')).toBeVisible();
    await expect(steps.nth(0)).toContainText('Done');
    await expect(steps.nth(1)).toHaveAttribute('aria-current', 'step');
    await page.getByRole('button', { name: 'Create a plan' }).click();
    await dialog.getByLabel('Name').fill('Team');
    await dialog.getByRole('button', { name: 'Create plan' }).click();
    await expect(page).toHaveURL(/\/plans\/[a-z]+_/);
  });

  await test.step('a version, an environment and a deployment are made on the dashboard', async () => {
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await expect(page.getByText('Completed 2/5')).toBeVisible();
    await page.getByRole('button', { name: 'Create New Version' }).click();
    await expect(page.getByText('Completed 3/5')).toBeVisible();
    await expect(steps.nth(3)).toContainText('Add a live or test environment');
    await page.getByRole('button', { name: 'Add an environment' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Production');
    await page.getByRole('dialog').getByRole('button', { name: 'Create environment' }).click();
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deploy version 1 to Production' }).click();
    await expect(page.getByText('Completed 4/5')).toBeVisible();
  });

  const key = await test.step('a key is shown where it was created, until it was copied', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Create an API key' }).click();
    await expectAccessible(page, 'a dialog of the first steps');
    await page.getByRole('dialog').getByRole('button', { name: 'Create secret key' }).click();
    await expect(page.getByRole('heading', { name: 'Your new secret key for Production' })).toBeVisible();
    await expect(page.getByTestId('new-key')).toBeInViewport();
    await expect(page.getByText('Completed 5/5')).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 720 });
    const value = await page.getByTestId('new-key').textContent();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByTestId('new-key')).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Welcome, Dot Dashboard' })).toBeVisible();
    return value ?? '';
  });

  // It does not vanish with the first access check: the stack is still to be connected.
  await check(page, key, 1);
  await counted(page, 1);
  await page.goto(`/o/${organisation.id}/`);
  await expect(page.getByText('Completed 5/5')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Requests remaining' })).toContainText('of 100,000');
  await expect(page.getByRole('link', { name: 'Start' })).toHaveAttribute('href', '/quickstart');
  await api(page, 'PUT', '/quickstart', { quickstartStatus: 'finished' });
  await page.reload();
  await expect(page.getByRole('region', { name: 'API requests this month' })).toBeVisible();
  await expect(page.getByText('Completed 5/5')).toBeHidden();
});

test('usage adds up as the API counts it, by kind and by environment, day by day, with a table behind', async ({
  page,
}) => {
  const { live, preview } = await setUpAll(page);
  await check(page, await makeKey(page, live.id), 5);
  await check(page, await makeKey(page, preview.id), 2);
  const items = await counted(page, 7);
  const totalOf = (environment: string) =>
    items.filter((item) => item.environment === environment).reduce((sum, { total }) => sum + total, 0);
  const all = totalOf(live.id) + totalOf(preview.id);

  await page.goto(`/o/${organisation.id}/`);
  await expect(page.getByRole('region', { name: 'API requests this month' })).toContainText(
    `${all} this month`,
  );
  await expect(page.getByRole('region', { name: 'Third-party events this month' })).toContainText(
    '0 this month',
  );
  const remaining = page.getByRole('region', { name: 'Requests remaining' });
  await expect(remaining).toContainText(`99,${1000 - all} of 100,000`);
  await expect(remaining).toContainText(`${all} used`);

  const chart = page.getByRole('figure');
  await expect(chart).toContainText(`API requests ${all}`);
  await page.getByText('By environment', { exact: true }).click();
  await expect(chart).toContainText(`Production ${totalOf(live.id)}`);
  await expect(chart).toContainText(`Preview ${totalOf(preview.id)}`);
  await expect(page.getByRole('heading', { name: 'Latest decisions' })).toBeVisible();
  await expect(page.getByText('No customers are near a limit.')).toBeVisible();
  await expectAccessible(page, 'the usage');

  await test.step('the arrow keys read the chart day by day', async () => {
    await chart.getByRole('slider').focus();
    const now = new Date();
    const today = now.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
    await expect(chart.getByRole('slider')).toHaveAttribute('aria-valuetext', new RegExp(`^${today}: `));
    await expect(chart).toContainText(today);
  });

  await test.step('the table has the same numbers', async () => {
    await page.getByRole('button', { name: 'Show table' }).click();
    const table = page.getByRole('table', { name: 'Usage by day' });
    await expect(table.getByRole('columnheader')).toHaveText(
      totalOf(live.id) > totalOf(preview.id)
        ? ['Day', 'Production', 'Preview', 'All']
        : ['Day', 'Preview', 'Production', 'All'],
    );
    const sums = table.getByRole('row').last();
    await expect(sums).toContainText('Month');
    await expect(sums.getByRole('cell').last()).toHaveText(String(all));
    await expectAccessible(page, 'the table of usage');
    await page.getByRole('button', { name: 'Show chart' }).click();
    await expect(chart).toBeVisible();
  });

  await test.step('nothing is wider than a small screen', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(chart).toBeVisible();
    await expectFitting(page);
  });
});

test('the state and the cards lead to the keys of the chosen environment and to the changes', async ({
  page,
}) => {
  const { live, preview } = await setUpAll(page);
  await makeKey(page, preview.id);
  await page.goto(`/o/${organisation.id}/`);
  const environment = page.getByLabel('Environment', { exact: true });
  await expect(environment).toHaveValue(live.id);
  await expect(page.getByText('No keys yet')).toBeVisible();
  await environment.selectOption('Preview');
  await expect(page.getByText('1 secret key, 0 public keys')).toBeVisible();
  await page.getByRole('link', { name: 'Manage API keys' }).click();
  await expect(page).toHaveURL(`/o/${organisation.id}/environments/environments/${preview.id}/keys`);
  await page.goBack();
  const overview = page.locator('section', { hasText: 'Version & Deployment Overview' }).last();
  await expect(overview).toContainText(live.name);
  await expect(overview).toContainText('v1');
  await expect(page.getByRole('link', { name: 'View changes' })).toHaveAttribute(
    'href',
    `/o/${organisation.id}/environments/changes`,
  );
  const state = page.getByRole('region', { name: 'What runs where' });
  await expect(state).toContainText('The workspace matches v1');
  await api(page, 'POST', '/plans', { name: 'Scale', slug: 'scale' });
  await page.reload();
  await expect(state.getByRole('link', { name: 'Production v1' })).toBeVisible();
  await expect(state).toContainText('1 change not deployed');
  await api(page, 'POST', '/artifacts');
  await page.reload();
  await expect(state).toContainText(`v2 not deployed to ${live.name}`);
  await api(page, 'POST', '/plans', { name: 'Enterprise', slug: 'enterprise' });
  await page.reload();
  await state.getByRole('link', { name: '1 change not deployed Review' }).click();
  await expect(page).toHaveURL(`/o/${organisation.id}/environments/changes`);
});

test('an allowance that is used up, and checks that are refused, are said at the top', async ({ page }) => {
  const { live } = await setUpAll(page);
  await check(page, await makeKey(page, live.id), 3);
  await counted(page, 3);
  let change: object = { visibleTotalMonthlyRequestLimit: 3 };
  await page.route('**/summary', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...change } });
  });
  await page.goto(`/o/${organisation.id}/`);
  await expect(page.getByRole('alert')).toContainText('This month’s limit of 3 API calls is reached');
  await expect(page.getByRole('region', { name: 'Requests remaining' })).toContainText('0 of 3');
  await expectAccessible(page, 'a used-up allowance');

  change = { blockReason: 'The monthly allowance is used up' };
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('API calls are blocked');
  await expect(page.getByRole('alert')).toContainText('The monthly allowance is used up');
  await expectAccessible(page, 'a block');

  change = { visibleTotalMonthlyRequestLimit: null };
  await page.reload();
  await expect(page.getByRole('region', { name: 'Requests remaining' })).toContainText('No monthly limit');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('usage, allowance and environments that cannot be loaded are named beside the rest of the page, and tried again', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/usage\/periods|summary|environments/);
  const fail = (address: string) =>
    page.route(address, (route) => route.fulfill({ status: 500, body: 'no json' }));
  await page.clock.install();
  await test.step('usage', async () => {
    await fail('**/usage/periods/day');
    await page.goto(`/o/${organisation.id}/`);
    await expectAfterRetries(page, page.getByText('The usage could not be loaded'));
    await expect(page.getByRole('link', { name: 'Manage API keys' })).toBeVisible();
    await page.unroute('**/usage/periods/day');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('Completed 0/5').first()).toBeVisible();
  });
  await test.step('environments, which are not said to be loading for ever', async () => {
    await fail('**/environments');
    await page.goto(`/o/${organisation.id}/`);
    await expectAfterRetries(page, page.getByText('The environments could not be loaded'));
    await expect(page.getByText('Version & Deployment Overview')).toBeVisible();
    await page.unroute('**/environments');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('link', { name: 'Manage API keys' })).toBeVisible();
  });
  await test.step('the allowance', async () => {
    await fail('**/summary');
    await page.route('**/usage/periods/day', (route) =>
      route.fulfill({
        json: {
          items: [{ type: 'ac', environment: 'none', total: 3, periodStartAt: Date.now() }],
          hasUsage: true,
        },
      }),
    );
    await page.goto(`/o/${organisation.id}/`);
    const tile = page.getByRole('region', { name: 'Requests remaining' });
    await expectAfterRetries(page, tile.getByText('Your plan’s allowance could not be loaded.'));
  });
});

test('somebody without an organisation is led to make one', async ({ page }) => {
  const loner = newPerson('Lou Loner');
  await page.context().clearCookies();
  await join(page.request, loner);
  await page.goto('/');
  await page.getByRole('link', { name: 'Create organisation', exact: true }).click();
  await expect(page).toHaveURL('/create-organisation');
});
