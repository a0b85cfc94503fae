// The states of human verification with a site key: the widget's own script is stood in for, so that each can be had.
import type { Page } from '@playwright/test';
import { newPerson, PASSWORD, signInOnPage } from './support/people.ts';
import { expect, test } from './support/test.ts';

type Callback = 'callback' | 'error-callback' | 'expired-callback';

/** What Cloudflare's script offers to a page, with its outcomes in the hands of the test. */
const widgetScript = `
  let options, token;
  window.turnstile = {
    render: (_container, given) => { options = given; return 'widget'; },
    reset: () => { token = undefined; },
    remove: () => {},
    getResponse: () => token,
    isExpired: () => false,
    execute: () => {},
  };
  window.report = (name, value) => { token = name === 'callback' ? value : undefined; options[name](value); };
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
  await page.waitForTimeout(200);
  return (name, value) =>
    page.evaluate(
      ([callback, token]) =>
        (window as never as { report: (...given: unknown[]) => void }).report(callback, token),
      [name, value] as const,
    );
}

test('the form opens when the widget is solved, and closes again when it fails or expires', async ({
  page,
}) => {
  const report = await openWithSiteKey(page, '/signin');
  const submit = page.getByRole('button', { name: 'Sign in', exact: true });
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

test('the answer goes with the call, and is asked for anew after it was refused', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/api\/auth\/sign-in/);
  const report = await openWithSiteKey(page, '/signin');
  await report('callback', 'token-1');
  const sent = page.waitForRequest('**/api/auth/sign-in/email');
  await signInOnPage(page, newPerson('Ned Nobody').email, PASSWORD);
  expect((await sent).headers()['x-captcha-response']).toBe('token-1');
  await expect(page.getByText('Invalid credentials.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeDisabled();
});

test('a widget that cannot be loaded says so', async ({ page, expectBrowserError }) => {
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
