// What differs once it is deployed: nothing of development is left, and it does not run half-configured.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { expectConsole } from '#tests/support/expect-console';
import { inProduction, PRODUCTION_ORIGIN, productionEnv } from '#tests/support/production';
import type { Env } from '#worker/env';
import { readSettings } from '#worker/settings';

const json = { 'content-type': 'application/json' };

test.each(['BASE_URL', 'BETTER_AUTH_SECRET', 'ENCRYPTION_KEY', 'MAIL_FROM', 'TURNSTILE_SECRET_KEY'] as const)(
  'without %s no request is served, and the answer names it',
  async (name) => {
    expectConsole('error', new RegExp(name));
    const answer = await inProduction('/api/health', {}, productionEnv({ [name]: undefined }));
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({
      errorType: 'server-error',
      message: expect.stringContaining(name),
    });
  },
);

const SECRET = 'development-only-better-auth-secret-not-for-deployment';
const KEY = 'ZGV2ZWxvcG1lbnQtb25seS1lbmNyeXB0aW9uLWtleSE=';
const OWN_KEY = `${'A'.repeat(43)}=`;

test.each([
  { BETTER_AUTH_SECRET: SECRET },
  { BETTER_AUTH_SECRET: `"${SECRET.toUpperCase()}"` },
  { BETTER_AUTH_SECRET: btoa(SECRET) },
  { BETTER_AUTH_SECRET: new TextEncoder().encode(SECRET).toHex() },
  { ENCRYPTION_KEY: `development-only:${KEY}` },
  { ENCRYPTION_KEY: `k1:${KEY}` },
  { ENCRYPTION_KEY: `k2:${OWN_KEY},k1:${KEY}` },
  { TURNSTILE_SECRET_KEY: '1x0000000000000000000000000000000AA' },
] satisfies Partial<Env>[])('a development secret is not accepted: %o', async (changes) => {
  const [name = '', value = ''] = Object.entries(changes)[0] ?? [];
  expectConsole('error', /development value/);
  const answer = await inProduction('/api/health', {}, productionEnv(changes));
  expect(answer.status).toBe(500);
  const text = await answer.text();
  expect(text).toContain(`${name} is set to a development value`);
  expect(text).not.toContain(value);
});

test.each([
  { BETTER_AUTH_SECRET: 'x' },
  { BETTER_AUTH_SECRET: 'a'.repeat(31) },
  { BETTER_AUTH_SECRET: `x${' '.repeat(40)}` },
  { ENCRYPTION_KEY: 'oops' },
  { ENCRYPTION_KEY: 'k1:%' },
  { ENCRYPTION_KEY: `k1:${btoa('short')}` },
  { ENCRYPTION_KEY: `k1:${OWN_KEY},k1:${OWN_KEY}` },
  { ENCRYPTION_KEY: `k1:${OWN_KEY},` },
  { BASE_URL: 'console.tessera.example' },
] satisfies Partial<Env>[])(
  'a value that cannot be used is named before any request is served: %o',
  async (changes) => {
    const [name = '', value = ''] = Object.entries(changes)[0] ?? [];
    for (const [path, method] of [
      ['/api/health', 'GET'],
      ['/api/v1/access-checks', 'POST'],
      ['/api/v1/access-checks', 'OPTIONS'],
    ] as const) {
      expectConsole('error', new RegExp(`${name} (is|must|key|has)`));
      const answer = await inProduction(path, { method }, productionEnv(changes));
      expect(answer.status).toBe(500);
      const { message } = await answer.json<{ message: string }>();
      expect(message).toContain(name);
      expect(message).not.toContain(value);
    }
  },
);

test('a secret of 32 bytes is served, however many characters they are', async () => {
  const deployed = productionEnv({ BETTER_AUTH_SECRET: 'é'.repeat(16) });
  expect((await inProduction('/api/health', {}, deployed)).status).toBe(200);
});

const STAND_INS = [
  'GITHUB_BASE_URL',
  'GOOGLE_BASE_URL',
  'WORKFLOW_RUNNER_URL',
  'WORKFLOW_RUNNER_SECRET',
  'STRIPE_EMULATOR_KEY',
];

