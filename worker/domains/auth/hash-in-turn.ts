/**
 * Hashes one password at a time per isolate. scrypt blocks the isolate's thread, which also answers access checks; with a
 * pause after each hash, a check waits for at most one. A waiting request polls with its own timer: a queue of
 * promises would stop for ever when a request that the runtime cancels is at its head.
 */
import { APIError } from 'better-auth/api';
import { hashPassword, verifyPassword } from 'better-auth/crypto';

/** After this long the previous hash belongs to a cancelled request. */
const LEASE_MS = 2000;
const PAUSE_MS = 5;
const MAX_WAIT_MS = 10_000;

let busyUntil = 0;

/** @throws {APIError} 429 if the turn does not come within ten seconds */
export async function inTurn<T>(hash: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + MAX_WAIT_MS;
  while (Date.now() < busyUntil) {
    if (Date.now() > deadline) {
      throw new APIError('TOO_MANY_REQUESTS', { message: 'Too many requests. Please try again later.' });
    }
    await scheduler.wait(PAUSE_MS);
  }
  busyUntil = Date.now() + LEASE_MS;
  try {
    return await hash();
  } finally {
    busyUntil = Date.now() + PAUSE_MS;
  }
}

export const passwordHashing = {
  hash: (password: string) => inTurn(() => hashPassword(password)),
  verify: (stored: { hash: string; password: string }) => inTurn(() => verifyPassword(stored)),
};
