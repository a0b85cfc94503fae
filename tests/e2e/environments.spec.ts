// Environments, versions, deployments and keys, walked as somebody new would, and what the API then holds and answers.
import type { Page } from '@playwright/test';
import type { AccessCheckAnswer } from '#contracts/access';
import type { ApiKey } from '#contracts/api-keys';
import type { Artifact, EnvironmentStatus } from '#contracts/artifacts';
import type { Environment } from '#contracts/environments';
import type { Feature, FeatureProperty } from '#contracts/features';
import type { Plan } from '#contracts/plans';
import { expectAccessible } from './support/expect-accessible.ts';
import { callApi, createOrganisation, join, newPerson } from './support/people.ts';
import { expect, test } from './support/test.ts';

let orgId: string;

test.beforeEach(async ({ page }) => {
  await join(page.request, newPerson('Vera Versions'));
  orgId = await createOrganisation(page.request, 'Version Works');
});

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

const api = <T>(page: Page, method: Method, path: string, body?: object): Promise<T> =>
  callApi<T>(page.request, method, `/api/orgs/${orgId}${path}`, body);

const open = (page: Page, path: string) => page.goto(`/o/${orgId}/environments${path}`);

interface Workspace {
  property: FeatureProperty;
  setSeats: (value: number) => Promise<unknown>;
}

/** One feature with a number, and a plan for everybody that configures it. */
async function makeWorkspace(page: Page): Promise<Workspace> {
  const feature = await api<Feature>(page, 'POST', '/features', { name: 'Team seats', slug: 'team-seats' });
  const property = await api<FeatureProperty>(page, 'POST', `/features/${feature.id}/properties`, {
    name: 'Seats',
    propertyKey: 'seats',
    type: 'number',
    value: 1,
  });
  const { planId } = await api<Plan>(page, 'POST', '/plans', { name: 'Starter', slug: 'starter' });
  await api(page, 'PUT', `/plans/${planId}`, { grantToAnonymousSessions: true });
  const setSeats = async (value: number) => {
    const { currentVersion } = await api<Plan>(page, 'GET', `/plans/${planId}`);
    const properties = {
      [feature.id]: [
        ...feature.systemFeatureProperties.map(({ id }) => ({ id, type: 'boolean', value: true })),
        { id: property.id, type: 'number', value },
      ],
    };
    return api(page, 'PUT', `/plans/${planId}/versions/${currentVersion}`, { properties });
  };
  await setSeats(5);
  return { property, setSeats };
}

const makeEnvironment = (page: Page, name: string, type: 'live' | 'test' = 'live') =>
  api<Environment>(page, 'POST', '/environments', { name, type });

const freeze = (page: Page) => api<Artifact>(page, 'POST', '/artifacts');

const deploy = (page: Page, { id }: Environment, { artifactId }: Artifact) =>
  api(page, 'PUT', `/deployments/${id}/artifact`, { artifactId });

async function statusOf(page: Page, { id }: Environment): Promise<EnvironmentStatus | undefined> {
  const { environments } = await api<{ environments: EnvironmentStatus[] }>(page, 'GET', '/deployments');
  return environments.find(({ environmentId }) => environmentId === id);
}

/** Asks the public API with the key; the seats of the answer once there are any. */
async function seatsOf(page: Page, key: string): Promise<unknown> {
  const response = await page.request.post('/api/v1/access-checks', {
    headers: { authorization: `Bearer ${key}` },
    data: {},
  });
  const answer = (await response.json()) as AccessCheckAnswer;
  return answer.features?.['team-seats']?.properties.seats;
}

async function chooseMove(page: Page, version: number, label: string): Promise<void> {
  await page.getByRole('button', { name: `Deploy version ${version}`, exact: true }).click();
  await page.getByRole('menuitem', { name: label }).click();
}

async function closeMenu(page: Page): Promise<void> {
  await page.getByRole('menu').press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
}

