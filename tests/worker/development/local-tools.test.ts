// Tools of local work: the mailbox, the recovery of messages, and a past for the demo.
import { expect, test } from 'vitest';
import { someEvents } from '#lab/fixtures/recorded-events';
import {
  anonymously,
  newEmail,
  newOrganisation,
  type SignedIn,
  signedIn,
  signUp,
} from '#tests/support/accounts';
import { newTenant } from '#tests/support/tenants';

test('lists sent mail, newest first, with its links', async () => {
  const [first, second] = [newEmail(), newEmail()];
  await signUp(first);
  await signUp(second);
  const answer = await anonymously('/dev/mailbox', { headers: { accept: 'application/json' } });
  const mails =
    await answer.json<{ to: string; subject: string; text: string; links: string[]; at: number }[]>();
  expect(mails.slice(0, 2).map((mail) => mail.to)).toEqual([second, first]);
  expect(mails[0]).toMatchObject({ subject: 'Verify your email', at: expect.any(Number) });
  expect(mails[0]?.text).toContain(mails[0]?.links[0]);

  const own = await anonymously(`/dev/mailbox?to=${encodeURIComponent(first)}`, {
    headers: { accept: 'application/json' },
  });
  expect(await own.json()).toEqual(mails.filter(({ to }) => to === first));
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

test('a past is appended once, for members only, and never lies ahead', async () => {
  const { user, orgId, make } = await newTenant();
  const events = someEvents(3, (index) => ({ time: Date.now() - (index + 1) * 86_400_000 }));
  const append = (account: Pick<SignedIn, 'fetch'>, changed: readonly unknown[] = events) =>
    account.fetch('/dev/history', { json: { orgId, events: changed } });
  expect((await append(user)).status).toBe(204);
  expect((await append(user)).status).toBe(204);
  const found = await make<{ events: { id: string }[] }>('GET', '/event-search');
  expect(found.events.map(({ id }) => id)).toEqual(events.map(({ id }) => id));

  expect((await append({ fetch: anonymously })).status).toBe(401);
  expect((await append(await signedIn())).status).toBe(404);
  for (const [field, change] of [
    ['events.0.time', { time: Date.now() + 60_000 }],
    ['events.0.id', { id: 'req_1' }],
    ['events.0.type', { type: 'xx' }],
  ] as const) {
    const refused = await append(user, [{ ...events[0], ...change }]);
    expect([refused.status, (await refused.json<{ issues: { path: string }[] }>()).issues[0]?.path]).toEqual([
      400,
      field,
    ]);
  }
});
