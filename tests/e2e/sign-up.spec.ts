// From the first visit to the dashboard.
import {
  callApi,
  createOrganisation,
  invite,
  join,
  linkFromMail,
  newPerson,
  PASSWORD,
  signInOnPage,
  signUp,
} from './support/people.ts';
import { expect, test } from './support/test.ts';

test('somebody new signs up, confirms the address from the mail, makes an organisation and sees its dashboard', async ({
  page,
  request,
}) => {
  const ada = newPerson('Ada Lovelace');
  await page.goto('/');
  await expect(page).toHaveURL(/\/signin\?returnUrl=%2F$/);
  await page.getByRole('link', { name: 'Sign up' }).click();
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();

  await page.getByLabel('Email').fill(ada.email);
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByLabel('Name').fill(ada.name);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
    'Minimum 8 characters.',
  );
  await expect(page).toHaveURL('/signup?returnUrl=%2F');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();

  await expect(page).toHaveURL('/email-verification');
  await expect(page.getByText(`A verification email was sent to ${ada.email}`)).toBeVisible();
  await expect(page.getByRole('link', { name: 'development mailbox' })).toHaveAttribute(
    'href',
    '/dev/mailbox',
  );
  await page.getByRole('button', { name: 'Resend verification email' }).click();
  await expect(page.getByRole('button', { name: 'Verification email resent' })).toBeDisabled();

  await page.goto(await linkFromMail(request, ada.email, /verify/i));
  await expect(page.getByText('Your email has been verified')).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: `Welcome, ${ada.name}` })).toBeVisible();

  await page.getByRole('main').getByRole('link', { name: 'Create organisation' }).click();
  await page.getByLabel('Organisation name').fill('Analytical Engines');
  await page.getByRole('button', { name: 'Create organisation' }).click();
  await expect(page).toHaveURL('/quickstart');
  await expect(page.getByRole('heading', { name: '1. Connect to Stripe' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Organisation: Analytical Engines' })).toBeVisible();
});

test('answers to a sign-up: a verified account goes straight on, and a refusal is shown with what was entered kept', async ({
  page,
  expectBrowserError,
}) => {
  await test.step('an account whose address is verified already goes straight on', async () => {
    await page.route('**/api/auth/sign-up/email', (route) =>
      route.fulfill({ json: { user: { id: 'u', name: 'Vera', emailVerified: true } } }),
    );
    await page.goto('/signup');
    await page.getByLabel('Email').fill('vera@people.example');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Name').fill('Vera Verified');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL('/signin?returnUrl=%2Fpost-signin'); // The stand-in gave no session.
  });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await test.step('what the server says against a sign-up is shown, and what was entered stays', async () => {
    expectBrowserError(/sign-up/);
    await page.route('**/api/auth/sign-up/email', (route) =>
      route.fulfill({ status: 422, json: { message: 'This password was found in a data breach.' } }),
    );
    await page.goto('/signup');
    await page.getByLabel('Email').fill('refused@people.example');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Name').fill('Refused Person');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('alert')).toHaveText('This password was found in a data breach.');
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue(PASSWORD);
  });
});

test('a link of verification leads on, to sign-in if it is none, and to the waiting list', async ({
  page,
  expectBrowserError,
}) => {
  await test.step('whom the server has verified itself is told so, and led on', async () => {
    await join(page.request, newPerson('Valerie Verified'));
    await page.goto('/email-verified');
    await expect(page.getByText('Your email has been verified')).toBeVisible();
    await expect(page).toHaveURL('/');
  });
  await test.step('a link opened where somebody else is signed in asks first, then shows its own account and nothing of the other', async () => {
    expectBrowserError(/api\/auth\/verify-email/);
    const bee = newPerson('Bea Beside');
    await signUp(page.request, bee);
    await invite(page.request, await createOrganisation(page.request, 'Valerie Works'), bee.email);
    const link = await linkFromMail(page.request, bee.email, /verify/i);
    await page.goto(link);
    await expect(page.getByText(`This link is for ${bee.email}.`)).toBeVisible();
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(page.getByRole('button', { name: /^Organisation: Valerie/ })).toBeVisible();
    await page.goto(link);
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(page.getByRole('heading', { name: `Welcome, ${bee.name}` })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Invitation' })).toContainText('Valerie Works');
    await expect(page.getByRole('button', { name: /^Organisation: Valerie/ })).toHaveCount(0);
  });
  await page.goto('about:blank');
  await page.context().clearCookies();
  await test.step('a link opened in another browser changes nothing, and its form verifies the email with a password', async () => {
    expectBrowserError(/api\/auth\/(verify-email|sign-in)/);
    const owner = newPerson('Olive Owner');
    await signUp(page.request, owner);
    const link = await linkFromMail(page.request, owner.email, /verify/i);
    await page.goto('about:blank');
    await page.context().clearCookies();
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Verify your email' })).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue(owner.email);
    const password = page.getByLabel('Password', { exact: true });
    await expect(password).toBeFocused();
    await password.fill('short');
    await page.getByRole('button', { name: 'Verify email' }).click();
    await expect(password).toHaveAccessibleDescription('Minimum 8 characters.');
    await password.fill('the owner’s own password');
    await page.getByRole('button', { name: 'Verify email' }).click();
    await expect(page.getByText('Your email has been verified')).toBeVisible();
    await expect(page.getByRole('heading', { name: `Welcome, ${owner.name}` })).toBeVisible();
    await page.goto('about:blank');
    await page.context().clearCookies();
    await page.goto('/signin');
    await signInOnPage(page, owner.email, PASSWORD);
    await expect(page.getByRole('alert')).toHaveText('Invalid credentials.');
  });
  await page.goto('about:blank');
  await test.step('a link that does not verify leads to sign-in and says so', async () => {
    expectBrowserError(/api\/auth\/verify-email/);
    await page.goto('/verify-email?token=nonsense');
    await expect(page.getByText('Unable to verify email')).toBeVisible();
    await expect(page.getByText('The link has expired or was replaced by a newer one.')).toBeVisible();
    await expect(page).toHaveURL('/signin');
    // Without an answer about the link, it is not called expired.
    await page.route('**/api/auth/verify-email*', (route) => route.abort());
    await page.goto('/verify-email?token=some');
    await expect(page.getByText('The server could not be reached.')).toBeVisible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
  await page.goto('about:blank');
  await page.context().clearCookies();
  await test.step('a disabled account that verifies its address waits for admission', async () => {
    expectBrowserError(/api\/auth\/verify-email/);
    await page.route('**/api/auth/verify-email*', (route) =>
      route.fulfill({ status: 403, json: { code: 'disabled', message: 'Disabled' } }),
    );
    await page.goto('/verify-email?token=some');
    await expect(page.getByText('Your email has been verified')).toBeVisible();
    await expect(page).toHaveURL('/awaiting-admission');
    await expect(page.getByRole('heading', { name: "You're on the list!" })).toBeVisible();
  });
});

test('the page that waits for verification needs an address, and lets one start over', async ({
  page,
  request,
  expectBrowserError,
}) => {
  await page.goto('/email-verification');
  await expect(page).toHaveURL('/signin');

  const bob = newPerson('Bob');
  await signUp(request, bob);
  await page.goto('/signin');
  expectBrowserError(/sign-in/);
  await signInOnPage(page, bob.email, PASSWORD);
  await expect(page.getByText(bob.email)).toBeVisible();
  await page.getByRole('link', { name: 'Sign in as a different user' }).click();
  await expect(page).toHaveURL('/signin');

  await page.goto('/api-docs');
  await signInOnPage(page, bob.email, PASSWORD);
  await expect(page).toHaveURL('/email-verification');
  const link = await linkFromMail(request, bob.email, /verify/i);
  const token = new URLSearchParams(link.split('?')[1]).get('token');
  // Verified in another tab: this browser has a session now.
  await callApi(page.request, 'POST', '/api/auth/verify-email', { token, password: PASSWORD });
  await page.reload();
  await expect(page).toHaveURL('/api-docs');
});

test('the page to return to and the typed email survive sign-up and a forgotten password', async ({
  page,
  request,
}) => {
  const eve = newPerson('Eve Returning');
  await page.goto('/api-docs');
  await expect(page).toHaveURL('/signin?returnUrl=%2Fapi-docs');
  await page.getByLabel('Email').fill(eve.email);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page).toHaveURL('/forgot-password?returnUrl=%2Fapi-docs');
  await expect(page.getByLabel('Email')).toHaveValue(eve.email);
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(eve.email);
  await page.getByRole('link', { name: 'Sign up' }).click();
  await expect(page).toHaveURL('/signup?returnUrl=%2Fapi-docs');
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(eve.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Name').fill(eve.name);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/email-verification');
  await page.goto(await linkFromMail(request, eve.email, /verify/i));
  await expect(page).toHaveURL('/api-docs');
});
