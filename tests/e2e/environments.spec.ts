// Environments and their keys, walked as somebody new would, and what the API then holds and answers.
import type { ApiKey } from '#contracts/console/api-keys';
import type { Environment } from '#contracts/console/environments';
import { expectAccessible } from './support/expect-accessible.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { ask, chooseMove, type SmallWorkspace, smallWorkspace } from './support/small-workspace.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Vera Versions', 'Environment Works');
let works: SmallWorkspace;

test.beforeEach(({ page }) => {
  works = smallWorkspace(page, organisation.id);
});

test('keys are revealed, hidden and revoked, and no more are made than there may be', async ({ page }) => {
  await works.fill();
  const production = await works.makeEnvironment('Production');
  await works.open(`/environments/${production.id}/keys`);
  await expect(page.getByText('No keys yet. Your app sends one', { exact: false })).toBeVisible();
  await expect(page.getByText('5 of 5 left')).toHaveCount(2);
  await page.getByRole('button', { name: 'Create secret key' }).click();
  const key = (await page.getByTestId('new-key').textContent()) ?? '';
  expect(key).toMatch(/^tsr_sec_/);
  await expect(page.getByText('Nothing is deployed to Production yet', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(key)).toHaveCount(0);

  const row = page.getByRole('row', { name: /Secret/ });
  await expect(row).toContainText('Vera Versions');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api-keys/key_*', async (route) => {
    await released;
    await route.continue();
  });
  await row.getByRole('button', { name: /^Reveal/ }).click();
  await expect(row.getByText('Loading...')).toBeVisible();
  release();
  await expect(row.getByText(key)).toBeVisible();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await row.getByRole('button', { name: 'Copy the key' }).click();
  await expect(row.getByText('Copied!')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await row.getByRole('button', { name: 'Hide' }).click();
  await expect(row.getByText(key)).toHaveCount(0);
  await page.unroute('**/api-keys/key_*');

  for (const left of [3, 2, 1, 0]) {
    await page.getByRole('button', { name: 'Create secret key' }).click();
    await expect(
      page.getByText(left === 0 ? 'Limit reached. Revoke a key first' : `${left} of 5 left`),
    ).toBeVisible();
  }
  await expect(page.getByRole('button', { name: 'Create secret key' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Create public key' })).toBeEnabled();

  await expect.poll(async () => (await ask(page, key)).status).toBe(200);
  await page
    .getByRole('button', { name: /^Revoke tsr_sec/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Revoke this secret key?' });
  await expect(dialog).toContainText('Requests using this key will fail within 5 seconds');
  await dialog.getByRole('button', { name: `Revoke …${key.slice(-4)}` }).click();
  await expect(page.getByText('Key revoked')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create secret key' })).toBeEnabled();
  const { keys } = await works.api<{ keys: ApiKey[] }>('GET', `/environments/${production.id}/api-keys`);
  expect(keys).toHaveLength(4);
  await expect.poll(async () => (await ask(page, key)).status).toBe(401);
});

test('the limits of a key are shown and changed', async ({ page }) => {
  const production = await works.makeEnvironment('Production');
  await works.open(`/environments/${production.id}/keys`);
  await page.getByRole('button', { name: 'Create public key' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: /Public/ });
  await expect(row).toContainText('600 calls a minute per client');
  await expect(row).toContainText('Up to 80 % of the monthly allowance');
  await row.getByRole('button', { name: /^Edit limits of tsr_pub/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Limits of …/ });
  await expectAccessible(page, 'limits of a key');
  await dialog.getByLabel('Calls per minute').selectOption('60');
  await dialog.getByLabel('Share of the monthly allowance').selectOption('40');
  await dialog.getByRole('button', { name: 'Save limits' }).click();
  await expect(page.getByText('Limits saved')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText('60 calls a minute per client');
  await expect(row).toContainText('Up to 40 % of the monthly allowance');
  const { keys } = await works.api<{ keys: ApiKey[] }>('GET', `/environments/${production.id}/api-keys`);
  expect(keys).toMatchObject([{ rateLimit: 60, allowanceShare: 40 }]);
});

test('an environment is edited with nothing lost to somebody else, and deleted after its name is typed', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/409/);
  const production = await works.makeEnvironment('Production');
  await works.api('POST', '/api-keys', { environmentId: production.id, type: 'secret' });
  await works.open(`/environments/${production.id}/manage`);
  const save = page.getByRole('button', { name: 'Save details' });
  await expect(save).toBeDisabled();
  await page.getByLabel('Description').fill('Mine');
  await page.getByLabel('URL').fill('https://mine.example.com');
  await works.api('PUT', `/environments/${production.id}`, { name: 'Live', description: 'Theirs' });
  await save.click();
  const notice = page.getByRole('alert').filter({ hasText: 'was changed by someone else in the meantime' });
  await expect(notice).toContainText('Theirs');
  await expect(page.getByLabel('Name')).toHaveValue('Live');
  await expect(page.getByLabel('Description')).toHaveValue('Mine');
  await expect(page.getByLabel('URL')).toHaveValue('https://mine.example.com');
  await save.click();
  await expect(page.getByText('Environment updated')).toBeVisible();
  expect(await works.api<Environment>('GET', `/environments/${production.id}`)).toMatchObject({
    name: 'Live',
    description: 'Mine',
    url: 'https://mine.example.com',
  });

  await page.getByLabel('Description').fill('Never saved');
  await page.getByRole('button', { name: 'Delete Live' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Live?' });
  await expect(dialog).toContainText('Requests with its API key fail everywhere within five seconds.');
  const confirm = dialog.getByRole('button', { name: 'Delete Live' });
  await expect(confirm).toBeDisabled();
  await dialog.getByLabel('Type Live to confirm').fill('Live');
  await confirm.click();
  await expect(page).toHaveURL(/\/environments\/environments$/);
  await expect(page.getByRole('row', { name: /Preview/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /Live/ })).toHaveCount(0);
  expect(await works.api<Environment[]>('GET', '/environments')).toHaveLength(1);
});

test('the preview can be neither renamed nor deleted; an environment that is gone says so', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/404/);
  const [preview] = await works.api<Environment[]>('GET', '/environments');
  await works.open(`/environments/${preview!.id}/manage`);
  await expect(page.getByLabel('Name')).toBeDisabled();
  await expect(page.getByText('The preview environment cannot be renamed.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete Preview' })).toBeDisabled();
  await expect(
    page.getByText('The preview environment always runs your workspace', { exact: false }),
  ).toBeVisible();
  await page.getByLabel('Description').fill('As it stands');
  await page.getByRole('button', { name: 'Save details' }).click();
  await expect(page.getByText('Environment updated')).toBeVisible();

  await works.open('/environments/env_nothing/keys');
  await expect(page.getByRole('heading', { name: 'Environment Deleted' })).toBeVisible();
  await works.open('/no-such-tab');
  await expect(page).toHaveURL(/\/environments\/versions$/);
});

test('a tab that loads has the shape of what it will hold', async ({ page }) => {
  const { id } = await works.makeEnvironment('Production');
  await page.route(`**/environments/${id}`, () => {});
  await works.open(`/environments/${id}/keys`);
  await expect(page.getByRole('table', { name: 'API keys' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create secret key' })).toBeDisabled();
  await page.getByRole('link', { name: 'Manage' }).click();
  await expect(page.getByRole('heading', { name: 'Deployment' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Details' })).toBeVisible();
});

test.describe('with less motion', () => {
  test('no screen of environments has a grave violation, nor scrolls sideways on a small screen', async ({
    page,
  }) => {
    await works.fill();
    const production = await works.makeEnvironment('Production');
    const first = await works.freeze();
    await works.setSeats(6);
    const second = await works.freeze();
    await works.deploy(production, first);
    await works.api('POST', '/api-keys', { environmentId: production.id, type: 'secret' });
    await works.setSeats(7);
    const screens = [
      ['/versions', 'button', 'Deploy version 2'],
      ['/changes', 'region', 'Plan Starter'],
      [`/changes?version=${second.artifactNumber}`, 'region', 'Plan Starter'],
      ['/environments', 'row', /Production/],
      [`/environments/${production.id}/manage`, 'button', 'Delete Production'],
      [`/environments/${production.id}/keys`, 'button', /^Reveal/],
    ] as const;
    for (const [path, role, name] of screens) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await works.open(path);
      await expect(page.getByRole(role, { name })).toBeVisible();
      await expectAccessible(page, path);
      await page.setViewportSize({ width: 390, height: 844 });
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: path })
        .toBeLessThanOrEqual(390);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Create public key' }).click();
    await expect(page.getByTestId('new-key')).toBeVisible();
    await expectAccessible(page, 'a new key');
    await works.open('/versions');
    await chooseMove(page, 2, 'Deploy version 2 to Production');
    await expect(page.getByRole('dialog').getByRole('listitem')).toBeVisible();
    await expectAccessible(page, 'the deploy dialog');
  });
});
