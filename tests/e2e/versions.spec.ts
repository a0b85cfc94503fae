// Versions and deployments, end to end, checked against the API.
import type { Page } from '@playwright/test';
import type { EnvironmentStatus } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import { expectAccessible } from './support/expect-accessible.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { createOrganisation } from './support/people.ts';
import { ask, chooseMove, type SmallWorkspace, smallWorkspace } from './support/small-workspace.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Vera Versions', 'Version Works');
let works: SmallWorkspace;

test.beforeEach(({ page }) => {
  works = smallWorkspace(page, organisation.id);
});

async function closeMenu(page: Page): Promise<void> {
  await page.getByRole('menu').press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
}

test('from edits to an answered access check: a version is made, deployed, and asked with a new key', async ({
  page,
}) => {
  await works.fill();
  await works.open('/versions');
  await expect(page.getByRole('heading', { name: 'You have not created any versions yet' })).toBeVisible();
  await page.getByRole('link', { name: 'See what changed' }).click();

  // What changed, by feature and plan.
  const feature = page.getByRole('region', { name: 'Feature Team seats' });
  await expect(feature.getByRole('listitem').filter({ hasText: 'seats' }).last()).toContainText('Added');
  const plan = page.getByRole('region', { name: 'Plan Starter' });
  await expect(plan).toContainText('Team seats › Seats seats');
  await page.getByRole('button', { name: 'Create New Version' }).click();
  await expect(page.getByText('Version 1 created')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Workspace Up-to-Date' })).toBeDisabled();
  await expect(page.getByRole('heading', { name: 'No Changes' })).toBeVisible();

  // An environment, with the rules of its fields.
  await page.getByRole('link', { name: 'Environments' }).last().click();
  await page.getByRole('button', { name: 'Add a New Environment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a New Environment' });
  await dialog.getByRole('button', { name: 'Create environment' }).click();
  await expect(dialog.getByText('Required')).toBeVisible();
  await dialog.getByLabel('Name').fill('Production');
  await dialog.getByLabel('URL').fill('javascript:alert(1)');
  await dialog.getByRole('button', { name: 'Create environment' }).click();
  await expect(dialog.getByText(/valid web address/)).toBeVisible();
  await dialog.getByLabel('URL').fill('https://app.example.com');
  await dialog.getByRole('button', { name: 'Create environment' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Production' })).toBeVisible();
  const environments = await works.api<Environment[]>('GET', '/environments');
  expect(environments.find(({ name }) => name === 'Production')).toMatchObject({
    type: 'live',
    description: null,
    url: 'https://app.example.com',
  });

  // A deploy that says what it changes.
  await page.getByRole('link', { name: 'Deploy a version' }).click();
  await chooseMove(page, 1, 'Deploy version 1 to Production');
  const deploying = page.getByRole('dialog', { name: 'Deploy version 1 to Production' });
  await expect(deploying).toContainText('Production starts running v1 within 5 seconds.');
  await expect(deploying.getByRole('region', { name: 'Plan Starter' })).toBeVisible();
  await deploying.getByRole('button', { name: 'Deploy version 1 to Production' }).click();
  await expect(page.getByText(/^v1 is live · (\d) of \1 regions?$/)).toBeVisible();
  const tile = page.getByRole('list', { name: 'What runs where' }).getByRole('link', { name: /Production/ });
  await expect(tile).toContainText('v1');
  await expect(tile).toContainText('Deployed');
  await expect(page.getByRole('row', { name: /Version 1/ })).toContainText('Production');

  // A key, shown in full once, that is answered.
  await tile.click();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('radio', { name: 'Public' }).check();
  await page.getByRole('button', { name: 'Create public key' }).click();
  const key = (await page.getByTestId('new-key').textContent()) ?? '';
  expect(key).toMatch(/^tsr_pub_/);
  const command = page.getByRole('status').locator('pre', { hasText: 'curl' });
  await expect(command).toContainText(`export TESSERA_PUBLIC_KEY=${key}`);
  await expect.poll(async () => (await ask(page, key)).seats).toBe(5);

  // An edit is a change from and to, and does not reach the environment by itself.
  await works.setSeats(8);
  await works.open('/changes');
  const row = page.getByRole('region', { name: 'Plan Starter' }).getByRole('listitem');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('Changed');
  await expect(row).toContainText('Team seats › Seats seats');
  await expect(row).toContainText(/5.*8/);
  expect((await ask(page, key)).seats).toBe(5);
});

test('from the top bar of any page: a version with a note is created, deployed and rolled back, and then deleted', async ({
  page,
}) => {
  await works.fill();
  const production = await works.makeEnvironment('Production');
  await works.deploy(production, await works.freeze());
  await works.setSeats(9);
  const other = await createOrganisation(page.request, 'Other Works');
  await page.goto(`/o/${organisation.id}/plans`);
  const chip = page.getByRole('button', { name: /^Preview environment is deployed/ });
  await expect(chip).toContainText('1 change');
  await chip.click();
  const popover = page.getByRole('dialog', { name: 'Workspace' });
  await expect(popover.getByRole('heading', { name: /^1 change since v1/ })).toBeVisible();
  await expect(popover.getByRole('listitem').filter({ hasText: 'Starter' })).toContainText('1 changed');
  await expectAccessible(page, 'the workspace');
  await popover.getByLabel('Note for the new version').fill('More seats for Starter');
  await popover.getByRole('button', { name: 'Create New Version' }).click();
  await expect(popover.getByRole('heading', { name: /^The workspace matches v2/ })).toBeVisible();
  await expect(chip).toContainText('1 behind');
  const review = popover.getByRole('link', { name: 'Review' });
  await expect(review).toHaveAttribute(
    'href',
    `/o/${organisation.id}/environments/changes?version=2&environment=${production.id}`,
  );
  await popover.getByRole('button', { name: 'Deploy v2 to Production' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deploy version 2 to Production' }).click();

  const toasts = page.getByRole('region', { name: /Notifications/ });
  await expect(toasts.getByText(/^v2 is live · (\d) of \1 regions?$/)).toBeVisible();
  await expect(toasts.getByText('Production moved from v1 to v2.')).toBeVisible();
  expect((await works.statusOf(production))?.artifactNumber).toBe(2);
  await toasts.getByRole('button', { name: 'Roll back to v1' }).click();
  await expect(toasts.getByText(/^v1 is live · /)).toBeVisible();
  expect((await works.statusOf(production))?.artifactNumber).toBe(1);

  const again = page.getByRole('dialog', { name: 'Deploy version 2 to Production' });
  const deployFromPalette = async () => {
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Go to a page').fill('deploy v2');
    await page.keyboard.press('Enter');
    await expect(again).toContainText('Production moves from v1 to v2 within 5 seconds.');
  };
  await deployFromPalette();
  await again.getByRole('button', { name: 'Cancel' }).click();

  // The dialog does not follow into another organisation, and is not there on the way back.
  await page.getByRole('button', { name: 'Organisation: Version Works' }).click();
  await page.getByRole('menuitem', { name: 'Other Works' }).click();
  await expect(page).toHaveURL(`/o/${other}/plans`);
  await page.goBack();
  await expect(page).toHaveURL(`/o/${organisation.id}/plans`);
  await deployFromPalette();
  await page.goForward();
  await expect(page).toHaveURL(`/o/${other}/plans`);
  await expect(again).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(`/o/${organisation.id}/plans`);
  await expect(page.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible();
  await expect(again).toHaveCount(0);

  await works.open('/versions');
  const second = page.getByRole('row', { name: /Version 2/ });
  await expect(second).toContainText('More seats for Starter');
  await expect(page.getByRole('row', { name: /Version 1/ })).toContainText('Production');
  await page.getByRole('button', { name: 'Deploy version 1', exact: true }).click();
  const deployFirst = page.getByRole('menuitem', { name: 'Deploy version 1 to Production' });
  await expect(deployFirst).toBeDisabled();
  await expect(deployFirst).toContainText('Runs this version');
  await closeMenu(page);
  await page.getByRole('button', { name: 'Actions for version 1' }).click();
  for (const [item, file, text] of [
    ['Types for your app', 'tessera.gen.ts', "declare module 'tessera-sdk'"],
    ['JSON for your tests', 'tessera-version.json', '"formatVersion":1'],
  ] as const) {
    const link = page.getByRole('menuitem', { name: item });
    expect(await link.getAttribute('download')).not.toBeNull();
    const answer = await page.request.get((await link.getAttribute('href')) ?? '');
    expect(answer.headers()['content-disposition']).toContain(file);
    expect(await answer.text()).toContain(text);
  }
  const deleteFirst = page.getByRole('menuitem', { name: 'Delete version 1' });
  await expect(deleteFirst).toContainText('Deployed to Production');
  await expect(deleteFirst).toBeDisabled();
  await closeMenu(page);

  await page.getByRole('link', { name: 'Version 2' }).click();
  await expect(page.getByText('More seats for Starter')).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Actions for version 2' }).click();
  await page.getByRole('menuitem', { name: 'Delete version 2' }).click();
  await page
    .getByRole('dialog', { name: 'Delete version 2?' })
    .getByRole('button', { name: 'Delete version 2' })
    .click();
  await expect(page.getByText('Version 2 deleted')).toBeVisible();
  await expect(second).toHaveCount(0);
});

test('a deploy of somebody else in between is a conflict', async ({ page, expectBrowserError }) => {
  await test.step('a deploy of somebody else in between is a conflict, shown with what runs now', async () => {
    expectBrowserError(/409/);
    await works.fill();
    const production = await works.makeEnvironment('Production');
    const first = await works.freeze();
    await works.setSeats(6);
    const second = await works.freeze();
    await works.setSeats(7);
    const third = await works.freeze();
    await works.deploy(production, first);
    await expect.poll(async () => (await works.statusOf(production))?.deployInProgress).toBe(false);

    await works.open('/versions');
    await chooseMove(page, 2, 'Deploy version 2 to Production');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('listitem')).toContainText(/5.*6/);
    await works.deploy(production, third);
    await dialog.getByRole('button', { name: 'Deploy version 2 to Production' }).click();

    await expect(page.getByText('Unable to Deploy')).toBeVisible();
    await expect(dialog.getByRole('alert')).toContainText(
      'Production was changed by you in another tab in the meantime',
    );
    await expect(dialog.getByRole('alert')).toContainText('Production now runs version 3');
    await expect(dialog.getByRole('listitem')).toContainText(/7.*6/);
    expect((await works.statusOf(production))?.artifactId).toBe(third.artifactId);

    // Knowing that, the user may go on: it is a rollback now.
    await expect(dialog).toContainText('Production moves from v3 back to v2 within 5 seconds.');
    await dialog.getByRole('button', { name: 'Roll back Production to version 2' }).click();
    await expect(dialog).toBeHidden();
    expect((await works.statusOf(production))?.artifactId).toBe(second.artifactId);
  });
});

test('versions, changes and environments: while they deploy, by the hundreds, and on every width', async ({
  page,
}) => {
  await test.step('while it deploys, the icon, the tile and the table agree, location by location, and are asked every 2 s', async () => {
    await works.fill();
    const production = await works.makeEnvironment('Production');
    await works.deploy(production, await works.freeze());
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
          { location: 'weur', isUpToDate: true, failedAt: null },
          { location: 'apac', isUpToDate: !isPending, failedAt: null },
        ];
      }
      await route.fulfill({ response, json: answer });
    });
    await works.open('/versions');
    const tile = page
      .getByRole('list', { name: 'What runs where' })
      .getByRole('link', { name: /Production/ });
    await expect(tile).toContainText('Updating');
    await expect(tile).toContainText('1 of 2 regions');
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
  await organisation.renew(page);
  works = smallWorkspace(page, organisation.id);
  await test.step('hundreds of versions and changes are searched', async () => {
    await works.fill();
    await works.makeEnvironment('Production');
    const version = await works.freeze();
    await page.route(/\/artifacts$/, (route) =>
      route.fulfill({
        json: Array.from({ length: 300 }, (_, index) => ({
          ...version,
          artifactId: `art_${index}`,
          artifactNumber: 300 - index,
        })),
      }),
    );
    await works.open('/versions');
    await expect(page.getByRole('table', { name: 'versions' })).toHaveAttribute('aria-rowcount', '301');
    await page.getByLabel('Search versions').fill('version 299');
    await expect(page.getByRole('row')).toHaveCount(2);

    const item = {
      type: 'modify',
      itemType: 'feature-property',
      property: null,
      changes: [{ path: 'value', from: 1, to: 2 }],
    };
    await page.route('**/artifacts/last-diff', (route) =>
      route.fulfill({
        json: {
          fromArtifactId: null,
          fromArtifactNumber: null,
          toArtifactId: null,
          toArtifactNumber: null,
          items: Array.from({ length: 2000 }, (_, index) => ({
            ...item,
            itemId: `prop_${index}`,
            itemName: `Feature ${Math.floor(index / 10)} › key-${index}`,
          })),
        },
      }),
    );
    await works.open('/changes');
    await expect(page.getByRole('region', { name: /^Feature Feature / })).toHaveCount(100);
    await page.getByRole('button', { name: 'Show 100 of 100 more' }).click();
    await expect(page.getByRole('region', { name: /^Feature Feature / })).toHaveCount(200);
    await expect(page.getByRole('listitem').filter({ hasText: 'key-' })).toHaveCount(0);
    await page.getByLabel('Search changes').fill('key-1234');
    await expect(page.getByRole('listitem').filter({ hasText: 'key-1234' })).toContainText('Changed');
  });
  await organisation.renew(page);
  works = smallWorkspace(page, organisation.id);
  await test.step('many environments leave the versions in sight, and what runs where moves no column', async () => {
    await works.fill();
    const first = await works.makeEnvironment('Cell 1');
    for (let number = 2; number <= 11; number += 1) await works.makeEnvironment(`Cell ${number}`);
    const version = await works.freeze();
    await works.open('/versions');
    const lanes = page.getByRole('list', { name: 'What runs where' }).getByRole('listitem');
    await expect(lanes).toHaveCount(2);
    await expect(lanes.last()).toContainText('11 environments');
    await expect(lanes.last().getByRole('link')).toHaveCount(11);
    await expect(page.getByRole('link', { name: 'Version 1', exact: true })).toBeInViewport();
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
    await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(256); // It slides in.

    const columns = () =>
      page
        .getByRole('columnheader')
        .evaluateAll((headers) => headers.map((header) => header.getBoundingClientRect().left));
    const before = await columns();
    await works.deploy(first, version);
    await page.reload();
    await expect(page.getByRole('row', { name: /^Version 1/ })).toContainText('Cell 1');
    await expect.poll(columns).toEqual(before);
  });
});
