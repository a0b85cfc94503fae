/** Updates a user, for platform staff. Staff cannot disable their own account. */
import { and, eq, ne, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { SudoUser, updateSudoUserSchema } from '#contracts/console/sudo';
import { auditRowsFrom } from '#worker/db/audit';
import type { Statement } from '#worker/db/database';
import { user } from '#worker/db/schema/auth';
import { member } from '#worker/db/schema/organisations';
import { endResetLinks } from '#worker/domains/auth/reset-links';
import { endUnusableWatches } from '#worker/domains/watch-sessions/end-watches';
import { changedMeanwhile, duplicate, invalidField } from '#worker/http/api-error';
import type { Caller, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { identityMayChange } from './identity-may-change.ts';
import { getSudoUser } from './user-search.ts';

/** @throws {ApiError} not-found; forbidden naming email for a member's; conflict with the current state, or naming email; invalid-request naming enabled */
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
  const changes = { ...rest, ...(email !== undefined && { email: email.toLowerCase() }) };
  // Verified is what somebody proved of the previous email, unless staff say that it is the new one.
  const emailVerified =
    rest.emailVerified ??
    sql<boolean>`${user.emailVerified} AND ${user.email} = ${changes.email ?? sql`${user.email}`}`;
  // Nobody has opened a link that was mailed to it yet.
  const isOther = sql`${user.email} <> ${changes.email ?? sql`${user.email}`}`;
  const emailSetByStaff = sql<boolean>`${user.emailSetByStaff} OR ${isOther}
    OR (${rest.emailVerified === true ? 1 : 0} AND NOT ${user.emailVerified})`;
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
      mayChange: identityMayChange(db, userId, changes.email),
    },
    unique: { 'user.email': () => duplicate('email', `A user with the email ${email} already exists`) },
    write: [
      ...(rest.enabled === undefined ? [] : [accountRows(ctx, actor, userId, rest.enabled)]),
      db
        .update(user)
        .set({
          ...changes,
          emailVerified,
          emailSetByStaff,
          updatedAt: sql`max(${now}, ${user.updatedAt} + 1)`,
        })
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

/** Each organisation of the user reads in its activity that the account was disabled or enabled. */
function accountRows(ctx: RequestContext, actor: Caller, userId: string, enabled: boolean): Statement {
  const shown = {
    action: enabled ? 'member.enabled' : 'member.disabled',
    orgId: sql`${member.organizationId}`,
    targetId: sql`${member.id}`,
    detail: sql`json_object('email', ${user.email})`,
  } as const;
  return auditRowsFrom(ctx, actor, shown, {
    from: sql`${member} JOIN ${user} ON ${user.id} = ${member.userId}`,
    where: and(eq(user.id, userId), ne(user.enabled, enabled)) ?? sql`FALSE`,
  });
}
