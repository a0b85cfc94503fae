/** The stored links that let somebody choose a new password. Without Better Auth, which is loaded on first use. */
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#worker/db/database';
import { verification } from '#worker/db/schema/auth';

/** As Better Auth stores the links that it mails. */
const PREFIX = 'reset-password:';

export const resetLinkId = (token: string): string => PREFIX + token;

/** Statement: ends the links that were mailed to a user. */
export function endResetLinks(db: Db, userId: string) {
  return db
    .delete(verification)
    .where(and(eq(verification.value, userId), sql`instr(${verification.identifier}, ${PREFIX}) = 1`));
}
