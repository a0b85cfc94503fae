// Workflows, from the empty list to code that an environment runs: errors, drafts, conflicts and deletion.
import type { Page } from '@playwright/test';
import type { Feature } from '#contracts/console/features';
import type { Plan } from '#contracts/console/plans';
import type { Workflow } from '#contracts/console/workflows';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { expectAccessible } from './support/expect-accessible.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { smallWorkspace } from './support/small-workspace.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Wanda Workflows', 'Workflow Works');

const CODE = (plan: string) =>
  `export default function workflow({ now }: WorkflowInput): WorkflowResult { return now > 0 ? ['${plan}'] : []; }`;

const editorOf = (page: Page) => page.locator('.monaco-editor .view-lines');

/** Replaces the editor's text. */
async function writeCode(page: Page, code: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(code);
}

const problems = (page: Page) => page.getByRole('region', { name: 'Problems' });
const frame = (page: Page) => page.getByRole('region', { name: 'Code', exact: true });
const workflowOf = (page: Page) => {
  const [, id] = /workflows\/([^/]+)/.exec(page.url()) ?? [];
  return organisation.api<Workflow>(page, 'GET', `/workflows/${id}`);
};

test('from nothing to code: an error is shown and kept as a draft, two people differ, and the end', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/api\/orgs\/.*\/workflows\/.*40[49]|status of 40[49]/);
  await organisation.api<Plan>(page, 'POST', '/plans', { name: 'Portfolio', slug: 'portfolio' });
  await page.goto(`/o/${organisation.id}/workflows`);
  await expect(page.getByRole('heading', { name: 'No workflows' })).toBeVisible();
  await expect(page.getByText('A visual builder is coming soon.')).toBeVisible();
  await expectAccessible(page, 'no workflows');

  await page.getByRole('button', { name: 'Add a Workflow' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a Workflow' });
  await dialog.getByLabel('Name').fill('Trial');
  await dialog.getByRole('radio', { name: 'Feature Behaviour' }).check();
  await dialog.getByRole('button', { name: 'Add workflow' }).click();
  await expect(dialog.getByText('Feature is required')).toBeVisible();
  await dialog.getByRole('radio', { name: 'Dynamic Provisioning' }).check();
  await expect(dialog.getByText('Feature is required')).toHaveCount(0);
  await expectAccessible(page, 'add a workflow');
  await dialog.getByRole('button', { name: 'Add workflow' }).click();

  // A misspelt slug is an error, and the source is kept.
  await expect(page).toHaveURL(/\/workflows\/[^/]+\/code$/);
  await expect(page.getByText('Quickstart Templates: Coming Soon')).toBeVisible();
  await writeCode(page, CODE('protfolio'));
  await expect(problems(page)).toContainText(`Type '"protfolio"' is not assignable to type '"portfolio"'`);
  await expectAccessible(page, 'code with an error');
  await frame(page).getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Code Compilation Error')).toBeVisible();
  await expect(page.getByText('This workflow has some errors.')).toBeVisible();
  await expect(frame(page).getByText('Draft')).toBeVisible();
  expect(await workflowOf(page)).toMatchObject({ source: CODE('protfolio'), compiled: null, isDraft: true });

  // Somebody else saves: both texts are shown, and one continues with one's own.
  const { id } = await workflowOf(page);
  await organisation.api(page, 'PUT', `/workflows/${id}`, { source: '// theirs' });
  await writeCode(page, '// mine');
  await expect(problems(page)).toContainText('Export the workflow');
  await page.keyboard.press('ControlOrMeta+S');
  const conflict = page.getByRole('alert').filter({ hasText: 'changed by somebody else' });
  await expect(conflict).toContainText('// theirs');
  await expect(conflict).toContainText('// mine');
  await expectAccessible(page, 'two sources');
  await conflict.getByRole('button', { name: 'Continue with mine' }).click();
  await expect(conflict).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+S');
  await expect.poll(async () => (await workflowOf(page)).source).toBe('// mine');

  // Settings.
  await page.getByRole('link', { name: 'Manage' }).click();
  await page.getByLabel('Enabled').uncheck({ force: true });
  await expect(page.getByText('If disabled, this workflow will be saved but not executed.')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Workflow updated')).toBeVisible();
  await expect(page.getByText('Disabled', { exact: true })).toBeVisible();
  await expectAccessible(page, 'a workflow');

  await page.getByRole('link', { name: 'Workflows' }).last().click();
  const row = page.getByRole('row', { name: /Trial/ });
  await expect(row).toContainText('Custom Code');
  await expect(row.getByRole('img', { name: 'Disabled' })).toBeVisible();
  await expectAccessible(page, 'workflows');
  await row.getByRole('button', { name: 'Actions for Trial' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Are you sure you want to remove this workflow?' });
  await expect(question).toContainText(
    'This will permanently remove the workflow from our system. Any access checks relying on this code may stop working.',
  );
  await question.getByRole('button', { name: 'Remove Trial' }).click();
  await expect(page.getByText('Workflow deleted')).toBeVisible();
  await page.goto(`/o/${organisation.id}/workflows/${id}/code`);
  await expect(
    page.getByRole('heading', { name: 'Workflow Deleted – This workflow no longer exists' }),
  ).toBeVisible();
});

test('every example compiles, and a deleted feature is named', async ({ page }) => {
  const feature = await organisation.api<Feature>(page, 'POST', '/features', {
    name: 'Seats',
    slug: 'seats',
  });
  for (const [propertyKey, type] of [
    ['max.seats', 'number'],
    ['exports', 'meterable'],
  ]) {
    await organisation.api(page, 'POST', `/features/${feature.id}/properties`, {
      ...{ name: 'Some property', propertyKey, type },
    });
  }
  await organisation.api<Plan>(page, 'POST', '/plans', { name: 'Portfolio', slug: 'portfolio' });
  const workflows: Workflow[] = [];
  for (const body of [
    { name: 'Plans', type: 'dynamic-provisioning' },
    { name: 'Values', type: 'feature-behaviour', featureId: feature.id },
  ]) {
    workflows.push(await organisation.api<Workflow>(page, 'POST', '/workflows', body));
  }
  for (const { id } of workflows) {
    await page.goto(`/o/${organisation.id}/workflows/${id}/code`);
    for (let index = 0; index < 3; index++) {
      await page.getByRole('button', { name: 'Examples' }).click();
      await page.getByRole('menuitem').nth(index).click();
      await expect(page.getByRole('menuitem')).toHaveCount(0);
      // An error after the example proves that the compiler has read it, and that it is the only one.
      await editorOf(page).click();
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.insertText('missing;');
      await expect(problems(page).getByRole('listitem')).toHaveText([/Cannot find name 'missing'/]);
    }
    await writeCode(page, '');
  }
  await organisation.api(page, 'DELETE', `/features/${feature.id}`);
  const [, values] = workflows;
  await page.goto(`/o/${organisation.id}/workflows/${values!.id}/manage`);
  await expect(page.getByLabel('Feature', { exact: true })).toHaveValue('Deleted feature');
});

test('code that compiles is tried on a customer, deployed, and decides live checks until it is broken', async ({
  page,
}) => {
  const works = smallWorkspace(page, organisation.id);
  await works.api<Plan>('POST', '/plans', { name: 'Portfolio', slug: 'portfolio' });
  const environment = await works.makeEnvironment('Production');
  const key = await works.api<{ value: string }>('POST', '/api-keys', {
    ...{ environmentId: environment.id, type: 'secret' },
  });
  const { id } = await works.api<Workflow>('POST', '/workflows', {
    ...{ name: 'Trial', type: 'dynamic-provisioning' },
  });
  await page.goto(`/o/${organisation.id}/workflows/${id}/code`);
  await writeCode(page, CODE('portfolio'));
  await frame(page).getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Workflow Updated')).toBeVisible();
  expect(await workflowOf(page)).toMatchObject({ source: CODE('portfolio'), isDraft: false });

  // Run it as it is in the editor, saved or not.
  const pane = page.getByRole('form', { name: 'Run' });
  const customer = pane.getByPlaceholder('ada@example.com');
  await customer.fill('ada@example.com');
  await customer.press('Escape');
  await pane.getByRole('button', { name: 'Run' }).click();
  const result = pane.getByRole('status', { name: 'Result' });
  await expect(result).toContainText('Succeeded');
  await expect(result).toContainText('"portfolio"');
  await writeCode(page, CODE('portfolio').replace('return', "console.warn('here'); return"));
  await pane.getByRole('radio', { name: 'Input' }).check({ force: true });
  await pane.getByRole('button', { name: 'Run' }).click();
  await expect(result).toContainText('here');
  await expectAccessible(page, 'a run');

  // A live check answers with the deployed code, and goes on without code that fails.
  const check = async () => {
    const response = await page.request.post('/api/v1/access-checks', {
      headers: { authorization: `Bearer ${key.value}` },
      data: { userIdentifier: 'ada@example.com' },
    });
    const { customer, warnings } = (await response.json()) as AccessCheckAnswer;
    return { plans: customer?.plans, warnings: warnings?.map(({ code }) => code) };
  };
  await works.deploy(environment, await works.freeze());
  await expect.poll(check).toMatchObject({ plans: ['portfolio'] });
  await writeCode(page, 'export default function workflow(): WorkflowResult { throw new Error("broken"); }');
  await page.keyboard.press('ControlOrMeta+S');
  await expect.poll(async () => (await workflowOf(page)).source).toContain('broken');
  await works.deploy(environment, await works.freeze());
  await expect
    .poll(check)
    .toMatchObject({ plans: [], warnings: expect.arrayContaining(['workflow-failed']) });

  // The version shows both sources.
  await page.goto(`/o/${organisation.id}/environments/changes?version=2`);
  const sources = page.getByRole('region', { name: 'Before and After' });
  await expect(sources).toContainText("['portfolio']");
  await expect(sources).toContainText('throw new Error("broken")');
  await expectAccessible(page, 'changed code');
});
