/** Reads and writes watch sessions, and decides in one place whether one may still be used. */
import { and, desc, eq, gt, inArray, not, type SQL, sql } from 'drizzle-orm';
import type { Db, Statement } from '#worker/db/database';
import { session, user } from '#worker/db/schema/auth';
import { member, supportAccess } from '#worker/db/schema/organisations';
import { watchSession } from '#worker/db/schema/watch-sessions';
import type { MemberScope, Scope } from '#worker/http/request-context';

export type WatchRow = typeof watchSession.$inferSelect;
/** What is needed to end a watch session. */
export type WatchPlace = Pick<WatchRow, 'id' | 'orgId'>;

/**
 * Condition on `watch_session`: neither it nor its sign-in session has expired, and the user is enabled and still a member, or
 * platform staff who may read customers there.
 */
function isUsable(now: number): SQL {
  const isMember = sql`EXISTS (SELECT 1 FROM ${member} WHERE ${and(
    eq(member.organizationId, watchSession.orgId),
    eq(member.userId, watchSession.userId),
  )})`;
  const isClosed = sql`EXISTS (SELECT 1 FROM ${supportAccess} WHERE ${and(
    eq(supportAccess.organizationId, watchSession.orgId),
    eq(supportAccess.needsConsentToRead, true),
    sql`coalesce(${supportAccess.expiresAt}, 0) <= ${now}`,
  )})`;
  const isSignedIn = sql`EXISTS (SELECT 1 FROM ${session} JOIN ${user} ON ${user.id} = ${session.userId} WHERE ${and(
    eq(session.id, watchSession.sessionId),
    gt(session.expiresAt, new Date(now)),
    eq(user.enabled, true),
    sql`(${isMember} OR (${user.sudo} AND NOT ${isClosed}))`,
  )})`;
  return sql`(${gt(watchSession.expiresAt, now)} AND ${isSignedIn})`;
}

/** @param stored of `storedFormsOf`, from the caller's cookie @returns null if the session may not be used by this caller */
export async function findUsableWatch(
  db: Db,
  { orgId, actor }: MemberScope,
  id: string,
  stored: string[],
  now: number,
): Promise<WatchRow | null> {
  const isOwn = sql`${watchSession.sessionId} IN (SELECT ${session.id} FROM ${session} WHERE ${inArray(session.token, stored)})`;
  const [row] = await db
    .select()
    .from(watchSession)
    .where(
      and(
        eq(watchSession.id, id),
        eq(watchSession.orgId, orgId),
        eq(watchSession.userId, actor.userId),
        isOwn,
        isUsable(now),
      ),
    );
  return row ?? null;
}

/** Whose watch sessions. */
export interface WatchOwner {
  readonly userId?: string;
  readonly orgId?: string;
}

/** Watch sessions that may no longer be used, of one user or organisation or of all. */
export function listUnusableWatches(
  db: Db,
  { userId, orgId }: WatchOwner,
  now: number,
  limit: number,
): Promise<WatchPlace[]> {
  return db
    .select({ id: watchSession.id, orgId: watchSession.orgId })
    .from(watchSession)
    .where(
      and(
        userId === undefined ? undefined : eq(watchSession.userId, userId),
        orgId === undefined ? undefined : eq(watchSession.orgId, orgId),
        not(isUsable(now)),
      ),
    )
    .limit(limit);
}

/** A user's watch sessions in an organisation but for the newest `kept`. */
export function listOlderWatches(
  db: Db,
  { orgId }: Scope,
  userId: string,
  kept: number,
): Promise<WatchPlace[]> {
  return db
    .select({ id: watchSession.id, orgId: watchSession.orgId })
    .from(watchSession)
    .where(and(eq(watchSession.orgId, orgId), eq(watchSession.userId, userId)))
    .orderBy(desc(watchSession.createdAt), desc(watchSession.id))
    .limit(100)
    .offset(kept);
}

export function deleteWatches(db: Db, ids: readonly string[]): Statement {
  return db
    .delete(watchSession)
    .where(sql`${watchSession.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}
