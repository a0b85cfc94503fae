// Accounts: from sign-up to sign-in, and everything that must not get in.
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { parseSigned, serializeSigned } from 'hono/utils/cookie';
import { describe, expect, test } from 'vitest';
import {
  anonymously,
  cookieOf,
  mailsTo,
  newEmail,
  newMember,
  newOrganisation,
  ORIGIN,
  PASSWORD,
  signedIn,
  signIn,
  signUp,
  tokenMailedTo,
  verifyEmail,
  withCookie,
} from '#tests/support/accounts';
import { expectConsole } from '#tests/support/expect-console';
import { openDatabase } from '#worker/db/database';
import { rateLimit, session, user } from '#worker/db/schema/auth';
import { auditLog } from '#worker/db/schema/operations';
import { settingsOf } from '#worker/env';

const db = openDatabase(env.DB);
const captcha = { 'x-captcha-response': 'development-pass' };

async function changeUser(userId: string, change: Partial<typeof user.$inferInsert>) {
  await db.update(user).set(change).where(eq(user.id, userId));
}

/** Waits for mails that are sent in the background. */
async function mailsWithSubject(email: string, subject: string) {
  for (let attempt = 0; attempt < 50; attempt++) {
    const mails = (await mailsTo(email)).filter((mail) => mail.subject === subject);
    if (mails.length > 0) return mails;
    await new Promise((settle) => setTimeout(settle, 20));
  }
  return [];
}

describe('signing up', () => {
  test('creates a session through the mailed link', async () => {
    const email = newEmail();
    const created = await signUp(email, 'Ada Lovelace');
    expect(created.status).toBe(200);
    expect(created.headers.getSetCookie().join()).not.toContain('session_token=');
    expect(await created.json()).toMatchObject({
      user: { email, name: 'Ada Lovelace', emailVerified: false },
    });

    const [mail] = await mailsTo(email);
    expect(mail?.links[0]).toMatch(/^http:\/\/localhost:4001\/verify-email\?token=/);
    const verified = await verifyEmail(await tokenMailedTo(email), cookieOf(created));
    expect(verified.status).toBe(200);

    const answer = await signIn(email);
    expect(answer.status).toBe(200);
    const me = await withCookie(cookieOf(answer))('/api/auth/get-session');
    expect(await me.json()).toMatchObject({
      user: { email, emailVerified: true, image: null, sudo: false, enabled: true },
      session: { userId: expect.stringMatching(/^usr_/) },
    });
  });

  test('responds the same for an email with an account, and notifies only its owner', async () => {
    const known = await signedIn('Ada Lovelace');
    const answers = await Promise.all([
      signUp(known.email, 'Grace Hopper'),
      signUp(newEmail(), 'Grace Hopper'),
    ]);
    const [toKnown, toNew] = await Promise.all(answers.map((answer) => answer.json<{ user: object }>()));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    const blank = (body: { user: object } | undefined) => ({
      ...body,
      user: { ...body?.user, id: '', email: '', createdAt: '', updatedAt: '' },
    });
    expect(blank(toKnown)).toEqual(blank(toNew));
    expect(Object.keys(toKnown?.user ?? {})).toEqual(Object.keys(toNew?.user ?? {}));
    const [mail] = await mailsTo(known.email);
    expect(mail?.subject).toBe('You already have a Tessera account');
    expect((await signIn(known.email)).status).toBe(200);
  });

  test.each([
    ['name', { name: 'Al' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'Ada\u0007Lovelace' }],
    ['password', { password: 'seven77' }],
    ['password', { password: 'x'.repeat(129) }],
    ['email', { email: 'not an address' }],
    ['image', { image: 'javascript:alert(1)' }],
    ['image', { image: 'http://pictures.example/me.png' }],
    ['sudo', { sudo: true }],
    ['enabled', { enabled: true }],
    ['role', { role: 'admin' }],
    ['emailVerified', { emailVerified: true }],
  ])('refuses a bad %s and names it: %o', async (path, change) => {
    const email = newEmail();
    const answer = await anonymously('/api/auth/sign-up/email', {
      json: { name: 'Ada Lovelace', email, password: PASSWORD, ...change },
      headers: captcha,
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ errorType: 'invalid-request', issues: [{ path }] });
    expect(await db.select().from(user).where(eq(user.email, email))).toEqual([]);
  });

  test('refuses a name of three megabytes', async () => {
    const answer = await signUp(newEmail(), 'x'.repeat(3_000_000));
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ errorType: 'payload-too-large' });
  });
});

