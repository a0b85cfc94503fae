/** Sets the password that a mailed reset link allows to choose. Whoever has the link reads the account's mail, so it verifies the email too. */
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { and, eq, gt, sql } from 'drizzle-orm';
import { resetPasswordSchema } from '#contracts/console/auth';
import { commitIf } from '#worker/db/commit-if';
import { user, verification } from '#worker/db/schema/auth';
import { giveNewAttempts } from './account-limits.ts';
import { replacePassword } from './replace-password.ts';
import { resetLinkId } from './reset-links.ts';
import type { Proofs } from './verify-email.ts';

export function passwordReset({ db, onNewPassword }: Proofs) {
  const options = { method: 'POST' as const, body: resetPasswordSchema };
  return createAuthEndpoint('/reset-password', options, async (ctx) => {
    const { token, newPassword } = ctx.body;
    const isLink = and(
      eq(verification.identifier, resetLinkId(token)),
      gt(verification.expiresAt, new Date()),
    );
    const [owner] = await db
      .select({ id: user.id, email: user.email })
      .from(verification)
      .innerJoin(user, eq(user.id, verification.value))
      .where(isLink);
    if (owner === undefined) throw worthless();
    const hash = await ctx.context.password.hash(newPassword);
    const isOpen = sql`EXISTS (SELECT 1 FROM ${verification} WHERE ${isLink})`;
    const unmet = await commitIf(db, { isOpen }, [
      db.delete(verification).where(isLink),
      ...replacePassword(db, owner.id, hash, Date.now()),
    ]);
    if (unmet !== null) throw worthless();
    await onNewPassword(owner);
    // Strangers may use up everybody's attempts again before the new password is entered.
    await giveNewAttempts(ctx, owner.email);
    return ctx.json({ status: true });
  });
}

function worthless(): APIError {
  return new APIError('BAD_REQUEST', {
    code: 'INVALID_TOKEN',
    message: 'This link has expired or was already used.',
  });
}
