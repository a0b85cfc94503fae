// Somebody else of the same organisation, with a browser of their own.
import { type Browser, expect, type Page } from '@playwright/test';
import type { Role } from '#contracts/console/permissions';
import { callApi, join, newPerson, type Person } from './people.ts';

export interface Colleague extends Person {
  page: Page;
}

/** Invites a new person with that role as the user of `inviter`, accepts the invitation, and signs them in. */
export async function newColleague(
  browser: Browser,
  inviter: Page,
  organizationId: string,
  { name, role }: { name: string; role: Role },
): Promise<Colleague> {
  const person = newPerson(name);
  const page = await (await browser.newContext()).newPage();
  await join(page.request, person);
  await callApi(inviter.request, 'POST', '/api/auth/organization/invite-member', {
    email: person.email,
    role,
    organizationId,
  });
  const invitations = await callApi<{ id: string }[]>(page.request, 'GET', '/api/user/invitations');
  expect(invitations).toHaveLength(1);
  await callApi(page.request, 'POST', '/api/auth/organization/accept-invitation', {
    invitationId: invitations[0]!.id,
  });
  return { ...person, page };
}
