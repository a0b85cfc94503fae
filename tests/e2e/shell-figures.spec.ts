// The figures of the shell (delays, sizes, durations), measured on the page. The test controls the page's clock, so a delay of
// four seconds takes no time.
import type { Page } from '@playwright/test';
import { createOrganisation, join, newPerson } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** Stops the page's time; only `page.clock.runFor` advances it. */
async function stopClock(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 3_600_000);
}

/** For the next step: time goes on, and nothing of the page before is left. */
async function startAnew(page: Page): Promise<void> {
  await page.clock.resume();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto('about:blank');
}

test.beforeEach(async ({ page }) => {
  await page.clock.install();
});

test('a tooltip comes after 700 ms, and an action button ignores further clicks for 1000 ms', async ({
  page,
  expectBrowserError,
}) => {
  await test.step('a tooltip comes 700 ms after the pointer', async () => {
    await page.goto('/signin');
    const toggle = page.getByRole('button', { name: 'Switch to the dark theme' });
    await expect(toggle).toBeVisible();
    await stopClock(page);
    await toggle.hover();
    await page.clock.runFor(650);
    await expect(page.getByRole('tooltip')).toBeHidden();
    await page.clock.runFor(150);
    await expect(page.getByRole('tooltip')).toHaveText('Switch to the dark theme');
  });
  await startAnew(page);
  await test.step('an action button ignores further clicks for 1000 ms', async () => {
    expectBrowserError(/send-verification-email/);
    let asked = 0;
    await page.route('**/api/auth/sign-in/email', (route) => route.fulfill({ status: 403, json: {} }));
    await page.route('**/api/auth/send-verification-email', (route) => {
      asked += 1;
      return route.fulfill({ status: 500, json: {} });
    });
    expectBrowserError(/sign-in/);
    await page.goto('/signin');
    await page.getByLabel('Email').fill('action@people.example');
    await page.getByLabel('Password', { exact: true }).fill('some-password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const resend = page.getByRole('button', { name: 'Resend verification email' });
    await expect(resend).toBeVisible();
    await stopClock(page);
    const click = async () => {
      await resend.click();
      await page.clock.runFor(20);
    };
    await click();
    await expect.poll(() => asked).toBe(1);
    await expect
      .poll(async () => {
        await page.clock.runFor(20);
        return page.getByText('Something went wrong, try again later.').isVisible();
      })
      .toBe(true);
    await click();
    await page.clock.runFor(100);
    expect(asked).toBe(1);
    await page.clock.runFor(1000);
    await click();
    await expect.poll(() => asked).toBe(2);
  });
});

const toasts = (page: Page) => page.locator('[data-sonner-toast]');

/** Shows `count` toasts while the page's clock is paused. */
async function showToasts(page: Page, count: number): Promise<void> {
  await page.route('**/api/auth/update-user', (route) => route.fulfill({ status: 500, body: 'no json' }));
  await join(page.request, newPerson('Tilda Toast'));
  await page.goto('/account');
  await expect(page.getByLabel('Full Name')).toHaveValue('Tilda Toast');
  await stopClock(page);
  for (let shown = 1; shown <= count; shown += 1) {
    await page.getByLabel('Full Name').fill(`Tilda ${shown}`);
    await page.getByRole('button', { name: 'Update' }).click();
    await expect
      .poll(async () => {
        await page.clock.runFor(20);
        return toasts(page).count();
      })
      .toBe(shown);
  }
}

test('toasts are three at a time, leave after 4000 ms, and are swiped away from 45 px on', async ({
  page,
  expectBrowserError,
}) => {
  await test.step('stand three at a time at the bottom right, 356 px wide and 14 px apart, and Alt+T leads to them', async () => {
    expectBrowserError(/update-user/);
    await showToasts(page, 4);
    await expect(page.locator('[data-sonner-toast][data-visible="true"]')).toHaveCount(3);
    const list = page.locator('[data-sonner-toaster]');
    await expect(list).toHaveAttribute('data-x-position', 'right');
    await expect(list).toHaveAttribute('data-y-position', 'bottom');

    await page.keyboard.press('Alt+KeyT');
    await expect(list).toBeFocused();
    await page.clock.runFor(50);
    const gaps = async () => {
      const boxes = await Promise.all([0, 1].map((index) => toasts(page).nth(index).boundingBox()));
      const [front, behind] = boxes.map((box) => box ?? { width: 0, height: 0, y: 0 });
      return { width: front?.width, gap: (front?.y ?? 0) - ((behind?.y ?? 0) + (behind?.height ?? 0)) };
    };
    await expect.poll(gaps).toEqual({ width: 356, gap: 14 });
  });
  await startAnew(page);
  await test.step('are swiped away from 45 px on', async () => {
    expectBrowserError(/update-user/);
    await showToasts(page, 1);
    for (const [distance, isGone] of [
      [44, false],
      [46, true],
    ] as const) {
      const box = await toasts(page).boundingBox();
      const [x, y] = [(box?.x ?? 0) + 250, (box?.y ?? 0) + 20]; // Beside the words, which could be selected.
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (const moved of [10, 20, distance]) {
        await page.mouse.move(x + moved, y);
        await page.clock.runFor(20);
      }
      await expect(toasts(page)).toHaveAttribute('data-swiped', 'true');
      await page.clock.runFor(2000); // So slow that it is no flick.
      await page.mouse.up();
      await page.clock.runFor(20);
      await expect(toasts(page)).toHaveAttribute('data-swipe-out', String(isGone));
    }
  });
  await startAnew(page);
  await test.step('go after 4000 ms, and 200 ms more for their way out', async () => {
    expectBrowserError(/update-user/);
    await showToasts(page, 1);
    await page.clock.runFor(3500);
    await expect(toasts(page)).toHaveAttribute('data-removed', 'false');
    await page.clock.runFor(510);
    await expect(toasts(page)).toHaveAttribute('data-removed', 'true');
    await page.clock.runFor(150);
    await expect(toasts(page)).toHaveCount(1);
    await page.clock.runFor(60);
    await expect(toasts(page)).toHaveCount(0);
  });
});

test('what was copied is confirmed for two seconds, and after logging out the session ends 500 ms later', async ({
  page,
  context,
  expectBrowserError,
}) => {
  await test.step('what was copied is confirmed for two seconds', async () => {
    expectBrowserError(/api\/user\/orgs/);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.route('**/api/user/orgs', (route) =>
      route.fulfill({
        status: 404,
        json: { errorType: 'not-found', message: 'Gone', requestId: 'req_of_test' },
      }),
    );
    await join(page.request, newPerson('Cora Copy'));
    await page.goto('/');
    const id = page.getByRole('button', { name: 'Copy request ID req_of_test' });
    await expect(id).toBeVisible();
    await expect(page.getByRole('button', { name: 'Load organisations again' })).toBeVisible();
    await stopClock(page);
    await id.click();
    const copied = page.getByRole('button', { name: 'Copied!' });
    await expect(copied).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('req_of_test');
    await page.clock.runFor(1900);
    await expect(copied).toBeVisible();
    await page.clock.runFor(150);
    await expect(copied).toBeHidden();
    await expect(id).toBeVisible();
  });
  await startAnew(page);
  await test.step('after logging out the session counts as ended 500 ms later, when sign-in shows', async () => {
    await join(page.request, newPerson('Lou Leaving'));
    await createOrganisation(page.request, 'Leaving Works');
    await page.goto('/account');
    await page.getByLabel('Full Name').fill('Lou Left');
    await page.getByRole('button', { name: 'Your menu' }).click();
    const logOut = page.getByRole('menuitem', { name: 'Log out' });
    await expect(logOut).toBeVisible();
    await logOut.click();
    const leave = page.getByRole('button', { name: 'Leave without saving' });
    await expect(leave).toBeVisible();
    await stopClock(page); // However slow the machine is, the 500 ms are not over before sign-in shows.
    await leave.click();
    await expect(page.getByRole('heading', { name: 'Sign in to Tessera' })).toBeVisible();
    await page.clock.runFor(500);
    await page.goBack();
    await expect(page).toHaveURL(/\/signin\?returnUrl=%2Faccount$/);
  });
});
