// Team › Activity and the history of an object: who changed what, found, filtered and downloaded.
import { readFile } from 'node:fs/promises';
import type { Plan } from '#contracts/console/plans';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { smallWorkspace } from './support/small-workspace.ts';
import { expect, test } from './support/test.ts';
import { visitPage } from './support/visit-page.ts';

const organisation = ownOrganisation('Andy Activity', 'Activity Works');

test('who changed a plan is on its page and in the activity, which is filtered by person, object and time', async ({
  page,
}) => {
  const works = smallWorkspace(page, organisation.id);
  await works.fill();
  const production = await works.makeEnvironment('Production');
  await works.deploy(production, await works.freeze());
  const [plan] = await works.api<Plan[]>('GET', '/plans');
  const history = page.getByRole('list', { name: 'History' });
  const activity = page.getByRole('list', { name: 'Activity' });

  await test.step('a plan’s own page says who changed it, and goes on as it is edited', async () => {
    await page.goto(`/o/${organisation.id}/plans/${plan?.planId}/manage`);
    await expect(history.getByRole('listitem').last()).toContainText(
      'Andy Activity created the plan Starter',
    );
    await page.getByLabel('Description').fill('For everybody');
    await page.getByRole('button', { name: 'Save changes' }).first().click();
    await expect(history.getByRole('listitem').first()).toContainText('changed the plan Starter');
    await expect(history.getByRole('listitem').first()).toContainText('description');
  });

  await test.step('an environment’s history has its deployments', async () => {
    await visitPage(page, `/o/${organisation.id}/environments/environments/${production.id}/manage`);
    await expect(history).toContainText('deployed v1 to Production');
  });

  await test.step('the activity of the organisation is filtered, and its rows lead to the objects', async () => {
    await visitPage(page, `/o/${organisation.id}/team`);
    await page.getByRole('link', { name: 'Activity' }).click();
    await expect(activity).toContainText('Andy Activity deployed v1 to Production');
    await expectAccessible(page, 'activity');
    await page.getByRole('button', { name: 'Filter by object' }).click();
    await page.getByRole('option', { name: 'Plans' }).click();
    await expect(activity).not.toContainText('deployed');
    await expect(page).toHaveURL(/kind=plan/);
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const text = await readFile(await (await downloading).path(), 'utf8');
    expect(text).toContain('plan.created,Starter');
    expect(text).not.toContain('version.deployed');
    await page.getByRole('button', { name: 'Clear object' }).click();
    await page.getByRole('button', { name: 'Filter by person' }).click();
    await page.getByRole('option', { name: 'Stripe' }).click();
    await expect(page.getByText('No change matches these filters.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await activity.getByRole('link', { name: 'changed the plan Starter' }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Starter' })).toBeVisible();
  });

  await test.step('it fits a telephone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await visitPage(page, `/o/${organisation.id}/team/activity`);
    await expect(activity).toBeVisible();
    await expectFitting(page);
  });
});
