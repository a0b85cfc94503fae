// Every outcome of signing in, the way back, and a forgotten password.

import { CAPTCHA_HEADER, DEVELOPMENT_CAPTCHA_TOKEN } from '#contracts/console/auth';
import { serverUrl } from './support/chosen-server.ts';
import {
  callApi,
  createOrganisation,
  join,
  linkFromMail,
  newPerson,
  PASSWORD,
  signInOnPage,
} from './support/people.ts';
import { expect, test } from './support/test.ts';

test('sign-in leads back to where one wanted to go, and once signed in the form is not shown', async ({
  page,
  playwright,
  baseURL,
}) => {
  await test.step('leads back to where one wanted to go', async () => {
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
  await test.step('somebody signed in already does not see the form', async () => {
    await join(page.request, newPerson('Edsger Dijkstra'));
    await page.goto('/signin');
    await expect(page.getByRole('heading', { name: 'Welcome, Edsger Dijkstra' })).toBeVisible();
  });
  await test.step('a link for another email says who is signed in, and leads to the form after a log-out', async () => {
    const person = newPerson('Barbara Liskov');
    await join(page.request, person);
    const linkFor = (invited: string) => `/signin?email=${encodeURIComponent(btoa(invited))}`;
    await page.goto(linkFor(person.email.toUpperCase()));
    await expect(page.getByRole('heading', { name: 'Welcome, Barbara Liskov' })).toBeVisible();
    await page.goto(linkFor('invited@people.example'));
    await expect(page.getByText(`You’re signed in as ${person.email}.`)).toBeVisible();
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Welcome, Barbara Liskov' })).toBeVisible();
    await page.goto(linkFor('invited@people.example'));
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(page.getByLabel('Email')).toHaveValue('invited@people.example');
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    await page.goto('/account');
    await expect(page).toHaveURL(/\/signin\?returnUrl=/);
  });
});

test('a refused sign-in says why, keeps what was typed and sends nothing without email and password', async ({
  page,
  playwright,
  baseURL,
  expectBrowserError,
}) => {
  await test.step('nothing is sent without email and password, and the address can come with the link', async () => {
    await page.goto(`/signin?email=${encodeURIComponent(btoa('prefilled@people.example'))}`);
    await expect(page.getByLabel('Email')).toHaveValue('prefilled@people.example');
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    await page.getByLabel('Email').fill('');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByText('Required')).toHaveCount(2);
  });
  await test.step('a wrong password says so and changes nothing', async () => {
    expectBrowserError(/api\/auth\/sign-in/);
    await page.goto('/signin');
    await signInOnPage(page, 'nobody@people.example', 'not-the-password');
    await expect(page.getByText('Invalid credentials.')).toBeVisible();
    await expect(page).toHaveURL('/signin');
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
  });
  await test.step('only refused credentials are called invalid, and a refused captcha is no unverified email', async () => {
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
  await page.unrouteAll();
  await test.step('the form is closed while it is sent', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/auth/sign-in/email', async (route) => {
      await released;
      await route.fulfill({ status: 429, json: {} });
    });
    await signInOnPage(page, 'slow@people.example', PASSWORD);
    await expect(page.getByLabel('Email')).toBeDisabled();
    await expect(page.getByLabel('Password', { exact: true })).toBeDisabled();
    release();
    await expect(page.getByRole('alert')).toHaveText('Too many attempts. Please try again later.');
    await expect(page.getByLabel('Email')).toBeEnabled();
    await expect(page.getByLabel('Email')).toHaveValue('slow@people.example');
  });
  await page.unrouteAll();
  await test.step('too many wrong passwords offer a link, which gives this browser new attempts', async () => {
    expectBrowserError(/api\/auth\/use-new-attempts/);
    const person = newPerson('Annie Easley');
    const elsewhere = await playwright.request.newContext({ baseURL });
    await join(elsewhere, person);
    for (let attempt = 0; attempt < 10; attempt++) {
      await elsewhere.post('/api/auth/sign-in/email', {
        headers: { origin: serverUrl(), [CAPTCHA_HEADER]: DEVELOPMENT_CAPTCHA_TOKEN },
        data: { email: person.email, password: 'not-the-password' },
      });
    }
    await elsewhere.dispose();
    await page.goto('/signin');
    await signInOnPage(page, person.email, PASSWORD);
    await expect(page.getByRole('alert')).toHaveText('Too many attempts. Please try again later.');
    await page.getByRole('button', { name: 'Email me a link to try again now' }).click();
    await expect(page.getByText('Check your email')).toBeVisible();
    const link = await linkFromMail(page.request, person.email, /new sign-in attempts/i);
    await page.goto(link);
    await expect(page.getByText('You can try to sign in ten more times')).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue(person.email);
    await page.goto(link);
    await expect(page.getByText('This link has expired or was already used.')).toBeVisible();
    await page.goto(link.replace(/\?.*/, ''));
    await expect(page.getByText('This link is incomplete.')).toBeVisible();
    await signInOnPage(page, person.email, PASSWORD);
    await expect(page.getByRole('heading', { name: `Welcome, ${person.name}` })).toBeVisible();
    await page.goto('about:blank');
    await page.context().clearCookies();
    await page.goto('/signin');
  });
  await test.step('a disabled account leads to the waiting list', async () => {
    await page.route('**/api/auth/sign-in/email', (route) =>
      route.fulfill({ status: 403, json: { code: 'disabled', message: 'Disabled' } }),
    );
    await signInOnPage(page, 'waiting@people.example', PASSWORD);
    await expect(page).toHaveURL('/awaiting-admission');
    await expect(page.getByText('You will be notified when access is granted.')).toBeVisible();
  });
});

