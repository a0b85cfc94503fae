import type { Artifact } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { Plan } from '#contracts/console/plans';
import { expectAccessible } from './support/expect-accessible.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { exports, idOf, label, planWorkspace, seats, sharing } from './support/plan-workspace.ts';
import { expectAfterRetries } from './support/settle-page.ts';
import { expect, test } from './support/test.ts';
import { visitPage } from './support/visit-page.ts';

const organisation = ownOrganisation('Paula Plans', 'Plan Works');
const { api } = organisation;
const { makePlan, makeFeature, saveValues } = planWorkspace(organisation);

test('the first plan: from the empty state to its page, its slug following the name until edited', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/409/);
  await page.goto(`/o/${organisation.id}/plans`);
  await expect(page.getByRole('heading', { name: 'No plans' })).toBeVisible();
  const steps = page
    .getByRole('listitem')
    .filter({ has: page.locator('text=/plan|features|products|entitlements/i') });
  for (const step of [
    'Create a plan',
    'Connect payment-provider products (optional)',
    'Add features',
    'Configure feature entitlements',
  ]) {
    await expect(steps.getByText(step, { exact: true })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Add a Plan' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a Plan' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Required')).toHaveCount(2);
  await dialog.getByLabel('Name').fill('Größe XL. Pro');
  await expect(dialog.getByLabel('Slug')).toHaveValue('groe-xl-pro');
  await dialog.getByLabel('Slug').fill('size-xl');
  await dialog.getByLabel('Name').fill('Size XL');
  await expect(dialog.getByLabel('Slug')).toHaveValue('size-xl');
  await dialog.getByLabel('Description').fill('For large teams');
  await dialog.getByRole('button', { name: 'Create plan' }).click();

  await expect(page).toHaveURL(/\/plans\/plan_[^/]+\/feature$/);
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Size XL' })).toBeVisible();
  expect(await api<Plan[]>(page, 'GET', '/plans')).toMatchObject([
    { name: 'Size XL', planSlug: 'size-xl', description: 'For large teams' },
  ]);

  await page.getByRole('link', { name: 'Plans', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible();
  for (const column of ['Name & Description', 'Slug', 'Actions']) {
    await expect(page.getByRole('columnheader', { name: column })).toBeAttached();
  }
  // A slug that is taken is refused beside the field, once, and nothing typed is lost.
  await page.getByRole('button', { name: 'Add a Plan' }).click();
  await dialog.getByLabel('Name').fill('Size XL');
  await dialog.getByRole('button', { name: 'Create plan' }).click();
  await expect(dialog.getByText('A plan with the slug "size-xl" already exists')).toBeVisible();
  await expect(page.getByText('Duplicate Entry')).toHaveCount(0);
  await expect(dialog.getByLabel('Name')).toHaveValue('Size XL');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page
    .getByRole('row', { name: /Size XL/ })
    .getByText('For large teams')
    .click();
  await expect(page).toHaveURL(/\/plans\/plan_/);
});

test('details: only what was changed is sent, and when two people change them both values are shown', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/409/);
  const plan = await makePlan(page, 'Professional', 'pro');
  await page.goto(`/o/${organisation.id}/plans/${plan.planId}/manage`);
  const save = page.getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  await page.getByLabel('Assign to Registered Users').check();
  await page.getByRole('textbox', { name: 'Name' }).fill('Profession');
  const [request] = await Promise.all([page.waitForRequest((sent) => sent.method() === 'PUT'), save.click()]);
  expect(request.postDataJSON()).toEqual({
    name: 'Profession',
    grantToAuthenticatedUsers: true,
    updatedAt: plan.updatedAt,
  });
  await expect(page.getByText('Plan updated')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Profession' })).toBeVisible();

  await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
  await api(page, 'PUT', `/plans/${plan.planId}`, { name: 'Theirs', grantToAnonymousSessions: true });
  await save.click();
  const notice = page
    .getByRole('alert')
    .filter({ hasText: 'was changed by you in another tab in the meantime' });
  await expect(notice).toContainText('Theirs');
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Mine');
  await expect(page.getByLabel('Assign to Anonymous Users')).toBeChecked();
  const isSaved = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());
  await save.click();
  await isSaved;
  await expect(save).toBeDisabled();
  expect(await api<Plan>(page, 'GET', `/plans/${plan.planId}`)).toMatchObject({
    name: 'Mine',
    planSlug: 'pro',
    grantToAnonymousSessions: true,
    grantToAuthenticatedUsers: true,
  });
});

