// Signing in with GitHub, and the waiting list. GitHub and Turnstile stand outside: the tests play their part.
import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cookieOf, newEmail, signedIn } from '#tests/support/accounts';
import { expectConsole } from '#tests/support/expect-console';
import { inProduction, PRODUCTION_ORIGIN, productionEnv } from '#tests/support/production';
import { openDatabase } from '#worker/db/database';
import { account, user } from '#worker/db/schema/auth';
import type { Env } from '#worker/env';

const db = openDatabase(env.DB);
const github = { GITHUB_CLIENT_ID: 'client', GITHUB_CLIENT_SECRET: 'secret' };
const json = { 'content-type': 'application/json', 'x-captcha-response': 'good' };

interface Profile {
  readonly id: number;
  readonly login: string;
  readonly name: string | null;
  readonly email: string;
  readonly avatar_url: string;
}

let profile: Profile;
let isVerified: boolean;

beforeEach(() => {
  isVerified = true;
  profile = {
    id: Math.floor(Math.random() * 1e9),
    login: 'ada-lovelace',
    name: 'Ada Lovelace',
    email: newEmail(),
    avatar_url: 'https://avatars.githubusercontent.com/u/1',
  };
  const { hostname } = new URL(PRODUCTION_ORIGIN);
  const answers = new Map<string, () => unknown>([
    ['https://challenges.cloudflare.com/turnstile/v0/siteverify', () => ({ success: true, hostname })],
    ['https://github.com/login/oauth/access_token', () => ({ access_token: 'token', token_type: 'bearer' })],
    ['https://api.github.com/user', () => profile],
    [
      'https://api.github.com/user/emails',
      () => [{ email: profile.email, primary: true, verified: isVerified }],
    ],
  ]);
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const url = input instanceof Request ? input.url : String(input);
    const answer = answers.get(url);
    if (answer === undefined) throw new Error(`Nobody plays ${url}`);
    return Response.json(answer());
  });
});

afterEach(() => vi.restoreAllMocks());

/** From the button to the answer of the callback. */
async function signInWithGithub(deployed: Env): Promise<Response> {
  const ip = `198.51.100.${Math.floor(Math.random() * 250)}`;
  const begun = await inProduction(
    '/api/auth/sign-in/social',
    {
      method: 'POST',
      headers: { ...json, 'cf-connecting-ip': ip },
      body: JSON.stringify({ provider: 'github', callbackURL: '/post-signin' }),
    },
    deployed,
  );
  expect(begun.status).toBe(200);
  const { url, redirect } = await begun.json<{ url: string; redirect: boolean }>();
  const target = new URL(url);
  expect([redirect, target.origin]).toEqual([true, 'https://github.com']);
  expect(target.searchParams.get('redirect_uri')).toBe(`${PRODUCTION_ORIGIN}/api/auth/callback/github`);
  const query = new URLSearchParams({ code: 'code', state: target.searchParams.get('state') ?? '' });
  return inProduction(
    `/api/auth/callback/github?${query}`,
    { headers: { cookie: cookieOf(begun) }, redirect: 'manual' },
    deployed,
  );
}

async function accountOf(email: string) {
  const [row] = await db.select().from(user).where(eq(user.email, email));
  return row;
}

const passwordsOf = (userId: string) =>
  db
    .select()
    .from(account)
    .where(and(eq(account.userId, userId), eq(account.providerId, 'credential')));

