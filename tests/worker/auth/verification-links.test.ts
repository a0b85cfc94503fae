// The mailed links of an account: who gets in through one, and who does not. Anyone can sign up with somebody else's email.
import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import {
  anonymously,
  claimEmail,
  cookieOf,
  mailsTo,
  newEmail,
  newOrganisation,
  newStaff,
  PASSWORD,
  signedIn,
  signIn,
  signUp,
  tokenMailedTo,
  verifyEmail,
  withCaptcha,
  withCookie,
} from '#tests/support/accounts';
import { openDatabase } from '#worker/db/database';
import { account, session, user } from '#worker/db/schema/auth';

const db = openDatabase(env.DB);
const STRANGERS = 'a password of the stranger';
const OWNERS = 'a password of the owner';

const userOf = async (email: string) => (await db.select().from(user).where(eq(user.email, email)))[0];

const sessionsOf = async (email: string) =>
  db
    .select()
    .from(session)
    .where(eq(session.userId, (await userOf(email))?.id ?? ''));

/** Who the session in this answer belongs to. */
async function signedInBy(answer: Response): Promise<string | undefined> {
  const me = await withCookie(cookieOf(answer))('/api/auth/get-session');
  return (await me.json<{ user: { email: string } } | null>())?.user.email;
}

/** Waits for the link that leads to a page, newest first. */
async function tokenTo(email: string, page: string): Promise<string> {
  for (let attempt = 0; attempt < 50; attempt++) {
    for (const mail of await mailsTo(email)) {
      const link = new URL(mail.links[0] ?? 'missing:');
      if (link.pathname === page) return link.searchParams.get('token') ?? '';
    }
    await new Promise((settle) => setTimeout(settle, 20));
  }
  throw new Error(`No mail to ${email} leads to ${page}`);
}

async function resetTokenOf(email: string): Promise<string> {
  const asked = await anonymously('/api/auth/request-password-reset', {
    json: { email },
    headers: withCaptcha,
  });
  expect(asked.status).toBe(200);
  return tokenTo(email, '/reset-password');
}

const resetPassword = (token: string, newPassword: string) =>
  anonymously('/api/auth/reset-password', { json: { token, newPassword } });