test('deleting a plan says where it is still in force', async ({ page }) => {
  const { planId } = await makePlan(page, 'Professional', 'pro');
  const production = await api<Environment>(page, 'POST', '/environments', {
    name: 'Production',
    type: 'live',
  });
  await api<Environment>(page, 'POST', '/environments', { name: 'Staging', type: 'test' });
  const version = await api<Artifact>(page, 'POST', '/artifacts');
  await api(page, 'PUT', `/deployments/${production.id}/artifact`, { artifactId: version.artifactId });

  await page.goto(`/o/${organisation.id}/plans`);
  await page.getByRole('button', { name: 'Actions for Professional' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Are You Sure You Want to Remove this Plan?' });
  await expect(dialog).toContainText('This action cannot be undone.');
  const places = dialog.getByRole('listitem');
  await expect(places.filter({ hasText: 'Production' })).toContainText(
    'v1 stays until a version without it is deployed',
  );
  await expect(places.filter({ hasText: 'Staging' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await api<Plan[]>(page, 'GET', '/plans')).toHaveLength(1);

  await page.goto(`/o/${organisation.id}/plans/${planId}/manage`);
  await page.getByRole('button', { name: 'Remove Professional' }).click();
  await dialog.getByRole('button', { name: 'Remove Professional' }).click();
  await expect(page.getByText('Plan Deleted')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No plans' })).toBeVisible();
  expect(await api<Plan[]>(page, 'GET', '/plans')).toEqual([]);
});

test('a deleted plan and one that could not be read show different messages', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/404|500/);
  await page.goto(`/o/${organisation.id}/plans/plan_none/manage`);
  await expect(page.getByRole('heading', { name: 'Plan Deleted' })).toBeVisible();
  const { planId } = await makePlan(page, 'Professional', 'pro');
  await page.route(`**/plans/${planId}`, (route) =>
    route.fulfill({ status: 500, headers: { 'x-request-id': 'req_known' }, body: '{}' }),
  );
  await page.clock.install();
  await page.goto(`/o/${organisation.id}/plans/${planId}/edit-features`);
  const error = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
  await expectAfterRetries(page, error);
  await expect(error.getByRole('button', { name: 'Copy request ID req_known' })).toBeVisible();
  await page.unroute(`**/plans/${planId}`);
  await error.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'No Features' })).toBeVisible();
});

test('every screen of plans is accessible in both themes and fits a phone', async ({ page }) => {
  await page.goto(`/o/${organisation.id}/plans`);
  await expect(page.getByRole('heading', { name: 'No plans' })).toBeVisible();
  await expectAccessible(page, 'no plans');
  const team = await makeFeature(page, 'Team seats', 'team', [seats, sharing]);
  const files = await makeFeature(page, 'Data exports', 'files', [exports, label]);
  const { planId } = await makePlan(page, 'Professional', 'pro');
  await saveValues(page, planId, 1, {
    [team.id]: [{ id: idOf(team, 'seats'), type: 'meterable', value: metered }],
    [files.id]: [
      { id: idOf(files, 'exportsADay'), type: 'number', value: 10 },
      { id: idOf(files, 'label'), type: 'string', value: 'first' },
    ],
  });
  await page.reload();
  for (const [path, landmark] of [
    ['plans', 'Professional'],
    ['plans/compare', 'Data exports'],
    [`plans/${planId}/manage`, 'Assign to Anonymous Users'],
    [`plans/${planId}/feature?properties=all`, 'Show All Properties'],
    [`plans/${planId}/edit-features`, 'Update Plan'],
  ] as const) {
    await visitPage(page, `/o/${organisation.id}/${path}`);
    await expect(page.getByText(landmark).first()).toBeVisible();
    await expectAccessible(page, path);
    await page.setViewportSize({ width: 390, height: 844 });
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(width, `${path} is as wide as a phone`).toBe(390);
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  const long = await makePlan(
    page,
    'Enterprise for organisations with a name of more words than a top bar has room for',
    'long',
  );
  await page.setViewportSize({ width: 1024, height: 800 });
  await visitPage(page, `/o/${organisation.id}/plans/${long.planId}/edit-features`);
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
  const current = crumbs.locator('[aria-current="page"]');
  const spaceAfter = async () => {
    const [title, badge] = [
      await current.boundingBox(),
      await page.getByTitle('The organisation’s plan').boundingBox(),
    ];
    return (badge?.x ?? 0) - ((title?.x ?? 0) + (title?.width ?? 0));
  };
  expect(await spaceAfter(), 'a parent’s long name leaves room for the plan').toBeGreaterThan(0);
  await page.setViewportSize({ width: 390, height: 844 });
  const isCut = () => current.evaluate((element) => element.scrollWidth > element.clientWidth);
  await visitPage(page, `/o/${organisation.id}/billing`);
  await expect(current).toHaveText('Plan & Billing');
  expect(await isCut(), 'the title of a phone’s page is whole').toBe(false);
});

const metered = {
  state: 'metered',
  meter: {
    limit: 500,
    periodType: 'fixed',
    periodCount: 30,
    periodLength: 'day',
    uniqueResourceIds: true,
  },
} as const;