describe('signing in', () => {
  test('responds to a wrong password as to an unknown email', async () => {
    const { email } = await signedIn();
    const answers = await Promise.all([
      signIn(email, 'wrong password'),
      signIn(newEmail(), 'wrong password'),
    ]);
    const [wrong, unknown] = await Promise.all(answers.map((answer) => answer.json<{ requestId: string }>()));
    expect(answers.map((answer) => answer.status)).toEqual([401, 401]);
    expect(wrong).toMatchObject({ errorType: 'unauthenticated', message: 'Invalid credentials.' });
    expect({ ...wrong, requestId: '' }).toEqual({ ...unknown, requestId: '' });
  });

  test('with an unverified email is a distinct 403, and mails the link again', async () => {
    const email = newEmail();
    await signUp(email);
    const answer = await signIn(email);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ errorType: 'forbidden', code: 'EMAIL_NOT_VERIFIED' });
    const mails = await mailsTo(email);
    expect(mails.map((mail) => mail.subject)).toEqual(['Verify your email', 'Verify your email']);
  });

  test('with an unverified email and a wrong password reveals no more than an unknown email', async () => {
    const email = newEmail();
    await signUp(email);
    expect((await signIn(email, 'wrong password')).status).toBe(401);
  });

  test('to a disabled account is a 403 with the code disabled, only with the right password', async () => {
    const { userId, email } = await signedIn();
    await changeUser(userId, { enabled: false });
    const answer = await signIn(email);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'disabled' });
    expect(answer.headers.getSetCookie().join()).not.toContain('session_token=');
    expect((await signIn(email, 'wrong password')).status).toBe(401);
  });

  test('hides the session token from scripts', async () => {
    const { email } = await signedIn();
    const answer = await signIn(email);
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    const [row] = await db.select({ token: session.token }).from(session).orderBy(session.id).limit(1);
    expect(row?.token).toBeTruthy();
    const token = decodeURIComponent(cookieOf(answer)).split('=')[1]?.split('.')[0] ?? 'none';
    const me = await withCookie(cookieOf(answer))('/api/auth/get-session');
    expect(await answer.text()).not.toContain(token);
    expect(await me.text()).not.toContain(token);
  });
});

describe('verifying an email', () => {
  test('of a disabled account verifies it and says that it is disabled', async () => {
    const email = newEmail();
    const signedUp = await signUp(email);
    const created = await signedUp.json<{ user: { id: string } }>();
    await changeUser(created.user.id, { enabled: false });
    const answer = await verifyEmail(await tokenMailedTo(email), cookieOf(signedUp));
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'disabled' });
    const [row] = await db.select().from(user).where(eq(user.id, created.user.id));
    expect(row?.emailVerified).toBe(true);
  });

  test('with a made-up token is refused', async () => {
    expect((await verifyEmail('eyJhbGciOiJub25lIn0.eyJlbWFpbCI6ImFAYi5jIn0.')).status).toBe(401);
  });

  test('is mailed again on request, with the same response for an unknown email', async () => {
    const email = newEmail();
    await signUp(email);
    const resend = (to: string) =>
      anonymously('/api/auth/send-verification-email', { json: { email: to }, headers: captcha });
    const [known, unknown] = await Promise.all([resend(email), resend(newEmail())]);
    expect(await known.json()).toEqual(await unknown.json());
    expect(await mailsTo(email)).toHaveLength(2);
  });

  test('is mailed at most five times an hour, in any case of the email, to a human only', async () => {
    const email = newEmail();
    await signUp(email);
    const resend = (to: string, headers = captcha) =>
      anonymously('/api/auth/send-verification-email', { json: { email: to }, headers });
    expect((await resend(email, {} as typeof captcha)).status).toBe(400);
    for (const to of [email, email.toUpperCase(), email, email, email]) {
      expect((await resend(to)).status).toBe(200);
    }
    const refused = await resend(email);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await mailsTo(email)).toHaveLength(6);
  });
});

test('mails to one address have a limit an hour, which changes no response', async () => {
  const unverified = newEmail();
  await signUp(unverified);
  const ada = await signedIn();
  for (let call = 0; call < 7; call++) {
    const answer = await signIn(unverified);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'EMAIL_NOT_VERIFIED' });
    expect((await signUp(ada.email)).status).toBe(200);
  }
  expect(await mailsTo(unverified)).toHaveLength(6);
  expect(await mailsTo(ada.email)).toHaveLength(6);
});

