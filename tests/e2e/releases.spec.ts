// The story of a release: what is behind, what it would change for whom, the deployment, and the way back.

import type { Page } from '@playwright/test';
import type { Artifact } from '#contracts/console/artifacts';
import { identifierSegment } from '#engine/identity/identifier-segment';
import { createDeployed, createFeature, createWorkflow } from '../../dev/workspace/build-workspace.ts';
import { callPublicApi } from './support/call-public-api.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { type SmallWorkspace, smallWorkspace } from './support/small-workspace.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Rita Releases', 'Release Works');
let works: SmallWorkspace;

/** Production runs version 1, which gives everybody 5 seats; version 2 gives 3. Two customers are known. */
async function fill(): Promise<void> {
  await works.fill();
  const production = await works.makeEnvironment('Production');
  await works.deploy(production, await works.freeze());
  const [plan] = await works.api<{ planId: string }[]>('GET', '/plans');
  const grant = { planId: plan!.planId, environmentId: null, until: null, reason: 'A pilot customer' };
  for (const identifier of ['ada@example.com', 'grace@example.com']) {
    await works.api('POST', `/customers/${identifierSegment(identifier)}/grants`, grant);
  }
  await works.setSeats(3);
  await works.freeze();
}

const impactIn = (page: Page) => page.getByRole('region', { name: 'Impact' });

test.beforeEach(({ page }) => {
  works = smallWorkspace(page, organisation.id);
});

