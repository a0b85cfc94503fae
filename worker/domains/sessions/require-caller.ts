/** Identifies the signed-in user by the session cookie, in one query. Expired sessions and disabled users do not count. */
import { and, eq, gt, inArray } from 'drizzle-orm';
import { session, user } from '#worker/db/schema/auth';
import { ApiError, notFound } from '#worker/http/api-error';
import type { Caller, RequestContext } from '#worker/http/request-context';
import { readSessionToken } from './read-session-token.ts';
import { storedFormsOf } from './session-token-hash.ts';

/** @returns null when nobody is signed in */
export async function findCaller(ctx: RequestContext): Promise<Caller | null> {
  const token = await readSessionToken(ctx.request, ctx.settings);
  if (token === null) return null;
  const [row] = await ctx.db
    .select(callerColumns)
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .where(isActiveSession(await storedFormsOf(token), ctx.now))
    .limit(1);
  return row ?? null;
}

/** @throws {ApiError} unauthenticated */
export async function requireCaller(ctx: RequestContext): Promise<Caller> {
  const caller = await findCaller(ctx);
  if (caller === null) throw new ApiError('unauthenticated', 'Please sign in');
  return caller;
}

/** @throws {ApiError} unauthenticated; not-found for callers who are not platform staff */
export async function requireStaff(ctx: RequestContext): Promise<Caller> {
  const caller = await requireCaller(ctx);
  if (!caller.isSudo) throw notFound('The requested resource');
  return caller;
}

/** Selected from `session` joined with `user`. */
export const callerColumns = { userId: user.id, email: user.email, name: user.name, isSudo: user.sudo };

/** Condition on `session` joined with `user`. @param stored of `storedFormsOf` @param now epoch milliseconds */
export function isActiveSession(stored: string[], now: number) {
  return and(inArray(session.token, stored), gt(session.expiresAt, new Date(now)), eq(user.enabled, true));
}
