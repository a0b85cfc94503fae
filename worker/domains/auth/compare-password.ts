/** Bounds how often one account's password is compared to confirm a deletion: that of the account or of an organisation. */

import { MINUTE_MS } from '#engine/durations';
import { forgetAttempts, returnAttempt, takeAttempt } from '#worker/db/attempt-limit';
import type { Db } from '#worker/db/database';

const ATTEMPTS = { max: 10, windowMs: 15 * MINUTE_MS };

type Comparison =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong' }
  /** Not compared: the account's attempts are used up for this many seconds. */
  | { readonly kind: 'refused'; readonly waitS: number };

/**
 * Counts the attempt before it compares. A right password starts a new count, and a comparison that throws costs no attempt.
 * @throws what `compare` throws
 */
export async function comparePassword(
  db: Db,
  userId: string,
  compare: () => Promise<boolean>,
  now: number,
): Promise<Comparison> {
  const key = `confirm-password/${userId}`;
  const waitS = await takeAttempt(db, key, ATTEMPTS, now);
  if (waitS !== null) return { kind: 'refused', waitS };
  let isRight: boolean;
  try {
    isRight = await compare();
  } catch (error) {
    await returnAttempt(db, key);
    throw error;
  }
  if (!isRight) return { kind: 'wrong' };
  await forgetAttempts(db, key);
  return { kind: 'right' };
}
