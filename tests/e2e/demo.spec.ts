// What `npm start` promises: its demo user signs in and finds a believable organisation.
import { signInOnPage } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('the demo user signs in and finds its plans and its features', async ({ page }) => {
  await page.goto('/');
  await signInOnPage(page, 'demo@tessera.example', 'tessera-demo');
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Organisation: Acme Analytics' })).toBeVisible();
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Plans' }).click();
  await expect(page.getByRole('heading', { name: 'Plans', level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Free', exact: true })).toBeVisible();
  await navigation.getByRole('link', { name: 'Features' }).click();
  await expect(page.getByRole('link', { name: 'Data exports' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Plans', level: 1 })).toBeVisible();
});
