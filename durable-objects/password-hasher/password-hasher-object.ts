/**
 * Hashes passwords away from the isolates that answer access checks, one at a time: scrypt blocks the thread it runs on. It
 * stores nothing. See durable-objects/README.md, "Password hasher".
 */

import { DurableObject } from 'cloudflare:workers';
import { Turns } from '../lib/turns.ts';
import type { ObjectEnv } from '../stubs.ts';

/** Running and waiting. A hash takes about a tenth of a second, so the last one waits for a few. */
export const MAX_QUEUED = 30;
/**
 * Other calls of the thread have their turn between two hashes: first the rest of a sign-in, then the checks that waited. With a
 * pause of a few milliseconds, which the sign-in alone takes, checks would wait for the next hash, too.
 */
const PAUSE_MS = 30;

export class PasswordHasher extends DurableObject<ObjectEnv> {
  readonly #turns = new Turns(MAX_QUEUED, () => scheduler.wait(PAUSE_MS));

  /** @returns null if too many passwords wait */
  async hash(password: string): Promise<string | null> {
    const { hashPassword } = await import('better-auth/crypto');
    return this.#turns.take(() => hashPassword(password));
  }

  /** @returns whether the password is the hashed one; null if too many passwords wait */
  async verify(hash: string, password: string): Promise<boolean | null> {
    const { verifyPassword } = await import('better-auth/crypto');
    return this.#turns.take(() => verifyPassword({ hash, password }));
  }
}
