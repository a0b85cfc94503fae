/** Updates a user, for platform staff. Staff cannot disable their own account. */
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { SudoUser, updateSudoUserSchema } from '#contracts/console/sudo';
import { user } from '#worker/db/schema/auth';
import { endResetLinks } from '#worker/domains/auth/reset-links';
import { endUnusableWatches } from '#worker/domains/watch-sessions/end-watches';
import { changedMeanwhile, duplicate, invalidField } from '#worker/http/api-error';
import type { Caller, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { ensureIdentityMayChange } from './ensure-identity-may-change.ts';
import { getSudoUser } from './user-search.ts';

/** @throws {ApiError} not-found; forbidden as ensureIdentityMayChange; conflict with the current state, or naming email; invalid-request naming enabled */
export async function updateSudoUser(
  ctx: RequestContext,
  actor: Caller,
  userId: string,
  { updatedAt, email, ...rest }: z.output<typeof updateSudoUserSchema>,
): Promise<SudoUser> {
  const { db, now } = ctx;
  if (rest.enabled === false && userId === actor.userId) {
    throw invalidField('enabled', 'You cannot disable your own account');
  }
  await ensureIdentityMayChange(ctx, userId, {
    email: email?.toLowerCase(),
    emailVerified: rest.emailVerified,
  });
  const changes = { ...rest, ...(email !== undefined && { email: email.toLowerCase() }) };
  // Verified is what somebody proved of the previous email, unless staff say that it is the new one.
  const emailVerified =
    rest.emailVerified ??
    sql<boolean>`${user.emailVerified} AND ${user.email} = ${changes.email ?? sql`${user.email}`}`;
  const isIt = and(
    eq(user.id, userId),
    updatedAt === undefined ? undefined : eq(user.updatedAt, new Date(updatedAt)),
  );
  const scope = { orgId: null, actor };
  await change(ctx, scope, {
    when: {
      isFresh: [
        sql`EXISTS (SELECT 1 FROM ${user} WHERE ${isIt})`,
        async () => changedMeanwhile('The user', await getSudoUser(db, userId)),
      ],
    },
    unique: { 'user.email': () => duplicate('email', `A user with the email ${email} already exists`) },
    write: [
      db
        .update(user)
        .set({ ...changes, emailVerified, updatedAt: sql`max(${now}, ${user.updatedAt} + 1)` })
        .where(eq(user.id, userId)),
      // They were mailed to the previous email.
      ...(email === undefined ? [] : [endResetLinks(db, userId)]),
    ],
    audit: {
      action: 'sudo.user-changed',
      targetId: userId,
      detail: changes,
    },
    publish: [],
  });
  if (rest.enabled === false) ctx.waitUntil(endUnusableWatches(ctx, { userId }));
  return getSudoUser(db, userId);
}
