// Replacing BETTER_AUTH_SECRET signs nobody out while the one before is still set.
import { env } from 'cloudflare:workers';
import { parseSigned, serializeSigned } from 'hono/utils/cookie';
import { beforeAll, expect, test } from 'vitest';
import { type SignedIn, signedIn } from '#tests/support/accounts';
import { inProduction, productionEnv } from '#tests/support/production';
import { settingsOf } from '#worker/env';

const NEWEST = 'the newest secret, of thirty-two bytes';
const PREVIOUS = 'the previous secret, of thirty-two bytes';
const ANOTHER = 'a secret that was never set, thirty-two';
const NAME = '__Secure-better-auth.session_token';

const rotated = productionEnv({ BETTER_AUTH_SECRET: NEWEST, BETTER_AUTH_PREVIOUS_SECRET: PREVIOUS });
const finished = productionEnv({ BETTER_AUTH_SECRET: NEWEST });

let ada: SignedIn;
let token: string;

beforeAll(async () => {
  ada = await signedIn('Ada');
  const { 'better-auth.session_token': value } = await parseSigned(ada.cookie, settingsOf(env).authSecret);
  token = String(value);
});

/** What a browser is answered that has another cookie, too. */
async function answersTo(secret: string, deployed = rotated) {
  const [signed] = (await serializeSigned(NAME, token, secret, { secure: true, path: '/' })).split(';');
  const headers = { cookie: `theme=dark; ${signed}` };
  const organisations = await inProduction('/api/user/orgs', { headers }, deployed);
  const session = await inProduction('/api/auth/get-session', { headers }, deployed);
  const user = (await session.json<{ user: { id: string } } | null>())?.user.id ?? null;
  return { status: organisations.status, user };
}

test('sessions of both secrets are signed in', async () => {
  const signedInAsAda = { status: 200, user: ada.userId };
  expect(await answersTo(NEWEST)).toEqual(signedInAsAda);
  expect(await answersTo(PREVIOUS)).toEqual(signedInAsAda);
});

test('no other secret is accepted, nor the previous one once it is removed', async () => {
  const nobody = { status: 401, user: null };
  expect(await answersTo(ANOTHER)).toEqual(nobody);
  expect(await answersTo(PREVIOUS, finished)).toEqual(nobody);
});

test('a session of the previous secret ends when it signs out', async () => {
  const [signed] = (await serializeSigned(NAME, token, PREVIOUS, { secure: true, path: '/' })).split(';');
  const headers = { cookie: `${signed}`, origin: 'https://console.tessera.example' };
  const out = await inProduction('/api/auth/sign-out', { method: 'POST', headers }, rotated);
  expect(out.status).toBe(200);
  expect(await answersTo(PREVIOUS)).toEqual({ status: 401, user: null });
});
