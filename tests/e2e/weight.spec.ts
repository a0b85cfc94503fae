// Sign-in and the first screen after it stay light, and load what `npm run build` says that they do.
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import {
  FIRST_SCREEN_LIMIT_BYTES,
  measureConsole,
  type ScriptSize,
  SIGN_IN_LIMIT_BYTES,
} from '../../dev/console-sizes.ts';
import { callApi, createOrganisation, join, newPerson } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** Collects the scripts that the page loads from now on. */
function watchScripts(page: Page) {
  const scripts = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    scripts.set(
      new URL(response.url()).pathname.slice(1),
      response.body().then((body) => gzipSync(body).length),
    );
  });
  return async (limitBytes: number, measured: readonly ScriptSize[]) => {
    const sizes = await Promise.all(scripts.values());
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limitBytes);
    expect([...scripts.keys()].sort()).toEqual(measured.map(({ file }) => file).sort());
  };
}

test('the first screen after sign-in loads at most 250 KB of compressed JavaScript', async ({ page }) => {
  await join(page.request, newPerson('Lena Light'));
  const orgId = await createOrganisation(page.request, 'Light Works');
  // The quick start's guide is loaded by new organisations only.
  await callApi(page.request, 'PUT', `/api/orgs/${orgId}/quickstart`, { quickstartStatus: 'dismissed' });
  await page.addInitScript(() => localStorage.setItem('was-signed-in', '1'));
  const expectScripts = watchScripts(page);
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { name: 'API Keys' })).toBeVisible();
  await expectScripts(FIRST_SCREEN_LIMIT_BYTES, measureConsole().firstScreen);
});

test('sign-in loads half of that, and the console once somebody types', async ({ page }) => {
  const expectScripts = watchScripts(page);
  await page.goto('/signin', { waitUntil: 'networkidle' });
  await expect(page.getByLabel('Email')).toBeVisible();
  await expectScripts(SIGN_IN_LIMIT_BYTES, measureConsole().signIn);
  const loaded = page.waitForResponse(/assets\/dashboard-layout-[^/]+\.js$/);
  await page.getByLabel('Email').pressSequentially('a');
  await loaded;
});
