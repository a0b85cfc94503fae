import type { Page } from '@playwright/test';
import type { SignedIn } from '../../web/api/auth-client.ts';
import { callApi, createOrganisation, join, PASSWORD, signInOnPage, signUp } from './support/people.ts';
import { agreeAs, decline, openProvider, peopleOf } from './support/providers.ts';
import { expect, test } from './support/test.ts';

const refusal =
  'Verify your email with GitHub or Google first. If you already have a Tessera account, sign in with your password.';

type Requests = Parameters<typeof callApi>[0];
const sessionOf = (request: Requests) => callApi<SignedIn | null>(request, 'GET', '/api/auth/get-session');

/** Leaves the page first, because it would log its refused calls on the browser console. */
async function signOut(page: Page): Promise<void> {
  await page.goto('about:blank');
  await callApi(page.request, 'POST', '/api/auth/sign-out', {});
}

test('the first sign-in creates the account, and the next one finds it', async ({ page }) => {
  const { newcomer } = peopleOf('github');
  const visited: string[] = [];
  page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname));
  await page.goto('/signin');
  await openProvider(page, 'github');
  await agreeAs(page, newcomer);
  await expect(page.getByRole('heading', { name: 'Welcome, Margaret Hamilton' })).toBeVisible();
  await expect(page).toHaveURL('/');
  expect(visited).toContain('/post-signin');
  const first = await sessionOf(page.request);
  expect(first?.user).toMatchObject({ email: newcomer.email, emailVerified: true, sudo: false });

  await createOrganisation(page.request, 'Apollo Works');
  await signOut(page);
  await page.goto('/signup');
  await openProvider(page, 'github');
  await agreeAs(page, newcomer);
  await expect(page.getByRole('button', { name: 'Organisation: Apollo Works' })).toBeVisible();
  const second = await sessionOf(page.request);
  expect(second?.user.id).toBe(first?.user.id);
  expect(second?.session.id).not.toBe(first?.session.id);
});

// Tests in workerd cover the same outcomes with GitHub.
const people = peopleOf('google');

test('whoever declines, forges the state or has no verified address gets no session', async ({ page }) => {
  await test.step('whoever declines is back at sign-in, without a session, and may try again', async () => {
    await page.goto('/signin');
    await openProvider(page, 'google');
    await decline(page);
    await expect(page).toHaveURL('/signin?error=access_denied');
    await expect(page.getByRole('alert')).toHaveText('Signing in was cancelled.');
    expect(await sessionOf(page.request)).toBeNull();

    await openProvider(page, 'google');
    await agreeAs(page, people.decliner);
    await expect(page).toHaveURL('/');
  });
  await signOut(page);
  await test.step('a state that is not the one given out is refused', async () => {
    await page.goto('/signin');
    await openProvider(page, 'google');
    await page.locator('input[name=state]').evaluateAll((inputs: HTMLInputElement[]) => {
      for (const input of inputs) input.value = [...input.value].reverse().join('');
    });
    await agreeAs(page, people.forged);
    await expect(page).toHaveURL('/signin?error=state_mismatch');
    await expect(page.getByRole('alert')).toHaveText('Something went wrong, try again later.');
    expect(await sessionOf(page.request)).toBeNull();
  });
  await signOut(page);
  await test.step('an address that the provider has not verified gets no account', async () => {
    const { unverified } = peopleOf('google');
    await page.goto('/signin');
    await openProvider(page, 'google');
    await agreeAs(page, unverified);
    await expect(page).toHaveURL('/signin?error=account_not_linked');
    await expect(page.getByRole('alert')).toHaveText(refusal);
    expect(await sessionOf(page.request)).toBeNull();
    await join(page.request, unverified); // Whoever reads its mail can still sign up with it.
    expect((await sessionOf(page.request))?.user.email).toBe(unverified.email);
  });
});

test('a verified address leads to the account that has it, and takes over one that nobody verified', async ({
  page,
  expectBrowserError,
}) => {
  await test.step('a verified address leads to the account that has it, whose password stays', async () => {
    const person = { name: 'Katherine Coleman', email: people.withPassword.email };
    await join(page.request, person);
    const before = await sessionOf(page.request);
    await signOut(page);
    await page.goto('/signin');
    await openProvider(page, 'google');
    await agreeAs(page, people.withPassword);
    await expect(page.getByRole('heading', { name: 'Welcome, Katherine Coleman' })).toBeVisible();
    expect((await sessionOf(page.request))?.user.id).toBe(before?.user.id);

    await signOut(page);
    await page.goto('/signin');
    await signInOnPage(page, person.email, PASSWORD);
    await expect(page).toHaveURL('/');
  });
  await signOut(page);
  await test.step('an account that nobody verified loses the password that anyone may have chosen', async () => {
    const person = { name: 'Dorothy Vaughan', email: people.withUnverifiedPassword.email };
    await signUp(page.request, person);
    await page.goto('/signin');
    await openProvider(page, 'google');
    await agreeAs(page, people.withUnverifiedPassword);
    await expect(page).toHaveURL('/');
    await signOut(page);
    await page.goto('/signin');
    expectBrowserError(/sign-in/);
    await signInOnPage(page, person.email, PASSWORD);
    await expect(page.getByRole('alert')).toHaveText('Invalid credentials.');
  });
});

test('a sign-in that another browser began is refused, and no answer counts twice', async ({
  page,
  browser,
}) => {
  await page.goto('/signin');
  await openProvider(page, 'google');
  const elsewhere = await browser.newContext();
  const victim = await elsewhere.newPage();
  await victim.goto(page.url());
  await agreeAs(victim, people.forged);
  await expect(victim).toHaveURL(/\/signin\?error=state_mismatch$/);
  await elsewhere.close();

  const answered = page.waitForRequest('**/api/auth/callback/google?*');
  await agreeAs(page, people.forged);
  const answer = (await answered).url();
  await expect(page).toHaveURL('/');
  await signOut(page);
  await page.goto(answer);
  await expect(page).toHaveURL('/signin?error=state_mismatch');
});

test('one verified address with both providers is one account', async ({ page }) => {
  const { withBoth } = peopleOf('github');
  const ids: (string | undefined)[] = [];
  for (const provider of ['github', 'google'] as const) {
    await page.goto('/signin');
    await openProvider(page, provider);
    await agreeAs(page, withBoth);
    await expect(page).toHaveURL('/');
    ids.push((await sessionOf(page.request))?.user.id);
    await signOut(page);
  }
  expect(ids[0]).toBeTruthy();
  expect(ids[1]).toBe(ids[0]);
});
