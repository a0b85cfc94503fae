// The first screen after sign-in stays light, and loads what `npm run build` says that it does.
import { gzipSync } from 'node:zlib';
import { FIRST_SCREEN_LIMIT_BYTES, measureConsole } from '../../dev/console-sizes.ts';
import { callApi, createOrganisation, join, newPerson } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('the first screen after sign-in loads at most 250 KB of compressed JavaScript', async ({ page }) => {
  await join(page.request, newPerson('Lena Light'));
  const orgId = await createOrganisation(page.request, 'Light Works');
  // The quick start's guide is loaded by new organisations only.
  await callApi(page.request, 'PUT', `/api/orgs/${orgId}/quickstart`, { quickstartStatus: 'dismissed' });
  const scripts = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    scripts.set(
      response.url(),
      response.body().then((body) => gzipSync(body).length),
    );
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { name: 'API Keys' })).toBeVisible();
  const sizes = await Promise.all(scripts.values());
  expect(sizes.length).toBeGreaterThan(3);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(FIRST_SCREEN_LIMIT_BYTES);
  const paths = [...scripts.keys()].map((url) => new URL(url).pathname.slice(1));
  const measured = measureConsole().firstScreen.map(({ file }) => file);
  expect(paths.sort()).toEqual(measured.sort());
});
