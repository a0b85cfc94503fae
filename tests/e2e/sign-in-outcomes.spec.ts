// Every outcome of signing in, the way back, and a forgotten password.
import {
  callApi,
  createOrganisation,
  join,
  linkFromMail,
  newPerson,
  PASSWORD,
  signInOnPage,
  signUp,
} from './support/people.ts';
import { expect, test } from './support/test.ts';

test.describe('with an account', () => {
  test('leads back to where one wanted to go', async ({ page, playwright, baseURL }) => {
    const person = newPerson('Grace Hopper');
    const elsewhere = await playwright.request.newContext({ baseURL });
    await join(elsewhere, person);
    await elsewhere.dispose();

    await page.goto('/account?from=mail');
    await expect(page).toHaveURL('/signin?returnUrl=%2Faccount%3Ffrom%3Dmail');
    await signInOnPage(page, person.email, PASSWORD);
    await expect(page).toHaveURL('/account?from=mail');
    await expect(page.getByLabel('Email')).toHaveValue(person.email);

    await page.getByRole('button', { name: 'Your menu' }).click();
    await expect(page.getByRole('menu').getByText(person.email)).toBeVisible();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await expect(page).toHaveURL('/signin');
    await page.goto('/account');
    await expect(page).toHaveURL(/\/signin\?returnUrl=/);

    await page.goto('/signin?returnUrl=//evil.example');
    await signInOnPage(page, person.email, PASSWORD);
    await expect(page).toHaveURL('/');
  });

  test('a wrong password says so and changes nothing', async ({ page, expectBrowserError }) => {
    expectBrowserError(/api\/auth\/sign-in/);
    await page.goto('/signin');
    await signInOnPage(page, 'nobody@people.example', 'not-the-password');
    await expect(page.getByText('Invalid credentials.')).toBeVisible();
    await expect(page).toHaveURL('/signin');
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
  });

  test('only refused credentials are called invalid, and a refused captcha is no unverified email', async ({
    page,
    expectBrowserError,
  }) => {
    expectBrowserError(/api\/auth\/sign-in/);
    await page.goto('/signin');
    for (const [answer, problem] of [
      [
        { status: 403, json: { code: 'VERIFICATION_FAILED' } },
        'Human verification failed, please try again later.',
      ],
      [{ status: 429, json: {} }, 'Too many attempts. Please try again later.'],
      [{ status: 500, json: { message: 'Stack trace' } }, 'Something went wrong, try again later.'],
      [null, 'The server could not be reached. Check your connection and try again.'],
      [{ status: 401, json: {} }, 'Invalid credentials.'],
    ] as const) {
      await page.unrouteAll();
      await page.route('**/api/auth/sign-in/email', (route) =>
        answer === null ? route.abort() : route.fulfill(answer),
      );
      await signInOnPage(page, 'somebody@people.example', PASSWORD);
      await expect(page.getByRole('alert')).toHaveText(problem);
      await expect(page).toHaveURL('/signin');
    }
  });

  test('the form is closed while it is sent', async ({ page, expectBrowserError }) => {
    expectBrowserError(/api\/auth\/sign-in/);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/auth/sign-in/email', async (route) => {
      await released;
      await route.fulfill({ status: 401, json: {} });
    });
    await page.goto('/signin');
    await signInOnPage(page, 'slow@people.example', PASSWORD);
    await expect(page.getByLabel('Email')).toBeDisabled();
    await expect(page.getByLabel('Password', { exact: true })).toBeDisabled();
    release();
    await expect(page.getByText('Invalid credentials.')).toBeVisible();
    await expect(page.getByLabel('Email')).toBeEnabled();
    await expect(page.getByLabel('Email')).toHaveValue('slow@people.example');
  });

  test('an unverified address leads to the page that waits for it', async ({
    page,
    request,
    expectBrowserError,
  }) => {
    expectBrowserError(/api\/auth\/sign-in/);
    const person = newPerson('Alan Turing');
    await signUp(request, person);
    await page.goto('/signin');
    await signInOnPage(page, person.email, PASSWORD);
    await expect(page).toHaveURL('/email-verification');
    await expect(page.getByText(person.email)).toBeVisible();
    await page.getByRole('link', { name: 'Sign in as a different user' }).click();
    await expect(page).toHaveURL('/signin');
  });

  test('a disabled account leads to the waiting list', async ({ page, expectBrowserError }) => {
    expectBrowserError(/api\/auth\/sign-in/);
    await page.route('**/api/auth/sign-in/email', (route) =>
      route.fulfill({ status: 403, json: { code: 'disabled', message: 'Disabled' } }),
    );
    await page.goto('/signin');
    await signInOnPage(page, 'waiting@people.example', PASSWORD);
    await expect(page).toHaveURL('/awaiting-admission');
    await expect(page.getByText('You will be notified when access is granted.')).toBeVisible();
  });

  test('goes on through /post-signin, and an unfinished quick start is no trap', async ({
    page,
    playwright,
    baseURL,
  }) => {
    const person = newPerson('Frances Allen');
    const elsewhere = await playwright.request.newContext({ baseURL });
    await join(elsewhere, person);
    await createOrganisation(elsewhere, 'Compiler Works');
    await elsewhere.dispose();
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname));
    await page.goto('/signin');
    await signInOnPage(page, person.email, PASSWORD);
    await expect(page).toHaveURL('/quickstart');
    expect(visited).toContain('/post-signin');
    await page.getByRole('button', { name: 'Skip & Go to Dashboard' }).click();
    await expect(page).toHaveURL('/');
    await page.getByRole('link', { name: 'Team' }).click();
    await expect(page).toHaveURL(/\/team$/);
    await page.goBack();
    await expect(page).toHaveURL('/');
  });

  test('the last organisation looked at is forgotten with the next sign-in', async ({ page }) => {
    const person = newPerson('Lynn Conway');
    await join(page.request, person);
    await createOrganisation(page.request, 'First Works');
    const second = await createOrganisation(page.request, 'Second Works');
    await page.goto(`/o/${second}/`);
    await expect(page.getByRole('button', { name: 'Organisation: Second Works' })).toBeVisible();
    await page.getByRole('button', { name: 'Your menu' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await expect(page).toHaveURL('/signin');
    await signInOnPage(page, person.email, PASSWORD);
    await expect(page.getByRole('button', { name: 'Organisation: First Works' })).toBeVisible();
  });

  test('somebody signed in already does not see the form', async ({ page }) => {
    await join(page.request, newPerson('Edsger Dijkstra'));
    await page.goto('/signin');
    await expect(page.getByRole('heading', { name: 'Welcome, Edsger Dijkstra' })).toBeVisible();
  });
});

