// Environments and their keys, end to end, checked against the API.
import type { ApiKey } from '#contracts/console/api-keys';
import type { Environment } from '#contracts/console/environments';
import { expectAccessible } from './support/expect-accessible.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { ask, chooseMove, type SmallWorkspace, smallWorkspace } from './support/small-workspace.ts';
import { expect, test } from './support/test.ts';
import { visitPage } from './support/visit-page.ts';

const organisation = ownOrganisation('Vera Versions', 'Environment Works');
let works: SmallWorkspace;

test.beforeEach(({ page }) => {
  works = smallWorkspace(page, organisation.id);
});

test('the life of a key: created with a name, copied unseen, revealed, limited, used and revoked', async ({
  page,
}) => {
  await works.fill();
  const production = await works.makeEnvironment('Production');
  const listKeys = async () =>
    (await works.api<{ keys: ApiKey[] }>('GET', `/environments/${production.id}/api-keys`)).keys;
  await works.open(`/environments/${production.id}/keys`);
  await expect(page.getByText('No keys yet. Your app sends one', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Create a key' }).click();
  const creation = page.getByRole('dialog', { name: 'Create an API key' });
  await expect(creation.getByText('5 of 5 left')).toHaveCount(2);
  await expect(creation.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Billing server');
  await page.keyboard.press('Enter');
  const key = (await page.getByTestId('new-key').textContent()) ?? '';
  expect(key).toMatch(/^tsr_sec_/);
  await expect(page.getByText('Nothing is deployed to Production yet', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(key)).toHaveCount(0);

  const row = page.getByRole('row', { name: /Billing server/ });
  await expect(row).toContainText('Vera Versions');
  await expect(row).toContainText('Never');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await row.getByRole('button', { name: /^Copy the key/ }).click();
  await expect(row.getByText('Copied!')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await expect(page.getByText(key)).toHaveCount(0);
  await row.getByRole('button', { name: /^Reveal/ }).click();
  await expect(row.getByText(key)).toBeVisible();
  await row.getByRole('button', { name: /^Hide/ }).click();
  await expect(row.getByText(key)).toHaveCount(0);

  await row.getByRole('button', { name: /^Edit tsr_sec/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Billing server' });
  await expectAccessible(page, 'a key');
  await dialog.getByLabel('Name').fill('Web');
  await dialog.getByLabel('Calls per minute').selectOption('60');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Key saved')).toBeVisible();
  const renamed = page.getByRole('row', { name: /Web/ });
  await expect(renamed).toContainText('60 calls a minute');
  expect(await listKeys()).toMatchObject([{ name: 'Web', rateLimit: 60 }]);

  for (let count = 0; count < 4; count += 1) {
    await works.api('POST', '/api-keys', { environmentId: production.id, type: 'secret' });
  }
  await expect.poll(async () => (await ask(page, key)).status).toBe(200);
  await page.reload();
  await expect(renamed.getByText('just now')).toHaveCount(2);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await expect(creation.getByRole('button', { name: 'Create public key' })).toBeEnabled();
  await creation.getByRole('radio', { name: 'Secret' }).check();
  await expect(creation.getByText('Limit reached. Revoke a key first.', { exact: false })).toBeVisible();
  await expect(creation.getByRole('button', { name: 'Create secret key' })).toBeDisabled();
  await page.keyboard.press('Escape');

  await renamed.getByRole('button', { name: /^Revoke/ }).click();
  const question = page.getByRole('dialog', { name: 'Revoke this secret key?' });
  await expect(question).toContainText('Requests using this key will fail within 5 seconds');
  await question.getByRole('button', { name: 'Revoke Web' }).click();
  await expect(page.getByText('Key revoked')).toBeVisible();
  expect(await listKeys()).toHaveLength(4);
  await expect.poll(async () => (await ask(page, key)).status).toBe(401);
});

test('a key that manages customers says so in the list, and its name beside what it did', async ({
  page,
}) => {
  await works.fill();
  const production = await works.makeEnvironment('Production');
  await works.open(`/environments/${production.id}/keys`);
  await page.getByRole('button', { name: 'Create a key' }).click();
  const creation = page.getByRole('dialog', { name: 'Create an API key' });
  await creation.getByLabel('Name').fill('Invoice server');
  const permission = creation.getByRole('checkbox', { name: 'Manage customers' });
  await expect(permission).not.toBeChecked();
  await permission.check();
  await creation.getByRole('button', { name: 'Create secret key' }).click();
  const key = (await page.getByTestId('new-key').textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Invoice server' })).toContainText(
    'Manages customers',
  );

  const headers = { authorization: `Bearer ${key}` };
  const save = () => page.request.put('/api/v1/customers/acme-1', { headers, data: { name: 'Acme Ltd' } });
  await expect.poll(async () => (await save()).status()).toBe(200);
  const granted = await page.request.put(`/api/v1/customers/acme-1/grants/starter`, {
    headers,
    data: { reason: 'Invoice 2026-118' },
  });
  expect(granted.status()).toBe(200);
  await page.goto(`/o/${organisation.id}/customers/acme-1`);
  await expect(page.getByRole('list', { name: 'Granted plans' })).toContainText('key Invoice server');
  await page.getByRole('navigation', { name: 'Customer' }).getByRole('link', { name: 'History' }).click();
  const history = page.getByRole('list', { name: 'History' });
  await expect(history.getByRole('listitem')).toHaveCount(2);
  await expect(history).toContainText('Created as Acme Ltd');
  await expect(history.getByText('key Invoice server')).toHaveCount(2);
});

test('an environment is edited with nothing lost to somebody else, and deleted after its name is typed', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/409/);
  const production = await works.makeEnvironment('Production');
  await works.api('POST', '/api-keys', { environmentId: production.id, type: 'secret' });
  await works.open(`/environments/${production.id}/manage`);
  const save = page.getByRole('button', { name: 'Save changes' });
  await expect(save).toBeDisabled();
  await page.getByLabel('Description').fill('Mine');
  await page.getByLabel('URL').fill('https://mine.example.com');
  await works.api('PUT', `/environments/${production.id}`, { name: 'Live', description: 'Theirs' });
  await save.click();
  const notice = page
    .getByRole('alert')
    .filter({ hasText: 'was changed by you in another tab in the meantime' });
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
  await page.getByRole('button', { name: 'Save changes' }).click();
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
  await expect(page.getByRole('button', { name: 'Create a key' })).toBeDisabled();
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
      ['/environments', 'row', /Production/],
      [`/changes?version=${second.artifactNumber}`, 'region', 'Plan Starter'],
      [`/environments/${production.id}/manage`, 'button', 'Delete Production'],
      [`/environments/${production.id}/keys`, 'button', /^Reveal/],
    ] as const;
    await works.open('/environments');
    for (const [path, role, name] of screens) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await visitPage(page, `/o/${organisation.id}/environments${path}`);
      await expect(page.getByRole(role, { name })).toBeVisible();
      await expectAccessible(page, path);
      await page.setViewportSize({ width: 390, height: 844 });
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: path })
        .toBeLessThanOrEqual(390);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Create a key' }).click();
    await expectAccessible(page, 'the creation of a key');
    await page.getByRole('button', { name: 'Create secret key' }).click();
    await expect(page.getByTestId('new-key')).toBeVisible();
    await expectAccessible(page, 'a new key');
    await page.getByRole('button', { name: 'Done' }).click();
    await visitPage(page, `/o/${organisation.id}/environments/versions`);
    await chooseMove(page, 2, 'Deploy version 2 to Production');
    await expect(page.getByRole('dialog').getByRole('listitem')).toBeVisible();
    await expectAccessible(page, 'the deploy dialog');
  });
});
