// Membership in organisations: invitations, switching, and access to other organisations.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { newColleague } from './support/colleague.ts';
import { expectAccessible } from './support/expect-accessible.ts';
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

/** Before another person signs in: the page would go on calling with their session. */
async function leave(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto('about:blank');
}

test('an invitation is accepted by one and rejected by another, and moves nothing of the page', async ({
  page,
  browser,
}) => {
  await test.step('an invitation is accepted by one and rejected by another', async () => {
    const [owner, joining, declining] = [
      newPerson('Olive Owner'),
      newPerson('Jo Joining'),
      newPerson('Dee Declining'),
    ];
    await join(page.request, owner);
    const orgId = await createOrganisation(page.request, 'Invited Guests');
    await invite(page.request, orgId, joining.email);
    await invite(page.request, orgId, declining.email);

    const invited = `Olive Owner (${owner.email}) invited you to join Invited Guests as a member.`;
    await test.step('the mailed link says who invites, and to what, and has one action before sign-in and sign-up', async () => {
      const link = await linkFromMail(page.request, joining.email, /Join/);
      const context = await browser.newContext();
      const guest = await context.newPage();
      await guest.goto(link);
      await expect(guest.getByText(invited)).toBeVisible();
      await expect(guest.getByRole('heading', { name: 'Join Invited Guests' })).toBeVisible();
      await expectAccessible(guest, 'an invitation before sign-in');
      await guest.getByRole('button', { name: 'Accept' }).click();
      await expect(guest.getByLabel('Email')).toHaveValue(joining.email);
      await guest.getByRole('link', { name: 'Sign up' }).click();
      await expect(guest.getByLabel('Email')).toHaveValue(joining.email);
      await context.close();
    });

    await test.step('accepted before sign-in: the console asks no second time', async () => {
      const early = newPerson('Ed Early');
      await invite(page.request, orgId, early.email);
      const link = await linkFromMail(page.request, early.email, /Join/);
      const context = await browser.newContext();
      await join(context.request, early);
      await context.clearCookies();
      const guest = await context.newPage();
      await guest.goto(link);
      await guest.getByRole('button', { name: 'Accept' }).click();
      await signInOnPage(guest, early.email, PASSWORD);
      await expect(guest.getByText('Accepted invite')).toBeVisible();
      await expect(guest.getByRole('button', { name: 'Organisation: Invited Guests' })).toBeVisible();
      await context.close();
    });

    await test.step('accepted: the organisation is selected', async () => {
      const context = await browser.newContext();
      const guest = await context.newPage();
      await join(guest.request, joining);
      const own = await createOrganisation(guest.request, 'Home Works');
      await guest.goto(`/o/${own}/features`);
      await expect(guest.getByText('Join Organisation Invited Guests?')).toBeVisible();
      await expect(guest.getByText('Accept the invitation below to join the organisation')).toBeVisible();
      await guest.getByRole('button', { name: 'Accept invitation' }).click();
      await expect(guest.getByText('Accepted invite')).toBeVisible();
      await expect(guest.getByText('Well done.')).toBeVisible();
      await expect(guest).toHaveURL('/');
      await expect(guest.getByText('Join Organisation')).toBeHidden();
      await expect(guest.getByRole('button', { name: 'Organisation: Invited Guests' })).toBeVisible();
      await context.close();
    });

    await test.step('rejected: the banner goes and nothing else changes', async () => {
      const context = await browser.newContext();
      const guest = await context.newPage();
      await join(guest.request, declining);
      await guest.goto('/');
      await expect(guest.getByText(invited)).toBeVisible();
      // One primary action: to accept.
      await expect(guest.getByRole('heading', { name: 'You’re invited to Invited Guests' })).toBeVisible();
      const create = guest.getByRole('link', { name: 'Create organisation', exact: true });
      await expect(create).toHaveAttribute('data-variant', 'default');
      await guest.getByRole('button', { name: 'Reject' }).click();
      await expect(guest.getByText('Rejected invite')).toBeVisible();
      await expect(guest.getByText('Join Organisation')).toBeHidden();
      await expect(guest.getByRole('link', { name: 'Create Organisation', exact: true })).toBeVisible();
      await context.close();
    });
  });
  await test.step('an invitation moves nothing of the page, however late it is known', async () => {
    const [owner, guest] = [newPerson('Olive Owner'), newPerson('Lat Latecomer')];
    const context = await browser.newContext();
    await join(context.request, owner);
    const orgId = await createOrganisation(context.request, 'Invited Guests');
    await invite(context.request, orgId, guest.email);
    await context.close();
    await join(page.request, guest);
    await createOrganisation(page.request, 'Home Works');
    await page.route('**/api/user/invitations', async (route) => {
      await page.waitForResponse('**/summary*');
      await route.continue();
    });
    for (const [path, title] of [
      ['/account', 'Profile Information'],
      ['/', 'Welcome, Lat Latecomer'],
    ] as const) {
      await page.goto(path);
      const heading = page.getByRole('heading', { name: title });
      await heading.waitFor();
      const { y } = (await heading.boundingBox())!;
      await expect(page.getByText('Join Organisation Invited Guests?')).toBeVisible();
      expect((await heading.boundingBox())?.y).toBe(y);
    }
  });
});

