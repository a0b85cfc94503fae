/**
 * Sign-up with email and password. Anyone can sign up with any email, so until it is verified a later sign-up replaces the earlier one:
 * password, name, and the links mailed for it. The response says nothing about the account.
 */
import { createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api';
import { and, eq, or, sql } from 'drizzle-orm';
import { signUpSchema } from '#contracts/console/auth';
import { newId } from '#runtime/ids';
import { commitIf } from '#worker/db/commit-if';
import type { Db } from '#worker/db/database';
import { account, session, user } from '#worker/db/schema/auth';
import { member } from '#worker/db/schema/organisations';
import { mayMail } from './account-limits.ts';
import type { Recipient } from './account-mail.ts';
import { type EmailLink, rememberSignUp } from './email-link.ts';
import { passwordRow } from './replace-password.ts';

export interface SignUpOptions {
  readonly db: Db;
  /** Whether new accounts are enabled. */
  readonly isOpen: boolean;
  readonly mailLink: (to: Recipient, link: EmailLink) => Promise<void>;
  readonly mailExisting: (to: Recipient) => Promise<void>;
}

export function emailSignUp({ db, isOpen, mailLink, mailExisting }: SignUpOptions) {
  const options = { method: 'POST' as const, use: [formCsrfMiddleware], body: signUpSchema };
  return createAuthEndpoint('/sign-up/email', options, async (ctx) => {
    const { name, password, image = null } = ctx.body;
    const email = ctx.body.email.toLowerCase();
    const hash = await ctx.context.password.hash(password);
    const now = Date.now();
    const at = new Date(now);
    const row = {
      id: newId('usr', now),
      name,
      email,
      emailVerified: false,
      image,
      createdAt: at,
      updatedAt: at,
      sudo: false,
      enabled: isOpen,
    };
    const credentialId = newId('acc', now);
    const hasMail = await mayMail(db, 'verification', email);

    // Without a mail the earlier link must go on working: strangers could otherwise keep an email from being verified.
    // Nor may a stranger replace an account that is in use, though staff have marked its email as unverified.
    const isMember = sql`EXISTS (SELECT 1 FROM ${member} WHERE ${member.userId} = ${user.id})`;
    const isInUse = or(eq(user.emailVerified, true), eq(user.sudo, true), isMember);
    const isTaken = and(eq(user.email, email), hasMail ? isInUse : undefined);
    const owner = sql<string>`(SELECT id FROM ${user} WHERE email = ${email})`;
    const unmet = await commitIf(db, { isFree: sql`NOT EXISTS (SELECT 1 FROM ${user} WHERE ${isTaken})` }, [
      db
        .insert(user)
        .values(row)
        .onConflictDoUpdate({ target: user.email, set: { name, image, updatedAt: at } }),
      db.delete(account).where(eq(account.userId, owner)),
      db.delete(session).where(eq(session.userId, owner)),
      db.insert(account).values(passwordRow(credentialId, owner, hash, at)),
    ]);
    // For every email alike: the cookie names a password that only this sign-up can have stored.
    await rememberSignUp(ctx, credentialId);
    if (unmet === null && hasMail) await mailLink({ name, email }, { email, credentialId });
    if (unmet !== null) {
      const [existing] = await db.select().from(user).where(eq(user.email, email));
      if (existing?.emailVerified && (await mayMail(db, 'existing-account', email)))
        await mailExisting(existing);
    }
    return ctx.json({ token: null, user: row });
  });
}