describe('the link of a sign-up', () => {
  test('verifies the email and signs in, in the browser that signed up', async () => {
    const email = newEmail();
    const created = await signUp(email);
    const [line = ''] = created.headers.getSetCookie();
    expect(line).toMatch(/HttpOnly/i);
    expect(line).toMatch(/SameSite=Lax/i);
    expect(line).toMatch(/Max-Age=86400/i);
    const token = await tokenMailedTo(email);
    const opened = await verifyEmail(token, cookieOf(created));
    expect(opened.status).toBe(200);
    expect(await signedInBy(opened)).toBe(email);
    expect((await signIn(email)).status).toBe(200);
  });

  test('opened elsewhere changes nothing and asks for a password', async () => {
    const email = newEmail();
    await signUp(email, 'A Stranger', STRANGERS);
    const before = await userOf(email);
    const token = await tokenMailedTo(email);
    const other = await signUp(newEmail());
    for (const browser of ['', cookieOf(other), 'better-auth.sign_up=forged.signature']) {
      const opened = await verifyEmail(token, browser);
      expect(opened.status).toBe(403);
      expect(await opened.json()).toMatchObject({ code: 'PASSWORD_REQUIRED', email });
      expect(opened.headers.getSetCookie()).toEqual([]);
    }
    expect(await userOf(email)).toEqual(before);
    expect((await signIn(email, STRANGERS)).status).toBe(403);
  });

  test('takes the password of whoever submits its form, so the one of a stranger no longer opens the account', async () => {
    const email = newEmail();
    const stranger = cookieOf(await signUp(email, 'A Stranger', STRANGERS));
    const token = await tokenMailedTo(email);
    expect((await claimEmail(token, 'short')).status).toBe(400);
    expect((await claimEmail(`${token}x`, OWNERS)).status).toBe(401);
    const claimed = await claimEmail(token, OWNERS);
    expect(claimed.status).toBe(200);
    expect(await signedInBy(claimed)).toBe(email);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    expect((await signIn(email, OWNERS)).status).toBe(200);
    // The same link again: nothing changes, whoever opens it.
    expect(await signedInBy(await verifyEmail(token, stranger))).toBeUndefined();
    expect((await claimEmail(token, 'yet another password')).status).toBe(401);
    expect((await signIn(email, OWNERS)).status).toBe(200);
  });

  test('lets who signed up keep the password chosen there, in another browser too', async () => {
    const email = newEmail();
    await signUp(email);
    expect((await claimEmail(await tokenMailedTo(email), PASSWORD)).status).toBe(200);
    expect((await signIn(email)).status).toBe(200);
  });

  test('opened twice at once verifies once, and a form submitted twice at once counts once', async () => {
    const email = newEmail();
    const browser = cookieOf(await signUp(email));
    const token = await tokenMailedTo(email);
    const opened = await Promise.all([verifyEmail(token, browser), verifyEmail(token, browser)]);
    expect(opened.map(({ status }) => status)).toEqual([200, 200]);
    expect(await sessionsOf(email)).toHaveLength(1);

    const other = newEmail();
    await signUp(other, 'A Stranger', STRANGERS);
    const mailed = await tokenMailedTo(other);
    const passwords = ['first password', 'second password'];
    const claims = await Promise.all(passwords.map((password) => claimEmail(mailed, password)));
    expect(claims.map(({ status }) => status).sort()).toEqual([200, 401]);
    const tried = await Promise.all(passwords.map((password) => signIn(other, password)));
    expect(tried.map(({ status }) => status)).toEqual(claims.map(({ status }) => status));
  });

  test('of a disabled account verifies it with the new password, and signs nobody in', async () => {
    const email = newEmail();
    await signUp(email, 'A Stranger', STRANGERS);
    await db.update(user).set({ enabled: false }).where(eq(user.email, email));
    const claimed = await claimEmail(await tokenMailedTo(email), OWNERS);
    expect(claimed.status).toBe(403);
    expect(await claimed.json()).toMatchObject({ code: 'disabled' });
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    expect(await (await signIn(email, OWNERS)).json()).toMatchObject({ code: 'disabled' });
  });

  test('keeps nothing that a stranger linked to the account before', async () => {
    const email = newEmail();
    await signUp(email, 'A Stranger', STRANGERS);
    const { id: userId = '' } = (await userOf(email)) ?? {};
    const dates = { createdAt: new Date(), updatedAt: new Date() };
    await db.insert(account).values({
      ...dates,
      id: crypto.randomUUID(),
      userId,
      accountId: crypto.randomUUID(),
      providerId: 'github',
    });
    await db.update(user).set({ image: 'https://stranger.example/me.png' }).where(eq(user.id, userId));
    expect((await claimEmail(await tokenMailedTo(email), OWNERS)).status).toBe(200);
    expect(
      await db
        .select()
        .from(account)
        .where(and(eq(account.userId, userId), eq(account.providerId, 'github'))),
    ).toEqual([]);
    expect((await userOf(email))?.image).toBeNull();
  });
});

