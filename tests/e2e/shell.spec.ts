// The frame around every page: theme, sidebar, palette, and what it says when something goes wrong.
import { createOrganisation, join, newPerson } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('the theme follows the device until one is chosen, and the choice is kept', async ({ page }) => {
  const root = page.locator('html');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/signin');
  await expect(root).toHaveClass(/\bdark\b/);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(root).toHaveClass(/\blight\b/);

  await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
  await expect(root).toHaveClass(/\bdark\b/);
  expect(await page.evaluate(() => localStorage.getItem('ui-theme'))).toBe('dark');
  await page.reload();
  await expect(root).toHaveClass(/\bdark\b/);
  await expect(root).not.toHaveClass(/\blight\b/);
});

test('the theme is applied before anything else of the page runs', async ({ page, expectBrowserError }) => {
  expectBrowserError(/ERR_FAILED/);
  await page.addInitScript(() => localStorage.setItem('ui-theme', 'dark'));
  await page.route('**/*.js', (route) =>
    route.request().url().endsWith('/apply-theme.js') ? route.continue() : route.abort(),
  );
  await page.goto('/signin', { waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveClass('dark');
});

test.describe('signed in', () => {
  test.beforeEach(async ({ page }) => {
    await join(page.request, newPerson('Robin Reader'));
    await createOrganisation(page.request, 'Shell Works');
  });

  test('the sidebar has the widths of the specification, and its state is kept', async ({ page }) => {
    await page.goto('/account');
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
    const width = () => sidebar.evaluate((element) => element.getBoundingClientRect().width);
    await expect.poll(width).toBe(256);
    await page.getByRole('button', { name: 'Toggle sidebar' }).click();
    await expect.poll(width).toBe(72);
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'sidebar_state');
    expect(cookie?.value).toBe('false');
    await page.reload();
    await expect.poll(width).toBe(72);
    await page.keyboard.press('Control+b');
    await expect.poll(width).toBe(256);
    expect((await page.locator('#content > *').first().boundingBox())?.width).toBeLessThanOrEqual(1100);
  });

  test('on a small screen the sidebar is a sheet', async ({ page }) => {
    await page.setViewportSize({ width: 767, height: 900 });
    await page.goto('/account');
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
    await page.getByRole('button', { name: 'Toggle sidebar' }).click();
    const sheet = page.getByRole('dialog');
    await expect(sheet).toBeVisible();
    await expect.poll(() => sheet.evaluate((element) => element.getBoundingClientRect().width)).toBe(288);
    await sheet.getByRole('link', { name: 'Team' }).click();
    await expect(page).toHaveURL(/\/team$/);
    await expect(sheet).toBeHidden();
    await page.setViewportSize({ width: 768, height: 900 });
    await expect(page.getByRole('complementary', { name: 'Sidebar' })).toBeVisible();
  });

  test('the palette goes where it is told to, by keyboard alone', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'API Keys' })).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Go to a page').fill('settings');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/settings$/);
  });

  test('a dirty form is not left without asking', async ({ page }) => {
    await page.goto('/account');
    const update = page.getByRole('button', { name: 'Update' });
    await expect(update).toBeDisabled();
    await page.getByLabel('Full Name').fill('Robin Renamed');
    await page.getByRole('link', { name: 'Team' }).click();
    await expect(page.getByText('Leave without saving?')).toBeVisible();
    await page.getByRole('button', { name: 'Stay' }).click();
    await expect(page).toHaveURL('/account');
    await update.click();
    await expect(page.getByText('Profile updated')).toBeVisible();
    await expect(update).toBeDisabled();
    await page.reload();
    await expect(page.getByLabel('Full Name')).toHaveValue('Robin Renamed');
  });

  test('a failed change is told in a toast', async ({ page, expectBrowserError }) => {
    expectBrowserError(/update-user/);
    await page.route('**/api/auth/update-user', (route) => route.fulfill({ status: 500, body: 'no json' }));
    await page.goto('/account');
    await page.getByLabel('Full Name').fill('Robin Renamed');
    await page.getByRole('button', { name: 'Update' }).click();
    await expect(page.getByText('An error occurred')).toBeVisible();
    await expect(page.getByText('Please try again later')).toBeVisible();
    await expect(page.getByLabel('Full Name')).toHaveValue('Robin Renamed');
    expect((await page.locator('[data-sonner-toaster]').boundingBox())?.width).toBe(356);
    await page.getByLabel('Full Name').fill('Robin Reader');
  });

  test('the plan and the preview environment stand in the top bar', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('banner').getByText('Build')).toBeVisible();
    await expect(page.getByRole('img', { name: /^Preview environment is / })).toBeVisible();
  });
});

test('an unknown path is a 404 with a way home', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: '404' })).toBeVisible();
  await page.getByRole('link', { name: 'Take me home' }).click();
  await expect(page).toHaveURL(/\/signin/);
});
