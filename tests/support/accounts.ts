// Accounts and organisations for tests inside workerd. `signUp`, `verifyEmail` and `signIn` create accounts and sessions as people
// do; `signedIn` writes the same rows without hashing a password and waiting for mail, which costs more than most tests.
// The Worker loads these with the first sign-up. Here that takes I/O of that request, for which a concurrent one cannot wait.
import '#worker/domains/auth/build-auth';
import '#worker/domains/auth/password-hashing';
import 'better-auth/crypto';
import { env, exports } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { serializeSigned } from 'hono/utils/cookie';
import { expect } from 'vitest';
import { CAPTCHA_HEADER, DEVELOPMENT_CAPTCHA_TOKEN } from '#contracts/console/auth';
import type { Role } from '#contracts/console/permissions';
import { openDatabase } from '#worker/db/database';
import { account, session, user } from '#worker/db/schema/auth';
import { sessionCookieName } from '#worker/domains/sessions/read-session-token';
import { hashSessionToken } from '#worker/domains/sessions/session-token-hash';
import { settingsOf } from '#worker/env';
import type { KeptMail } from '#worker/platform/mail-mailbox';

export const ORIGIN = 'http://localhost:4001';
export const PASSWORD = 'correct horse battery staple';
/** PASSWORD, as Better Auth stores it. */
const PASSWORD_HASH =
  '0fefebf49729f016a73f94a0b815c966:d707ef44f9d0f1a9f2820b01b189f10f14481477850b547843531b651960f1ee7949c9a465991805f57c52fad1963a405b22a72ea464276f62d1bbbaf221ebe2';

export interface CallInit {
  /** A call with a body is a POST unless told. */
  readonly method?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Call = (path: string, init?: CallInit) => Promise<Response>;

export interface SignedIn {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** The value of the cookie header. */
  readonly cookie: string;
  /** Calls the Worker as this user, from the console's own origin. */
  readonly fetch: Call;
}

/** Calls the Worker as nobody. */
export const anonymously: Call = (path, init) => call(path, init, {});

/** Calls the Worker with this cookie, from the console's own origin. */
export function withCookie(cookie: string): Call {
  return (path, init) => call(path, init, { cookie, origin: ORIGIN });
}

function call(path: string, init: CallInit = {}, own: Record<string, string>): Promise<Response> {
  const { json, headers } = init;
  const body = json === undefined ? (init.body ?? null) : JSON.stringify(json);
  const type: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' };
  return exports.default.fetch(
    new Request(`${ORIGIN}${path}`, {
      method: init.method ?? (body === null ? 'GET' : 'POST'),
      headers: { ...own, ...type, ...headers },
      body,
      redirect: 'manual',
    }),
  );
}

/** An address that no other test has. */
export function newEmail(): string {
  return `${crypto.randomUUID()}@tests.example`;
}

export const withCaptcha = { [CAPTCHA_HEADER]: DEVELOPMENT_CAPTCHA_TOKEN };

export function signUp(email: string, name = 'Ada Lovelace', password = PASSWORD): Promise<Response> {
  return anonymously('/api/auth/sign-up/email', { json: { email, name, password }, headers: withCaptcha });
}

export function signIn(email: string, password = PASSWORD): Promise<Response> {
  return anonymously('/api/auth/sign-in/email', { json: { email, password }, headers: withCaptcha });
}

/** What the mailbox holds for this address, newest first; waits a little for the first to arrive. */
export async function mailsTo(email: string): Promise<KeptMail[]> {
  for (let attempt = 0; ; attempt++) {
    const response = await anonymously(`/dev/mailbox?to=${encodeURIComponent(email)}`, {
      headers: { accept: 'application/json' },
    });
    const mails = await response.json<KeptMail[]>();
    if (mails.length > 0 || attempt === 50) return mails;
    await new Promise((settle) => setTimeout(settle, 20));
  }
}

/** The token in the link of the newest mail to this address. */
export async function tokenMailedTo(email: string): Promise<string> {
  const [mail] = await mailsTo(email);
  const token = new URL(mail?.links[0] ?? 'missing:').searchParams.get('token');
  if (token === null) throw new Error(`No mail to ${email} carries a token`);
  return token;
}

/** Opens a verification link. @param browser its cookies, as `cookieOf` returns them */
export function verifyEmail(token: string, browser = ''): Promise<Response> {
  return withCookie(browser)(`/api/auth/verify-email?token=${encodeURIComponent(token)}`);
}

/** Submits the form that a verification link shows in another browser than the one that signed up. */
export function claimEmail(token: string, password: string, browser = ''): Promise<Response> {
  return withCookie(browser)('/api/auth/verify-email', { json: { token, password } });
}

/** The cookie header that a browser would send after this answer. */
export function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

/** A new account with a verified address and PASSWORD, and a session of it. No mail is sent. */
export async function signedIn(name = 'Ada Lovelace', email = newEmail()): Promise<SignedIn> {
  const [userId, token, now] = [
    `usr_${crypto.randomUUID()}`,
    crypto.randomUUID().replaceAll('-', ''),
    new Date(),
  ];
  const dates = { createdAt: now, updatedAt: now };
  const db = openDatabase(env.DB);
  await db.batch([
    db.insert(user).values({ ...dates, id: userId, name, email, emailVerified: true }),
    db.insert(account).values({
      ...dates,
      id: crypto.randomUUID(),
      userId,
      accountId: userId,
      providerId: 'credential',
      password: PASSWORD_HASH,
    }),
    db.insert(session).values({
      ...dates,
      id: crypto.randomUUID(),
      userId,
      token: await hashSessionToken(token),
      expiresAt: new Date(now.getTime() + 7 * 86_400_000),
    }),
  ]);
  const settings = settingsOf(env);
  const [cookie = ''] = (
    await serializeSigned(sessionCookieName(settings), token, settings.authSecret)
  ).split(';');
  return { userId, email, name, cookie, fetch: withCookie(cookie) };
}

export async function newOrganisation(
  account: SignedIn,
  name = 'Analytical Engines',
): Promise<{ orgId: string }> {
  const response = await account.fetch('/api/auth/organization/create', {
    json: { name, environments: [] },
  });
  expect(response.status).toBe(201);
  const { id } = await response.json<{ id: string }>();
  return { orgId: id };
}

/** A new account that `inviter` invited and that has accepted. */
export async function newMember(inviter: SignedIn, orgId: string, role: Role = 'member'): Promise<SignedIn> {
  const account = await signedIn('Charles Babbage');
  const invited = await inviter.fetch('/api/auth/organization/invite-member', {
    json: { organizationId: orgId, email: account.email, role },
  });
  expect(invited.status).toBe(200);
  const { id: invitationId } = await invited.json<{ id: string }>();
  const accepted = await account.fetch('/api/auth/organization/accept-invitation', {
    json: { invitationId },
  });
  expect(accepted.status).toBe(200);
  return account;
}

/** Makes a user platform staff: no call can. */
export async function makeStaff(account: SignedIn): Promise<void> {
  await openDatabase(env.DB).update(user).set({ sudo: true }).where(eq(user.id, account.userId));
}

/** A new account of platform staff, and a session of it. */
export async function newStaff(name = 'Staff Member'): Promise<SignedIn> {
  const staff = await signedIn(name);
  await makeStaff(staff);
  return staff;
}

/** An owner lets platform staff change things in the organisation. */
export async function grantSupportAccess(owner: SignedIn, orgId: string, hours = 4): Promise<void> {
  const answer = await owner.fetch(`/api/orgs/${orgId}/support-access`, { method: 'PUT', json: { hours } });
  expect(answer.status).toBe(200);
}
