// The API page: found from the sidebar, read, copied from, and tried against the preview environment.

import { execFileSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import type { OpenApiDocument } from '#contracts/public/openapi';
import { chromiumLaunchOptions } from '../../dev/tools/chromium.ts';
import { callPublicApi } from './support/call-public-api.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { callApi, join, newPerson } from './support/people.ts';
import { expect, test } from './support/test.ts';

// The longest page: it lives long enough that compiling the code that reads it pays.
test.use({ launchOptions: chromiumLaunchOptions() });

const organisation = ownOrganisation('Dora Docs', 'Docs Works');

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** A secret key of the preview environment, as soon as the environment accepts it. */
async function newSecretKey(page: Page): Promise<string> {
  const api = `/api/orgs/${organisation.id}`;
  const environments = await callApi<{ id: string; type: string }[]>(
    page.request,
    'GET',
    `${api}/environments`,
  );
  const preview = environments.find(({ type }) => type === 'preview')!;
  const { value } = await callApi<{ value: string }>(page.request, 'POST', `${api}/api-keys`, {
    environmentId: preview.id,
    type: 'secret',
  });
  await expect
    .poll(async () => {
      const { status, answer } = await callPublicApi(page, value, {});
      return status === 200 ? answer.version : null;
    })
    .not.toBeNull();
  return value;
}

test('is found under Tools, has a part for each thing that one asks, and a document that anybody may read', async ({
  page,
  browser,
}) => {
  await test.step('is found under Tools, and has a part for each thing that one asks', async () => {
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API Docs' }).click();
    await expect(page).toHaveURL('/api-docs');
    await expect(page.getByRole('heading', { level: 1, name: 'API Docs' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'API Docs' })).toHaveAttribute('aria-current', 'page');
    const parts = page.getByRole('navigation', { name: 'On this page' });
    for (const name of [
      'Client',
      'Authentication',
      'Access checks',
      'Try it',
      'Counter updates',
      'OpenFeature',
      'Errors',
      'Error codes',
      'Warnings',
    ]) {
      await parts.getByRole('link', { name }).click();
      await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeInViewport();
    }
    await expect(page).toHaveURL('/api-docs#warnings');
    const regions = await page.locator('main').ariaSnapshot();
    const names = [...regions.matchAll(/- region "([^"]*)"/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(5);
    expect(new Set(names).size).toBe(names.length);

    await page.getByRole('textbox', { name: 'Search warnings' }).fill('expired');
    await expect(page.getByRole('list', { name: 'warnings' }).getByRole('listitem')).toHaveCount(1);
    await expect(page.getByRole('list', { name: 'errors' }).getByRole('listitem')).toHaveCount(12);

    const checks = section(page, 'Access checks');
    const amount = checks.getByText('Amount to consume. Defaults to 1.');
    await expect(amount).toBeHidden();
    await checks.getByText('7 fields of consume').click();
    await expect(amount).toBeVisible();
  });
  await test.step('every status has its reasons, each with its body', async () => {
    const updates = section(page, 'Counter updates');
    const answer = updates.getByRole('group', { name: 'the response', exact: true });
    await expect(answer).toContainText('"accepted": true');
    await updates.getByRole('button', { name: '400', exact: true }).click();
    await updates.getByRole('button', { name: 'A fractional amount' }).click();
    await expect(answer).toContainText('by: Must be a whole number');
    await updates.getByRole('button', { name: '409', exact: true }).click();
    await expect(answer).toContainText('"errorType": "conflict"');
    await updates.getByRole('combobox', { name: 'Situation' }).click();
    await page.getByRole('option', { name: 'Retry without counting twice' }).click();
    await expect(answer).toContainText('"replayed": true');
  });
  await test.step('is described by a document that anybody may read', async () => {
    const link = page.getByRole('link', { name: 'openapi.json' });
    const path = (await link.getAttribute('href')) ?? '';
    const response = await fetch(new URL(path, page.url()));
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const document = (await response.json()) as OpenApiDocument;
    expect(document.openapi).toBe('3.1.1');
    expect(document.servers.map(({ url }) => url)).toEqual([new URL(page.url()).origin]);
  });
  await test.step('without an organisation it can be read as well', async () => {
    const page = await (await browser.newContext()).newPage();
    await join(page.request, newPerson('Nora New'));
    await page.goto('/');
    await page.getByRole('link', { name: 'API Docs' }).click();
    await expect(section(page, 'Access checks')).toBeVisible();
    await expect(section(page, 'Try it')).toContainText('Create an organisation');
    await page.context().close();
  });
});

test('a link shows the same situation, what is copied runs, and a check is tried against the preview environment', async ({
  page,
  context,
}) => {
  await test.step('a link shows the same situation in the same language, and what is copied runs', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const key = await newSecretKey(page);
    await page.goto('/api-docs');
    const checks = section(page, 'Access checks');
    await checks.getByRole('combobox', { name: 'Situation' }).click();
    await page.getByRole('option', { name: 'Registered user' }).click();
    await checks.getByRole('button', { name: 'TypeScript' }).click();
    await expect(page).toHaveURL('/api-docs?checkAccess=registeredUser&language=javascript');
    await page.reload();
    await expect(checks.getByRole('combobox', { name: 'Situation' })).toHaveValue('Registered user');
    await expect(checks.getByRole('group', { name: 'the response', exact: true })).toContainText(
      '"isAuthenticated": true',
    );

    const copied = async (start: string) => {
      await expect(checks.getByRole('group', { name: 'the request', exact: true })).toContainText(start);
      await checks.getByRole('button', { name: 'the request' }).click();
      await expect(checks.getByRole('button', { name: 'Copied! the request' })).toBeVisible();
      const read = () => page.evaluate(() => navigator.clipboard.readText());
      await expect.poll(read).toContain(start);
      return read();
    };
    const env = { ...process.env, TESSERA_KEY: key };
    const script = `${await copied('const response')}\nconsole.log(JSON.stringify(answer));`;
    const bySript = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { env });
    expect(JSON.parse(bySript.toString())).toMatchObject({
      status: 'success',
      identity: { isAuthenticated: true, method: 'identifier' },
    });
    await checks.getByRole('button', { name: 'curl' }).click();
    const byShell = execFileSync('sh', ['-c', (await copied('curl')).replace('curl', 'curl -s')], { env });
    expect(JSON.parse(byShell.toString())).toMatchObject({ status: 'success' });
  });
  await test.step('a check is tried against the preview environment, and says why', async () => {
    const api = `/api/orgs/${organisation.id}`;
    await callApi(page.request, 'POST', `${api}/features`, { name: 'Data exports', slug: 'data-exports' });
    const { planId } = await callApi<{ planId: string }>(page.request, 'POST', `${api}/plans`, {
      name: 'Team',
      slug: 'team',
    });
    await callApi(page.request, 'PUT', `${api}/plans/${planId}`, { grantToAuthenticatedUsers: true });
    await page.goto(`/o/${organisation.id}/`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goto('/api-docs#try-it');
    const trial = section(page, 'Try it');
    await expect(trial.getByRole('group', { name: 'the check’s request' })).toContainText('{}');
    await trial.getByText('Identifier', { exact: true }).click();
    await trial.getByRole('button', { name: 'Run access check' }).click();
    await expect(trial.getByText('Required')).toBeVisible();
    await trial.getByLabel('userIdentifier').fill('ada@example.com');
    await trial.getByRole('combobox', { name: 'Features' }).click();
    await page.getByRole('option', { name: 'data-exports' }).click();
    const answer = trial.getByRole('group', { name: 'the check’s response' });
    await expect(async () => {
      await trial.getByRole('button', { name: 'Run access check' }).click();
      await expect(answer).toContainText('"plans": [\n      "team"', { timeout: 1000 });
    }).toPass();
    await expect(answer).toContainText('"data-exports"');
    await expect(trial.getByRole('table', { name: 'reasons' })).toContainText('so its default applies');

    await trial.getByText('Public', { exact: true }).click();
    await trial.getByRole('button', { name: 'Run access check' }).click();
    await expect(answer).toContainText('identifier-needs-secret-key');
  });
});

test('reads well for everyone, in both themes and at every width', async ({ page }) => {
  await page.goto('/api-docs');
  await expect(section(page, 'Access checks')).toBeVisible();
  await page.locator('details').evaluateAll((all: HTMLDetailsElement[]) => {
    for (const each of all) each.open = true;
  });
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectFitting(page, `the API page at ${width}`);
    if (width !== 1024) await expectAccessible(page, `the API page at ${width}`);
  }
});