describe('a later sign-up for an unverified email', () => {
  test('replaces password, name and links of the earlier one, and the browser that counts', async () => {
    const email = newEmail();
    const stranger = cookieOf(await signUp(email, 'A Stranger', STRANGERS));
    const old = await tokenMailedTo(email);
    const owner = cookieOf(await signUp(email, 'Ada Lovelace', OWNERS));
    const token = await tokenMailedTo(email);
    expect(token).not.toBe(old);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    expect((await verifyEmail(old, stranger)).status).toBe(401);
    expect((await claimEmail(old, STRANGERS)).status).toBe(401);
    expect((await verifyEmail(token, stranger)).status).toBe(403);
    expect((await userOf(email))?.emailVerified).toBe(false);
    expect(await signedInBy(await verifyEmail(token, owner))).toBe(email);
    expect(await userOf(email)).toMatchObject({ name: 'Ada Lovelace', emailVerified: true });
    expect((await signIn(email, OWNERS)).status).toBe(200);
  });

  test('by a stranger after the owner’s makes every browser ask for a password', async () => {
    const email = newEmail();
    const owner = cookieOf(await signUp(email, 'Ada Lovelace', OWNERS));
    await signUp(email, 'A Stranger', STRANGERS);
    const token = await tokenMailedTo(email);
    expect((await verifyEmail(token, owner)).status).toBe(403);
    expect((await claimEmail(token, OWNERS, owner)).status).toBe(200);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
  });

  test('at the same time leaves one password, and only its browser opens the link', async () => {
    const email = newEmail();
    const [first, second] = await Promise.all([
      signUp(email, 'Ada Lovelace', OWNERS),
      signUp(email, 'A Stranger', STRANGERS),
    ]);
    const [owner, stranger] = [cookieOf(first), cookieOf(second)];
    const isOwners = (await signIn(email, OWNERS)).status === 403;
    expect((await signIn(email, STRANGERS)).status).toBe(isOwners ? 401 : 403);
    const token = await tokenMailedTo(email);
    expect((await verifyEmail(token, isOwners ? stranger : owner)).status).toBe(403);
    expect((await verifyEmail(token, isOwners ? owner : stranger)).status).toBe(200);
  });

  test('changes nothing once the hour’s mails were sent, so that the last link works', async () => {
    const email = newEmail();
    for (let call = 0; call < 6; call++) await signUp(email, 'A Stranger', `${STRANGERS} ${call}`);
    const token = await tokenMailedTo(email);
    expect((await signUp(email, 'A Stranger', 'one more')).status).toBe(200);
    expect((await signIn(email, 'one more')).status).toBe(401);
    expect((await claimEmail(token, OWNERS)).status).toBe(200);
  });

  test('gets the same response as for a verified one, cookies included', async () => {
    const unverified = newEmail();
    await signUp(unverified);
    const answers = await Promise.all(
      [unverified, (await signedIn()).email, newEmail()].map((to) => signUp(to, 'Grace Hopper')),
    );
    const shapes = await Promise.all(
      answers.map(async (answer) => ({
        status: answer.status,
        cookies: answer.headers
          .getSetCookie()
          .map((line) => [line.replace(/=[^;]*/, ''), decodeURIComponent(line).length]),
        body: {
          ...(await answer.json<{ user: object }>()).user,
          id: '',
          email: '',
          createdAt: '',
          updatedAt: '',
        },
      })),
    );
    expect(shapes[0]?.cookies).toHaveLength(1);
    expect(shapes[1]).toEqual(shapes[0]);
    expect(shapes[2]).toEqual(shapes[0]);
  });
});

describe('a link opened by a signed-in user', () => {
  test('for another email keeps the session and changes nothing, in every way to submit it', async () => {
    const eve = await signedIn('Eve');
    const email = newEmail();
    const browser = `${eve.cookie}; ${cookieOf(await signUp(email))}`;
    const token = await tokenMailedTo(email);
    for (const answer of [await verifyEmail(token, browser), await claimEmail(token, OWNERS, browser)]) {
      expect(answer.status).toBe(409);
      expect(await answer.json()).toMatchObject({ code: 'OTHER_ACCOUNT', email });
      expect(answer.headers.getSetCookie().join()).not.toContain('session_token=');
    }
    expect((await userOf(email))?.emailVerified).toBe(false);
    expect(await (await eve.fetch('/api/auth/get-session')).json()).toMatchObject({
      user: { email: eve.email },
    });
    await eve.fetch('/api/auth/sign-out', { method: 'POST' });
    expect((await verifyEmail(token, browser)).status).toBe(200);
  });

  test('who was disabled asks nobody to log out', async () => {
    const eve = await signedIn('Eve');
    await db.update(user).set({ enabled: false }).where(eq(user.id, eve.userId));
    const email = newEmail();
    const browser = `${eve.cookie}; ${cookieOf(await signUp(email))}`;
    expect((await verifyEmail(await tokenMailedTo(email), browser)).status).toBe(200);
  });
});

