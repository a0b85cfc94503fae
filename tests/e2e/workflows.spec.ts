// Workflows: from an empty organisation to code that decides live checks; two editors at once; examples, and what was deleted.

import type { Page } from '@playwright/test';
import type { Environment } from '#contracts/console/environments';
import type { Feature } from '#contracts/console/features';
import type { Plan } from '#contracts/console/plans';
import type { Workflow } from '#contracts/console/workflows';
import type { WorkflowInput } from '#contracts/internal/workflow-run';
import { writeCode } from '#lab/screenshots/write-code';
import { callPublicApi } from './support/call-public-api.ts';
import { connectStripe } from './support/connected-stripe.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { PASSWORD, signInOnPage } from './support/people.ts';
import { chooseMove, smallWorkspace } from './support/small-workspace.ts';
import { newStripeAccount } from './support/stripe-account.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Wanda Workflows', 'Workflow Works');

const DAY = 24 * 60 * 60 * 1000;
const TRIAL = (plan: string) => `const TRIAL_DAYS = 14;

export default function workflow({ customer, now }: WorkflowInput): WorkflowResult {
  if (customer.createdAt === null) return [];
  const days = Math.floor((now - customer.createdAt) / ${DAY});
  console.log(\`Customer for \${days} days\`);
  return days < TRIAL_DAYS ? ['${plan}'] : [];
}
`;
/** Its error is in another line of the compiled code, which has no types. */
const BROKEN = `interface Settings {
  readonly trial?: { readonly days: number };
}

export default function workflow(): WorkflowResult {
  const settings: Settings = {};
  return settings.trial!.days > 0 ? ['portfolio'] : [];
}
`;

const editorOf = (page: Page) => page.locator('.monaco-editor .view-lines');
const problems = (page: Page) => page.getByRole('region', { name: 'Problems' });
/** A new page loads the TypeScript compiler and its libraries, which takes a busy machine half a minute. */
const firstCompilation = { timeout: 60_000 };
const frame = (page: Page) => page.getByRole('region', { name: 'Code', exact: true });
const workflowOf = (page: Page) => {
  const [, id] = /workflows\/([^/]+)/.exec(page.url()) ?? [];
  return organisation.api<Workflow>(page, 'GET', `/workflows/${id}`);
};

