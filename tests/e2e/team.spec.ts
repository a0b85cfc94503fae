// The team: inviting, resending, taking back, removing, roles, and what a member is offered.
import type { Locator, Page } from '@playwright/test';
import type { TeamRow } from '#contracts/console/organisations';
import { newColleague } from './support/colleague.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expectFitting } from './support/expect-fitting.ts';
import { ownOrganisation } from './support/own-organisation.ts';
import { callApi, invite, newPerson } from './support/people.ts';
import { expect, test } from './support/test.ts';

const organisation = ownOrganisation('Tess Team', 'Team Works');

const teamOf = (page: Page) =>
  callApi<TeamRow[]>(page.request, 'GET', `/api/orgs/${organisation.id}/team-summary`);
const rowOf = (page: Page, email: string): Locator => page.getByRole('row').filter({ hasText: email });

async function choose(page: Page, email: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${email}` }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

test('a team of one, and a long one that is searched and fits a small screen', async ({ page }) => {
  await test.step('a new team is its owner, who cannot do anything about themselves', async () => {
    await page.goto(`/o/${organisation.id}/team`);
    const row = rowOf(page, organisation.owner.email);
    await expect(row).toContainText('Account Owner');
    await expect(row).toContainText('Active');
    await expect(row).toContainText(String(new Date().getFullYear()));
    for (const header of ['User', 'Status', 'Role', 'Joined On']) {
      await expect(page.getByRole('columnheader', { name: header })).toBeVisible();
    }
    await expect(row.getByRole('button')).toHaveCount(0);
    await expectAccessible(page, 'a team of one');
  });
  await organisation.renew(page);
  await test.step('a long team is searched, and fits a small screen', async () => {
    const emails = Array.from({ length: 12 }, (_, index) => newPerson(`Guest ${index}`).email);
    for (const email of emails) await invite(page.request, organisation.id, email);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/o/${organisation.id}/team`);
    await expect(page.getByRole('row')).toHaveCount(14);
    await page.getByLabel('Search Team').fill('guest.7');
    await expect(page.getByRole('row')).toHaveCount(2);
    await page.getByLabel('Search Team').fill('nobody of that name');
    await expect(page.getByText('No results')).toBeVisible();
    await expectFitting(page);
  });
});