describe('guessing a password', () => {
  const tryWrong = async (email: string, times: number) => {
    const answers = await Promise.all(Array.from({ length: times }, () => signIn(email, 'wrong password')));
    return answers.map(({ status }) => status);
  };

  test('is refused after ten attempts, for an unknown email too, and concurrency does not help', async () => {
    const { email } = await signedIn();
    for (const target of [email, newEmail()]) {
      const statuses = await tryWrong(target, 12);
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    }
    // Better Auth deletes the rows of its own limits that are older than a minute.
    await db.delete(rateLimit);
    expect((await signIn(email)).status).toBe(429);
  });

  test('does not lock the owner out on a device where they have signed in', async () => {
    const ada = await signedIn();
    const device = (await signIn(ada.email)).headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0] ?? '')
      .find((cookie) => cookie.includes('device='));
    await tryWrong(ada.email, 11);
    const onDevice = (email: string, password = PASSWORD) =>
      anonymously('/api/auth/sign-in/email', {
        json: { email, password },
        headers: { ...captcha, cookie: device ?? '', origin: ORIGIN },
      });
    expect((await signIn(ada.email)).status).toBe(429);
    expect((await onDevice(ada.email)).status).toBe(200);
    const grace = await signedIn('Grace Hopper');
    await tryWrong(grace.email, 10);
    expect((await onDevice(grace.email)).status).toBe(429);
  });

  test('is not restarted by a call that is refused before the password is compared', async () => {
    const { email } = await signedIn();
    expectConsole('error', /Invalid origin: https:..evil.test/);
    for (const [name, value] of [
      ['referer', 'https://evil.test/'],
      ['sec-fetch-mode', 'cors'],
    ] as const) {
      await tryWrong(email, 4);
      const refused = await anonymously('/api/auth/sign-in/email', {
        json: { email, password: 'wrong password' },
        headers: { ...captcha, [name]: value },
      });
      expect(refused.status).toBe(403);
      expect(refused.headers.getSetCookie()).toEqual([]);
    }
    expect((await signIn(email)).status).toBe(429);
  });

  test('ends for everybody with a password reset, and a right password starts a new count', async () => {
    const { email } = await signedIn();
    await tryWrong(email, 9);
    expect((await signIn(email)).status).toBe(200);
    expect(await tryWrong(email, 10)).not.toContain(429);
    expect((await signIn(email)).status).toBe(429);
    await anonymously('/api/auth/request-password-reset', {
      json: { email, redirectTo: '/reset-password' },
      headers: captcha,
    });
    const [mail] = await mailsWithSubject(email, 'Reset your password');
    const token = new URL(mail?.links[0] ?? '').searchParams.get('token');
    await anonymously('/api/auth/reset-password', { json: { newPassword: 'a new password', token } });
    expect((await signIn(email, 'a new password')).status).toBe(200);
  });
});

describe('resetting a password', () => {
  const ask = (email: string, redirectTo = '/reset-password') =>
    anonymously('/api/auth/request-password-reset', { json: { email, redirectTo }, headers: captcha });

  test('replaces the password once and ends every session', async () => {
    const ada = await signedIn();
    expect((await ask(ada.email)).status).toBe(200);
    const mail = (await mailsWithSubject(ada.email, 'Reset your password'))[0];
    expect(mail?.links[0]).toMatch(/^http:\/\/localhost:4001\/reset-password\?token=/);
    const token = new URL(mail?.links[0] ?? '').searchParams.get('token');
    const reset = (newPassword: string) =>
      anonymously('/api/auth/reset-password', { json: { newPassword, token } });

    expect((await reset('short')).status).toBe(400);
    expect((await reset('a new password')).status).toBe(200);
    expect((await reset('another password')).status).toBe(400);
    expect((await ada.fetch('/api/user/orgs')).status).toBe(401);
    expect((await signIn(ada.email)).status).toBe(401);
    expect((await signIn(ada.email, 'a new password')).status).toBe(200);
  });

  test('responds the same for an unknown email', async () => {
    const { email } = await signedIn();
    const [known, unknown] = await Promise.all([ask(email), ask(newEmail())]);
    expect([known.status, unknown.status]).toEqual([200, 200]);
    expect(await known.json()).toEqual(await unknown.json());
    await mailsWithSubject(email, 'Reset your password');
  });
});

