// The frame around every page: theme, sidebar, palette, and what it says when something goes wrong.
import { ownOrganisation } from './support/own-organisation.ts';
import { callApi, createOrganisation } from './support/people.ts';
import { expect, test } from './support/test.ts';

ownOrganisation('Robin Reader', 'Shell Works', { isOwnerShared: false });

test('what browsers and programs look for is a file, and what does not exist is a 404', async ({
  request,
}) => {
  const typeOf = async (path: string) => {
    const answer = await request.get(path);
    return [answer.status(), answer.headers()['content-type']?.split(';')[0]];
  };
  expect(await typeOf('/robots.txt')).toEqual([200, 'text/plain']);
  expect(await typeOf('/favicon.ico')).toEqual([200, 'image/vnd.microsoft.icon']);
  expect(await typeOf('/.well-known/security.txt')).toEqual([404, 'text/plain']);
  expect(await typeOf('/wp-login.php')).toEqual([404, 'text/html']);
  expect(await (await request.get('/licences.txt')).text()).toMatch(
    /## react - [\s\S]*SIL Open Font License/i,
  );
});

test('the theme follows the device until one is chosen, is kept, and is applied before anything else runs', async ({
  page,
  expectBrowserError,
}) => {
  await test.step('the theme follows the device until one is chosen, and the choice is kept', async () => {
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
  await test.step('the theme is applied before anything else of the page runs', async () => {
    expectBrowserError(/ERR_FAILED/);
    await page.addInitScript(() => localStorage.setItem('ui-theme', 'dark'));
    await page.route('**/*.js', (route) =>
      /apply-theme-[^/]+\.js$/.test(route.request().url()) ? route.continue() : route.abort(),
    );
    await page.goto('/signin', { waitUntil: 'commit' });
    await expect(page.locator('html')).toHaveClass('dark');
  });
});

test('the sidebar has its two widths and is a sheet on a small screen; the keyboard leads past the frame', async ({
  page,
}) => {
  await test.step('the sidebar has its two widths, and its state is kept', async () => {
    await page.goto('/account');
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
    const width = () => sidebar.evaluate((element) => element.getBoundingClientRect().width);
    await expect.poll(width).toBe(256);
    await page.getByRole('button', { name: 'Toggle sidebar' }).click();
    await expect.poll(width).toBe(72);
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'sidebar_state');
    expect(cookie?.value).toBe('false');
    const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
    expect(days).toBeCloseTo(7, 1);
    await page.reload();
    await expect.poll(width).toBe(72);
    await page.keyboard.press('Control+b');
    await expect.poll(width).toBe(256);
    expect((await page.locator('#content > *').first().boundingBox())?.width).toBe(1100);
  });
  await test.step('the keyboard leads past the frame, and the current page is the last crumb', async () => {
    await page.goto('/account');
    await expect(page.getByLabel('Full Name')).toBeVisible();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to the content' });
    await expect(skip).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(page.getByLabel('Email')).toBeFocused();

    const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
    await expect(crumbs.getByRole('link', { name: 'Dashboard' })).toBeVisible();
    await expect(crumbs.getByText('Account')).toHaveAttribute('aria-current', 'page');
    await page.setViewportSize({ width: 767, height: 900 });
    await expect(crumbs.getByRole('link', { name: 'Dashboard' })).toBeHidden();
    await expect(crumbs.getByText('Account')).toBeVisible();
  });
  await test.step('on a small screen the sidebar is a sheet', async () => {
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
});

test('the palette finds pages, features, plans, environments and organisations, and goes there by keyboard alone', async ({
  page,
}) => {
  await test.step('the palette is used by keyboard alone', async () => {
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'API Keys' })).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Go to a page').fill('settings');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/settings$/);

    // What was opened is listed first the next time, and actions open what they say.
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search and commands' });
    await expect(palette.getByRole('button').first()).toHaveText('Settings');
    await page.getByPlaceholder('Go to a page').fill('invite');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: /^Invite/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();

    await page.keyboard.press('?');
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const shortcut of ['Search and commands', 'Edit the value', 'Switch what Tab does']) {
      await expect(shortcuts.getByText(shortcut)).toBeVisible();
    }
    await page.keyboard.press('Escape');
    await expect(shortcuts).toBeHidden();

    // The same keys close it. Its field takes what is typed, also if it had the focus all the time.
    const field = page.getByPlaceholder('Go to a page');
    await page.keyboard.press('Control+k');
    await expect(field).toBeFocused();
    await page.keyboard.press('Control+k');
    await expect(palette).toBeHidden();
    for (let times = 0; times < 3; times++) await page.keyboard.press('Control+k');
    await expect(field).toBeFocused();
    await page.keyboard.type('team');
    await expect(field).toHaveValue('team');
    await page.keyboard.press('Escape');
    await expect(palette).toBeHidden();
  });
  await test.step('the palette finds pages, features, plans, environments, customers and organisations', async () => {
    const orgId = await createOrganisation(page.request, 'Palette Works');
    const other = await createOrganisation(page.request, 'Elsewhere Works');
    const add = <T>(path: string, body: object) =>
      callApi<T>(page.request, 'POST', `/api/orgs/${orgId}${path}`, body);
    const feature = await add<{ id: string }>('/features', { name: 'Zebra stripes', slug: 'zebra-stripes' });
    const { planId } = await add<{ planId: string }>('/plans', { name: 'Zenith', slug: 'zenith' });
    const environment = await add<{ id: string }>('/environments', { name: 'Zurich', type: 'live' });
    await add('/customers/zoe%40example.com/grants', {
      environmentId: environment.id,
      planId,
      reason: 'A trial',
      until: null,
    });
    await page.goto(`/o/${orgId}/workflows`);
    await expect(page.getByRole('heading', { name: 'No workflows' })).toBeVisible();
    const destinations = [
      ['observab', `/o/${orgId}/observe/events`],
      ['zebra', `/o/${orgId}/features/${feature.id}`],
      ['zenith', `/o/${orgId}/plans/${planId}/feature`],
      ['zurich', `/o/${orgId}/environments/environments/${environment.id}/manage`],
      ['zoe@', `/o/${orgId}/customers/zoe%40example.com`],
      ['counter up', '/api-docs#counter-updates'],
      ['elsewhere', `/o/${other}/environments/environments/${environment.id}/manage`],
    ] as const;
    // What is typed before the palette has loaded is kept.
    await page.keyboard.press('Control+k');
    await page.keyboard.type('zebra');
    await expect(page.getByRole('dialog').getByPlaceholder('Go to a page')).toHaveValue('zebra');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    for (const [text, url] of destinations) {
      if (text === 'elsewhere') await page.goto(`/o/${orgId}/team`);
      await page.getByRole('button', { name: 'Search' }).first().click();
      const field = page.getByRole('dialog').getByPlaceholder('Go to a page');
      await field.fill(text);
      await expect(page.getByRole('dialog').getByText(new RegExp(text, 'i')).first()).toBeVisible();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(text === 'elsewhere' ? `/o/${other}/team` : url);
      await expect(page.getByRole('dialog')).toBeHidden();
    }
  });
});

