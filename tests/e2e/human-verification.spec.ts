// The states of human verification with a site key. A script of the test replaces the widget's, to reach each state.
import type { Page } from '@playwright/test';
import { newPerson, PASSWORD, signInOnPage } from './support/people.ts';
import { expect, test } from './support/test.ts';

type Callback = 'callback' | 'error-callback' | 'expired-callback';

/** What Cloudflare's script offers to a page, with its outcomes in the hands of the test. */
const widgetScript = `
  let options, token;
  window.turnstile = {
    render: (_container, given) => { options = given; window.report = report; return 'widget'; },
    reset: () => { token = undefined; },
    remove: () => {},
    getResponse: () => token,
    isExpired: () => false,
    execute: () => {},
  };
  const report = (name, value) => { token = name === 'callback' ? value : undefined; options[name](value); };
  window.retryInterval = () => options['retry-interval'];
  const name = new URL(document.currentScript.src).searchParams.get('onload');
  setTimeout(() => window[name]?.());
`;

async function openWithSiteKey(
  page: Page,
  path: string,
): Promise<(name: Callback, value?: string) => Promise<void>> {
  await page.route('**/api/frontend-config', async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, turnstileSiteKey: { key: 'test-site-key' } } });
  });
  await page.route('https://challenges.cloudflare.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: widgetScript }),
  );
  await page.goto(path);
  await page.waitForFunction(() => 'report' in window);
  return (name, value) =>
    page.evaluate(
      ([callback, token]) =>
        (window as never as { report: (...given: unknown[]) => void }).report(callback, token),
      [name, value] as const,
    );
}

test('the form opens when the widget is solved and closes when it fails or expires; its answer goes with the call', async ({
  page,
  expectBrowserError,
}) => {
  await test.step('the form opens when the widget is solved, and closes again when it fails or expires', async () => {
    const report = await openWithSiteKey(page, '/signin');
    const submit = page.getByRole('button', { name: 'Sign in', exact: true });
    const interval = () => (window as never as { retryInterval: () => number }).retryInterval();
    expect(await page.evaluate(interval), 'the widget tries again').toBe(8000);
    await expect(submit).toBeDisabled();
    await report('callback', 'token-1');
    await expect(submit).toBeEnabled();
    await report('expired-callback');
    await expect(page.getByText('Please refresh the page and try again.')).toBeVisible();
    await expect(submit).toBeDisabled();
    await report('error-callback');
    await expect(page.getByText('Human verification failed, please try again later.')).toBeVisible();
    await expect(submit).toBeDisabled();
    await report('callback', 'token-2');
    await expect(page.getByText('Human verification failed')).toBeHidden();
    await expect(submit).toBeEnabled();
  });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await test.step('the token goes with the call, and a new one is requested after it was refused', async () => {
    expectBrowserError(/api\/auth\/sign-in/);
    const report = await openWithSiteKey(page, '/signin');
    await report('callback', 'token-1');
    const sent = page.waitForRequest('**/api/auth/sign-in/email');
    await signInOnPage(page, newPerson('Ned Nobody').email, PASSWORD);
    expect((await sent).headers()['x-captcha-response']).toBe('token-1');
    await expect(page.getByText('Invalid credentials.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeDisabled();
  });
});

test.describe('an answer that is not there when the form is sent', () => {
  /** A solved widget restarts when the theme changes: the form stays open, and waits when it is sent. */
  async function sendWithoutAnswer(page: Page) {
    await page.clock.install();
    const report = await openWithSiteKey(page, '/forgot-password');
    await report('callback', 'token-1');
    await page.getByLabel('Email').fill('waiting@people.example');
    await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
    await page.getByRole('button', { name: 'Send reset link' }).click();
    return report;
  }

  test('is sent as soon as it is there, looked for every 100 ms', async ({ page }) => {
    let sent: string | undefined;
    await page.route('**/api/auth/request-password-reset', (route) => {
      sent = route.request().headers()['x-captcha-response'];
      return route.fulfill({ json: { status: true } });
    });
    const report = await sendWithoutAnswer(page);
    await page.clock.runFor(20_000);
    expect(sent).toBeUndefined();
    await report('callback', 'token-2');
    await page.clock.runFor(100);
    await expect(page.getByText('Reset link sent')).toBeVisible();
    expect(sent).toBe('token-2');
  });

  test('is waited for 30000 ms, and then asked for', async ({ page }) => {
    await page.route('**/api/auth/request-password-reset', () => expect(true, 'nothing is sent').toBe(false));
    await sendWithoutAnswer(page);
    await page.clock.fastForward(25_000);
    await expect(page.getByText('Please complete the captcha to continue.')).toBeHidden();
    await page.clock.fastForward(6000);
    await expect(page.getByText('Please complete the captcha to continue.')).toBeVisible();
  });
});

test('a widget or its configuration that cannot be loaded says so and keeps the form closed', async ({
  page,
  expectBrowserError,
}) => {
  await test.step('a widget that cannot be loaded says so', async () => {
    expectBrowserError(/ERR_FAILED/);
    await page.route('**/api/frontend-config', async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: { ...answer, turnstileSiteKey: { key: 'test-site-key' } } });
    });
    await page.route('https://challenges.cloudflare.com/**', (route) => route.abort());
    await page.goto('/forgot-password');
    await expect(page.getByText('Human verification failed, please try again later.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send reset link' })).toBeDisabled();
  });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await test.step('human verification that fails or cannot be had keeps the form closed', async () => {
    expectBrowserError(/frontend-config/);
    await page.route('**/api/frontend-config', (route) =>
      route.fulfill({ status: 404, json: { errorType: 'not-found', message: 'No' } }),
    );
    await page.goto('/signin');
    await expect(page.getByText('Human verification failed, please try again later.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeDisabled();
  });
});
