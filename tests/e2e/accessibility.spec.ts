// No screen of the shell has a serious or critical violation of WCAG, in either theme.
import { expectAccessible } from './support/expect-accessible.ts';
import { createOrganisation, invite, join, newPerson } from './support/people.ts';
import { expect, test } from './support/test.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, reducedMotion: 'reduce' });

    test('the pages before sign-in', async ({ page, expectBrowserError }) => {
      expectBrowserError(/api\/auth\/sign-in/);
      for (const path of [
        '/signin',
        '/signup',
        '/forgot-password',
        '/reset-password?token=some',
        '/awaiting-admission',
        '/nowhere',
      ]) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectAccessible(page, path);
      }
      await page.goto('/signin');
      await page.getByLabel('Email').fill('nobody@people.example');
      await page.getByLabel('Password', { exact: true }).fill('not-the-password');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(page.getByText('Invalid credentials.')).toBeVisible();
      await expectAccessible(page, 'a refused sign-in');
    });

    test('the frame and its pages', async ({ page, browser, baseURL }) => {
      const person = newPerson('Axel Access');
      await join(page.request, person);
      await page.goto('/');
      await expect(page.getByText('Create your first organisation')).toBeVisible();
      await expectAccessible(page, 'without an organisation');

      await createOrganisation(page.request, 'Access Works');
      const other = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) });
      await join(other.request, newPerson('Ina Inviting'));
      await invite(other.request, await createOrganisation(other.request, 'Inviting Works'), person.email);
      await other.close();

      await page.goto('/');
      await expect(page.getByText('Join Organisation Inviting Works?')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'API Keys' })).toBeVisible();
      await expectAccessible(page, 'the dashboard with an invitation');
      await page.getByRole('button', { name: /^Organisation: / }).click();
      await expect(page.getByRole('menuitem', { name: 'Create' })).toBeVisible();
      await expectAccessible(page, 'the organisation switcher');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await expect(page.getByPlaceholder('Go to a page')).toBeVisible();
      await expectAccessible(page, 'the palette');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+b');
      await expectAccessible(page, 'the collapsed sidebar');

      for (const path of ['/account', '/create-organisation']) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectAccessible(page, path);
      }
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'Toggle sidebar' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectAccessible(page, 'the sheet');
    });
  });
}