test('organisations are switched, searched and created; without one, or with one of somebody else, the frame says so', async ({
  page,
}) => {
  await test.step('without an organisation its pages are not offered', async () => {
    await join(page.request, newPerson('Una Unaffiliated'));
    await page.goto('/');
    const link = page.getByRole('navigation', { name: 'Main' }).getByText('Features');
    await expect(link.locator('..')).toHaveAttribute('aria-disabled', 'true');
    await expect(
      page.getByRole('navigation', { name: 'Main' }).getByText('Organisation', { exact: true }),
    ).toBeVisible();
  });
  await leave(page);
  await test.step('an organisation of somebody else is refused, and the first of one’s own shown instead', async () => {
    await join(page.request, newPerson('Nora Nosy'));
    await page.goto('/o/org_of_somebody_else/features');
    await expect(page.getByText("You don't have access to this organisation.")).toBeVisible();
    await expect(page).toHaveURL('/');

    const own = await createOrganisation(page.request, 'Own Works');
    await page.goto('/o/org_of_somebody_else/features');
    await expect(page.getByText("You don't have access to this organisation.")).toBeVisible();
    await expect(page).toHaveURL(`/o/${own}/`);
  });
  await leave(page);
  await test.step('switching shows the same page of the other organisation', async () => {
    await join(page.request, newPerson('Sam Switching'));
    const first = await createOrganisation(page.request, 'Alpha Works');
    const second = await createOrganisation(page.request, 'Beta Works');
    await page.goto(`/o/${first}/features`);
    await page.getByRole('button', { name: 'Organisation: Alpha Works' }).click();
    await page.getByRole('menuitem', { name: 'Beta Works' }).click();
    await expect(page).toHaveURL(`/o/${second}/features`);
    await page.getByRole('link', { name: 'Tessera, to the dashboard' }).click();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('button', { name: 'Organisation: Beta Works' })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(`/o/${second}/features`);

    // The other organisation has no such feature.
    const feature = await callApi<{ id: string }>(page.request, 'POST', `/api/orgs/${second}/features`, {
      name: 'Exports',
      slug: 'exports',
    });
    await page.goto(`/o/${second}/features/${feature.id}`);
    await page.getByRole('button', { name: 'Organisation: Beta Works' }).click();
    await page.getByRole('menuitem', { name: 'Alpha Works' }).click();
    await expect(page).toHaveURL(`/o/${first}/features`);
    await expect(page.getByText('No Features')).toBeVisible();
  });
  await leave(page);
  await test.step('until another is chosen instead of a refused one, the frame leads nowhere', async () => {
    await join(page.request, newPerson('Nadia Nowhere'));
    await createOrganisation(page.request, 'Nowhere Works');
    // For moments only: what the frame shows is recorded.
    await page.addInitScript(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      new MutationObserver(() => {
        const sidebar = document.querySelector('[aria-label="Sidebar"]');
        if (!sidebar?.textContent?.includes('Select an Organisation')) return;
        seen.push(...[...sidebar.querySelectorAll('a, [aria-disabled]')].map((link) => link.outerHTML));
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    await page.goto('/o/org_of_somebody_else/features');
    await expect(page.getByText("You don't have access to this organisation.")).toBeVisible();
    await expect(page.getByRole('button', { name: 'Organisation: Nowhere Works' })).toBeVisible();
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
    const features = seen.filter((link) => link.includes('Features'));
    expect(features.length).toBeGreaterThan(0);
    for (const link of features) expect(link).toContain('aria-disabled="true"');
  });
  await leave(page);
  await test.step('the switcher says how far it is, searches a long list, and leads to a new organisation', async () => {
    await join(page.request, newPerson('Mona Many'));
    const own = await createOrganisation(page.request, 'Own Works');
    const others = Array.from({ length: 15 }, (_, index) => ({
      id: `org_${index}`,
      name: `Client ${index + 1}`,
    }));
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/user/orgs', async (route) => {
      await released;
      const accented = { id: 'org_accented', name: 'Société Østergård' };
      await route.fulfill({ json: [{ id: own, name: 'Own Works' }, ...others, accented] });
    });
    await page.goto('/account');
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
    await expect(sidebar.getByText('Loading...')).toBeVisible();
    await expect(sidebar.getByText('Features').locator('..')).toHaveAttribute('aria-disabled', 'true');
    release();
    await page.getByRole('button', { name: 'Organisation: Own Works' }).click();
    const menu = page.getByRole('menu');
    await expect(menu.getByText('Organisations', { exact: true })).toBeVisible();
    await expect(menu.getByRole('menuitem')).toHaveCount(18);
    await expect(menu.getByRole('menuitem', { name: 'Create' })).toBeInViewport();
    await page.keyboard.type('client 12');
    await expect(menu.getByRole('menuitem')).toHaveText([/Client 12/, 'Create']);
    await page.getByLabel('Search organisations').fill('societe ost');
    await expect(menu.getByRole('menuitem')).toHaveText([/Société Østergård/, 'Create']);
    await page.getByLabel('Search organisations').fill('nothing like it');
    await expect(menu.getByText('No organisation found.')).toBeVisible();
    await menu.getByRole('menuitem', { name: 'Create' }).click();
    await expect(page).toHaveURL('/create-organisation');
  });
});

test('somebody removed while looking is told so, and led to an organisation of their own', async ({
  page,
  browser,
  expectBrowserError,
}) => {
  expectBrowserError(/404/);
  await join(page.request, newPerson('Olive Owner'));
  const orgId = await createOrganisation(page.request, 'Former Works');
  const { page: member, email } = await newColleague(browser, page, orgId, {
    name: 'Fay Former',
    role: 'member',
  });
  const own = await createOrganisation(member.request, 'Home Works');
  await member.goto(`/o/${orgId}/team`);
  await expect(member.getByRole('heading', { level: 1, name: 'Team' })).toBeVisible();
  await callApi(page.request, 'POST', '/api/auth/organization/remove-member', {
    memberIdOrEmail: email,
    organizationId: orgId,
  });
  await member.getByRole('link', { name: 'Plans' }).click();
  await expect(member.getByText("You don't have access to this organisation.")).toBeVisible();
  await expect(member).toHaveURL(`/o/${own}/`);
  await member.context().close();
});

test('in sudo mode the sidebar is tinted, has the pages of staff, and lists the organisation that is viewed', async ({
  page,
  expectBrowserError,
}) => {
  expectBrowserError(/api\/orgs\/org_viewed/);
  await join(page.request, newPerson('Stella Staff'));
  await createOrganisation(page.request, 'Staff Works');
  await page.goto('/account');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await expect(navigation.getByRole('link', { name: 'Team' })).toBeVisible();
  await expect(navigation.getByText('Sudo', { exact: true })).toBeHidden();
  const background = () =>
    navigation
      .locator(':scope > div')
      .first()
      .evaluate((group) => getComputedStyle(group).backgroundColor);
  const plain = await background();

  // After the list of organisations: the last visit was of somebody who was no staff yet, and decides nothing.
  await page.route('**/api/auth/get-session', async (route) => {
    const session = await (await route.fetch()).json();
    await sleep(1_000);
    await route.fulfill({ json: { ...session, user: { ...session.user, sudo: true } } });
  });
  const summary = { id: 'org_viewed', name: 'Viewed Works', planDisplayName: 'Grow', userPermissions: [] };
  await page.route('**/api/orgs/org_viewed/summary', (route) => route.fulfill({ json: summary }));
  await page.goto('/o/org_viewed/workflows');
  await expect(navigation.getByText('Sudo', { exact: true })).toBeVisible();
  await expect(navigation.getByRole('link', { name: 'Sudo Orgs' })).toHaveAttribute('href', '/sudo-orgs');
  await expect(navigation.getByRole('link', { name: 'Sudo Users' })).toHaveAttribute('href', '/sudo-users');
  expect(await background()).not.toBe(plain);
  await expect(page.getByRole('banner').getByText('Grow')).toBeVisible();
  await page.getByRole('button', { name: 'Organisation: Viewed Works' }).click();
  await expect(page.getByRole('menuitem', { name: 'Viewed Works' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Staff Works' }).click();
  await expect(page).toHaveURL(/\/o\/[^/]+\/workflows$/);
  await expect(page.getByRole('button', { name: 'Organisation: Staff Works' })).toBeVisible();
});
