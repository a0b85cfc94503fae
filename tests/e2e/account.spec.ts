// Account page: other sessions and deletion.
import {
  callApi,
  createOrganisation,
  invite,
  join,
  linkFromMail,
  newPerson,
  PASSWORD,
  signInOnPage,
} from './support/people.ts';
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
  await page.getByLabel('Full Name').fill('Sonia Unsaved');
  const everywhere = page.getByRole('button', { name: 'Sign out everywhere, including here' });
  await everywhere.click();
  await page.getByRole('button', { name: 'Stay' }).click();
  expect(await isSignedIn()).toBe(true);
  await everywhere.click();
  await page.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL('/signin');
  expect(await isSignedIn()).toBe(false);
  await elsewhere.dispose();
});

test('an only owner deletes the account by a mailed link once the deletion of the organisation is scheduled', async ({
  page,
  playwright,
  baseURL,
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
  const password = page.getByRole('dialog').getByLabel('Password', { exact: true });
  await password.fill('not the password');
  await confirm.click();
  // The dialog stays open, with the error at its field only.
  await expect(password).toHaveAccessibleDescription(/Invalid password/);
  await expect(page.getByText('Invalid password')).toHaveCount(1);
  await password.fill(PASSWORD);
  await expect(page.getByText('Invalid password')).toHaveCount(0);
  await confirm.click();
  await expect(page.getByText('You are the only owner of Orphan Works.')).toHaveCount(1);
  await expect(confirm).toBeEnabled();
  await expect(page).toHaveURL('/account');

  await page.goto(`/o/${orgId}/settings`);
  await page.getByRole('button', { name: 'Delete organisation' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Delete Orphan Works' }).click();
  await expect(dialog.getByText('Type the organisation’s name: Orphan Works')).toBeVisible();
  await dialog.getByLabel('Type “Orphan Works” to confirm').fill('Orphan Works');
  await dialog.getByRole('button', { name: 'Delete Orphan Works' }).click();
  const banner = page.getByRole('region', { name: 'Scheduled deletion' });
  await expect(banner).toContainText('Orphan Works will be deleted on');
  await expect(page.getByRole('heading', { name: 'Orphan Works will be deleted' })).toBeVisible();

  // Both banners stay below the top bar, one under the other.
  const inviter = await playwright.request.newContext({ baseURL });
  await join(inviter, newPerson('Ines Inviting'));
  await invite(inviter, await createOrganisation(inviter, 'Next Works'), person.email);
  await page.reload();
  const invitation = page.getByRole('region', { name: 'Invitation' });
  await expect(invitation).toContainText('Join Organisation Next Works?');
  // The page is as long as its text only once that is there.
  const scroll = async () => {
    await page.mouse.wheel(0, 2_000);
    return page.evaluate(() => window.scrollY);
  };
  await expect.poll(scroll).toBeGreaterThan(0);
  await expect(async () => {
    const [upper, lower] = [await invitation.boundingBox(), await banner.boundingBox()];
    expect(upper?.y).toBeGreaterThanOrEqual(50);
    expect(lower?.y).toBeGreaterThanOrEqual((upper?.y ?? 0) + (upper?.height ?? 0) - 1);
    expect(lower?.y).toBeLessThan(300);
  }).toPass();
  await inviter.dispose();

  await page.goto('/account');
  await ask.click();
  await dialog.getByRole('button', { name: 'Email me a link' }).click();
  await expect(dialog).toBeHidden();
  await page.goto(
    await linkFromMail(page.request, person.email, /Confirm the deletion of your Tessera account/),
  );
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveCount(0);
  await confirm.click();
  await expect(page.getByText('Your account has been deleted')).toBeVisible();
  await expect(page).toHaveURL('/signin');
  await signInOnPage(page, person.email, PASSWORD);
  await expect(page.getByText('Invalid credentials.')).toBeVisible();
});
