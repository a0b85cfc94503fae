// A person proves an email, never platform staff: an email that they set lets its account sign in, but not into an organisation.
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import {
  anonymously,
  claimEmail,
  cookieOf,
  newEmail,
  newOrganisation,
  newStaff,
  PASSWORD,
  type SignedIn,
  signedIn,
  signIn,
  signUp,
  tokenMailedTo,
  verifyEmail,
  withCaptcha,
  withCookie,
} from '#tests/support/accounts';
import { openDatabase } from '#worker/db/database';
import { account } from '#worker/db/schema/auth';
import { member } from '#worker/db/schema/organisations';

const db = openDatabase(env.DB);
const OTHER_PASSWORD = 'another horse battery staple';

let staff: SignedIn;
let owner: SignedIn;
let orgId: string;

beforeAll(async () => {
  staff = await newStaff();
  owner = await signedIn('Orla Owner');
  ({ orgId } = await newOrganisation(owner));
});

const change = (userId: string, json: object) =>
  staff.fetch(`/api/sudo/users/${userId}`, { method: 'PUT', json });

async function invite(email: string): Promise<string> {
  const json = { organizationId: orgId, email, role: 'admin' };
  const answer = await owner.fetch('/api/auth/organization/invite-member', { json });
  expect(answer.status).toBe(200);
  return (await answer.json<{ id: string }>()).id;
}

const accept = (who: Pick<SignedIn, 'fetch'>, invitationId: string) =>
  who.fetch('/api/auth/organization/accept-invitation', { json: { invitationId } });

async function expectRefused(answer: Response): Promise<void> {
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ errorType: 'forbidden', issues: [{ path: 'email' }] });
}

const isMember = async (userId: string) =>
  (await db.select().from(member).where(eq(member.userId, userId))).length > 0;

/** An account of staff's own, whose email they changed to `email` and marked as verified in the same call. */
async function planted(email: string): Promise<SignedIn> {
  const second = await signedIn('Second Account');
  const answer = await change(second.userId, { email, emailVerified: true });
  expect(await answer.json()).toMatchObject({ email, emailVerified: true });
  return second;
}

test('an email that staff changed and marked as verified signs in, and accepts no invitation, earlier or later', async () => {
  const email = newEmail();
  const before = await invite(email);
  const second = await planted(email);
  expect((await signIn(email, PASSWORD)).status).toBe(200);
  await expectRefused(await accept(second, before));
  await expectRefused(await accept(second, await invite(email)));
  const reject = { json: { invitationId: await invite(email) } };
  await expectRefused(await second.fetch('/api/auth/organization/reject-invitation', reject));
  expect(await isMember(second.userId)).toBe(false);
});

test('an email that staff marked as verified without changing it accepts none either', async () => {
  const email = newEmail();
  const { user } = await (await signUp(email)).json<{ user: { id: string } }>();
  expect((await change(user.id, { emailVerified: true })).status).toBe(200);
  const signedInThere = withCookie(cookieOf(await signIn(email, PASSWORD)));
  await expectRefused(await accept({ fetch: signedInThere }, await invite(email)));
  expect(await isMember(user.id)).toBe(false);
});

test('the link mailed to the email proves it, in the browser where the account is signed in', async () => {
  const email = newEmail();
  const second = await planted(email);
  const invitationId = await invite(email);
  expect((await anonymously('/api/auth/request-email-link', { json: {} })).status).toBe(401);
  expect((await second.fetch('/api/auth/request-email-link', { json: {} })).status).toBe(200);
  const token = await tokenMailedTo(email);
  // A mail scanner opens it, too.
  expect((await verifyEmail(token)).status).toBe(403);
  await expectRefused(await accept(second, invitationId));
  expect((await verifyEmail(token, second.cookie)).status).toBe(200);
  expect((await accept(second, invitationId)).status).toBe(200);
  expect(await isMember(second.userId)).toBe(true);
});

test('whoever reads the mail of the email gets the account, and nothing is left to those who had it before', async () => {
  for (const way of ['link', 'reset'] as const) {
    const email = newEmail();
    const second = await planted(email);
    await db.insert(account).values({
      ...{ id: crypto.randomUUID(), userId: second.userId, providerId: 'github', accountId: email },
      ...{ createdAt: new Date(), updatedAt: new Date() },
    });
    if (way === 'link') {
      await second.fetch('/api/auth/request-email-link', { json: {} });
      const token = await tokenMailedTo(email);
      expect(await (await verifyEmail(token)).json()).toMatchObject({ code: 'PASSWORD_REQUIRED' });
      expect((await claimEmail(token, OTHER_PASSWORD)).status).toBe(200);
    } else {
      const request = { json: { email }, headers: withCaptcha };
      await anonymously('/api/auth/request-password-reset', request);
      const json = { token: await tokenMailedTo(email), newPassword: OTHER_PASSWORD };
      expect((await anonymously('/api/auth/reset-password', { json })).status).toBe(200);
    }
    const invitationId = await invite(email);
    expect((await accept(second, invitationId)).status).toBe(401);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    const left = await db.select().from(account).where(eq(account.userId, second.userId));
    expect(left.map(({ providerId }) => providerId)).toEqual(['credential']);
    const reader = { fetch: withCookie(cookieOf(await signIn(email, OTHER_PASSWORD))) };
    expect((await accept(reader, invitationId)).status).toBe(200);
  }
});

test('a proved email stays so while staff edit other fields, or send the same email again', async () => {
  const someone = await signedIn('Ada Proved');
  const same = { name: 'Ada P.', email: someone.email.toUpperCase(), emailVerified: true, enabled: true };
  expect((await change(someone.userId, same)).status).toBe(200);
  expect((await accept(someone, await invite(someone.email))).status).toBe(200);
});

test('a new email without a word about it is unverified, and a session that exists stays', async () => {
  const someone = await signedIn('Ada Moved');
  const email = newEmail();
  expect(await (await change(someone.userId, { email })).json()).toMatchObject({ emailVerified: false });
  expect((await someone.fetch('/api/user/orgs')).status).toBe(200);
  await expectRefused(await accept(someone, await invite(email)));
});
