// The endpoints of /api/auth: which exist, what a call needs, and where none of them sends anyone.
import { describe, expect, test } from 'vitest';
import { anonymously, PASSWORD, signedIn } from '#tests/support/accounts';

const captcha = { 'x-captcha-response': 'development-pass' };

describe('human verification', () => {
  const bodies = {
    '/sign-in/email': { email: 'a@tests.example', password: PASSWORD },
    '/sign-up/email': { email: 'b@tests.example', password: PASSWORD, name: 'Ada Lovelace' },
    '/request-password-reset': { email: 'c@tests.example' },
  };

  test.each(Object.entries(bodies))('is required by %s', async (path, json) => {
    const withoutAnswer: Record<string, string>[] = [{}, { 'x-captcha-response': '' }];
    for (const headers of withoutAnswer) {
      const answer = await anonymously(`/api/auth${path}`, { json, headers });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ message: 'Please complete the captcha to continue.' });
    }
    const refused = await anonymously(`/api/auth${path}`, {
      json,
      headers: { 'x-captcha-response': 'development-fail' },
    });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ errorType: 'forbidden', code: 'VERIFICATION_FAILED' });
  });

  test.each([
    '/sign-in//email',
    '/sign-in/email/',
    '/SIGN-IN/email',
    '/sign-in%2Femail',
    '/sign-in/./email/../email',
  ])('is not passed by on %s', async (path) => {
    const answer = await anonymously(`/api/auth${path}`, { json: bodies['/sign-in/email'] });
    expect([400, 404]).toContain(answer.status);
  });
});

test.each([
  ['POST', '/organization/update'],
  ['POST', '/organization/delete'],
  ['POST', '/organization/set-active'],
  ['POST', '/organization/create-team'],
  ['POST', '/change-email'],
  ['POST', '/admin/set-role'],
  ['GET', '/list-sessions'],
  ['GET', '/sign-in/email'],
])('%s %s does not exist', async (method, path) => {
  const ada = await signedIn();
  expect((await ada.fetch(`/api/auth${path}`, { method })).status).toBe(404);
});

test.each([
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'https://localhost:4001@evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '/%2f%2fevil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/%2e//evil.example',
  '/a/%2E%2e//evil.example',
  '/.%2f/evil.example',
  '/.\t//evil.example',
  '/./\\evil.example',
  '/\t/evil.example',
  'evil.example',
  '',
])('nobody is sent on to %j', async (elsewhere) => {
  const calls = {
    '/request-password-reset': { email: 'nobody@tests.example', redirectTo: elsewhere },
    '/sign-in/email': { email: 'nobody@tests.example', password: PASSWORD, callbackURL: elsewhere },
    '/sign-in/social': { provider: 'github', callbackURL: elsewhere },
    '/sign-in/social?': { provider: 'github', errorCallbackURL: elsewhere },
  };
  for (const [path, json] of Object.entries(calls)) {
    const answer = await anonymously(`/api/auth${path}`, { json, headers: captcha });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ issues: [{ message: 'Must be a page of the console' }] });
  }
  const query = new URLSearchParams({ token: 'x', callbackURL: elsewhere });
  const opened = await anonymously(`/api/auth/verify-email?${query}`);
  expect([opened.status, opened.headers.get('location')]).toEqual([401, null]);
});

test('signing in with a provider that is not configured is refused with that reason', async () => {
  const answer = await anonymously('/api/auth/sign-in/social', {
    json: { provider: 'github', callbackURL: '/post-signin' },
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ issues: [{ path: 'provider' }] });
  const config = await anonymously('/api/frontend-config');
  expect(await config.json()).toEqual({
    turnstileSiteKey: null,
    socialProviders: { google: false, github: false },
    stripeEmulatorKey: 'sk_test_emulator_fennel',
    stripeEmulatorUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    environment: 'development',
  });
});