describe('a reset password', () => {
  test('verifies an unverified email, so that a stranger’s password and browser are worth nothing', async () => {
    const email = newEmail();
    const stranger = cookieOf(await signUp(email, 'A Stranger', STRANGERS));
    const link = await tokenMailedTo(email);
    expect((await resetPassword(await resetTokenOf(email), OWNERS)).status).toBe(200);
    expect((await userOf(email))?.emailVerified).toBe(true);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    expect((await signIn(email, OWNERS)).status).toBe(200);
    expect(await signedInBy(await verifyEmail(link, stranger))).toBeUndefined();
    expect((await claimEmail(link, STRANGERS)).status).toBe(401);
  });

  test('is not replaced by a sign-up that a stranger makes at the same time', async () => {
    const email = newEmail();
    await signUp(email, 'A Stranger', STRANGERS);
    const token = await resetTokenOf(email);
    const [reset] = await Promise.all([resetPassword(token, OWNERS), signUp(email, 'A Stranger', STRANGERS)]);
    expect(reset.status).toBe(200);
    expect((await signIn(email, OWNERS)).status).toBe(200);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
  });

  test('counts once when its link is submitted twice at once', async () => {
    const ada = await signedIn();
    const token = await resetTokenOf(ada.email);
    const passwords = ['first password', 'second password'];
    const answers = await Promise.all(passwords.map((password) => resetPassword(token, password)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const tried = await Promise.all(passwords.map((password) => signIn(ada.email, password)));
    expect(tried.map(({ status }) => status)).toEqual(
      answers.map(({ status }) => (status === 200 ? 200 : 401)),
    );
  });
});

describe('an email that staff changed', () => {
  test('is unverified, and nothing mailed to the old one opens it', async () => {
    const staff = await newStaff();
    const [ada, email] = [await signedIn(), newEmail()];
    const reset = await resetTokenOf(ada.email);
    const changed = await staff.fetch(`/api/sudo/users/${ada.userId}`, { method: 'PUT', json: { email } });
    expect(await changed.json()).toMatchObject({ email, emailVerified: false });
    expect((await resetPassword(reset, OWNERS)).status).toBe(400);
    expect((await signIn(email)).status).toBe(403);
    expect((await claimEmail(await tokenMailedTo(email), OWNERS)).status).toBe(200);
    expect((await signIn(email)).status).toBe(401);
    expect((await ada.fetch('/api/user/orgs')).status).toBe(401);
  });

  test('stays verified where staff say so, and where it stays the same', async () => {
    const staff = await newStaff();
    for (const json of [{ email: newEmail(), emailVerified: true }, { name: 'Countess Lovelace' }]) {
      const { userId } = await signedIn();
      const changed = await staff.fetch(`/api/sudo/users/${userId}`, { method: 'PUT', json });
      expect(await changed.json()).toMatchObject({ ...json, emailVerified: true });
    }
  });
});

test('an invitation to an email that a stranger signed up with is its owner’s alone', async () => {
  const ada = await signedIn();
  const { orgId } = await newOrganisation(ada);
  const email = newEmail();
  await signUp(email, 'A Stranger', STRANGERS);
  const token = await tokenMailedTo(email);
  const invited = await ada.fetch('/api/auth/organization/invite-member', {
    json: { organizationId: orgId, email, role: 'admin' },
  });
  const { id: invitationId } = await invited.json<{ id: string }>();
  const owner = withCookie(cookieOf(await claimEmail(token, OWNERS)));
  const accepted = await owner('/api/auth/organization/accept-invitation', { json: { invitationId } });
  expect(accepted.status).toBe(200);
  expect((await owner(`/api/orgs/${orgId}`)).status).toBe(200);
  expect((await signIn(email, STRANGERS)).status).toBe(401);
});

test('a sign-up replaces nothing of an account in use whose email staff have marked as unverified', async () => {
  const owner = await signedIn();
  await newOrganisation(owner);
  await db.update(user).set({ emailVerified: false }).where(eq(user.email, owner.email));
  const before = await db.select().from(account).where(eq(account.userId, owner.userId));
  expect((await signUp(owner.email, 'A Stranger', STRANGERS)).status).toBe(200);
  expect(await db.select().from(account).where(eq(account.userId, owner.userId))).toEqual(before);
  expect(await sessionsOf(owner.email)).not.toEqual([]);
  expect((await userOf(owner.email))?.name).toBe(owner.name);
});
