// The sudo area: what platform staff see of every organisation and user, and what they can change.
import type { Page } from '@playwright/test';
import type { SudoUser } from '#contracts/console/sudo';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { callApi, createOrganisation, join, newPerson } from './support/people.ts';
import { expectAfterRetries } from './support/settle-page.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Sven Staff', 'Platform Works', { isOwnerShared: false });

async function becomeStaff(page: Page): Promise<void> {
  await callApi(page.request, 'POST', '/dev/staff');
}

/** In both themes and at three widths. */
async function expectWellShown(page: Page, name: string): Promise<void> {
  await expectAccessible(page, name);
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectFitting(page, `${name} at ${width}`);
  }
}

test('the area is hidden from everyone but staff; staff find an organisation and open it as its members see it', async ({
  page,
  browser,
}) => {
  await test.step('other users see no sudo entries and reach no sudo page', async () => {
    await page.goto(`/o/${organisation.id}/`);
    await expect(page.getByRole('link', { name: 'Plan & Billing' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Sudo Orgs' })).toHaveCount(0);
    await page.goto('/sudo-orgs');
    await expect(page.getByRole('status')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Sudo Orgs' })).toHaveCount(0);
  });
  await test.step('an organisation is found by its name and opens as its own people see it', async () => {
    const elsewhere = await browser.newContext();
    await join(elsewhere.request, newPerson('Olga Other'));
    const name = `Found ${crypto.randomUUID().slice(0, 8)}`;
    const orgId = await createOrganisation(elsewhere.request, name);
    await elsewhere.close();

    await becomeStaff(page);
    await page.goto(`/o/${organisation.id}/`);
    await page.getByRole('link', { name: 'Sudo Orgs' }).click();
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await page.getByLabel('Search by name or ID').fill(name);
    await expect(page).toHaveURL(/search=Found/);
    const row = page.getByRole('row').filter({ hasText: name });
    await expect(row).toContainText('Build');
    await expect(page.getByRole('row')).toHaveCount(2);
    await row.getByRole('link', { name }).click();
    await expect(page).toHaveURL(new RegExp(`/o/${orgId}/$`));

    await page.goto('/sudo-orgs?search=nobody-has-this-name');
    await expect(page.getByText('No results')).toBeVisible();
    await page.goto('/sudo-orgs');
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await expectWellShown(page, 'the organisations');
  });
});

test('a user is found and changed, also by somebody else meanwhile, and opened before typing has settled', async ({
  page,
  browser,
  expectBrowserError,
}) => {
  await test.step('a user is found and changed, and somebody else’s change meanwhile is shown', async () => {
    expectBrowserError(/409 \(Conflict\).*\/api\/sudo\/users/);
    const elsewhere = await browser.newContext();
    const person = newPerson('Ulla User');
    await join(elsewhere.request, person);
    await createOrganisation(elsewhere.request, 'Ullaland');
    await becomeStaff(page);

    await page.goto('/sudo-users');
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await expectWellShown(page, 'the users');
    await page.getByLabel('Search by name, email or ID').fill(person.email.slice(0, 30));
    const row = page.getByRole('row').filter({ hasText: 'Ulla User' });
    await expect(row.getByRole('img', { name: 'Enabled' })).toBeVisible();
    await expect(row.getByRole('img', { name: 'Verified', exact: true })).toBeVisible();
    await expect(row.getByRole('link', { name: 'Ullaland' })).toBeVisible();
    await row.getByRole('link', { name: 'Edit Ulla User' }).click();

    await expect(
      page.getByText("Updates will not be applied to the user's current session. The user must logout."),
    ).toBeVisible();
    await expect(page.getByText('Disabling ends every session at once.')).toBeVisible();
    // What cannot be changed says so before somebody tries.
    await expect(page.getByLabel('Email', { exact: true })).toBeDisabled();
    await expect(page.getByText('it would give access to Ullaland')).toBeVisible();
    await page.getByLabel('Name').fill('Ulla Umlaut');
    const [user] = await callApi<SudoUser[]>(
      page.request,
      'GET',
      `/api/sudo/users/search?search=${encodeURIComponent(person.email.slice(0, 30))}`,
    );
    await callApi(page.request, 'PUT', `/api/sudo/users/${user!.id}`, { name: 'Ulla Meanwhile' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Ulla Meanwhile').first()).toBeVisible();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('User updated')).toBeVisible();
    await page.getByLabel('Enabled').click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect
      .poll(() => callApi<SudoUser>(page.request, 'GET', `/api/sudo/users/${user!.id}`))
      .toMatchObject({ name: 'Ulla Umlaut', enabled: false });
    expect((await elsewhere.request.get('/api/user/orgs')).status()).toBe(401);
    await page.getByRole('link', { name: 'Back to users' }).click();
    await expect(page).toHaveURL(/\/sudo-users$/);
    await elsewhere.close();
  });
  await test.step('a row opens even before typing has settled', async () => {
    await page.clock.install();
    await page.goto('/sudo-users');
    const row = page.getByRole('row').filter({ hasText: organisation.owner.email });
    await expect(row).toBeVisible();
    // The other page's code takes longer to load than typing to settle.
    await page.route('**/assets/sudo-user-*.js', async (route) => {
      await page.clock.runFor(800);
      await route.continue();
    });
    await page.getByLabel('Search by name, email or ID').fill('Sven');
    await row.getByRole('link', { name: 'Edit Sven Staff' }).click();
    await expect(page.getByRole('button', { name: 'Save changes' })).toBeVisible();
    await expect(page.getByLabel('Enabled')).toBeDisabled();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Sudo Users' })).toBeVisible();
  });
});

const letter = {
  id: 'dead_1',
  queue: 'tessera-stripe-dead',
  type: 'stripe.sync-advanced',
  orgId: 'org_1',
  body: { type: 'stripe.sync-advanced', jobId: 'sync_1', outboxId: 'out_1', orgId: 'org_1' },
  attempts: 11,
  diedAt: Date.now() - 3_600_000,
};

test('with undelivered messages and without: each is shown whole and discarded once confirmed, and a failure offers another try', async ({
  page,
  expectBrowserError,
}) => {
  await test.step('an undelivered message is shown whole, and asks before it is discarded', async () => {
    expectBrowserError(/404 \(Not Found\).*\/dead_1\/retry/);
    await becomeStaff(page);
    // No message is dead-lettered during the tests, so this test checks only how the page shows one.
    await page.route('**/api/sudo/dead-letters', (route) =>
      route.fulfill({
        json: { items: [letter], nextCursor: null, total: 1, queues: [{ queue: letter.queue, total: 1 }] },
      }),
    );
    await page.goto('/sudo-queues');
    await expect(page.getByText('"jobId": "sync_1"')).toBeVisible();
    await expectWellShown(page, 'undelivered messages');
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByRole('dialog')).toContainText('Discard this message?');
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('Not Found')).toBeVisible(); // The server has no such message.
  });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await test.step('with nothing undelivered the queues page says so, and a failure offers another try', async () => {
    expectBrowserError(/ERR_FAILED.*dead-letters/);
    await becomeStaff(page);
    await page.goto('/sudo-orgs');
    await page.getByRole('link', { name: 'Undelivered messages' }).click();
    await expect(page.getByText('Nothing undelivered')).toBeVisible();
    await page.route('**/api/sudo/dead-letters', (route) => route.abort());
    await page.clock.install();
    await page.reload();
    await expectAfterRetries(page, page.getByText('The messages could not be loaded'));
    await page.unroute('**/api/sudo/dead-letters');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('Nothing undelivered')).toBeVisible();
  });
});

test('staff see an organisation’s internal fields below its settings, change them, and act on it', async ({
  page,
  browser,
  expectBrowserError,
}) => {
  expectBrowserError(/400 \(Bad Request\) .*\/api\/sudo\/orgs\//);
  await page.goto(`/o/${organisation.id}/settings`);
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Internal' })).toHaveCount(0);
  await becomeStaff(page);
  const elsewhere = await browser.newContext();
  await join(elsewhere.request, newPerson('Olga Other'));
  const orgId = await createOrganisation(elsewhere.request, 'Internal Works');
  await elsewhere.close();
  await page.goto(`/o/${orgId}/settings`);
  await page.getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: 'Grow' }).click();
  await page.getByLabel('Payment customer ID').fill('cus_by_hand');
  await page.getByRole('button', { name: 'Save internal fields' }).click();
  await expect(page.getByText('Tessera’s Stripe account has no such ID')).toBeVisible();
  await page.getByLabel('Payment customer ID').fill('');
  await page.getByRole('button', { name: 'Save internal fields' }).click();
  await expect(page.getByText('Organisation updated')).toBeVisible();
  await expect
    .poll(() => callApi(page.request, 'GET', `/api/sudo/orgs/${orgId}/summary`))
    .toMatchObject({ plan: 'grow', activeStripeCustomerId: null, activeStripeSubscriptionId: null });
  await page.getByRole('heading', { name: 'Actions' }).scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Update environments' }).click();
  await expect(page.getByText('1 environment is being published')).toBeVisible();
  await page.getByRole('button', { name: 'Clear usage blocks' }).click();
  await expect(page.getByText('Internal Works was not blocked')).toBeVisible();
  await expectWellShown(page, 'settings with internal fields');
});

test('staff ask an owner for support access, and change things only once it is allowed', async ({
  page,
  browser,
}) => {
  const elsewhere = await browser.newContext();
  await join(elsewhere.request, newPerson('Olive Owner'));
  const orgId = await createOrganisation(elsewhere.request, 'Consent Works');
  await becomeStaff(page);

  await page.goto(`/o/${orgId}/settings`);
  await expect(page.getByText('Support can view but not change this organisation.')).toBeVisible();
  await page.getByLabel('Reason').fill('short');
  await page.getByRole('button', { name: 'Request access' }).click();
  await expect(page.getByText('Must be at least 10 characters')).toBeVisible();
  await page.getByLabel('Reason').fill('Your plan links are broken');
  await page.getByRole('button', { name: 'Request access' }).click();
  await expect(page.getByText('Request sent to the owners')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Request again' })).toBeVisible();
  await expectWellShown(page, 'settings as staff see them');

  const own = await elsewhere.newPage();
  await own.goto(`/o/${orgId}/settings`);
  await expect(own.getByText('Your plan links are broken')).toBeVisible();
  await own.getByRole('button', { name: 'Allow changes' }).click();
  await expect(own.getByText(/^Support can make changes until /)).toBeVisible();
  await expectWellShown(own, 'settings with support access');

  await page.reload();
  await expect(page.getByText(/^Support can make changes until /)).toBeVisible();
  await callApi(page.request, 'PUT', `/api/orgs/${orgId}`, { name: 'Consent Works Better' });

  await own.getByRole('button', { name: 'End access' }).click();
  await expect(own.getByText('Support can view but not change this organisation.')).toBeVisible();
  const refused = await page.request.put(`/api/orgs/${orgId}`, {
    headers: { origin: new URL(page.url()).origin },
    data: { name: 'Once more' },
  });
  expect(refused.status()).toBe(403);
  expect(await refused.json()).toMatchObject({
    message: 'An owner of the organisation must grant support access first',
  });
  await elsewhere.close();
});
