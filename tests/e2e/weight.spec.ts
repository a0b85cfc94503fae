// The first screen after sign-in stays light.
import { gzipSync } from 'node:zlib';
import { createOrganisation, join, newPerson } from './support/people.ts';
import { expect, test } from './support/test.ts';

const LIMIT_BYTES = 250 * 1024;

test('the first screen after sign-in loads at most 250 KB of compressed JavaScript', async ({ page }) => {
  await join(page.request, newPerson('Lena Light'));
  await createOrganisation(page.request, 'Light Works');
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
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(LIMIT_BYTES);
});
