/** Asks for the caller's password again before something that a session alone must not do. */
import { APIError } from 'better-auth/api';
import { MINUTE_MS } from '#engine/durations';
import { forgetAttempts, returnAttempt, takeAttempt } from '#worker/db/attempt-limit';
import { ApiError, invalidField } from '#worker/http/api-error';
import type { Caller, RequestContext } from '#worker/http/request-context';

const ATTEMPTS = { max: 10, windowMs: 15 * MINUTE_MS };

/**
 * @throws {ApiError} invalid-request on `password`, also for an account without one; rate-limited after ten wrong ones;
 * unavailable while the hasher is busy
 */
export async function ensurePassword(
  ctx: RequestContext,
  { userId, email }: Caller,
  password: string,
): Promise<void> {
  const key = `confirm-password/${userId}`;
  const waitS = await takeAttempt(ctx.db, key, ATTEMPTS, ctx.now);
  if (waitS !== null) {
    throw new ApiError('rate-limited', 'Too many attempts. Please try again later.', {
      headers: { 'retry-after': String(waitS) },
    });
  }
  // Better Auth is loaded on first use.
  const [{ authOf }, { hashingFor }] = await Promise.all([
    import('./build-auth.ts'),
    import('./password-hashing.ts'),
  ]);
  let isRight: boolean;
  try {
    isRight = await hashingFor(email, () => authOf(ctx.env).isPassword(userId, password));
  } catch (error) {
    await returnAttempt(ctx.db, key);
    if (!(error instanceof APIError)) throw error;
    throw new ApiError('unavailable', error.message, { headers: { 'retry-after': '5' } });
  }
  if (!isRight) throw invalidField('password', 'Invalid password');
  await forgetAttempts(ctx.db, key);
}