test('somebody is invited, invited again, and the invitation taken back', async ({
  page,
  expectBrowserError,
}) => {
  const guest = newPerson('Gus Guest');
  await page.goto(`/o/${organisation.id}/settings`);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Team' }).click();

  await test.step('an address that cannot be meant is refused before anything is sent', async () => {
    await page.getByRole('button', { name: 'Invite a Team Member' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite a Team Member' });
    await expect(dialog.getByLabel('Role', { exact: true })).toHaveValue('Member');
    await expect(dialog.getByRole('switch')).toBeChecked();
    await dialog.getByRole('button', { name: 'Send Invite' }).click();
    await expect(dialog.getByText('A valid email is required')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Email' }).fill('nobody');
    await dialog.getByRole('button', { name: 'Send Invite' }).click();
    await expect(dialog.getByText('A valid email is required')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Email' }).fill('Example@Example.com');
    await dialog.getByRole('button', { name: 'Send Invite' }).click();
    await expect(dialog.getByText('This email is not in our database')).toBeVisible();
    await page.goBack();
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Stay' })
      .click();
    await expect(dialog.getByRole('textbox', { name: 'Email' })).toHaveValue('Example@Example.com');
    await expectAccessible(page, 'the invite dialog');
    expect(await teamOf(page)).toHaveLength(1);
  });

  await test.step('a good one is invited as an admin', async () => {
    const dialog = page.getByRole('dialog', { name: 'Invite a Team Member' });
    await dialog.getByRole('textbox', { name: 'Email' }).fill(` ${guest.email.toUpperCase()} `);
    await dialog.getByLabel('Role', { exact: true }).click();
    await page.getByRole('option', { name: /^Admin/ }).click();
    await dialog.getByRole('button', { name: 'Send Invite' }).click();
    await expect(page.getByText('Invite sent!')).toBeVisible();
    await expect(page.getByText(`${guest.email} has been invited to join.`)).toBeVisible();
    await expect(dialog).toBeHidden();
    const row = rowOf(page, guest.email);
    await expect(row).toContainText('Pending Invitation');
    await expect(row).toContainText('Admin');
    expect(await teamOf(page)).toMatchObject([
      { type: 'member' },
      { type: 'invite', email: guest.email, role: 'admin', inviteStatus: 'pending' },
    ]);
  });

  await test.step('without resend, an open invitation stays as it is', async () => {
    expectBrowserError(/invite-member/);
    const before = await teamOf(page);
    await page.getByRole('button', { name: 'Invite a Team Member' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite a Team Member' });
    await dialog.getByRole('textbox', { name: 'Email' }).fill(guest.email);
    await dialog.getByRole('switch', { name: 'Resend if already invited' }).click();
    await dialog.getByRole('button', { name: 'Send Invite' }).click();
    await expect(dialog.getByText(`${guest.email} is already invited`)).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await teamOf(page)).toEqual(before);
  });

  await test.step('Resend replaces it', async () => {
    const before = await teamOf(page);
    await choose(page, guest.email, 'Resend');
    await expect.poll(async () => (await teamOf(page))[1]!.id).not.toBe(before[1]!.id);
    await expect(rowOf(page, guest.email)).toContainText('Pending Invitation');
  });

  await test.step('a menu that is open stays open when Resend has replaced its invitation', async () => {
    const before = await teamOf(page);
    const menuOpened = Promise.withResolvers<void>();
    await page.route('**/api/orgs/*/team-summary', async (route) => {
      await menuOpened.promise;
      await route.continue();
    });
    const refetched = page.waitForResponse(
      async (response) =>
        response.url().endsWith('/team-summary') && (await response.json())[1]?.id !== before[1]!.id,
    );
    await choose(page, guest.email, 'Resend');
    await page.getByRole('button', { name: `Actions for ${guest.email}` }).click();
    await expect(page.getByRole('menuitem', { name: 'Cancel', exact: true })).toBeVisible();
    menuOpened.resolve();
    await refetched;
    await page.getByRole('menuitem', { name: 'Cancel', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel the invitation?' });
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await expect(dialog).toBeHidden();
    await page.unroute('**/api/orgs/*/team-summary');
  });

  await test.step('Cancel asks, and leaves a canceled invitation that can be sent again', async () => {
    await choose(page, guest.email, 'Cancel');
    const dialog = page.getByRole('dialog', { name: 'Cancel the invitation?' });
    await expect(dialog).toContainText(guest.email);
    await dialog.getByRole('button', { name: 'Cancel invitation' }).click();
    await expect(page.getByText('Invite cancelled')).toBeVisible();
    await expect(page.getByText(`The invite for ${guest.email} has been cancelled.`)).toBeVisible();
    await expect(rowOf(page, guest.email)).toContainText('Cancelled Invitation');
    expect(await teamOf(page)).toMatchObject([{}, { inviteStatus: 'canceled' }]);
    await page.getByRole('button', { name: `Actions for ${guest.email}` }).click();
    await expect(page.getByRole('menuitem')).toHaveText(['Resend', 'Clear']);
    await page.getByRole('menuitem', { name: 'Resend' }).click();
    await expect(rowOf(page, guest.email)).toContainText('Pending Invitation');
  });
});

test('a member is offered nothing, an admin everything but owners, and an owner changes and removes members', async ({
  page,
  browser,
}) => {
  await test.step('a member gets another role and is removed', async () => {
    const colleague = await newColleague(browser, page, organisation.id, {
      name: 'Max Member',
      role: 'member',
    });
    await page.goto(`/o/${organisation.id}/team`);
    await page.getByRole('button', { name: `Actions for ${colleague.email}` }).click();
    await expect(page.getByRole('menuitem')).toHaveText(['Change role', 'Delete']);
    await expectAccessible(page, 'the menu of a member');
    await page.keyboard.press('Escape');
    await choose(page, colleague.email, 'Change role');
    const roles = page.getByRole('dialog', { name: 'Change role' });
    await roles.getByLabel('Role', { exact: true }).click();
    await page.getByRole('option', { name: /^Admin/ }).click();
    await roles.getByRole('button', { name: 'Change role' }).click();
    await expect(page.getByText('Role changed')).toBeVisible();
    await expect(rowOf(page, colleague.email)).toContainText('Admin');
    expect(await teamOf(page)).toMatchObject([{}, { email: colleague.email, role: 'admin' }]);

    await choose(page, colleague.email, 'Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete team member?' });
    await expect(dialog).toContainText(colleague.email);
    await dialog.getByRole('button', { name: 'Delete Max Member' }).click();
    await expect(page.getByText('Team member removed')).toBeVisible();
    await expect(page.getByText(`${colleague.email} has been removed.`)).toBeVisible();
    await expect(rowOf(page, colleague.email)).toBeHidden();
    expect((await colleague.page.request.get(`/api/orgs/${organisation.id}/summary`)).status()).toBe(404);
  });
  await organisation.renew(page);
  await test.step('an admin looks after the team, but not after its owners', async () => {
    const admin = await newColleague(browser, page, organisation.id, { name: 'Ada Admin', role: 'admin' });
    await admin.page.goto(`/o/${organisation.id}/team`);
    await expect(rowOf(admin.page, admin.email).getByRole('button')).toHaveCount(0);
    await admin.page.getByRole('button', { name: `Actions for ${organisation.owner.email}` }).click();
    await expect(admin.page.getByRole('menuitem', { name: 'Delete' })).toBeDisabled();
    await expect(admin.page.getByText('Only owners can change owners.')).toBeVisible();
    await admin.page.keyboard.press('Escape');
    await admin.page.getByRole('button', { name: 'Invite a Team Member' }).click();
    const dialog = admin.page.getByRole('dialog', { name: 'Invite a Team Member' });
    await dialog.getByLabel('Role', { exact: true }).click();
    await expect(admin.page.getByRole('option', { name: /^Account Owner/ })).toHaveAttribute(
      'data-combobox-disabled',
      'true',
    );
  });
  await organisation.renew(page);
  await test.step('a member sees the team, and is offered nothing', async () => {
    const member = await newColleague(browser, page, organisation.id, { name: 'Mel Member', role: 'member' });
    await invite(page.request, organisation.id, newPerson('Ina Invited').email);
    await member.page.goto(`/o/${organisation.id}/team`);
    await expect(rowOf(member.page, organisation.owner.email)).toBeVisible();
    await expect(member.page.getByText('Owners and admins can invite people')).toBeVisible();
    await expect(member.page.getByRole('button', { name: 'Invite a Team Member' })).toHaveCount(0);
    await expect(member.page.getByRole('button', { name: /^Actions for/ })).toHaveCount(0);
    await expectAccessible(member.page, 'the team as a member sees it');
  });
});
