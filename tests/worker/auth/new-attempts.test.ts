// Ten wrong passwords lock an email for a quarter of an hour, whoever tried them: a mailed link lets its owner try again, and nobody else.
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import {
  anonymously,
  cookieOf,
  mailsTo,
  newEmail,
  PASSWORD,
  type SignedIn,
  signedIn,
  signIn,
  tokenMailedTo,
  withCaptcha,
  withCookie,
} from '#tests/support/accounts';
import { openDatabase } from '#worker/db/database';
import { session } from '#worker/db/schema/auth';

const db = openDatabase(env.DB);
let ada: SignedIn;

const lock = (email: string) =>
  Promise.all(Array.from({ length: 10 }, () => signIn(email, 'wrong password')));

const request = (email: string, headers: Record<string, string> = withCaptcha) =>
  anonymously('/api/auth/request-new-attempts', { json: { email }, headers });

const use = (token: string, browser: string) =>
  withCookie(browser)('/api/auth/use-new-attempts', { json: { token } });

const signInFrom = (browser: string, email: string, password = PASSWORD) =>
  withCookie(browser)('/api/auth/sign-in/email', { json: { email, password }, headers: withCaptcha });

beforeEach(async () => {
  ada = await signedIn();
});

test('the refusal of a sign-in says that a link helps, for an unknown email too', async () => {
  for (const email of [ada.email, newEmail()]) {
    await lock(email);
    const refused = await signIn(email);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ errorType: 'rate-limited', code: 'ATTEMPTS_USED' });
  }
});

test('the link gives the browser that requested it ten attempts, once, and signs nobody in', async () => {
  await lock(ada.email);
  const requested = await request(ada.email);
  const browser = cookieOf(requested);
  expect(requested.headers.getSetCookie().join()).toMatch(/Max-Age=900.*HttpOnly.*SameSite=Lax/i);
  const token = await tokenMailedTo(ada.email);
  const [mail] = await mailsTo(ada.email);
  expect(mail?.links[0]).toMatch(/^http:\/\/localhost:4001\/new-attempts\?token=/);
  const before = await db.select().from(session).where(eq(session.userId, ada.userId));

  const answers = await Promise.all([use(token, browser), use(token, browser)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const used = answers.find(({ status }) => status === 200) as Response;
  expect(await used.json()).toEqual({ email: ada.email });
  expect(used.headers.getSetCookie().join()).toMatch(/Max-Age=900/);
  expect((await use(token, browser)).status).toBe(400);
  expect(await db.select().from(session).where(eq(session.userId, ada.userId))).toEqual(before);

  const device = cookieOf(used);
  for (let attempt = 0; attempt < 9; attempt++) {
    expect((await signInFrom(device, ada.email, 'wrong password')).status).toBe(401);
  }
  expect((await signIn(ada.email)).status).toBe(429);
  expect((await signInFrom(device, ada.email)).status).toBe(200);
});

test('the tenth wrong password of these is the last', async () => {
  await lock(ada.email);
  const browser = cookieOf(await request(ada.email));
  const device = cookieOf(await use(await tokenMailedTo(ada.email), browser));
  const tried = await Promise.all(
    Array.from({ length: 11 }, () => signInFrom(device, ada.email, 'wrong password')),
  );
  expect(tried.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), 429]);
  expect((await signInFrom(device, ada.email)).status).toBe(429);
});

test('the link is worth nothing in another browser, with another token and for another email', async () => {
  const eve = await signedIn('Eve');
  await lock(ada.email);
  const browser = cookieOf(await request(ada.email));
  const token = await tokenMailedTo(ada.email);
  for (const other of ['', cookieOf(await request(eve.email)), 'better-auth.new_attempts=forged.signature']) {
    const refused = await use(token, other);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code: 'OTHER_BROWSER' });
    expect(refused.headers.getSetCookie()).toEqual([]);
  }
  expect((await use(`${token}x`, browser)).status).toBe(400);
  // Opening it elsewhere has not used it.
  const used = await use(token, browser);
  expect(used.status).toBe(200);
  await lock(eve.email);
  expect((await signInFrom(cookieOf(used), eve.email)).status).toBe(429);
});

test('requesting a link reveals nothing, needs a human, and mails an email at most six times an hour', async () => {
  expect((await request(ada.email, {})).status).toBe(400);
  const [known, unknown] = await Promise.all([request(ada.email), request(newEmail())]);
  expect([known.status, unknown.status]).toEqual([200, 200]);
  expect(await known.json()).toEqual(await unknown.json());
  const shapeOf = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .map((line) => [line.replace(/=[^;]*/, ''), decodeURIComponent(line).length]);
  expect(shapeOf(known)).toEqual(shapeOf(unknown));
  for (let call = 0; call < 7; call++) expect((await request(ada.email.toUpperCase())).status).toBe(200);
  await expect.poll(async () => (await mailsTo(ada.email)).length).toBe(6);
});

test('a stranger who uses up all mails and goes on trying keeps nobody out: a reset gives its browser attempts of its own', async () => {
  const { email } = ada;
  await lock(email);
  const ask = () =>
    anonymously('/api/auth/request-password-reset', {
      json: { email, redirectTo: '/reset-password' },
      headers: withCaptcha,
    });
  await Promise.all(Array.from({ length: 7 }, () => Promise.all([request(email), ask()])));
  const links = (await mailsTo(email))
    .flatMap((mail) => mail.links)
    .filter((link) => link.includes('/reset-'));
  const token = new URL(links[0] ?? '').searchParams.get('token');
  const newPassword = 'a new password';
  const reset = await anonymously('/api/auth/reset-password', { json: { newPassword, token } });
  expect(reset.status).toBe(200);
  await lock(email);
  expect((await signIn(email, newPassword)).status).toBe(429);
  expect((await signInFrom(cookieOf(reset), email, newPassword)).status).toBe(200);
});
