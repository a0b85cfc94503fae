// An organisation's settings: its name and description, two people at once, its data regions, and who may not.
import type { Page } from '@playwright/test';
import type { Organisation } from '#contracts/console/organisations';
import { createFeature } from '../../dev/workspace/build-workspace.ts';
import { newColleague } from './support/colleague.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { callApi } from './support/people.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Seth Settings', 'Setting Works');

const read = (page: Page) => callApi<Organisation>(page.request, 'GET', `/api/orgs/${organisation.id}`);
const edit = (page: Page, body: object) =>
  callApi<Organisation>(page.request, 'PUT', `/api/orgs/${organisation.id}`, body);

/** Enables exactly these through the API, without the page. */
async function enable(page: Page, ...locations: string[]): Promise<void> {
  const { dataLocations } = await read(page);
  const flags = Object.fromEntries(
    Object.keys(dataLocations).map((name) => [name, locations.includes(name)]),
  );
  await callApi(page.request, 'PUT', `/api/orgs/${organisation.id}/data-locations`, { locations: flags });
}

test('name and description are changed, and the sidebar follows', async ({ page }) => {
  await page.goto(`/o/${organisation.id}/settings`);
  const save = page.getByRole('button', { name: 'Save' });
  const name = page.getByLabel('Name', { exact: true });
  await expect(save).toBeDisabled();
  await name.fill('No');
  await save.click();
  await expect(page.getByText('Must be at least 3 characters')).toBeVisible();
  await name.fill('Renamed Works');
  await page.getByLabel('Description').fill('What we sell.');
  await page.getByRole('link', { name: 'Team' }).click();
  await expect(page.getByText('Leave without saving?')).toBeVisible();
  await page.getByRole('button', { name: 'Stay' }).click();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route(`**/api/orgs/${organisation.id}?*`, async (route) => {
    if (route.request().method() === 'PUT') await answered;
    await route.continue();
  });
  await save.click();
  // A button that works keeps its label in sight.
  await expect(save).toHaveAttribute('data-loading', 'true');
  await expect(save.locator('.mantine-Button-inner')).toHaveCSS('opacity', '1');
  await expect(save.locator('.mantine-Button-label')).toHaveCSS('opacity', '1');
  answer();
  await expect(page.getByText('Organisation updated')).toBeVisible();
  await expect(save).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Organisation: Renamed Works' })).toBeVisible();
  expect(await read(page)).toMatchObject({ name: 'Renamed Works', description: 'What we sell.' });

  await page.getByLabel('Description').fill('');
  await save.click();
  await expect.poll(() => read(page)).toMatchObject({ name: 'Renamed Works', description: null });
  await expect(save).toBeDisabled();
});

test('the time zone of calendar periods is found by typing, and named beside the limits that follow it', async ({
  page,
}) => {
  await page.goto(`/o/${organisation.id}/settings`);
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await expect(zone).toHaveValue('UTC');
  await zone.fill('nowhere');
  await expect(page.getByText('No such time zone')).toBeVisible();
  await zone.fill('berlin');
  await page.getByRole('option', { name: 'Europe/Berlin' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Organisation updated')).toBeVisible();
  expect(await read(page)).toMatchObject({ zone: 'Europe/Berlin' });

  const feature = await createFeature(organisation.workspace(page), { name: 'Exports', slug: 'exports' });
  await page.goto(`/o/${organisation.id}/features/${feature.id}`);
  await page.getByRole('button', { name: 'Add a property' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Meterable' }).check();
  await dialog.getByRole('radio', { name: 'Metered' }).check();
  await dialog.getByLabel('Period of the default value').selectOption('every');
  await expect(dialog.getByText('a calendar month (Europe/Berlin)')).toBeVisible();
});

test('two people edit at once: both values are shown, and nothing typed is lost', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/api\/orgs/);
  await page.goto(`/o/${organisation.id}/settings`);
  const name = page.getByLabel('Name', { exact: true });
  const save = page.getByRole('button', { name: 'Save' });
  await name.fill('Mine Works');
  await edit(page, { name: 'Theirs Works', description: 'By them' });
  await save.click();
  const notice = page.getByRole('alert').filter({ hasText: 'changed by you in another tab in the meantime' });
  await expect(notice).toContainText('Mine Works');
  await expect(notice).toContainText('Theirs Works');
  await expect(name).toHaveValue('Mine Works');
  await expect(page.getByLabel('Description')).toHaveValue('By them');
  expect(await read(page)).toMatchObject({ name: 'Theirs Works' });
  await expectAccessible(page, 'an edit conflict');
  await save.click();
  await expect(page.getByText('Organisation updated')).toBeVisible();
  await expect(notice).toBeHidden();
  expect(await read(page)).toMatchObject({ name: 'Mine Works', description: 'By them' });

  await name.fill('Mine Again');
  await edit(page, { name: 'Theirs Again' });
  await save.click();
  await notice.getByRole('button', { name: 'Take this' }).click();
  await expect(name).toHaveValue('Theirs Again');
  await expect(notice).toBeHidden();
  await expect(save).toBeDisabled();
});

test('a change of the regions meanwhile is no conflict with a change of the name', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/api\/orgs/);
  await page.goto(`/o/${organisation.id}/settings`);
  await page.getByLabel('Name', { exact: true }).fill('Other Works');
  await enable(page, 'weur', 'apac');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Organisation updated')).toBeVisible();
  expect(await read(page)).toMatchObject({
    name: 'Other Works',
    dataLocations: { weur: true, apac: true },
  });
});

