// Other sites cannot use a person's session.
import { expect, test } from 'vitest';
import { CAPTCHA_HEADER, DEVELOPMENT_CAPTCHA_TOKEN } from '#contracts/console/auth';
import { anonymously, newOrganisation, ORIGIN, signedIn } from '#tests/support/accounts';
import { ensureOwnOrigin } from '#worker/http/same-origin';
import type { Settings } from '#worker/settings';

test.each([
  ['a foreign origin', { origin: 'https://evil.example' }],
  ['an origin that only begins like ours', { origin: `${ORIGIN}.evil.example` }],
  ['the null origin', { origin: 'null' }],
  ['a cross-site fetch', { origin: ORIGIN, 'sec-fetch-site': 'cross-site' }],
  ['another port', { origin: 'http://localhost:4002' }],
])('a change from %s is refused', async (_, headers) => {
  const ada = await signedIn();
  const { orgId } = await newOrganisation(ada);
  for (const path of [`/api/orgs/${orgId}`, '/api/auth/sign-out', '/api/auth/organization/create']) {
    const method = path.startsWith('/api/orgs') ? 'PUT' : 'POST';
    const answer = await ada.fetch(path, { method, json: { name: 'Taken over' }, headers });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ errorType: 'forbidden' });
  }
  expect(await (await ada.fetch(`/api/orgs/${orgId}`)).json()).toMatchObject({ name: 'Analytical Engines' });
});

test('a write with a cookie but no origin is refused', async () => {
  const { cookie } = await signedIn();
  const answer = await anonymously('/api/auth/organization/create', {
    json: { name: 'Nobody' },
    headers: { cookie },
  });
  expect(answer.status).toBe(403);
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
  'a body sent as %s is not read',
  async (type) => {
    const ada = await signedIn();
    const answer = await ada.fetch('/api/auth/organization/create', {
      body: JSON.stringify({ name: 'Sneaked in' }),
      headers: { 'content-type': type },
    });
    expect(answer.status).toBe(415);
    expect(await (await ada.fetch('/api/user/orgs')).json()).toEqual([]);
  },
);

test.each([
  ['content-type', 'application/json; charset=iso-8859-1'],
  ['content-encoding', 'gzip'],
])('a body with the %s %s is not read', async (name, value) => {
  const ada = await signedIn();
  for (const path of ['/api/auth/organization/create', '/api/orgs/org_1/plans']) {
    const body = JSON.stringify({ name: 'Sneaked in' });
    const headers = { 'content-type': 'application/json', [name]: value };
    const answer = await ada.fetch(path, { method: 'POST', body, headers });
    expect(answer.status).toBe(415);
  }
});

test('a body of bytes that are not UTF-8 is refused', async () => {
  const ada = await signedIn();
  const text = [...'{"name":"M#ller & Co"}'];
  const body = Uint8Array.from(text.map((character) => (character === '#' ? 0xfc : character.charCodeAt(0))));
  const { orgId } = await newOrganisation(ada);
  for (const [method, path] of [
    ['POST', '/api/auth/organization/create'],
    ['PUT', `/api/orgs/${orgId}`],
  ] as const) {
    const headers = { 'content-type': 'application/json' };
    expect((await ada.fetch(path, { method, body, headers })).status).toBe(400);
  }
});

test('a refusal names the address that the console has', async () => {
  const ada = await signedIn();
  const headers = { origin: 'https://tunnel.example' };
  const answer = await ada.fetch('/api/auth/sign-out', { method: 'POST', headers });
  expect(await answer.json()).toMatchObject({
    message: `The request does not come from the console at ${ORIGIN}. Open that address, or set BASE_URL to the one you use`,
  });
});

test.each(['http://localhost', 'http://127.0.0.1', 'http://[::1]'])(
  'a developer signs in at %s, with the port that was called',
  async (host) => {
    const { email } = await signedIn();
    for (const [port, status] of [
      ['4001', 401],
      ['4002', 403],
    ] as const) {
      const answer = await anonymously('/api/auth/sign-in/email', {
        json: { email, password: 'not the password' },
        headers: { origin: `${host}:${port}`, [CAPTCHA_HEADER]: DEVELOPMENT_CAPTCHA_TOKEN },
      });
      expect(answer.status).toBe(status);
    }
  },
);

test('this machine is allowed beside one’s own BASE_URL in development, and in production it is not', () => {
  const settings = { baseUrl: 'https://tunnel.example', isDevelopment: true } as Settings;
  const local = new Request('http://127.0.0.1:4300/api/auth/sign-out', {
    method: 'POST',
    headers: { origin: 'http://127.0.0.1:4300', cookie: 'session=1' },
  });
  const forwarded = new Request('https://tunnel.example/api/auth/sign-out', {
    method: 'POST',
    headers: { origin: 'https://tunnel.example', cookie: 'session=1' },
  });
  for (const request of [local, forwarded]) ensureOwnOrigin(request, settings);
  expect(() => ensureOwnOrigin(local, { ...settings, isDevelopment: false })).toThrow(
    'The request does not come from the console at https://tunnel.example',
  );
});

test("requests from the console's development port are accepted", async () => {
  const ada = await signedIn();
  const headers = { origin: 'http://localhost:4000', 'sec-fetch-site': 'same-site' };
  expect((await ada.fetch('/api/auth/sign-out', { method: 'POST', headers })).status).toBe(200);
});

test('responses are not cached, framed or content-sniffed', async () => {
  const answer = await anonymously('/api/health');
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
  });
});
