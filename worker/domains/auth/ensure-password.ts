/** Asks for the caller's password again before something that a session alone must not do. */
import { APIError } from 'better-auth/api';
import { ApiError, invalidField, rateLimited } from '#worker/http/api-error';
import type { Caller, RequestContext } from '#worker/http/request-context';
import { comparePassword } from './compare-password.ts';

/**
 * @throws {ApiError} invalid-request on `password`, also for an account without one; rate-limited after ten wrong ones;
 * unavailable while the hasher is busy
 */
export async function ensurePassword(
  ctx: RequestContext,
  { userId, email }: Caller,
  password: string,
): Promise<void> {
  // Better Auth is loaded on first use.
  const [{ authOf }, { hashingFor }] = await Promise.all([
    import('./build-auth.ts'),
    import('./password-hashing.ts'),
  ]);
  const compare = () => hashingFor(email, () => authOf(ctx.env).isPassword(userId, password));
  const comparison = await comparePassword(ctx.db, userId, compare, ctx.now).catch(whileHasherIsBusy);
  if (comparison.kind === 'refused') {
    throw rateLimited('Too many attempts. Please try again later.', comparison.waitS);
  }
  if (comparison.kind === 'wrong') throw invalidField('password', 'Invalid password');
}

function whileHasherIsBusy(error: unknown): never {
  if (!(error instanceof APIError)) throw error;
  throw new ApiError('unavailable', error.message, { headers: { 'retry-after': '5' } });
}