test('regions are turned on and off: one stays on, and what somebody else turned on is kept', async ({
  page,
}) => {
  await test.step('regions are turned on and off, and one always stays on', async () => {
    await enable(page, 'weur');
    await page.goto(`/o/${organisation.id}/settings`);
    for (const name of [
      'Western North America',
      'Eastern North America',
      'Western Europe',
      'Eastern Europe',
      'Asia-Pacific',
      'South America',
      'Oceania',
      'Africa',
      'Middle East',
    ]) {
      await expect(page.getByRole('switch', { name, exact: true })).toBeVisible();
    }
    const western = page.getByRole('switch', { name: 'Western Europe', exact: true });
    const eastern = page.getByRole('switch', { name: 'Eastern Europe', exact: true });
    await expect(western).toBeChecked();
    await expect(western).toBeDisabled();
    await expect(western).toHaveAccessibleDescription(/Enable another region before/);
    await expect(eastern).toHaveAccessibleDescription('Served from Western Europe');
    await expectAccessible(page, 'the data regions');

    await eastern.click();
    await expect(page.getByText('Eastern Europe enabled', { exact: true })).toBeVisible();
    await expect(eastern).toBeChecked();
    await expect(eastern).toHaveAccessibleDescription('Served from here');
    expect((await read(page)).dataLocations).toMatchObject({ weur: true, eeur: true, enam: false });

    await western.click();
    const dialog = page.getByRole('dialog', { name: 'Disable Western Europe?' });
    await expect(dialog).toContainText('Requests from there go to Eastern Europe');
    await expect(dialog).toContainText('Home moves to Eastern Europe');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(western).toBeChecked();
    expect((await read(page)).dataLocations.weur).toBe(true);

    await western.click();
    await dialog.getByRole('button', { name: 'Disable Western Europe' }).click();
    await expect(page.getByText('Western Europe disabled')).toBeVisible();
    await expect(western).not.toBeChecked();
    await expect(eastern).toBeDisabled();
    const { dataLocations } = await read(page);
    expect(Object.entries(dataLocations).filter(([, isOn]) => isOn)).toEqual([['eeur', true]]);
  });
  await organisation.renew(page);
  await test.step('turning one region on keeps what somebody else turned on meanwhile', async () => {
    await enable(page, 'weur');
    await page.goto(`/o/${organisation.id}/settings`);
    await expect(page.getByRole('switch', { name: 'Western Europe' })).toBeChecked();
    await enable(page, 'weur', 'oc');
    await page.getByRole('switch', { name: 'South America' }).click();
    await expect(page.getByText('South America enabled')).toBeVisible();
    await expect(page.getByRole('switch', { name: 'Oceania' })).toBeChecked();
    expect((await read(page)).dataLocations).toMatchObject({ weur: true, oc: true, sam: true });
  });
});

test('a member sees the settings disabled with the reason', async ({ page, browser }) => {
  const member = await newColleague(browser, page, organisation.id, { name: 'Mel Member', role: 'member' });
  await member.page.setViewportSize({ width: 390, height: 844 });
  await member.page.goto(`/o/${organisation.id}/settings`);
  await expect(member.page.getByText('Only owners and admins can change settings.')).toBeVisible();
  await expect(member.page.getByLabel('Name', { exact: true })).toBeDisabled();
  await expect(member.page.getByLabel('Description')).toBeDisabled();
  await expect(member.page.getByRole('button', { name: 'Save' })).toHaveCount(0);
  for (const region of await member.page.getByRole('switch').all()) await expect(region).toBeDisabled();
  await expectAccessible(member.page, 'the settings as a member sees them');
  await expectFitting(member.page);
});
