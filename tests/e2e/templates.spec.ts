// "See it work first": a template, its three checks with their answers, and a command that runs as it is.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { expect, test } from './support/test.ts';
import { visitPage } from './support/visit-page.ts';

const organisation = ownOrganisation('Tess Template', 'Template Works', { isOwnerShared: false });
const rowsOf = (page: Page) => page.getByRole('list', { name: 'Access checks' }).getByRole('listitem');

test('a template runs three checks and leaves a command that runs as it is', async ({ page }) => {
  await page.goto('/quickstart');
  await expect(page.getByText('Completed 0/5')).toBeVisible();
  await expectAccessible(page, 'the choice of templates');
  await page.getByRole('button', { name: 'Seats' }).click();
  await expect(page.getByRole('heading', { name: 'It works' })).toBeVisible();
  await expect(rowsOf(page)).toHaveText([
    /Audit log.*Allowed$/,
    /Single sign-on.*Not in plan$/,
    /Seats.*Limit reached \(3 of 3\)$/,
  ]);
  await expect(page.getByRole('heading', { name: '1. Connect to Stripe' })).toBeVisible();
  await expectAccessible(page, 'the checks of a template');
  const code = page.getByRole('group', { name: 'the code' });
  const command = (await code.textContent()) ?? '';
  const { stdout } = await promisify(execFile)('sh', ['-ec', command]);
  const { features } = JSON.parse(stdout) as AccessCheckAnswer;
  expect(features.seats).toMatchObject({ allowed: false, reason: 'limit-reached' });

  await page.reload();
  await expect(rowsOf(page).last()).toHaveText(/Seats.*Limit reached \(3 of 3\)$/);
  // The checks were usage, and Stripe is not connected.
  await expect(page.getByText('Completed 0/5')).toBeVisible();
  await expect(code).toHaveText(command);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('tsr_sec_');
  await page.getByRole('button', { name: 'Client' }).click();
  await expect(page.getByRole('group', { name: 'the code' })).toContainText("access.can('audit-log')");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFitting(page);
  await page.getByRole('button', { name: 'Skip & Go to Dashboard' }).click();
  await expect(page).toHaveURL('/');
  await visitPage(page, '/quickstart');
  await expect(page.getByRole('heading', { name: 'See it work first' })).toBeVisible();
});

test('AI credits pay for what is left to use, and say so on the customer’s page', async ({ page }) => {
  await page.goto('/quickstart');
  await page.getByRole('button', { name: 'AI credits' }).click();
  await expect(rowsOf(page)).toHaveText([
    /Chat.*Allowed$/,
    /Video.*Not in plan$/,
    /Images.*Limit reached \(25 of 25\)$/,
  ]);
  const command = (await page.getByRole('group', { name: 'the code' }).textContent()) ?? '';
  const { stdout } = await promisify(execFile)('sh', ['-ec', command]);
  const { features } = JSON.parse(stdout) as AccessCheckAnswer;
  expect(features.chat?.properties.tokens).toMatchObject({
    costs: { feature: 'ai-calls', property: 'credits', per: 0.1, remaining: 460 },
  });
  await page.getByRole('link', { name: 'the customer' }).click();
  const usage = page.getByRole('list', { name: 'Usage' });
  await expect(usage).toContainText('Pays for chat.tokens (0.1 each), images.generations (4 each)');
  await expect(page.getByRole('list', { name: 'Balances of AI calls credits' })).toContainText('460 left');
  const entitlements = page.getByRole('list', { name: 'Entitlements' });
  await expect(entitlements).toContainText('Each costs 0.1 of ai-calls.credits, 460 left');
  await expectAccessible(page, 'the customer of a template with costs');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFitting(page);
});

test('it can be repeated, and never takes work of one’s own to Production', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/templates/);
  await organisation.api(page, 'POST', '/features', { name: 'Our API', slug: 'our-api' });
  const [own] = await organisation.api<{ id: string }[]>(page, 'GET', '/features');
  await page.goto('/quickstart');
  await page.getByRole('button', { name: 'API limits' }).click();
  await expect(page.getByRole('alert')).toContainText('features, plans or workflows of your own');
  await expect(page.getByRole('alert')).not.toContainText('You can try again');
  await organisation.api(page, 'DELETE', `/features/${own?.id}`);
  await page.getByRole('button', { name: 'AI tokens' }).click();
  await expect(rowsOf(page).last()).toHaveText(/Limit reached \(100,000 of 100,000\)$/);
  await page.getByRole('button', { name: 'Choose another example' }).click();
  await page.getByRole('button', { name: 'AI tokens' }).click();
  await expect(rowsOf(page).last()).toHaveText(/Limit reached \(100,000 of 100,000\)$/);
  await page.getByRole('link', { name: 'the customer' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'example-acme' })).toBeVisible();
  await visitPage(page, '/quickstart');
  await expect(rowsOf(page).last()).toHaveText(/Limit reached \(100,000 of 100,000\)$/);
  await page.getByRole('button', { name: 'Choose another example' }).click();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'See it work first' })).toBeVisible();
});
