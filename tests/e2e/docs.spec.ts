// The guides at /docs: read without an account and inside the console, at every width, and run as they are copied.
import { execFileSync } from 'node:child_process';
import { createFeature, createKey, previewOf } from '../../dev/workspace/build-workspace.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Gale Guide', 'Guide Works');

test('anyone reads concepts and guides without an account, by mouse and keyboard', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/404 \(Not Found\) .*\/docs\/no-such-guide/);
  await page.context().clearCookies();
  await page.goto('/signin');
  await page.getByRole('link', { name: 'Guides' }).click();
  await expect(page).toHaveURL('/docs');
  await expect(page.getByRole('heading', { level: 1, name: 'Guides' })).toBeVisible();
  const nav = page.getByRole('navigation', { name: 'Guides' });
  const titles = (await nav.getByRole('link').allTextContents()).slice(1);
  expect(titles.length).toBeGreaterThan(10);
  for (const title of titles) {
    await nav.getByRole('link', { name: title, exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
    await expect(nav.getByRole('link', { name: title, exact: true })).toHaveAttribute('aria-current', 'page');
    await expect(page).toHaveTitle(`${title} · Tessera`);
  }
  await page.goto('/docs/concepts#meter');
  await expect(page.getByText('A property that is on, off, or has a limit')).toBeInViewport();
  await page.getByRole('link', { name: 'What you define' }).click();
  await expect(page).toHaveURL('/docs/concepts#what-you-define');
  expect((await page.goto('/docs/no-such-guide'))?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: '404' })).toBeVisible();
  await page.goto('/api-docs');
  await expect(page).toHaveURL(/\/signin\?returnUrl=/);
});

test('every guide that llms.txt lists is Markdown with the server’s address, without an account', async ({
  playwright,
  baseURL,
}) => {
  const anyone = await playwright.request.newContext({ baseURL: String(baseURL) });
  const list = await (await anyone.get('/llms.txt')).text();
  const addresses = [...list.matchAll(/\]\(([^)\s]+)\)/g)].map(([, address = '']) => address);
  expect(addresses.filter((address) => address.endsWith('.md')).length).toBeGreaterThan(14);
  for (const address of addresses) {
    const { pathname } = new URL(address);
    const answer = await anyone.get(pathname);
    expect(answer.status(), pathname).toBe(200);
    if (!pathname.endsWith('.md')) continue;
    expect(answer.headers()['content-type'], pathname).toBe('text/markdown; charset=utf-8');
    expect(await answer.text(), pathname).not.toContain('tessera.example');
  }
  const missing = await anyone.get('/docs/no-such-guide.md');
  expect([missing.status(), missing.headers()['content-type']]).toEqual([404, 'text/plain; charset=utf-8']);
  await anyone.dispose();
});

test('guides read well for everyone, in both themes and at every width', async ({ page }) => {
  for (const path of ['/docs', '/docs/concepts', '/docs/nextjs', '/docs/sign-in', '/docs/openfeature']) {
    await page.goto(path);
    await expect(page.getByRole('article')).toBeVisible();
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectFitting(page, `${path} at ${width}`);
      if (width !== 1024) await expectAccessible(page, `${path} at ${width}`);
      const [title, markdown] = await Promise.all([
        page.getByRole('heading', { level: 1 }).boundingBox(),
        page.getByRole('link', { name: 'Markdown', exact: true }).boundingBox(),
      ]);
      const middle = (markdown?.y ?? 0) + (markdown?.height ?? 0) / 2;
      expect(middle, `${path} at ${width}: Markdown is beside the title`).toBeLessThan(
        (title?.y ?? 0) + (title?.height ?? 0),
      );
    }
  }
});

test('inside the console the guides are under Tools, and what is copied runs', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Guides' }).click();
  await expect(page).toHaveURL('/docs');
  await page.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'OpenFeature' }).click();
  await expect(page.getByRole('link', { name: 'Guides' }).first()).toHaveAttribute('aria-current', 'page');
  await page.getByRole('button', { name: 'Terminal' }).click();
  await expect(page.getByRole('button', { name: 'Copied! Terminal' })).toBeVisible();
  const command = await page.evaluate(() => navigator.clipboard.readText());

  const workspace = organisation.workspace(page);
  await createFeature(workspace, { name: 'Data exports', slug: 'data-exports' });
  const TESSERA_KEY = await createKey(workspace, await previewOf(workspace));
  const run = () => {
    const options = { env: { ...process.env, TESSERA_KEY } };
    return execFileSync('sh', ['-c', command.replace('curl', 'curl -s')], options).toString();
  };
  await expect.poll(run).toContain('"key":"data-exports"');
});