test('from edits to an answered access check: a version is made, deployed, and asked with a new key', async ({
  page,
}) => {
  const { setSeats } = await makeWorkspace(page);
  await open(page, '/versions');
  await expect(page.getByRole('heading', { name: 'You have not created any versions yet' })).toBeVisible();
  await page.getByRole('link', { name: 'See what changed' }).click();

  // What changed, by feature and plan.
  const feature = page.getByRole('region', { name: 'Feature Team seats' });
  await expect(feature.getByRole('listitem').filter({ hasText: 'seats' }).last()).toContainText('Added');
  const plan = page.getByRole('region', { name: 'Plan Starter' });
  await expect(plan).toContainText('Team seats › seats');
  await page.getByRole('button', { name: 'Create New Version' }).click();
  await expect(page.getByText('Version 1 created')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Workspace Up-to-Date' })).toBeDisabled();
  await expect(page.getByRole('heading', { name: 'No Changes' })).toBeVisible();

  // An environment, with the rules of its fields.
  await page.getByRole('link', { name: 'Environments' }).last().click();
  await page.getByRole('button', { name: 'Add a New Environment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a New Environment' });
  await dialog.getByRole('button', { name: 'Add environment' }).click();
  await expect(dialog.getByText('Required')).toBeVisible();
  await dialog.getByLabel('Name').fill('Production');
  await dialog.getByLabel('URL').fill('javascript:alert(1)');
  await dialog.getByRole('button', { name: 'Add environment' }).click();
  await expect(dialog.getByText(/valid web address/)).toBeVisible();
  await dialog.getByLabel('URL').fill('https://app.example.com');
  await dialog.getByRole('button', { name: 'Add environment' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Production' })).toBeVisible();
  const environments = await api<Environment[]>(page, 'GET', '/environments');
  expect(environments.find(({ name }) => name === 'Production')).toMatchObject({
    type: 'live',
    description: null,
    url: 'https://app.example.com',
  });

  // A deploy that says what it changes.
  await page.getByRole('link', { name: 'Deploy a version' }).click();
  await chooseMove(page, 1, 'Deploy version 1 to Production');
  const deploying = page.getByRole('dialog', { name: 'Deploy version 1 to Production' });
  await expect(deploying).toContainText('Production runs nothing yet.');
  await expect(deploying.getByRole('region', { name: 'Plan Starter' })).toBeVisible();
  await deploying.getByRole('button', { name: 'Deploy version 1 to Production' }).click();
  await expect(page.getByText('Deploying version 1 to Production')).toBeVisible();
  const tile = page.getByRole('list', { name: 'What runs where' }).getByRole('link', { name: /Production/ });
  await expect(tile).toContainText('v1');
  await expect(tile).toContainText('Deployed');
  await expect(page.getByRole('row', { name: /Version 1/ })).toContainText('Production');

  // A key, shown in full once, that is answered.
  await tile.click();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Create public key' }).click();
  const key = (await page.getByTestId('new-key').textContent()) ?? '';
  expect(key).toMatch(/^tsr_pub_/);
  await expect(page.getByRole('status').locator('pre')).toContainText(`Bearer ${key}`);
  await expect.poll(() => seatsOf(page, key)).toBe(5);

  // An edit is a change from and to, and does not reach the environment by itself.
  await setSeats(8);
  await open(page, '/changes');
  const row = page.getByRole('region', { name: 'Plan Starter' }).getByRole('listitem');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('Modified');
  await expect(row).toContainText(/5.*8/);
  expect(await seatsOf(page, key)).toBe(5);
});

test('an older version is rolled back to, and a version that runs nowhere is deleted', async ({ page }) => {
  const { setSeats } = await makeWorkspace(page);
  const production = await makeEnvironment(page, 'Production');
  await freeze(page);
  await setSeats(9);
  const second = await freeze(page);
  await deploy(page, production, second);
  await open(page, '/versions');

  await page.getByRole('button', { name: 'Actions for version 2' }).click();
  const deleteSecond = page.getByRole('menuitem', { name: 'Delete version 2' });
  await expect(deleteSecond).toContainText('Deployed to Production');
  await expect(deleteSecond).toBeDisabled();
  await closeMenu(page);

  await page.getByRole('button', { name: 'Deploy version 2', exact: true }).click();
  const deploySecond = page.getByRole('menuitem', { name: 'Deploy version 2 to Production' });
  await expect(deploySecond).toBeDisabled();
  await expect(deploySecond).toContainText('Runs this version');
  await closeMenu(page);

  await expect.poll(async () => (await statusOf(page, production))?.deployInProgress).toBe(false);
  await chooseMove(page, 1, 'Roll back Production to version 1');
  const dialog = page.getByRole('dialog', { name: 'Roll back Production to version 1' });
  await expect(dialog).toContainText('Production runs version 2.');
  await expect(dialog.getByRole('listitem')).toContainText(/9.*5/);
  await dialog.getByRole('button', { name: 'Roll back Production to version 1' }).click();
  await expect(page.getByText('Rolling back Production to version 1')).toBeVisible();
  await expect(page.getByRole('row', { name: /Version 1/ })).toContainText('Production');
  expect((await statusOf(page, production))?.artifactNumber).toBe(1);

  await page.getByRole('button', { name: 'Actions for version 2' }).click();
  await page.getByRole('menuitem', { name: 'Delete version 2' }).click();
  await page
    .getByRole('dialog', { name: 'Delete version 2?' })
    .getByRole('button', { name: 'Delete version 2' })
    .click();
  await expect(page.getByText('Version 2 deleted')).toBeVisible();
  await expect(page.getByRole('row', { name: /Version 2/ })).toHaveCount(0);
  expect(await api<Artifact[]>(page, 'GET', '/artifacts')).toHaveLength(1);
});

test('a deploy of somebody else in between is a conflict, shown with what runs now', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/409/);
  const { setSeats } = await makeWorkspace(page);
  const production = await makeEnvironment(page, 'Production');
  const first = await freeze(page);
  await setSeats(6);
  const second = await freeze(page);
  await setSeats(7);
  const third = await freeze(page);
  await deploy(page, production, first);
  await expect.poll(async () => (await statusOf(page, production))?.deployInProgress).toBe(false);

  await open(page, '/versions');
  await chooseMove(page, 2, 'Deploy version 2 to Production');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('listitem')).toContainText(/5.*6/);
  await deploy(page, production, third);
  await dialog.getByRole('button', { name: 'Deploy version 2 to Production' }).click();

  await expect(page.getByText('Unable to Deploy')).toBeVisible();
  await expect(dialog.getByRole('alert')).toContainText('Production was changed meanwhile');
  await expect(dialog.getByRole('alert')).toContainText('Production runs version 3 now');
  await expect(dialog.getByRole('listitem')).toContainText(/7.*6/);
  expect((await statusOf(page, production))?.artifactId).toBe(third.artifactId);

  // Knowing that, the user may go on: it is a rollback now.
  await dialog.getByRole('button', { name: 'Roll back Production to version 2' }).click();
  await expect(dialog).toBeHidden();
  expect((await statusOf(page, production))?.artifactId).toBe(second.artifactId);
});