test('from the dashboard to what it changes for whom, to the deployment, and back', async ({ page }) => {
  await fill();
  await page.goto(`/o/${organisation.id}/`);
  await page.getByRole('link', { name: /^v2 not deployed to Production/ }).click();
  await expect(page.getByRole('combobox', { name: 'Compared with' })).toHaveValue('Production, v1');
  const bar = page.getByRole('region', { name: 'Next for Production' });
  await expect(bar).toHaveText('Production v1 v2Deploy v2 to Production');
  await expect(bar.getByRole('img', { name: 'to' })).toBeVisible();
  await expect(page.getByText('1 changed from Production v1 to version 2.')).toBeVisible();
  const impact = impactIn(page);
  await expect(impact).toContainText('2 known customers, compared with v1');
  await expect(impact).toContainText('2customers get less');
  await impact.getByRole('button', { name: '2 customers on Starter' }).click();
  await expect(impact.getByRole('link', { name: 'ada@example.com' })).toHaveAttribute('href', /environment=/);
  await expectAccessible(page, 'changes with their impact');

  // The tab by itself has the latest diff, and names who lags.
  await page.getByRole('navigation', { name: 'Environments' }).getByRole('link', { name: 'Changes' }).click();
  await expect(page.getByRole('heading', { name: 'No Changes' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Workspace Up-to-Date' })).toBeDisabled();
  await bar.getByRole('button', { name: 'Deploy v2 to Production' }).click();
  const asked = page.getByRole('dialog', { name: 'Deploy version 2 to Production' });
  await expect(impact).toContainText('2customers get less');
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expectAccessible(page, 'who lags beside No Changes');
  await bar.getByRole('link', { name: 'Review' }).click();
  await expect(page.getByText('1 changed from Production v1 to version 2.')).toBeVisible();

  await works.open('/versions');
  const lane = page
    .getByRole('list', { name: 'What runs where' })
    .getByRole('listitem')
    .filter({ hasText: 'Production' });
  await expect(lane).toContainText('1 version behind');
  await expectAccessible(page, 'the lanes of releases');
  await lane.getByRole('button', { name: 'Deploy v2 to Production' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy version 2 to Production' });
  await expect(impactIn(page)).toContainText('2customers get less');
  await dialog.getByRole('button', { name: 'Deploy version 2 to Production' }).click();
  await expect(lane).toContainText('Newest version');

  await lane.getByRole('button', { name: 'Roll back to v1 in Production' }).click();
  const back = page.getByRole('dialog', { name: 'Roll back Production to version 1' });
  await expect(impactIn(page)).toContainText('2customers get more');
  await back.getByRole('button', { name: 'Roll back Production to version 1' }).click();
  await expect(lane).toContainText('1 version behind');
  await expect(lane.getByRole('button', { name: /^Roll back/ })).toHaveCount(0);
});

test('an environment’s page rolls it back to the version that ran before', async ({ page }) => {
  await organisation.renew(page);
  works = smallWorkspace(page, organisation.id);
  await works.fill();
  const production = await works.makeEnvironment('Production');
  await works.deploy(production, await works.freeze());
  for (const seats of [4, 3]) {
    await works.setSeats(seats);
    await works.freeze();
  }
  const [third] = await works.api<Artifact[]>('GET', '/artifacts');
  await works.deploy(production, third!);
  await works.open(`/environments/${production.id}/manage`);
  await page.getByRole('button', { name: 'Roll back to v1 in Production' }).click();
  const back = page.getByRole('dialog', { name: 'Roll back Production to version 1' });
  await expect(impactIn(page)).toBeVisible();
  await back.getByRole('button', { name: 'Roll back Production to version 1' }).click();
  await expect(page.getByRole('button', { name: /^Roll back to/ })).toHaveCount(0);
  await expect.poll(async () => (await works.statusOf(production))?.artifactNumber).toBe(1);
});

test('what a plan’s values would change is seen before they are saved', async ({ page }) => {
  await organisation.renew(page);
  works = smallWorkspace(page, organisation.id);
  await fill();
  const [plan] = await works.api<{ planId: string }[]>('GET', '/plans');
  await page.goto(`/o/${organisation.id}/plans/${plan!.planId}/edit-features`);
  const impact = page.getByRole('button', { name: 'Impact' });
  await expect(impact).toBeDisabled();
  await page.getByLabel('Team seats: Seats', { exact: true }).fill('2');
  await impact.click();
  const dialog = page.getByRole('dialog', { name: 'Impact of your changes to Starter' });
  await expect(dialog.getByRole('combobox', { name: 'Customers of' })).toHaveValue('Production');
  await expect(impactIn(page)).toContainText('2 known customers, compared with the saved values');
  await expect(impactIn(page)).toContainText('2customers get less');
  await expectAccessible(page, 'the impact of a plan');
  await page.keyboard.press('Escape');
  await expect(page.getByText('1 change in 1 feature')).toBeVisible();
});

test('what a changed workflow decides differently is seen before it is deployed', async ({ page }) => {
  await organisation.renew(page);
  const workspace = organisation.workspace(page);
  const feature = await createFeature(workspace, { name: 'Exports', slug: 'exports' });
  const workflowId = await createWorkflow(workspace, {
    name: 'Gate',
    type: 'feature-behaviour',
    featureId: feature.id,
    source: 'export default () => ({ enabled: true })',
  });
  const { secretKey } = await createDeployed(workspace, { name: 'Production', type: 'live' });
  const check = async () => {
    const { answer } = await callPublicApi(page, secretKey, { userIdentifier: 'ada@example.com' });
    return answer.features.exports;
  };
  await expect.poll(check).toMatchObject({ allowed: true });
  const source = "export default ({ customer }) => ({ enabled: customer.id !== 'ada@example.com' })";
  const code = { source, compiled: source };
  works = smallWorkspace(page, organisation.id);
  await works.api('PUT', `/workflows/${workflowId}`, code);
  await works.freeze();

  await works.open('/versions');
  await page.getByRole('button', { name: 'Deploy v2 to Production' }).click();
  await expect(impactIn(page)).toContainText(
    /that ran the workflow “Gate”, \d+ goe?s? from allowed to denied\./,
  );
  const different = page.getByRole('list', { name: 'Checks that are decided differently' });
  await expect(different.getByRole('listitem')).toHaveCount(1);
  await expect(different).toContainText(/Denied.*ada@example\.com/);
  await expectAccessible(page, 'the replay of a changed workflow');
  await different.getByRole('link', { name: 'Latest event' }).click();
  await expect(page.getByRole('complementary', { name: 'Event' })).toContainText('ada@example.com');
});
