// Password hashing in its objects: limits, outages, and what a sign-in answers then.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { hashPassword } from 'better-auth/crypto';
import { describe, expect, test } from 'vitest';
import { MAX_QUEUED } from '#objects/password-hasher/password-hasher-object';
import { passwordHasherStub } from '#objects/stubs';
import { newEmail, PASSWORD, signedIn } from '#tests/support/accounts';
import { expectConsole } from '#tests/support/expect-console';
import { productionEnv } from '#tests/support/production';
import { hashingFor, passwordHashing } from '#worker/domains/auth/password-hashing';
import type { Env } from '#worker/env';
import worker from '#worker/index';

const captcha = { 'x-captcha-response': 'development-pass' };

describe('password hashing', () => {
  const hasher = () => passwordHasherStub(env, newEmail(), 1_000_000);
  /** Signs in at a Worker whose hashers answer like this. */
  async function signInWith(
    verify: () => Promise<boolean | null>,
    known?: { readonly email: string },
  ): Promise<Response> {
    const { email } = known ?? (await signedIn());
    const request = new Request('http://localhost:4001/api/auth/sign-in/email', {
      method: 'POST',
      headers: { ...captcha, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
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
    const one = await hasher();
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