describe('a session', () => {
  test('of a user who is disabled afterwards ends', async () => {
    const ada = await signedIn();
    const { orgId } = await newOrganisation(ada);
    await changeUser(ada.userId, { enabled: false });
    expect((await ada.fetch('/api/user/orgs')).status).toBe(401);
    expect((await ada.fetch(`/api/orgs/${orgId}`)).status).toBe(401);
    expect((await ada.fetch('/api/auth/update-user', { json: { name: 'Someone' } })).status).toBe(401);
    expect(await (await ada.fetch('/api/auth/get-session')).json()).toBeNull();
  });

  test('is not created by a cookie with a foreign signature', async () => {
    const ada = await signedIn();
    const [token] = decodeURIComponent(ada.cookie).split('=')[1]?.split('.') ?? [];
    for (const cookie of [`better-auth.session_token=${token}`, `better-auth.session_token=${token}.AAAA`]) {
      expect((await withCookie(cookie)('/api/user/orgs')).status).toBe(401);
      expect(await (await withCookie(cookie)('/api/auth/get-session')).json()).toBeNull();
    }
  });

  test('has a cookie in the format of hono: each side accepts what the other signed', async () => {
    const ada = await signedIn();
    const name = 'better-auth.session_token';
    const { authSecret } = settingsOf(env);
    const { [name]: token } = await parseSigned(ada.cookie, authSecret, name);
    expect(token).toEqual(expect.stringMatching(/^\w{32}$/));

    const [own] = (await serializeSigned(name, String(token), authSecret)).split(';');
    const withOwn = withCookie(own ?? '');
    expect((await withOwn('/api/user/orgs')).status).toBe(200);
    expect(await (await withOwn('/api/auth/get-session')).json()).toMatchObject({ user: { id: ada.userId } });

    const forged = withCookie(await serializeSigned(name, String(token), `${authSecret}!`));
    expect((await forged('/api/user/orgs')).status).toBe(401);
    expect(await (await forged('/api/auth/get-session')).json()).toBeNull();
  });

  test('ends by signing out', async () => {
    const ada = await signedIn();
    expect((await ada.fetch('/api/auth/sign-out', { method: 'POST' })).status).toBe(200);
    expect((await ada.fetch('/api/user/orgs')).status).toBe(401);
  });

  test('ends on other devices by revoking the others, and everywhere by revoking all', async () => {
    const ada = await signedIn();
    const elsewhere = withCookie(cookieOf(await signIn(ada.email)));
    expect((await elsewhere('/api/user/orgs')).status).toBe(200);
    expect((await ada.fetch('/api/auth/revoke-other-sessions', { method: 'POST' })).status).toBe(200);
    expect((await elsewhere('/api/user/orgs')).status).toBe(401);
    expect((await ada.fetch('/api/auth/revoke-sessions', { method: 'POST' })).status).toBe(200);
    expect((await ada.fetch('/api/user/orgs')).status).toBe(401);
  });
});

describe('a profile', () => {
  test('changes its name and refuses unsafe URLs and privileged fields', async () => {
    const ada = await signedIn();
    expect((await ada.fetch('/api/auth/update-user', { json: { name: 'Countess Lovelace' } })).status).toBe(
      200,
    );
    const me = await (await ada.fetch('/api/auth/get-session')).json<{ user: { name: string } }>();
    expect(me.user.name).toBe('Countess Lovelace');
    for (const json of [
      { image: 'javascript:alert(1)' },
      { name: 'Al' },
      { sudo: true },
      { enabled: true },
    ]) {
      const answer = await ada.fetch('/api/auth/update-user', { json });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ issues: [{ path: Object.keys(json)[0] }] });
    }
  });

  test('is deleted with its memberships, each of which leaves a row in the audit log', async () => {
    const ada = await signedIn();
    const { orgId } = await newOrganisation(ada);
    const member = await newMember(ada, orgId);
    expect((await member.fetch('/api/auth/delete-user', { json: { password: PASSWORD } })).status).toBe(200);
    expect((await signIn(member.email)).status).toBe(401);
    const rows = await db.select().from(auditLog).where(eq(auditLog.orgId, orgId));
    expect(rows.map((row) => row.action)).toContain('member.left');
  });

  test("is not deleted while it is an organisation's only owner", async () => {
    const ada = await signedIn();
    const { orgId } = await newOrganisation(ada, 'Difference Engines');
    const answer = await ada.fetch('/api/auth/delete-user', { json: { password: PASSWORD } });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'SOLE_OWNER',
      message: expect.stringContaining('Difference Engines'),
    });
    expect((await ada.fetch(`/api/orgs/${orgId}`)).status).toBe(200);
  });
});