test('while it deploys, the icon, the tile and the table agree, location by location, and are asked every 2 s', async ({
  page,
}) => {
  await makeWorkspace(page);
  const production = await makeEnvironment(page, 'Production');
  await deploy(page, production, await freeze(page));
  let isPending = true;
  let asked = 0;
  // The answer of the server, but for how far it says that it has come.
  await page.route('**/deployments?*', async (route) => {
    asked += 1;
    const response = await route.fetch();
    const answer = await response.json();
    for (const status of answer.environments as EnvironmentStatus[]) {
      status.isHead = !isPending;
      if (status.artifactId === null) continue;
      status.deployInProgress = isPending;
      status.locations = [
        { location: 'weur', isUpToDate: true },
        { location: 'apac', isUpToDate: !isPending },
      ];
    }
    await route.fulfill({ response, json: answer });
  });
  await open(page, '/versions');
  const tile = page.getByRole('list', { name: 'What runs where' }).getByRole('link', { name: /Production/ });
  await expect(tile).toContainText('Updating');
  await expect(tile).toContainText('1 of 2 data locations');
  await expect(page.getByRole('img', { name: 'Preview environment is updating' })).toBeVisible();
  await expect(page.getByRole('row', { name: /Version 1/ }).getByLabel('updating')).toHaveCount(2);
  await page.getByRole('button', { name: 'Deploy version 1', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: 'Deploy version 1 to Production' })).toBeDisabled();
  await closeMenu(page);

  await expect.poll(() => asked).toBeGreaterThan(2);
  isPending = false;
  await expect(tile).toContainText('Deployed');
  await expect(page.getByRole('img', { name: 'Preview environment is deployed' })).toBeVisible();
  await expect(page.getByRole('row', { name: /Version 1/ }).getByLabel('updating')).toHaveCount(0);
});