test('nothing is sent without e-mail and password, and the address can come with the link', async ({
  page,
}) => {
  await page.goto(`/signin?email=${encodeURIComponent(btoa('prefilled@people.example'))}`);
  await expect(page.getByLabel('Email')).toHaveValue('prefilled@people.example');
  await page.getByLabel('Email').fill('');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Required')).toHaveCount(2);
});

test('a forgotten password is chosen anew through the mail', async ({ page, playwright, baseURL }) => {
  const person = newPerson('Barbara Liskov');
  const elsewhere = await playwright.request.newContext({ baseURL });
  await join(elsewhere, person);
  await elsewhere.dispose();

  await page.goto('/signin');
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(page.getByText('Reset link sent')).toBeVisible();

  await page.goto(await linkFromMail(page.request, person.email, /password/i));
  const submit = page.getByRole('button', { name: 'Set new password' });
  await page.getByLabel('New password').fill('another-good-password');
  await page.getByLabel('Confirm password').fill('something-else');
  await expect(submit).toBeDisabled();
  await page.getByLabel('Confirm password').fill('another-good-password');
  await submit.click();
  await expect(page).toHaveURL('/signin');
  await expect(page.getByRole('status').filter({ hasText: 'Password changed' })).toBeVisible();
  await signInOnPage(page, person.email, 'another-good-password');
  await expect(page.getByRole('heading', { name: `Welcome, ${person.name}` })).toBeVisible();
});

test('a new password that is refused keeps the page and says what the server says', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/reset-password/);
  await page.goto('/reset-password?token=long-gone');
  await page.getByLabel('New password').fill('another-good-password');
  await page.getByLabel('Confirm password').fill('another-good-password');
  const answered = page.waitForResponse('**/api/auth/reset-password');
  await page.getByRole('button', { name: 'Set new password' }).click();
  const { message } = (await (await answered).json()) as { message: string };
  await expect(page.getByRole('alert')).toHaveText(message);
  await expect(page).toHaveURL('/reset-password?token=long-gone');
});

