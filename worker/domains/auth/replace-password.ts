/** Statements that replace an account's password, for somebody who has proved to read the mail of its email. */
import { and, eq, inArray, not, or, sql } from 'drizzle-orm';
import { newId } from '#runtime/ids';
import type { Db, Statement } from '#worker/db/database';
import { isEmailProved, PROVED_EMAIL } from '#worker/db/proved-email';
import { account, session, user } from '#worker/db/schema/auth';

/**
 * All sessions end and the email is proved. If it was not, the account keeps nothing that a stranger may have added: no
 * account at a provider, and no image.
 *
 * @param hash of the new password
 * @param now epoch milliseconds
 */
export function replacePassword(db: Db, userId: string, hash: string, now: number): Statement[] {
  const at = new Date(now);
  const unproved = db
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.id, userId), not(isEmailProved)));
  const isOld = or(eq(account.providerId, 'credential'), inArray(account.userId, unproved));
  return [
    db.delete(account).where(and(eq(account.userId, userId), isOld)),
    // A new id: links and cookies of the previous password refer to the old one.
    db.insert(account).values(passwordRow(newId('acc', now), userId, hash, at)),
    db.delete(session).where(eq(session.userId, userId)),
    db
      .update(user)
      .set({
        ...PROVED_EMAIL,
        image: sql`CASE WHEN ${isEmailProved} THEN ${user.image} END`,
        updatedAt: at,
      })
      .where(eq(user.id, userId)),
  ];
}

/** The row in `account` with a password. @param userId or an expression that yields it */
export function passwordRow<Id>(id: string, userId: Id, hash: string, at: Date) {
  return {
    id,
    userId,
    accountId: userId,
    providerId: 'credential',
    password: hash,
    createdAt: at,
    updatedAt: at,
  };
}
