/**
 * Better Auth's password hashing, done by the password hasher objects. Better Auth does not say whose password it hashes, so
 * the account travels in the asynchronous context of the call. See durable-objects/README.md, "Password hasher".
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { APIError } from 'better-auth/api';
import { passwordHasherStub } from '#objects/stubs';
import { log } from '#runtime/log';
import { type Env, settingsOf } from '#worker/env';

const HASHERS = 64;
const RETRY_AFTER_S = 5;

const accounts = new AsyncLocalStorage<string>();

/** Calls Better Auth. @param account chooses the hasher: an email, or a token where no email is known */
export function hashingFor<T>(account: string, call: () => T): T {
  return accounts.run(account.toLowerCase(), call);
}

type Hasher = Awaited<ReturnType<typeof passwordHasherStub>>;

export function passwordHashing(env: Env) {
  // Local objects share one thread with everything else, so locally there is one.
  const hashers = settingsOf(env).isDevelopment ? 1 : HASHERS;

  /** @throws {APIError} 503 if the hasher is busy or cannot be reached */
  async function ask<T>(call: (hasher: Hasher) => Promise<T | null>): Promise<T> {
    let answer: T | null = null;
    try {
      answer = await call(await passwordHasherStub(env, accounts.getStore() ?? '', hashers));
    } catch (error) {
      log.warn('a password could not be hashed', { error });
    }
    if (answer !== null) return answer;
    throw new APIError(
      'SERVICE_UNAVAILABLE',
      { message: 'Too many sign-ins right now. Please try again in a few seconds.' },
      { 'retry-after': String(RETRY_AFTER_S) },
    );
  }

  return {
    hash: (password: string) => ask((hasher) => hasher.hash(password)),
    verify: ({ hash, password }: { hash: string; password: string }) =>
      ask((hasher) => hasher.verify(hash, password)),
  };
}