test('pages that are not ready, unknown tabs and unknown paths lead on', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/404 \(Not Found\) .*\/no\/such\/page/);
  await test.step('the plan and the preview environment stand in the top bar', async () => {
    await page.goto('/');
    await expect(page.getByRole('banner').getByText('Build')).toBeVisible();
    await expect(page.getByRole('img', { name: /^Preview environment is / })).toBeVisible();
  });
  await test.step('a page that is not ready leads on, and an unknown tab opens the first', async () => {
    await page.goto('/under-construction');
    await expect(page).toHaveTitle('Under Construction · Tessera');
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Observability' }).click();
    await expect(page).toHaveURL(/\/observe\/events$/);
    await page.goto(page.url().replace(/events$/, 'nothing'));
    await expect(page).toHaveURL(/\/observe\/events$/);
  });
  await test.step('an unknown path is a 404 inside the console, and by itself before sign-in, with a way home', async () => {
    await page.goto('/no/such/page');
    await expect(page.getByRole('heading', { name: '404' })).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    await page.getByRole('link', { name: 'Take me home' }).click();
    await expect(page).toHaveURL('/');
    await page.goto('about:blank');
    await page.context().clearCookies();
    await page.goto('/no/such/page');
    await expect(page.getByRole('heading', { name: '404' })).toBeVisible();
    await page.getByRole('link', { name: 'Take me home' }).click();
    await expect(page).toHaveURL(/\/signin/);
  });
});