test.each(STAND_INS)('a stand-in for a provider or a runner is not accepted: %s', async (name) => {
  expectConsole('error', new RegExp(name));
  const answer = await inProduction('/api/health', {}, productionEnv({ [name]: 'https://evil.example' }));
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({ message: expect.stringContaining(name) });
});

test.each([
  ['GET', '/dev/mailbox'],
  ['POST', '/dev/recover'],
  ['GET', '/dev'],
])('%s %s does not exist', async (method, path) => {
  expect((await inProduction(path, { method })).status).toBe(404);
});

test("the local console's address is a foreign origin", async () => {
  const answer = await inProduction('/api/auth/sign-out', {
    method: 'POST',
    headers: { origin: 'http://localhost:4000' },
  });
  expect(answer.status).toBe(403);
});

describe('human verification by Turnstile', () => {
  afterEach(() => vi.restoreAllMocks());

  /** Stands in for Turnstile. */
  function turnstileSays(verdict: object, status = 200) {
    return vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(verdict, { status }));
  }

  const hostname = new URL(PRODUCTION_ORIGIN).hostname;
  let addresses = 0;
  /** From an address of its own, so that the rate limit stays out of the way. */
  function resetPassword(token: string) {
    addresses += 1;
    return inProduction('/api/auth/request-password-reset', {
      method: 'POST',
      headers: { ...json, 'x-captcha-response': token, 'cf-connecting-ip': `198.51.100.${addresses}` },
      body: JSON.stringify({ email: 'nobody@tests.example' }),
    });
  }

  test('accepts a valid token, verified with the secret', async () => {
    const asked = turnstileSays({ success: true, hostname });
    expect((await resetPassword('good')).status).toBe(200);
    const [url, init] = asked.mock.calls[0] ?? [];
    expect(url).toBe('https://challenges.cloudflare.com/turnstile/v0/siteverify');
    expect(JSON.parse(String(init?.body))).toMatchObject({ secret: 'turnstile-secret', response: 'good' });
  });

  test.each([
    ['a bad answer', { success: false, 'error-codes': ['invalid-input-response'] }],
    ['an answer solved on another host', { success: true, hostname: 'evil.example' }],
  ])('refuses %s', async (_, verdict) => {
    turnstileSays(verdict);
    expect((await resetPassword('bad')).status).toBe(403);
  });

  test('refuses if Turnstile returns no verdict', async () => {
    expectConsole('error', /no verdict/);
    turnstileSays({}, 503);
    expect((await resetPassword('whatever')).status).toBe(403);
  });

  test('does not accept the development token', async () => {
    turnstileSays({ success: false });
    expect((await resetPassword('development-pass')).status).toBe(403);
  });
});

describe('the rate limit', () => {
  afterEach(() => vi.restoreAllMocks());

  test('refuses the fourth sign-in from one IP address within its window', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () =>
      Response.json({ success: true, hostname: new URL(PRODUCTION_ORIGIN).hostname }),
    );
    const attempt = (ip: string) =>
      inProduction('/api/auth/sign-in/email', {
        method: 'POST',
        headers: { ...json, 'x-captcha-response': 'good', 'cf-connecting-ip': ip },
        body: JSON.stringify({ email: 'nobody@tests.example', password: 'wrong password' }),
      });
    const statuses: number[] = [];
    for (let index = 0; index < 3; index++) statuses.push((await attempt('203.0.113.7')).status);
    expect(statuses).toEqual([401, 401, 401]);
    const refused = await attempt('203.0.113.7');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ errorType: 'rate-limited' });
    expect((await attempt('203.0.113.8')).status).toBe(401);
  });
});

test('a new environment has 16 ledgers in each data location, unless the deployment says otherwise', () => {
  expect(readSettings(productionEnv()).ledgerShards).toBe(16);
  expect(readSettings(productionEnv({ LEDGER_SHARDS: '1024' })).ledgerShards).toBe(1_024);
});