test('from an empty organisation to a trial that decides live checks, until it is broken', async ({
  page,
}) => {
  test.slow();
  const account = await newStripeAccount('Trial Works');
  const { id: customerId } = await account.test.customers.create({
    email: 'ada@example.com',
    name: 'Ada Lovelace',
  });
  const works = smallWorkspace(page, organisation.id);
  await connectStripe(page, organisation, account);
  await works.api<Plan>('POST', '/plans', { name: 'Portfolio', slug: 'portfolio' });
  await page.goto(`/o/${organisation.id}/workflows`);
  await expect(page.getByRole('heading', { name: 'No workflows' })).toBeVisible();
  await expect(page.getByText('A visual builder is coming soon.')).toBeVisible();
  await expectAccessible(page, 'no workflows');

  await page.getByRole('button', { name: 'Add a Workflow' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a Workflow' });
  await dialog.getByLabel('Name').fill('Trial');
  await dialog.getByRole('radio', { name: 'Feature Behaviour' }).check();
  await dialog.getByRole('button', { name: 'Create workflow' }).click();
  await expect(dialog.getByText('Feature is required')).toBeVisible();
  await dialog.getByRole('radio', { name: 'Dynamic Provisioning' }).check();
  await expect(dialog.getByText('Feature is required')).toHaveCount(0);
  await expectAccessible(page, 'add a workflow');
  await dialog.getByRole('button', { name: 'Create workflow' }).click();

  // A misspelt slug is an error, and the source is kept.
  await expect(page).toHaveURL(/\/workflows\/[^/]+\/code$/);
  await expect(page.getByText('Quickstart Templates: Coming Soon')).toBeVisible();
  await writeCode(page, TRIAL('protfolio'));
  await expect(problems(page)).toContainText(
    `Type '"protfolio"' is not assignable to type '"portfolio"'`,
    firstCompilation,
  );
  await expectAccessible(page, 'code with an error');
  await frame(page).getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Code Compilation Error')).toBeVisible();
  await expect(page.getByText('This workflow has some errors.')).toBeVisible();
  await expect(frame(page).getByText('Saved as a draft. Versions contain the workflow')).toBeVisible();
  expect(await workflowOf(page)).toMatchObject({ source: TRIAL('protfolio'), compiled: null, isDraft: true });

  // The corrected code runs before it is saved: on a customer of Stripe, and on one whose trial has ended.
  await writeCode(page, TRIAL('portfolio'));
  const pane = page.getByRole('form', { name: 'Run' });
  const result = pane.getByRole('status', { name: 'Result' });
  await pane.getByPlaceholder('ada@example.com').fill('lovelace');
  await page.getByRole('option').first().click();
  await pane.getByRole('button', { name: 'Run' }).click();
  await expect(result).toContainText('Succeeded');
  await expect(result).toContainText('Customer for 0 days');
  await expect(result).toContainText(/Plansnone.*portfolio/);
  await expectAccessible(page, 'a run');
  await pane.getByRole('radio', { name: 'Input' }).check({ force: true });
  const input = pane.getByRole('textbox', { name: 'Input' });
  const typed = JSON.parse(await input.inputValue()) as WorkflowInput;
  const createdAt = typed.now - 15 * DAY;
  await input.fill(JSON.stringify({ ...typed, customer: { ...typed.customer, createdAt } }));
  await pane.getByRole('button', { name: 'Run' }).click();
  await expect(result).toContainText('Customer for 15 days');
  await expect(result).not.toContainText('portfolio');
  // Its result becomes a test, which waits for the code to be saved.
  await pane.getByRole('button', { name: 'Add as a test' }).click();
  await page.getByRole('tab', { name: 'Tests' }).click();
  const tests = page.getByRole('tabpanel', { name: 'Tests' });
  await expect(tests).toContainText('1 test not run');

  // A live check answers with the deployed code.
  await page.keyboard.press('ControlOrMeta+S');
  await expect(page.getByText('Workflow Updated')).toBeVisible();
  await expect(tests).toContainText('1 test passes');
  expect(await workflowOf(page)).toMatchObject({ source: TRIAL('portfolio'), isDraft: false });
  const environment = await works.api<Environment>('POST', '/environments', {
    name: 'Staging',
    type: 'test',
  });
  const key = await works.api<{ value: string }>('POST', '/api-keys', {
    environmentId: environment.id,
    type: 'secret',
  });
  const check = async () => {
    const { answer } = await callPublicApi(page, key.value, { userIdentifier: customerId });
    const { customer, warnings, requestId } = answer;
    return { plans: customer?.plans, warnings: warnings?.map(({ code }) => code), requestId };
  };
  await works.deploy(environment, await works.freeze());
  await expect.poll(check).toMatchObject({ plans: ['portfolio'], warnings: [] });

  // Checks go on without code that fails, and the event says why.
  await writeCode(page, BROKEN);
  await page.keyboard.press('ControlOrMeta+S');
  await expect.poll(async () => (await workflowOf(page)).compiled).toContain('settings');
  await expect(tests).toContainText('1 test fails');
  await tests.getByText('ada@example.com', { exact: true }).click();
  await expect(tests).toContainText(
    "Line 7: TypeError: Cannot read properties of undefined (reading 'days')",
  );
  await expectAccessible(page, 'a failing test');
  await works.freeze();
  await page.goto(`/o/${organisation.id}/environments/versions`);
  await chooseMove(page, 2, 'Deploy version 2 to Staging');
  const move = page.getByRole('dialog', { name: 'Deploy version 2 to Staging' });
  await expect(move).toContainText('1 workflow test fails on v2');
  await expect(move).toContainText('does not fail on v1, which runs now');
  await expectAccessible(page, 'a deployment with a failing test');
  await move.getByRole('button', { name: 'Deploy version 2 to Staging' }).click();
  await expect(page.getByText('Staging gets v2 with failing workflow tests')).toBeVisible();
  await expect.poll(check).toMatchObject({ plans: [], warnings: ['workflow-failed'] });
  const eventId = (await check()).requestId.replace('req', 'evt');
  await expect
    .poll(async () => (await page.request.get(`/api/orgs/${organisation.id}/events/${eventId}`)).status())
    .toBe(200);
  await page.goto(`/o/${organisation.id}/observe/events?event=${eventId}`);
  const viewer = page.getByRole('complementary', { name: 'Event' });
  await viewer.getByRole('tab', { name: 'Workflows' }).click();
  await expect(viewer).toContainText('Workflow Failed');
  await expect(viewer).toContainText(
    "Line 7: TypeError: Cannot read properties of undefined (reading 'days')",
  );

  // The version shows both sources.
  await page.goto(`/o/${organisation.id}/environments/changes?version=2`);
  const sources = page.getByRole('region', { name: 'Before and After' });
  await expect(sources).toContainText("['portfolio']");
  await expect(sources).toContainText('settings.trial!.days');
  await expectAccessible(page, 'changed code');
});

test('a session that ends, two editors at once and a lost connection lose no code; settings, the list, and the end', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/api\/.*40[149]|status of 40[149]|ERR_INTERNET_DISCONNECTED/);
  const { id } = await organisation.api<Workflow>(page, 'POST', '/workflows', {
    name: 'Trial',
    type: 'dynamic-provisioning',
  });
  await page.goto(`/o/${organisation.id}/workflows/${id}/code`);
  await writeCode(page, '// mine');
  await expect(problems(page)).toContainText('Export the workflow', firstCompilation);
  await organisation.api(page, 'PUT', `/workflows/${id}`, { source: '// theirs' });
  // The session ends while somebody types: the code is kept until they are back.
  await page.context().clearCookies();
  await page.keyboard.press('ControlOrMeta+S');
  await signInOnPage(page, organisation.owner.email, PASSWORD);
  await expect(editorOf(page)).toHaveText('// mine');
  // Somebody else has saved: both texts are shown, and one continues with one's own.
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+S');
  const conflict = page
    .getByRole('alert')
    .filter({ hasText: 'This workflow was changed by you in another tab' });
  await expect(conflict).toContainText('// theirs');
  await expect(conflict).toContainText('// mine');
  await expectAccessible(page, 'two sources');
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await expect(conflict).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+S');
  await expect.poll(async () => (await workflowOf(page)).source).toBe('// mine');

  // Too much code is named, and code that cannot be sent stays in the editor.
  await writeCode(page, `// ${'x'.repeat(1000)}\n`.repeat(262));
  await page.keyboard.press('ControlOrMeta+S');
  await expect(problems(page)).toContainText('The code must be at most 256 KB');
  await writeCode(page, '// offline');
  await page.context().setOffline(true);
  await page.keyboard.press('ControlOrMeta+S');
  await expect(page.getByText('Code not saved').first()).toBeVisible();
  await expect(editorOf(page)).toHaveText('// offline');
  await page.context().setOffline(false);
  await page.keyboard.press('ControlOrMeta+S');
  await expect.poll(async () => (await workflowOf(page)).source).toBe('// offline');
  await page.keyboard.press('Control+m');
  await page.keyboard.press('Tab');
  await expect(page.locator('.monaco-editor.focused')).toHaveCount(0);

  // Settings.
  await page.getByRole('link', { name: 'Manage' }).click();
  await page.getByLabel('Enabled').uncheck({ force: true });
  await expect(page.getByText('If disabled, this workflow will be saved but not executed.')).toBeVisible();
  await page.getByRole('button', { name: 'Save changes', exact: true }).click();
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

test('every example compiles; a deleted feature is named, and a deleted workflow leaves the unsaved code', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/api\/orgs\/.*\/workflows\/.*404|status of 404/);
  const feature = await organisation.api<Feature>(page, 'POST', '/features', {
    name: 'Seats',
    slug: 'seats',
  });
  for (const [propertyKey, type] of [
    ['max.seats', 'number'],
    ['exports', 'meterable'],
  ]) {
    await organisation.api(page, 'POST', `/features/${feature.id}/properties`, {
      name: 'Some property',
      propertyKey,
      type,
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
      await expect(problems(page).getByRole('listitem')).toHaveText(
        [/Cannot find name 'missing'/],
        firstCompilation,
      );
    }
    await writeCode(page, '');
  }
  await organisation.api(page, 'DELETE', `/features/${feature.id}`);
  const [, values] = workflows;
  await page.goto(`/o/${organisation.id}/workflows/${values!.id}/manage`);
  await expect(page.getByLabel('Feature', { exact: true })).toHaveValue('Deleted feature');

  // What somebody typed outlives the workflow.
  await page.getByRole('link', { name: 'Code' }).click();
  await expect(page.getByText('The feature was deleted, so this workflow')).toBeVisible();
  await writeCode(page, '// unsaved');
  await organisation.api(page, 'DELETE', `/workflows/${values!.id}`);
  await frame(page).getByRole('button', { name: 'Update' }).click();
  await expect(
    page.getByRole('heading', { name: 'Workflow Deleted – This workflow no longer exists' }),
  ).toBeVisible();
  await expect(page.getByRole('group', { name: 'your unsaved code' })).toHaveText('// unsaved');
  await expectAccessible(page, 'a workflow that was deleted meanwhile');
});
