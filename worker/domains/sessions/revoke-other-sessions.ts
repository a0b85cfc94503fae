/** Signs the caller out everywhere but here. Better Auth's own call compares tokens, which D1 has hashed only. */
import { and, eq, notInArray } from 'drizzle-orm';
import { session } from '#worker/db/schema/auth';
import type { Caller, RequestContext } from '#worker/http/request-context';
import { readSessionToken } from './read-session-token.ts';
import { storedFormsOf } from './session-token-hash.ts';

export async function revokeOtherSessions(ctx: RequestContext, { userId }: Caller): Promise<void> {
  const token = (await readSessionToken(ctx.request, ctx.settings)) ?? '';
  await ctx.db
    .delete(session)
    .where(and(eq(session.userId, userId), notInArray(session.token, await storedFormsOf(token))));
}
