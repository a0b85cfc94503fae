// The quick start, from a new account to the first response, and its messages when something goes wrong.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import type { Artifact } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { Organisation } from '#contracts/console/organisations';
import { createFeature, createPlan } from '../../dev/workspace/build-workspace.ts';
import { newColleague } from './support/colleague.ts';
import { connectStripe } from './support/connected-stripe.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { PASSWORD, signInOnPage } from './support/people.ts';
import { newStripeAccount } from './support/stripe-account.ts';
import { expect, test } from './support/test.ts';

const PUBLIC_KEY = `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEUHtHiCLGTAOWUUM5mGlHUQUaQZDD
pZ5zWhIWtJuKN6JRdeq+w3ZBlo6JBWsUfkJFTUnkzTN9Y6XIO6qhK8r3Ig==
-----END PUBLIC KEY-----`;

// The quick start without an organisation in its address is that of the only one.
const organisation = ownOrganisation('Quinn Quick', 'Quick Works', { isOwnerShared: false });
const { api } = organisation;
const statusOf = async (page: Parameters<typeof api>[0]) =>
  (await api<Organisation>(page, 'GET', '')).quickstartStatus;

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Quick Start Guide' });
const stepOf = (page: Page, name: string) => panelOf(page).getByRole('button', { name });

