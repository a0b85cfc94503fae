// The mailbox of local work.
import { expect, test } from 'vitest';
import { anonymously, newEmail, newOrganisation, signedIn, signUp } from '#tests/support/accounts';

test('lists sent mail, newest first, with its links', async () => {
  const [first, second] = [newEmail(), newEmail()];
  await signUp(first);
  await signUp(second);
  const answer = await anonymously('/dev/mailbox', { headers: { accept: 'application/json' } });
  const mails =
    await answer.json<{ to: string; subject: string; text: string; links: string[]; at: number }[]>();
  expect(mails.slice(0, 2).map((mail) => mail.to)).toEqual([second, first]);
  expect(mails[0]).toMatchObject({ subject: 'Verify your email address', at: expect.any(Number) });
  expect(mails[0]?.text).toContain(mails[0]?.links[0]);
});

test('renders a page in which every value is escaped', async () => {
  const ada = await signedIn('<img src=x onerror=alert(1)>');
  const { orgId } = await newOrganisation(ada, '</pre><script>alert(2)</script>');
  await ada.fetch('/api/auth/organization/invite-member', {
    json: { organizationId: orgId, email: newEmail(), role: 'member' },
  });
  const answer = await anonymously('/dev/mailbox', { headers: { accept: 'text/html' } });
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  const page = await answer.text();
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(page).not.toMatch(/<script|<img/);
});

test('recovery sends every waiting message again', async () => {
  const ada = await signedIn();
  await newOrganisation(ada);
  const answer = await anonymously('/dev/recover', { method: 'POST' });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ sent: expect.any(Number) });
});
