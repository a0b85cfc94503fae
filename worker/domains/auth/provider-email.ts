/** What it means that GitHub or Google have verified an email, or have not. Runs within a sign-in, before Better Auth stores anything. */
import type { BetterAuthOptions } from 'better-auth/minimal';
import { and, eq, inArray, ne, not } from 'drizzle-orm';
import { commit, type Db } from '#worker/db/database';
import { isEmailProved, PROVED_EMAIL } from '#worker/db/proved-email';
import { account, session, user } from '#worker/db/schema/auth';

type ValidateUserInfo = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>;

/**
 * Refuses to create an account for an email that the provider has not verified, since the email's owner would later
 * share it. The code equals that of an existing account that may not be linked, so that strangers cannot tell them apart.
 *
 * An account whose email nobody has proved, with a verified email of the provider, is the provider's from here on: whoever signed up, or had
 * the account before staff changed its email, may be a stranger.
 */
export function acceptProviderEmail(db: Db): ValidateUserInfo {
  return async ({ user: profile, source }) => {
    if (source.method !== 'oauth') return;
    const isNew = source.action === 'create-user';
    if (profile.emailVerified !== true) return isNew ? { error: 'account_not_linked' } : undefined;
    const { id, email, name, image = null } = profile;
    if (isNew || id === undefined || email === undefined) return;
    const isUnverified = and(eq(user.id, id), eq(user.email, email.toLowerCase()), not(isEmailProved));
    const unverified = db.select({ id: user.id }).from(user).where(isUnverified);
    const providerId = source.oauth?.providerId ?? '';
    const isForeign = source.action === 'sign-in' ? ne(account.providerId, providerId) : undefined;
    await commit(db, [
      db.delete(account).where(and(inArray(account.userId, unverified), isForeign)),
      db.delete(session).where(inArray(session.userId, unverified)),
      db
        .update(user)
        .set({ ...PROVED_EMAIL, image, ...(name && { name }), updatedAt: new Date() })
        .where(isUnverified),
    ]);
  };
}