test('sign-in leads to it, and only the first step is open until Stripe is connected', async ({ page }) => {
  await page.context().clearCookies();
  await page.goto('/');
  await expect(page).toHaveURL('/signin?returnUrl=%2F');
  await signInOnPage(page, organisation.owner.email, PASSWORD);
  await expect(page).toHaveURL('/quickstart');
  await expect(page.getByRole('heading', { level: 1, name: /Quinn Quick/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Toggle sidebar' })).toBeHidden();
  await expect(panelOf(page).getByText('Completed 0/5')).toBeVisible();
  await expect(stepOf(page, '1. Connect to Stripe')).toBeEnabled();
  for (const later of [
    'Create webhook',
    '2. Sync your Stripe account',
    '4. Configure JWT',
    '5. Call our API',
  ]) {
    await expect(stepOf(page, later)).toBeDisabled();
  }
  await page.goto('/quickstart?step=api');
  await expect(page.getByRole('heading', { name: '1. Connect to Stripe' })).toBeVisible();
  await expectAccessible(page, 'the quick start');
});

async function connectAccount(page: Page): Promise<void> {
  const account = await newStripeAccount('Quick Works');
  await account.test.customers.create({ name: 'Ada Lovelace', email: 'ada@example.com' });
  await page.goto('/quickstart');
  await page.getByLabel('Secret key').fill(account.keys.secretKey);
  await page.getByRole('button', { name: 'Connect Stripe' }).click();
  await expect(page.getByRole('heading', { name: 'Create webhook' })).toBeVisible();
  await expect(panelOf(page).getByText('Completed 1/5')).toBeVisible();
  await page.getByRole('button', { name: 'Create webhook in Stripe' }).click();
  await page.getByRole('button', { name: 'Start sync' }).click();
  await expect(stepOf(page, '2. Sync your Stripe account Done')).toBeVisible();
  await expect(page.getByText('Waiting for the first event')).toBeVisible();
  await account.test.customers.create({ name: 'Grace Hopper', email: 'grace@example.com' });
  await expect(stepOf(page, '3. Trigger an event in Stripe Done')).toBeVisible();
  await expect(panelOf(page).getByText('Completed 3/5')).toBeVisible();
}

/** It has a name by default, and what was typed is not lost. */
async function configureJwt(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: '4. Configure JWT' })).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toBeHidden();
  await page.getByLabel('Public key').fill(PUBLIC_KEY);
  await stepOf(page, '3. Trigger an event in Stripe Done').click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await page.getByLabel('Claim key').fill('email');
  await page.getByRole('button', { name: 'Create integration' }).click();
  await expect(page.getByRole('heading', { name: '5. Call our API' })).toBeVisible();
  await expect(panelOf(page).getByText('Completed 4/5')).toBeVisible();
  await stepOf(page, '4. Configure JWT').click();
  await expect(page.getByText('Onboarding JWT Integration')).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** In an empty folder, with the packaged Node. */
async function runAsPasted(code: string): Promise<void> {
  const cwd = mkdtempSync(join(tmpdir(), 'tessera-first-call-'));
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const env = { ...process.env, PATH, npm_config_audit: 'false', npm_config_update_notifier: 'false' };
  await promisify(execFile)('sh', ['-ec', code], { cwd, env });
  rmSync(cwd, { recursive: true });
}

/** The call has a real key, runs, and is seen to arrive. Ends on the response to one that the page makes. */
async function callApi(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create secret key' }).click();
  const code = page.getByRole('group', { name: 'the code' });
  await expect(code).toContainText(/npm pack \S+\/sdk\/tessera-sdk\S+\nnpm i \.[\s\S]*TESSERA_KEY=tsr_sec_/);
  await expect(page.getByText('Waiting for your call.')).toBeVisible();
  await runAsPasted((await code.textContent()) ?? '');
  const calls = page.getByRole('list', { name: 'Your calls' });
  await expect(calls.getByRole('link', { name: /^Allowed cus_\w+ all features/ })).toHaveCount(1);
  await expect(page.getByRole('heading', { name: 'Your call arrived' })).toBeVisible();
  await expect(stepOf(page, '5. Call our API Call arrived')).toBeVisible();
  await expectAccessible(page, 'a call that arrived');
  await expect(page.getByText(/^TESSERA_KEY=tsr_sec_/)).toBeVisible();
  for (const language of ['curl', 'TypeScript', 'Python']) {
    await page.getByRole('button', { name: language }).click();
    await expect(code).toContainText('TESSERA_KEY');
  }
  await page.getByLabel('User identifier').last().fill('grace@example.com');
  await page.getByRole('button', { name: 'Run access check' }).click();
  await expect(page.getByRole('heading', { name: 'Your first response' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'the response' })).toContainText('"isCustomer": true');
  await expectAccessible(page, 'the response');
}

test('all steps to the first response, each done in place', async ({ page }) => {
  await connectAccount(page);
  await configureJwt(page);
  await callApi(page);
  // The call is there when the page opens again, so the step can be finished with it.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Your call arrived' })).toBeVisible();
  await page.getByRole('button', { name: 'Finish', exact: true }).click();
  await expect(page).toHaveURL('/');
  expect(await statusOf(page)).toBe('finished');

  await expect(page.getByText('Connect your stack')).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Ship your first version' })).toBeVisible();
  await page.goto('/quickstart');
  await expect(panelOf(page).getByText('Completed 5/5')).toBeVisible();
  await panelOf(page).getByRole('button', { name: 'Go to Dashboard' }).click();
  await expect(page).toHaveURL('/');
  expect(await statusOf(page)).toBe('finished');
  await expect(page.getByRole('button', { name: "Nah, I'll Wing It!" })).toHaveCount(0);
  await page.getByRole('button', { name: 'Hide' }).click();
  await page.reload();
  await expect(page.getByRole('region', { name: 'Requests remaining' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Ship your first version' })).toBeHidden();
});

test('a check that fails, an unknown customer and a short input are told, and steps can be skipped', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/access-checks|api-keys/);
  const account = await newStripeAccount('Quick Refusals');
  await connectStripe(page, organisation, account);
  await page.goto(`/o/${organisation.id}/`);
  await expect(page.getByText('Completed 3/5')).toBeVisible();
  await expectAccessible(page, 'the quick start on the dashboard');
  await page.getByRole('link', { name: 'Continue' }).click();

  await page.getByRole('button', { name: 'Skip this step' }).click();
  const panel = page.getByRole('complementary', { name: 'Quick Start Guide' });
  await expect(panel.getByText('Completed 4/5')).toBeVisible();
  await expect(panel.getByRole('button', { name: '4. Configure JWT Skipped' })).toBeEnabled();

  const keys = '**/environments/*/api-keys';
  await page.route(keys, (route) => route.fulfill({ status: 500, json: { errorType: 'server-error' } }));
  await page.reload();
  await expect(page.getByText('The keys of the preview environment could not be loaded.')).toBeVisible();
  await page.unroute(keys);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Create secret key' })).toBeEnabled();

  const input = page.getByLabel('User identifier').last();
  const run = page.getByRole('button', { name: 'Run access check' });
  await input.fill('a');
  await run.click();
  await expect(page.getByText('Input must be at least 2 characters.')).toBeVisible();
  await input.fill('nobody@example.com');
  await run.click();
  await expect(page.getByRole('heading', { name: '5. Customer not found' })).toBeVisible();
  await expectAccessible(page, 'a customer that was not found');
  await page.getByRole('button', { name: 'Try another' }).click();
  await expect(input).toHaveValue('nobody@example.com');

  await page.route('**/envs/preview/access-checks*', (route) =>
    route.fulfill({ status: 500, body: 'no json' }),
  );
  await run.click();
  await expect(page.getByRole('heading', { name: 'Oops, something went wrong!' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'the response' })).toContainText('server-error');
  await page.unroute('**/envs/preview/access-checks*');
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByText('Public key', { exact: true }).click();
  await run.click();
  await expect(page.getByRole('heading', { name: '5. Customer not found' })).toBeVisible();
  await page.getByRole('button', { name: 'Skip', exact: true }).click();
  await expect(page).toHaveURL('/');
  expect(await statusOf(page)).toBe('paused');
});

test('a token that is no token is said to be refused, before anything about a customer', async ({ page }) => {
  await connectStripe(page, organisation, await newStripeAccount('Quick Tokens'));
  await page.goto('/quickstart?step=api');
  await page.getByText('JWT', { exact: true }).click();
  await page.getByLabel('JWT', { exact: true }).last().fill('not-a-token');
  await page.getByRole('button', { name: 'Run access check' }).click();
  await expect(page.getByRole('heading', { name: '5. Token not accepted' })).toBeVisible();
  await expect(page.getByText('Customer not found')).toBeHidden();
});

test('a response leads to the one thing that is missing: feature, plan, link, version, deployment', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' }); // Confetti is motion.
  const account = await newStripeAccount('Quick Parts');
  const { priceId } = await account.newProduct('Team');
  const { id: customer } = await account.test.customers.create({ email: 'ada@example.com' });
  await account.test.subscriptions.create({ customer, items: [{ price: priceId }] });
  await account.test.customers.create({ email: 'nobody@example.com' });
  await connectStripe(page, organisation, account);
  const workspace = organisation.workspace(page);
  const run = page.getByRole('button', { name: 'Run access check' });
  const missing = async (action: string) => {
    await page.goto('/quickstart?step=api');
    await page.getByLabel('User identifier').last().fill('ada@example.com');
    await run.click();
    await expect(page.getByRole('group', { name: 'the response' })).toBeVisible();
    return page.getByRole('link', { name: action });
  };
  await (await missing('Create a feature')).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Create feature' })).toBeVisible();
  const feature = await createFeature(workspace, { name: 'Exports', slug: 'exports' });
  await expect(await missing('Create a plan')).toBeVisible();
  await createPlan(workspace, { name: 'Team', slug: 'team', values: { exports: {} } }, [feature]);
  const link = await missing('Link a product to a plan');
  await expect(page.locator('canvas')).toHaveCount(0);
  await link.click();
  const dialog = page.getByRole('dialog', { name: 'Connect Stripe Products (Optional)' });
  await dialog.getByRole('checkbox', { name: /^Team/ }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Plan Products Updated')).toBeVisible();

  await expect(async () => {
    const version = await missing('Create a version');
    await expect(version).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(page.locator('canvas')).toHaveCount(1);
  await page.getByRole('button', { name: 'Try another' }).click();
  await expect(page.getByRole('button', { name: 'ada@example.com' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'nobody@example.com' })).toBeHidden();

  const { artifactId } = await organisation.api<Artifact>(page, 'POST', '/artifacts');
  await expect(await missing('Deploy your version')).toBeVisible();
  const production = { name: 'Production', type: 'live' };
  const { id } = await organisation.api<Environment>(page, 'POST', '/environments', production);
  await organisation.api(page, 'PUT', `/deployments/${id}/artifact`, { artifactId });
  await missing('');
  await expect(page.getByText('Only the preview environment')).toBeHidden();
});

test('every member can walk it: it is paused, dismissed and gone from sign-in and dashboard', async ({
  page,
  browser,
}) => {
  const { page: member, email } = await newColleague(browser, page, organisation.id, {
    name: 'Mia Member',
    role: 'member',
  });
  await member.goto('/post-signin');
  await expect(member).toHaveURL('/quickstart');
  await member.setViewportSize({ width: 390, height: 844 });
  await expectFitting(member);
  await member.getByRole('button', { name: 'Skip & Go to Dashboard' }).click();
  await expect(member).toHaveURL('/');
  expect(await statusOf(page)).toBe('paused');
  await expect(member.getByRole('heading', { name: 'Quick start' })).toBeVisible();
  await expectFitting(member);
  await member.getByRole('button', { name: "Nah, I'll Wing It!" }).click();
  await expect(member.getByRole('heading', { name: 'No API calls yet this month' })).toBeVisible();
  await expect(member.getByRole('heading', { name: 'Quick start' })).toBeHidden();
  expect(await statusOf(page)).toBe('dismissed');
  await member.goto('/quickstart');
  await member.getByRole('button', { name: 'Go to Dashboard', exact: true }).click();
  await expect(member).toHaveURL('/');
  expect(await statusOf(page)).toBe('dismissed');

  await member.goto('about:blank');
  await member.context().clearCookies();
  await member.goto('/signin');
  await signInOnPage(member, email, PASSWORD);
  await expect(member).toHaveURL('/');
  await member.context().close();
});