test('the user menu, the spinner of a session that loads, and a form that is refused, kept and not left without asking', async ({
  page,
  expectBrowserError,
}) => {
  await test.step('the user menu shows the user’s picture, otherwise initials', async () => {
    await page.goto('/account');
    const menu = page.getByRole('button', { name: 'Your menu' });
    await expect(menu.getByText('RR')).toBeVisible();
    await page.route('**/api/auth/get-session', async (route) => {
      const session = await (await route.fetch()).json();
      await route.fulfill({ json: { ...session, user: { ...session.user, image: '/favicon.svg' } } });
    });
    await page.reload();
    await expect(menu.locator('img')).toHaveAttribute('src', '/favicon.svg');
    await expect(menu.getByText('RR')).toBeHidden();
  });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await test.step('while it is not known who is there, a spinner fills the page', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/auth/get-session', async (route) => {
      await released;
      await route.fallback();
    });
    // Otherwise the page is painted for who was there last.
    await page.evaluate(() => localStorage.removeItem('frame'));
    await page.goto('/account');
    await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Profile Information' })).toBeHidden();
    release();
    await expect(page.getByRole('heading', { name: 'Profile Information' })).toBeVisible();
  });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await test.step('a failed change shows a toast', async () => {
    expectBrowserError(/update-user/);
    await page.route('**/api/auth/update-user', (route) => route.fulfill({ status: 500, body: 'no json' }));
    await page.getByLabel('Full Name').fill('Robin Renamed');
    await page.getByRole('button', { name: 'Update' }).click();
    await expect(page.getByText('An error occurred')).toBeVisible();
    await expect(page.getByText('Please try again later')).toBeVisible();
    await expect(page.getByLabel('Full Name')).toHaveValue('Robin Renamed');
    expect((await page.locator('[data-sonner-toaster]').boundingBox())?.width).toBe(356);
    await page.getByLabel('Full Name').fill('Robin Reader');
  });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await test.step('what cannot be loaded leaves the page and what was typed; without a connection it is tried again', async () => {
    expectBrowserError(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/);
    await page.route('**/toaster-*.js', (route) => route.abort());
    await Promise.all([
      page.waitForEvent('requestfailed', (request) => request.url().includes('/toaster-')),
      page.reload(),
    ]);
    await page.getByLabel('Full Name').fill('Robin Reader');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto('/account');
    await page.getByLabel('Full Name').fill('Robin Renamed');
    const notice = page.getByText('This part of the console could not be loaded');
    await page.route(/shortcuts-dialog-[^/]+\.js$/, (route) => route.abort());
    await page.getByRole('heading', { name: 'Profile Information' }).click();
    await page.keyboard.press('?');
    await expect(notice).toBeVisible();
    await page.context().setOffline(true);
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Control+k');
    await page.getByRole('button', { name: 'Your menu' }).hover();
    await page.context().setOffline(false);
    await page.keyboard.press('Control+k');
    await expect(page.getByPlaceholder('Go to a page')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByLabel('Full Name')).toHaveValue('Robin Renamed');
  });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await test.step('a dirty form is not left without asking', async () => {
    await page.goto('/account');
    const update = page.getByRole('button', { name: 'Update' });
    await expect(update).toBeDisabled();
    await page.getByLabel('Full Name').fill('Robin Renamed');
    await page.getByRole('link', { name: 'Team' }).click();
    await expect(page.getByText('Leave without saving?')).toBeVisible();
    await page.getByRole('button', { name: 'Stay' }).click();
    await expect(page).toHaveURL('/account');
    // A log-out asks before it ends the session.
    await page.getByRole('button', { name: 'Your menu' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Stay' }).click();
    await expect(page.getByText('Leave without saving?')).toHaveCount(0);
    await update.click();
    await expect(page.getByText('Profile updated')).toBeVisible();
    await expect(update).toBeDisabled();
    await page.reload();
    await expect(page.getByLabel('Full Name')).toHaveValue('Robin Renamed');
  });
});

test.describe('under a finger', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test('everything of the frame is at least 40 px high', async ({ page }) => {
    await page.goto('/account');
    await expect(page.getByLabel('Full Name')).toBeVisible();
    const small = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('button, [role="menuitem"], [role="dialog"] a, header a, input')]
          .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 1)
          .map((element) => ({
            name: element.getAttribute('aria-label') ?? element.textContent,
            height: Math.round(element.getBoundingClientRect().height),
          }))
          .filter(({ name, height }) => height < 40 && name !== ''),
      );
    await expect.poll(small).toEqual([]);
    await page.getByRole('button', { name: 'Your menu' }).click();
    await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible();
    await expect.poll(small).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Toggle sidebar' }).click();
    await page.getByRole('button', { name: /^Organisation: / }).click();
    await expect(page.getByRole('menuitem', { name: 'Create' })).toBeVisible();
    await expect.poll(small).toEqual([]);
  });
});