describe('signing in with GitHub', () => {
  test('creates an account and a session, and redirects to the requested page', async () => {
    const deployed = productionEnv(github);
    const answer = await signInWithGithub(deployed);
    expect(answer.status).toBe(302);
    expect(new URL(answer.headers.get('location') ?? '', PRODUCTION_ORIGIN).href).toBe(
      `${PRODUCTION_ORIGIN}/post-signin`,
    );
    expect(await accountOf(profile.email)).toMatchObject({
      name: 'Ada Lovelace',
      emailVerified: true,
      enabled: true,
      sudo: false,
    });
    const headers = { cookie: cookieOf(answer) };
    expect(answer.headers.getSetCookie().join()).toMatch(/__Secure-.*Secure/i);
    expect((await inProduction('/api/user/orgs', { headers }, deployed)).status).toBe(200);
  });

  test.each([
    ['Al', 'ada-lovelace'],
    [null, 'ada-lovelace'],
    ['x'.repeat(300), 'x'.repeat(100)],
    ['Ada\u0000Lovelace', 'Ada Lovelace'],
  ])('does not fail on the name %j', async (name, expected) => {
    profile = { ...profile, name, avatar_url: 'javascript:alert(1)' };
    expect((await signInWithGithub(productionEnv(github))).status).toBe(302);
    expect(await accountOf(profile.email)).toMatchObject({ name: expected, image: null });
  });

  test('creates no account for an email that GitHub has not verified', async () => {
    isVerified = false;
    const answer = await signInWithGithub(productionEnv(github));
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(`${PRODUCTION_ORIGIN}/signin?error=account_not_linked`);
    expect(answer.headers.getSetCookie().join()).not.toContain('session_token=');
    expect(await accountOf(profile.email)).toBeUndefined();
  });

  test('does not reveal whether an email has an account', async () => {
    expectConsole('error', /account_not_linked/);
    const deployed = productionEnv(github);
    await signInWithGithub(deployed);
    profile = { ...profile, id: profile.id + 1 };
    isVerified = false;
    const known = await signInWithGithub(deployed);
    profile = { ...profile, id: profile.id + 1, email: newEmail() };
    const unknown = await signInWithGithub(deployed);
    expect(known.headers.get('location')).toBe(unknown.headers.get('location'));
    expect(known.headers.getSetCookie().join()).not.toContain('session_token=');
  });

  test('takes over an account with an unverified email: the password chosen at sign-up no longer opens it', async () => {
    const deployed = productionEnv(github);
    const post = (path: string, body: object, last: number) =>
      inProduction(
        `/api/auth${path}`,
        {
          method: 'POST',
          headers: { ...json, 'cf-connecting-ip': `192.0.2.${last}` },
          body: JSON.stringify(body),
        },
        deployed,
      );
    const { email } = profile;
    const password = 'a password of the stranger';
    const image = 'https://stranger.example/me.png';
    expect((await post('/sign-up/email', { email, name: 'A Stranger', password, image }, 11)).status).toBe(
      200,
    );
    const answer = await signInWithGithub(deployed);
    expect(answer.headers.get('location')).toBe('/post-signin');
    expect(await accountOf(email)).toMatchObject({
      name: 'Ada Lovelace',
      image: 'https://avatars.githubusercontent.com/u/1',
      emailVerified: true,
    });
    expect((await post('/sign-in/email', { email, password }, 12)).status).toBe(401);
    expect((await post('/sign-up/email', { email, name: 'A Stranger', password }, 13)).status).toBe(200);
    expect((await post('/sign-in/email', { email, password }, 14)).status).toBe(401);
    expect((await signInWithGithub(deployed)).headers.get('location')).toBe('/post-signin');
  });

  test('keeps the password of an account whose email is verified, and one that the provider has not verified', async () => {
    const deployed = productionEnv(github);
    const ada = await signedIn();
    profile = { ...profile, email: ada.email };
    expect((await signInWithGithub(deployed)).headers.get('location')).toBe('/post-signin');
    expect(await passwordsOf(ada.userId)).toHaveLength(1);

    expectConsole('error', /account_not_linked/);
    const eve = await signedIn();
    await db.update(user).set({ emailVerified: false }).where(eq(user.id, eve.userId));
    profile = { ...profile, id: profile.id + 1, email: eve.email };
    isVerified = false;
    const refused = await signInWithGithub(deployed);
    expect(refused.headers.get('location')).toBe(`${PRODUCTION_ORIGIN}/signin?error=account_not_linked`);
    expect(await passwordsOf(eve.userId)).toHaveLength(1);
  });

  test('leads to the waiting page while sign-up is by waiting list', async () => {
    const deployed = productionEnv({ ...github, SIGN_UP: 'waiting-list' });
    const answer = await signInWithGithub(deployed);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(`${PRODUCTION_ORIGIN}/awaiting-admission`);
    expect(answer.headers.getSetCookie().join()).not.toContain('session_token=');
    expect(await accountOf(profile.email)).toMatchObject({ enabled: false });
  });
});

test('with a waiting list, a known and a new email still get the same response', async () => {
  const deployed = productionEnv({ SIGN_UP: 'waiting-list' });
  const email = newEmail();
  const signUp = (address: string, ip: string) =>
    inProduction(
      '/api/auth/sign-up/email',
      {
        method: 'POST',
        headers: { ...json, 'cf-connecting-ip': ip },
        body: JSON.stringify({ email: address, name: 'Ada Lovelace', password: 'correct horse' }),
      },
      deployed,
    );
  await signUp(email, '192.0.2.1');
  expect(await accountOf(email)).toMatchObject({ enabled: false });
  await db.update(user).set({ enabled: true }).where(eq(user.email, email));
  const answers = [await signUp(email, '192.0.2.2'), await signUp(newEmail(), '192.0.2.3')];
  expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
  const [known, fresh] = await Promise.all(
    answers.map(async (answer) => (await answer.json<{ user: Record<string, unknown> }>()).user),
  );
  expect(known?.enabled).toBe(false);
  expect(fresh?.enabled).toBe(false);
  expect(Object.keys(known ?? {})).toEqual(Object.keys(fresh ?? {}));
});
