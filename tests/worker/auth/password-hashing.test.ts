// Password hashing in its objects: limits, outages, and what a sign-in answers then.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { hashPassword } from 'better-auth/crypto';
import { describe, expect, test } from 'vitest';
import { MAX_QUEUED } from '#objects/password-hasher/password-hasher-object';
import { passwordHasherStub } from '#objects/stubs';
import {
  newEmail,
  newOrganisation,
  ORIGIN,
  PASSWORD,
  type SignedIn,
  signedIn,
} from '#tests/support/accounts';
import { expectConsole } from '#tests/support/expect-console';
import { productionEnv } from '#tests/support/production';
import { hashingFor, passwordHashing } from '#worker/domains/auth/password-hashing';
import type { Env } from '#worker/env';
import worker from '#worker/index';

const captcha = { 'x-captcha-response': 'development-pass' };

/** Calls a Worker whose hashers answer like this. */
async function callWith(
  verify: () => Promise<boolean | null>,
  path: string,
  json: object,
  headers: Record<string, string>,
): Promise<Response> {
  const request = new Request(`${ORIGIN}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  const context = createExecutionContext();
  const hashers = { getByName: () => ({ verify }) } as never;
  const response = await worker.fetch(
    request as Request<unknown, IncomingRequestCfProperties>,
    { ...env, PASSWORD_HASHER: hashers },
    context,
  );
  await waitOnExecutionContext(context);
  return response;
}

describe('password hashing', () => {
  const hasher = () => passwordHasherStub(env, newEmail(), 1_000_000);
  /** Signs in at a Worker whose hashers answer like this. */
  async function signInWith(
    verify: () => Promise<boolean | null>,
    known?: { readonly email: string },
  ): Promise<Response> {
    const { email } = known ?? (await signedIn());
    return callWith(verify, '/api/auth/sign-in/email', { email, password: PASSWORD }, captcha);
  }

  test('verifies what it hashed, and what was hashed before there were hashers', async () => {
    const one = await hasher();
    const hash = (await one.hash(PASSWORD)) ?? '';
    expect(hash).toMatch(/^[0-9a-f]+:[0-9a-f]+$/);
    expect(await (await hasher()).verify(hash, PASSWORD)).toBe(true);
    expect(await one.verify(hash, 'wrong password')).toBe(false);
    expect(await one.verify(await hashPassword(PASSWORD), PASSWORD)).toBe(true);
  });

  test('fails one password only if a stored hash is malformed', async () => {
    const one = await hasher();
    const [broken, good] = await Promise.allSettled([one.verify('nonsense', PASSWORD), one.hash(PASSWORD)]);
    expect(broken.status).toBe('rejected');
    expect(good.status).toBe('fulfilled');
  });

  test('refuses what comes while its queue is full, and answers everything before', async () => {
    // The object itself: its callers give up after a time in which a busy machine does not hash as many.
    const one = env.PASSWORD_HASHER.getByName('full');
    const answers = await Promise.all(Array.from({ length: MAX_QUEUED * 2 }, () => one.hash(PASSWORD)));
    const refused = answers.filter((answer) => answer === null);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(MAX_QUEUED);
    expect(await one.hash(PASSWORD)).not.toBeNull();
  });

  test('that is busy or out of reach is a 503 with Retry-After', async () => {
    expectConsole('warn', /could not be hashed/);
    for (const verify of [async () => null, async () => Promise.reject(new Error('Overloaded'))]) {
      const refused = await signInWith(verify);
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({
        errorType: 'unavailable',
        message: 'Too many sign-ins right now. Please try again in a few seconds.',
      });
      expect(refused.headers.getSetCookie().join()).not.toContain('session_token=');
    }
    expect((await signInWith(async () => true)).status).toBe(200);
    expect((await signInWith(async () => false)).status).toBe(401);
  });

  test('that is busy uses up none of the attempts of an account', async () => {
    const owner = await signedIn();
    for (let attempt = 0; attempt < 12; attempt++) {
      expect((await signInWith(async () => null, owner)).status).toBe(503);
    }
    expect((await signInWith(async () => true, owner)).status).toBe(200);
  });

  test('is spread by account where it is deployed, and in one object on this machine', async () => {
    const names: string[] = [];
    const hashers = {
      getByName: (name: string) => {
        names.push(name);
        return { hash: async () => 'hashed' };
      },
    } as never;
    const hashAll = async (bindings: Env, accounts: readonly string[]) => {
      names.length = 0;
      const { hash } = passwordHashing({ ...bindings, PASSWORD_HASHER: hashers });
      for (const account of accounts) await hashingFor(account, () => hash(PASSWORD));
      return new Set(names).size;
    };
    const accounts = Array.from({ length: 50 }, newEmail);
    expect(await hashAll(productionEnv(), accounts)).toBeGreaterThan(10);
    expect(await hashAll(productionEnv(), ['ada@tests.example', 'Ada@Tests.Example'])).toBe(1);
    expect(await hashAll(env, accounts)).toBe(1);
  });
});

describe('confirming a deletion with a password', () => {
  const right = async () => true;
  const wrong = async () => false;
  const busy = async () => null;
  const remove = ({ cookie }: SignedIn, verify: () => Promise<boolean | null>, token?: string) =>
    callWith(
      verify,
      '/api/auth/delete-user',
      { password: PASSWORD, ...(token !== undefined && { token }) },
      { cookie, origin: ORIGIN },
    );

  test('is refused after ten attempts, with a token too, for account and organisation together', async () => {
    const ada = await signedIn();
    const { orgId } = await newOrganisation(ada);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => remove(ada, wrong, index % 2 === 0 ? undefined : 'made-up')),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    for (const token of [undefined, 'made-up']) {
      const refused = await remove(ada, right, token);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({ errorType: 'rate-limited' });
    }
    const json = { name: 'Analytical Engines', password: PASSWORD };
    expect((await ada.fetch(`/api/orgs/${orgId}/deletion`, { json })).status).toBe(429);
  });

  test('costs no attempt while the hashers are busy, and the right one starts a new count', async () => {
    expectConsole('error', /Too many sign-ins/);
    const ada = await signedIn();
    await newOrganisation(ada);
    for (let attempt = 0; attempt < 12; attempt++) expect((await remove(ada, busy)).status).toBe(503);
    for (let round = 0; round < 2; round++) {
      for (let attempt = 0; attempt < 9; attempt++) expect((await remove(ada, wrong)).status).toBe(400);
      expect(await (await remove(ada, right)).json()).toMatchObject({ code: 'SOLE_OWNER' });
    }
  });
});
