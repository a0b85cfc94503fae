/**
 * Who is calling: one query from the session cookie to the user. A session that has ended, and one of a user who was
 * disabled since, are no session.
 */
import { and, eq, gt } from 'drizzle-orm';
import { session, user } from '#worker/db/schema/auth';
import { ApiError, notFound } from '#worker/http/api-error';
import type { Caller, RequestContext } from '#worker/http/request-context';
import { readSessionToken } from './read-session-token.ts';

/** Null: nobody is signed in. */
export async function findCaller(ctx: RequestContext): Promise<Caller | null> {
  const token = await readSessionToken(ctx.request, ctx.settings);
  if (token === null) return null;
  const [row] = await ctx.db
    .select({ userId: user.id, email: user.email, name: user.name, isSudo: user.sudo })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .where(and(eq(session.token, token), gt(session.expiresAt, new Date(ctx.now)), eq(user.enabled, true)))
    .limit(1);
  return row ?? null;
}

/** @throws {ApiError} unauthenticated */
export async function userGuard(ctx: RequestContext): Promise<Caller> {
  const caller = await findCaller(ctx);
  if (caller === null) throw new ApiError('unauthenticated', 'Please sign in');
  return caller;
}

/** @throws {ApiError} unauthenticated; not-found for whoever is not platform staff */
export async function sudoGuard(ctx: RequestContext): Promise<Caller> {
  const caller = await userGuard(ctx);
  if (!caller.isSudo) throw notFound('The requested resource');
  return caller;
}