test('keys are revealed, hidden and revoked, and no more are made than there may be', async ({ page }) => {
  await makeWorkspace(page);
  const production = await makeEnvironment(page, 'Production');
  await open(page, `/environments/${production.id}/keys`);
  await expect(page.getByText('There are no keys yet.', { exact: false })).toBeVisible();
  await expect(page.getByText('5 of 5 left')).toHaveCount(2);
  await page.getByRole('button', { name: 'Create secret key' }).click();
  const key = (await page.getByTestId('new-key').textContent()) ?? '';
  expect(key).toMatch(/^tsr_sec_/);
  await expect(page.getByText('Nothing is deployed to Production yet', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(key)).toHaveCount(0);

  const row = page.getByRole('row', { name: /Secret/ });
  await expect(row).toContainText('Vera Versions');
  await page.route('**/api-keys/key_*', async (route) => {
    await new Promise((settle) => setTimeout(settle, 300));
    await route.continue();
  });
  await row.getByRole('button', { name: /^Reveal/ }).click();
  await expect(row.getByText('Loading...')).toBeVisible();
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
      page.getByText(left === 0 ? 'None left: revoke one first' : `${left} of 5 left`),
    ).toBeVisible();
  }
  await expect(page.getByRole('button', { name: 'Create secret key' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Create public key' })).toBeEnabled();

  await expect.poll(() => statusOfCheck(page, key)).toBe(200);
  await page
    .getByRole('button', { name: /^Revoke tsr_sec/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Revoke this secret key?' });
  await expect(dialog).toContainText('stops working everywhere within five seconds');
  await dialog.getByRole('button', { name: `Revoke …${key.slice(-4)}` }).click();
  await expect(page.getByText('Key revoked')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create secret key' })).toBeEnabled();
  const { keys } = await api<{ keys: ApiKey[] }>(page, 'GET', `/environments/${production.id}/api-keys`);
  expect(keys).toHaveLength(4);
  await expect.poll(() => statusOfCheck(page, key)).toBe(401);
});

async function statusOfCheck(page: Page, key: string): Promise<number> {
  const response = await page.request.post('/api/v1/access-checks', {
    headers: { authorization: `Bearer ${key}` },
    data: {},
  });
  return response.status();
}

test('an environment is edited with nothing lost to somebody else, and deleted after its name is typed', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/409/);
  const production = await makeEnvironment(page, 'Production');
  await open(page, `/environments/${production.id}/manage`);
  const save = page.getByRole('button', { name: 'Save details' });
  await expect(save).toBeDisabled();
  await page.getByLabel('Description').fill('Mine');
  await page.getByLabel('URL').fill('https://mine.example.com');
  await api(page, 'PUT', `/environments/${production.id}`, { name: 'Live', description: 'Theirs' });
  await save.click();
  const notice = page.getByRole('alert').filter({ hasText: 'was changed by somebody else meanwhile' });
  await expect(notice).toContainText('Theirs');
  await expect(page.getByLabel('Name')).toHaveValue('Live');
  await expect(page.getByLabel('Description')).toHaveValue('Mine');
  await expect(page.getByLabel('URL')).toHaveValue('https://mine.example.com');
  await save.click();
  await expect(page.getByText('Environment updated')).toBeVisible();
  expect(await api<Environment>(page, 'GET', `/environments/${production.id}`)).toMatchObject({
    name: 'Live',
    description: 'Mine',
    url: 'https://mine.example.com',
  });

  await page.getByLabel('Description').fill('Never saved');
  await page.getByRole('button', { name: 'Delete Live' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Live?' });
  await expect(dialog).toContainText('All keys of Live stop working at once');
  const confirm = dialog.getByRole('button', { name: 'Delete Live' });
  await expect(confirm).toBeDisabled();
  await dialog.getByLabel('Type Live to confirm').fill('Live');
  await confirm.click();
  await expect(page).toHaveURL(/\/environments\/environments$/);
  await expect(page.getByRole('row', { name: /Preview/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /Live/ })).toHaveCount(0);
  expect(await api<Environment[]>(page, 'GET', '/environments')).toHaveLength(1);
});

test('the preview can be neither renamed nor deleted; an environment that is gone says so', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/404/);
  const [preview] = await api<Environment[]>(page, 'GET', '/environments');
  await open(page, `/environments/${preview!.id}/manage`);
  await expect(page.getByLabel('Name')).toBeDisabled();
  await expect(page.getByText('The preview environment cannot be renamed.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete Preview' })).toBeDisabled();
  await expect(page.getByText('The preview environment cannot be deleted', { exact: false })).toBeVisible();
  await page.getByLabel('Description').fill('As it stands');
  await page.getByRole('button', { name: 'Save details' }).click();
  await expect(page.getByText('Environment updated')).toBeVisible();

  await open(page, '/environments/env_nothing/keys');
  await expect(page.getByRole('heading', { name: 'Environment Deleted' })).toBeVisible();
  await open(page, '/no-such-tab');
  await expect(page).toHaveURL(/\/environments\/versions$/);
});

test('a diff that cannot be calculated says so in the words of the specification, and can be tried again', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/500/);
  await makeWorkspace(page);
  await page.route('**/artifacts/last-diff', (route) =>
    route.fulfill({ status: 500, json: { errorType: 'server-error', message: 'No', requestId: 'req_1' } }),
  );
  await open(page, '/changes');
  await expect(page.getByText('Unable to calculate changes')).toBeVisible({ timeout: 20_000 });
  await expect(
    page.getByText('Something went wrong when calculating the changes in this version.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy request id req_1' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create New Version' })).toBeDisabled();
  await page.unroute('**/artifacts/last-diff');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('region', { name: 'Plan Starter' })).toBeVisible();
});

test('hundreds of versions and changes are searched', async ({ page }) => {
  await makeWorkspace(page);
  await makeEnvironment(page, 'Production');
  const version = await freeze(page);
  await page.route(/\/artifacts$/, (route) =>
    route.fulfill({
      json: Array.from({ length: 300 }, (_, index) => ({
        ...version,
        artifactId: `art_${index}`,
        artifactNumber: 300 - index,
      })),
    }),
  );
  await open(page, '/versions');
  await expect(page.getByRole('row')).toHaveCount(301);
  await page.getByLabel('Search versions').fill('version 299');
  await expect(page.getByRole('row')).toHaveCount(2);

  const item = { type: 'modify', itemType: 'feature-property', changes: [{ path: 'value', from: 1, to: 2 }] };
  await page.route('**/artifacts/last-diff', (route) =>
    route.fulfill({
      json: {
        ...{ fromArtifactId: null, fromArtifactNumber: null, toArtifactId: null, toArtifactNumber: null },
        items: Array.from({ length: 2000 }, (_, index) => ({
          ...item,
          itemId: `prop_${index}`,
          itemName: `Feature ${Math.floor(index / 10)} › key-${index}`,
        })),
      },
    }),
  );
  await open(page, '/changes');
  await expect(page.getByRole('region', { name: /^Feature Feature / })).toHaveCount(200);
  await expect(page.getByRole('listitem').filter({ hasText: 'key-' })).toHaveCount(0);
  await page.getByLabel('Search changes').fill('key-1234');
  await expect(page.getByRole('listitem').filter({ hasText: 'key-1234' })).toContainText('Modified');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, reducedMotion: 'reduce' });

    test('no screen of environments has a grave violation, nor scrolls sideways on a small screen', async ({
      page,
    }) => {
      const { setSeats } = await makeWorkspace(page);
      const production = await makeEnvironment(page, 'Production');
      const first = await freeze(page);
      await setSeats(6);
      const second = await freeze(page);
      await deploy(page, production, first);
      await api(page, 'POST', '/api-keys', { environmentId: production.id, type: 'secret' });
      await setSeats(7);
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
        await open(page, path);
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
      await open(page, '/versions');
      await chooseMove(page, 2, 'Deploy version 2 to Production');
      await expect(page.getByRole('dialog').getByRole('listitem')).toBeVisible();
      await expectAccessible(page, 'the deploy dialog');
    });
  });
}