test('a reset link that cannot be sent says so', async ({ page, expectBrowserError }) => {
  expectBrowserError(/request-password-reset/);
  await page.route('**/api/auth/request-password-reset', (route) => route.fulfill({ status: 500, body: '' }));
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill('anybody@people.example');
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(page.getByRole('alert')).toHaveText('Something went wrong, try again later.');
});

test('choosing a new password needs a token', async ({ page }) => {
  await page.goto('/reset-password');
  await expect(page).toHaveURL('/signin');
});

test('human verification that fails or cannot be had keeps the form closed', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/frontend-config/);
  await page.route('**/api/frontend-config', (route) =>
    route.fulfill({ status: 404, json: { errorType: 'not-found', message: 'No' } }),
  );
  await page.goto('/signin');
  await expect(page.getByText('Human verification failed, please try again later.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeDisabled();
});

test('a session that ends in the middle of work leads to sign-in and back again', async ({ page }) => {
  const person = newPerson('Donald Knuth');
  await join(page.request, person);
  await page.goto('/account');
  await expect(page.getByLabel('Full Name')).toHaveValue(person.name);
  await callApi(page.request, 'POST', '/api/auth/sign-out', {});
  await page.reload();
  await expect(page).toHaveURL('/signin?returnUrl=%2Faccount');
  await signInOnPage(page, person.email, PASSWORD);
  await expect(page).toHaveURL('/account');
});

test('a session that ends unnoticed is noticed by the next call', async ({ page, expectBrowserError }) => {
  expectBrowserError(/401/);
  const person = newPerson('Tony Hoare');
  await join(page.request, person);
  await page.clock.install();
  await page.goto('/account');
  await expect(page.getByLabel('Full Name')).toHaveValue(person.name);
  await page.context().clearCookies();
  await page.clock.fastForward(5_100); // What was read counts as fresh for five seconds.
  await page.getByRole('link', { name: 'Tessera, to the dashboard' }).click();
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect(page).toHaveURL(/\/signin\?returnUrl=/);
});

test('tabs of one browser are signed in and out together', async ({ page, context, playwright, baseURL }) => {
  const [first, second] = [newPerson('Frances Allen'), newPerson('Radia Perlman')];
  const elsewhere = await playwright.request.newContext({ baseURL });
  await join(elsewhere, second);
  await elsewhere.dispose();
  await join(page.request, first);
  await page.goto('/account');
  await expect(page.getByLabel('Full Name')).toHaveValue(first.name);
  const other = await context.newPage();
  await other.goto('/');

  await other.getByRole('button', { name: 'Your menu' }).click();
  await other.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/signin?returnUrl=%2Faccount');
  // The tab that logged out follows as well.
  const follower = await context.newPage();
  await follower.goto('/signin');
  await signInOnPage(follower, first.email, PASSWORD);
  await expect(page.getByLabel('Full Name')).toHaveValue(first.name);
  await expect(other).toHaveURL('/');

  await context.clearCookies();
  const third = await context.newPage();
  await third.goto('/signin');
  await signInOnPage(third, second.email, PASSWORD);
  await expect(page.getByLabel('Full Name')).toHaveValue(second.name);
  await expect(page.getByLabel('Email')).toHaveValue(second.email);
});

test('a social account is asked for at its provider, and leads back to where sign-in ends', async ({
  page,
}) => {
  await page.route('**/api/frontend-config', async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, socialProviders: { google: false, github: true } } });
  });
  await page.route('**/api/auth/sign-in/social', (route) =>
    route.fulfill({ json: { url: '/awaiting-admission?stands-for=github', redirect: true } }),
  );
  await page.goto('/signin');
  await expect(page.getByRole('button', { name: 'Google' })).toBeDisabled();
  await expect(page.getByText('Google sign-in is not configured on this server.')).toBeVisible();
  const sent = page.waitForRequest('**/api/auth/sign-in/social');
  await page.getByRole('button', { name: 'GitHub' }).click();
  expect((await sent).postDataJSON()).toEqual({ provider: 'github', callbackURL: '/post-signin' });
  await expect(page).toHaveURL('/awaiting-admission?stands-for=github');
});
