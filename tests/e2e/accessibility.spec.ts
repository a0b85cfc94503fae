// No screen of the shell has a serious or critical violation of WCAG, in either theme.
import { expectAccessible } from './support/expect-accessible.ts';
import { createOrganisation, invite, join, newPerson, PASSWORD, signInOnPage } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('the pages before sign-in, and the ways that authentication goes on and ends', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/api\/auth\/(sign-in|verify-email)|404 \(Not Found\) .*\/nowhere/);
  const answer = (pattern: string, json: object, status = 200) =>
    page.route(pattern, (route) => route.fulfill({ status, json }));
  const look = async (path: string) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(page, path);
  };
  for (const path of ['/signup', '/awaiting-admission', '/nowhere']) await look(path);

  await test.step('sign-in, refused and sent to verification', async () => {
    await look('/signin');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByText('Required')).toHaveCount(2);
    await expectAccessible(page, 'fields that are required');
    await signInOnPage(page, 'nobody@people.example', 'not-the-password');
    await expect(page.getByText('Invalid credentials.')).toBeVisible();
    await expectAccessible(page, 'a refused sign-in');
    await answer('**/api/auth/sign-in/email', {}, 403);
    await answer('**/api/auth/send-verification-email', { status: true });
    await signInOnPage(page, 'unverified@people.example', PASSWORD);
    const resend = page.getByRole('button', { name: 'Resend verification email' });
    await expect(resend).toBeVisible();
    await expectAccessible(page, '/email-verification');
    await resend.click();
    await expect(page.getByRole('button', { name: 'Verification email resent' })).toBeVisible();
    await expectAccessible(page, '/email-verification, resent');
  });
  await test.step('a forgotten password', async () => {
    await look('/forgot-password');
    await answer('**/api/auth/request-password-reset', { status: true });
    await page.getByLabel('Email').fill('anybody@people.example');
    await page.getByRole('button', { name: 'Send reset link' }).click();
    await expect(page.getByRole('heading', { name: 'Reset link sent' })).toBeVisible();
    await expectAccessible(page, '/forgot-password, sent');

    await look('/reset-password?token=some');
    await answer('**/api/auth/reset-password', { status: true });
    await page.getByLabel('New password').fill('another-good-password');
    await page.getByLabel('Confirm password').fill('another');
    await expect(page.getByText('The passwords do not match.')).toBeVisible();
    await expectAccessible(page, '/reset-password, passwords that differ');
    await page.getByLabel('Confirm password').fill('another-good-password');
    await page.getByRole('button', { name: 'Set new password' }).click();
    await expect(page.getByText('Password changed')).toBeVisible();
    await expectAccessible(page, '/signin, after a new password');
  });
  await test.step('links of verification, and a session that loads', async () => {
    await page.goto('/verify-email?token=none');
    await expect(page.getByText('Unable to verify email')).toBeVisible();
    await expectAccessible(page, 'a toast of an error');
    await answer('**/api/auth/verify-email*', { code: 'disabled' }, 403);
    await page.goto('/verify-email?token=some');
    await expect(page.getByText('Your email has been verified')).toBeVisible();
    await expectAccessible(page, 'a toast of success');

    await page.route('**/api/auth/get-session', () => new Promise(() => {}));
    await page.goto('/account');
    await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
    await expectAccessible(page, 'the spinner of a whole page');
  });
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

  await page.getByRole('button', { name: 'Your menu' }).click();
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible();
  await expectAccessible(page, 'the user menu');
  await page.keyboard.press('Escape');
  for (const name of ['Workflows', 'Observability']) {
    await page.getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expectAccessible(page, name);
  }
  await page.goto('/o/org_of_somebody_else/features');
  await expect(page.getByText("You don't have access to this organisation.")).toBeVisible();
  await expect(page.getByRole('heading', { name: 'API Keys' })).toBeVisible();
  await expectAccessible(page, 'no access');
  await page.goto('/account');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page, '/account');
  await page.getByLabel('Full Name').fill('Axel Changed');
  await page.getByRole('link', { name: 'Team' }).click();
  await expect(page.getByText('Leave without saving?')).toBeVisible();
  await expectAccessible(page, 'unsaved changes');
  await page.getByRole('button', { name: 'Leave without saving' }).click();

  await page.goto('/create-organisation');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page, '/create-organisation');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'the sheet');
});

test('the frame while it loads, when it cannot, and in sudo mode', async ({ page, expectBrowserError }) => {
  expectBrowserError(/api\/(user\/orgs|auth\/update-user)/);
  await join(page.request, newPerson('Ada Frame'));
  const orgId = await createOrganisation(page.request, 'Frame Works');
  await page.route('**/api/auth/get-session', async (route) => {
    const session = await (await route.fetch()).json();
    await route.fulfill({ json: { ...session, user: { ...session.user, sudo: true } } });
  });
  await page.goto('/account');
  await expect(page.getByRole('link', { name: 'Sudo Users' })).toBeVisible();
  await expectAccessible(page, 'sudo mode');

  await page.route('**/api/auth/update-user', (route) => route.fulfill({ status: 500, body: '' }));
  await page.getByLabel('Full Name').fill('Ada Refused');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('An error occurred')).toBeVisible();
  await expectAccessible(page, 'a failed change');
  await page.getByLabel('Full Name').fill('Ada Frame');

  const many = Array.from({ length: 15 }, (_, index) => ({
    id: `org_${index}`,
    name: `Client ${index}`,
  }));
  await page.route('**/api/user/orgs', (route) =>
    route.fulfill({ json: [{ id: orgId, name: 'Frame Works' }, ...many] }),
  );
  await page.goto('/account');
  await page.getByRole('button', { name: /^Organisation: / }).click();
  await expect(page.getByLabel('Search organisations')).toBeVisible();
  await expectAccessible(page, 'the switcher with many organisations');

  await page.route('**/api/user/orgs', (route) =>
    route.fulfill({ status: 404, json: { errorType: 'not-found', message: 'Gone', requestId: 'req_1' } }),
  );
  // The list of an earlier visit would be shown instead, and the page stores it whenever it is confirmed.
  await page.addInitScript(() => localStorage.removeItem('frame'));
  await page.goto('/');
  await expect(page.getByText('Your organisations could not be loaded')).toBeVisible();
  await expectAccessible(page, 'organisations that could not be loaded');
  await page.route('**/api/user/orgs', () => new Promise(() => {}));
  await page.goto('/account');
  await expect(page.getByText('Loading...')).toBeVisible();
  await expectAccessible(page, 'organisations that are loading');
});
