// One's own account beyond its name: the sessions elsewhere, and its end.
import { newColleague } from './support/colleague.ts';
import { callApi, createOrganisation, join, newPerson, PASSWORD, signInOnPage } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('sessions elsewhere are ended alone, and all of them together', async ({
  page,
  playwright,
  baseURL,
}) => {
  const person = newPerson('Sonia Sessions');
  await join(page.request, person);
  const elsewhere = await playwright.request.newContext({ baseURL });
  const isSignedIn = async () => (await callApi(elsewhere, 'GET', '/api/auth/get-session')) !== null;
  const signInElsewhere = () =>
    callApi(elsewhere, 'POST', '/api/auth/sign-in/email', { email: person.email, password: PASSWORD });
  await signInElsewhere();
  expect(await isSignedIn()).toBe(true);

  await page.goto('/account');
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(page.getByText('Signed out everywhere else')).toBeVisible();
  expect(await isSignedIn()).toBe(false);
  await page.reload();
  await expect(page.getByLabel('Full Name')).toHaveValue(person.name);

  await signInElsewhere();
  await page.getByRole('button', { name: 'Sign out everywhere, also here' }).click();
  await expect(page).toHaveURL('/signin?returnUrl=%2Faccount');
  expect(await isSignedIn()).toBe(false);
  await elsewhere.dispose();
});

test('an account is deleted once asked, and never while an organisation would lose its only owner', async ({
  page,
  browser,
  expectBrowserError,
}) => {
  expectBrowserError(/delete-user|sign-in/);
  const person = newPerson('Della Deleting');
  await join(page.request, person);
  const orgId = await createOrganisation(page.request, 'Orphan Works');
  await page.goto('/account');
  const ask = page.getByRole('main').getByRole('button', { name: 'Delete my account' });
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete my account' });
  await ask.click();
  await expect(page.getByRole('dialog')).toContainText(person.email);
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD);
  await confirm.click();
  await expect(
    page.getByText('You are the only owner of Orphan Works. Make somebody else an owner first.'),
  ).toBeVisible();
  await expect(page).toHaveURL('/account');

  const heir = await newColleague(browser, page, orgId, { name: 'Hera Heir', role: 'owner' });
  await ask.click();
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD);
  await confirm.click();
  await expect(page.getByText('Your account has been deleted')).toBeVisible();
  await expect(page).toHaveURL('/signin');
  await signInOnPage(page, person.email, PASSWORD);
  await expect(page.getByText('Invalid credentials.')).toBeVisible();
  const kept = await callApi<{ name: string }[]>(heir.page.request, 'GET', '/api/user/orgs');
  expect(kept.map(({ name }) => name)).toEqual(['Orphan Works']);
  await heir.page.context().close();
});