test('sign-in goes on through /post-signin; the quick start is no trap, and the last organisation is forgotten', async ({
  page,
  playwright,
  baseURL,
}) => {
  await test.step('goes on through /post-signin, and an unfinished quick start is no trap', async () => {
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
  await test.step('the last organisation looked at is forgotten with the next sign-in', async () => {
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
    // The form from after the log-out is not shown to somebody signed in.
    await page.goBack();
    await expect(page).not.toHaveURL('/signin');
    await expect(page.getByRole('button', { name: 'Organisation: First Works' })).toBeVisible();
  });
});

test('a forgotten password is chosen anew through the mail, and what goes wrong is told', async ({
  page,
  expectBrowserError,
  playwright,
  baseURL,
}) => {
  await test.step('choosing a new password needs a token', async () => {
    await page.goto('/reset-password');
    await expect(page).toHaveURL('/signin');
  });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await test.step('a reset link that cannot be sent says so', async () => {
    expectBrowserError(/request-password-reset/);
    await page.route('**/api/auth/request-password-reset', (route) =>
      route.fulfill({ status: 500, body: '' }),
    );
    await page.goto('/forgot-password');
    await page.getByLabel('Email').fill('anybody@people.example');
    await page.getByRole('button', { name: 'Send reset link' }).click();
    await expect(page.getByRole('alert')).toHaveText('Something went wrong, try again later.');
  });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await test.step('a new password that is refused keeps the page and says what the server says', async () => {
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
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await test.step('a forgotten password is chosen anew through the mail', async () => {
    const person = newPerson('Barbara Liskov');
    const elsewhere = await playwright.request.newContext({ baseURL });
    await join(elsewhere, person);
    await elsewhere.dispose();

    await page.goto('/account');
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
    await expect(page).toHaveURL('/account');
    await expect(page.getByLabel('Full Name')).toHaveValue(person.name);
  });
});

test('a session that ends is noticed, by the next page or the next call, and sign-in leads back', async ({
  page,
  expectBrowserError,
}) => {
  await test.step('a session that ends in the middle of work leads to sign-in and back again', async () => {
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
  await test.step('a session that ends unnoticed is noticed by the next call', async () => {
    expectBrowserError(/401/);
    const person = newPerson('Tony Hoare');
    await join(page.request, person);
    await page.clock.install();
    await page.goto('/account');
    await expect(page.getByLabel('Full Name')).toHaveValue(person.name);
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Tessera, to the dashboard' }).click();
    // What was read counts as fresh for five seconds, from when its answer arrived.
    await expect(async () => {
      await page.clock.fastForward(5_100);
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      await expect(page).toHaveURL(/\/signin\?returnUrl=/, { timeout: 500 });
    }).toPass();
    await expect(page.getByText('Your session has ended')).toBeVisible();
  });
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