describe('deleting an account', () => {
  test('needs the password or the mailed link: the session alone mails the link', async () => {
    const ada = await signedIn();
    const remove = (json: object) => ada.fetch('/api/auth/delete-user', { json });
    for (const [json, field] of [
      [{ password: '' }, 'password'],
      [{ token: '' }, 'token'],
    ] as const) {
      const refused = await remove(json);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ issues: [{ path: field }] });
    }
    expect((await remove({ password: 'wrong password' })).status).toBe(400);
    expect((await remove({ token: 'made-up' })).status).toBe(404);
    expect((await remove({})).status).toBe(200);
    expect((await ada.fetch('/api/user/orgs')).status).toBe(200);
    const [mail] = await mailsWithSubject(ada.email, 'Confirm the deletion of your Tessera account');
    const link = new URL(mail?.links[0] ?? '');
    expect(link.pathname).toBe('/account');
    const token = link.searchParams.get('token') ?? '';
    const eve = await signedIn('Eve');
    expect((await eve.fetch('/api/auth/delete-user', { json: { token: `${token}x` } })).status).toBe(404);
    expect((await remove({ token })).status).toBe(200);
    expect((await signIn(ada.email)).status).toBe(401);
  });
});

test('links that delete an account have a limit an hour, which changes no response', async () => {
  const ada = await signedIn();
  const answers: unknown[] = [];
  for (let call = 0; call < 7; call++) {
    const answer = await ada.fetch('/api/auth/delete-user', { json: {} });
    expect(answer.status).toBe(200);
    answers.push(await answer.json());
  }
  expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(await mailsTo(ada.email)).toHaveLength(5);
});

describe('a stored session', () => {
  test('has only the hash of its token, which is no token itself', async () => {
    const ada = await signedIn();
    const [row] = await db.select().from(session).where(eq(session.userId, ada.userId));
    expect(row?.token).toMatch(/^sha256:[0-9a-f]{64}$/);
    const { authSecret } = settingsOf(env);
    const name = 'better-auth.session_token';
    const forged = await serializeSigned(name, row?.token ?? '', authSecret);
    const withHash = withCookie(forged.split(';')[0] ?? '');
    expect((await withHash('/api/user/orgs')).status).toBe(401);
    expect(await (await withHash('/api/auth/get-session')).json()).toBeNull();
  });

  test('of an earlier release stays valid, and is hashed when it is extended', async () => {
    const ada = await signedIn();
    const token = 'kept-from-before-the-upgrade-000';
    const aWeek = 7 * 24 * 60 * 60 * 1000;
    await db
      .update(session)
      .set({ token, updatedAt: new Date(Date.now() - aWeek), expiresAt: new Date(Date.now() + aWeek / 2) })
      .where(eq(session.userId, ada.userId));
    const { authSecret } = settingsOf(env);
    const cookie = await serializeSigned('better-auth.session_token', token, authSecret);
    const old = withCookie(cookie.split(';')[0] ?? '');
    expect((await old('/api/user/orgs')).status).toBe(200);
    const me = await old('/api/auth/get-session');
    expect(await me.json()).toMatchObject({ user: { email: ada.email } });
    expect(decodeURIComponent(me.headers.getSetCookie().join())).toContain(token);
    const [row] = await db.select().from(session).where(eq(session.userId, ada.userId));
    expect(row?.token).toMatch(/^sha256:/);
    expect((await old('/api/user/orgs')).status).toBe(200);
    expect((await old('/api/auth/revoke-other-sessions', { method: 'POST' })).status).toBe(200);
    expect((await old('/api/user/orgs')).status).toBe(200);
    expect((await old('/api/auth/sign-out', { method: 'POST' })).status).toBe(200);
    expect((await old('/api/user/orgs')).status).toBe(401);
  });
});

test('a mail to a stranger leaves out a name that contains a link', async () => {
  const email = newEmail();
  await anonymously('/api/auth/sign-up/email', {
    json: { name: 'Win at evil.example now', email, password: PASSWORD },
    headers: captcha,
  });
  const [mail] = await mailsTo(email);
  expect(JSON.stringify(mail)).not.toContain('evil');
  const ada = await signedIn('Visit www．evil．example');
  const { orgId } = await newOrganisation(ada, 'https://evil.example/prize');
  const invited = newEmail();
  await ada.fetch('/api/auth/organization/invite-member', {
    json: { organizationId: orgId, email: invited, role: 'member' },
  });
  const [invitation] = await mailsTo(invited);
  expect(invitation?.subject).toBe('Join an organisation on Tessera');
  expect(JSON.stringify(invitation)).not.toContain('evil');
});
