// A workflow's runs: in the list, in its tab by the reason of failures, and again from there.

import { createDeployed, createFeature, createWorkflow } from '../../dev/workspace/build-workspace.ts';
import { callPublicApi } from './support/call-public-api.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Rita Runs', 'Run Works');

test('a failing workflow shows in the list, with its reason and the run to repeat', async ({ page }) => {
  const workspace = organisation.workspace(page);
  await createFeature(workspace, { name: 'Exports', slug: 'exports' });
  const workflowId = await createWorkflow(workspace, {
    name: 'Partners',
    type: 'dynamic-provisioning',
    source: 'export default () => { throw new TypeError("Not today"); }',
  });
  const { secretKey } = await createDeployed(workspace, { name: 'Production', type: 'live' });
  const check = async () => {
    const who = { userIdentifier: 'ada@example.com' };
    const { answer } = await callPublicApi<{ warnings?: { code: string }[] }>(page, secretKey, who);
    return answer.warnings?.map(({ code }) => code);
  };
  await expect.poll(check).toContain('workflow-failed');

  await page.goto(`/o/${organisation.id}/workflows`);
  const row = page.getByRole('row', { name: /Partners/ });
  await expect(page.getByRole('columnheader', { name: 'Runs, 24 h' })).toBeVisible();
  await expect(row).toContainText(/[1-9]\d*\s*[1-9]\d*/);
  await expectAccessible(page, 'the workflows');

  await page.goto(`/o/${organisation.id}/workflows/${workflowId}/runs`);
  const failures = page.getByRole('region', { name: 'Line 1: TypeError: Not today', exact: true });
  await expect(failures).toContainText('ada@example.com');
  await expect(page.getByText(/^\d+ runs? in 24 hours, \d+ failed, p95 /)).toBeVisible();
  await expectAccessible(page, 'the runs');
  await failures.getByRole('button', { name: 'Run again' }).first().click();
  const viewer = page.getByRole('complementary', { name: 'Event' });
  await expect(viewer).toContainText('Workflow Failed');
  await viewer.getByRole('button', { name: 'Run again' }).click();
  await expect(viewer).toContainText('Same result');
  await page.keyboard.press('Escape');
  await page.getByRole('radiogroup', { name: 'Runs shown' }).getByText('All').click();
  await expect(page).toHaveURL(/[?&]runs=all/);
  await expect(page.getByRole('list', { name: 'Runs' })).toContainText('ada@example.com');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFitting(page, 'the runs');
});
