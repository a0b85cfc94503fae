/**
 * Opening the link of a verification mail, and submitting the password that it asks for in other browsers than the one that signed up
 * or where the account is signed in. Neither replaces the session of somebody else.
 */
import { APIError, createAuthEndpoint, getSessionFromCtx } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { eq, sql } from 'drizzle-orm';
import { claimEmailSchema, verifyEmailSchema } from '#contracts/console/auth';
import { commitIf } from '#worker/db/commit-if';
import type { Db } from '#worker/db/database';
import { PROVED_EMAIL } from '#worker/db/proved-email';
import { user } from '#worker/db/schema/auth';
import { refuseAfter, takeMail } from './account-limits.ts';
import type { Recipient } from './account-mail.ts';
import {
  type AuthRequest,
  type EmailLink,
  findOwner,
  hasSignedUpHere,
  isPending,
  readEmailLink,
} from './email-link.ts';
import { replacePassword } from './replace-password.ts';

type Owner = NonNullable<Awaited<ReturnType<typeof findOwner>>>;

export interface EmailVerificationOptions extends Proofs {
  /** Of which one has signed a link, newest first. */
  readonly secrets: readonly string[];
  readonly mailLink: (to: Recipient, link: EmailLink) => Promise<void>;
}

export interface Proofs {
  readonly db: Db;
  /** Runs after a password was replaced. */
  readonly onNewPassword: (of: { readonly id: string; readonly email: string }) => Promise<void>;
}

export function emailVerification({ db, secrets, onNewPassword, mailLink }: EmailVerificationOptions) {
  return {
    /** The link was opened. In a browser that signed up or in this verifies the email; elsewhere it changes nothing. */
    verifyEmail: createAuthEndpoint(
      '/verify-email',
      { method: 'GET', query: verifyEmailSchema },
      async (ctx) => {
        const { link, owner, isSignedIn } = await open(db, secrets, ctx, ctx.query.token);
        if (isProved(owner)) return ctx.json({ status: true });
        if (owner.credentialId !== link.credentialId) throw worthless();
        if (!isSignedIn && !(await hasSignedUpHere(ctx, link))) {
          throw new APIError('FORBIDDEN', {
            code: 'PASSWORD_REQUIRED',
            message: 'Choose a password to verify this email.',
            email: link.email,
          });
        }
        const [verified] = await db
          .update(user)
          .set({ ...PROVED_EMAIL, updatedAt: new Date() })
          .where(isPending(link))
          .returning({ id: user.id });
        if (verified === undefined) {
          const now = await findOwner(db, link.email);
          if (now === null || !isProved(now)) throw worthless();
        } else if (!isSignedIn) await startSession(ctx, owner);
        return ctx.json({ status: true });
      },
    ),

    /** A link for the account that is signed in, whose email staff set. */
    requestEmailLink: createAuthEndpoint('/request-email-link', { method: 'POST' }, async (ctx) => {
      const session = await getSessionFromCtx(ctx);
      const owner = session && (await findOwner(db, session.user.email));
      if (owner === null || owner.user.id !== session?.user.id) throw new APIError('UNAUTHORIZED');
      if (!isProved(owner)) {
        const { user: to, credentialId } = owner;
        refuseAfter(await takeMail(db, 'verification', to.email));
        await mailLink(to, { email: to.email, credentialId });
      }
      return ctx.json({ status: true });
    }),

    /** The form was submitted: verifies the email, replaces password and sessions, and signs in. */
    claimEmail: createAuthEndpoint(
      '/verify-email',
      { method: 'POST', body: claimEmailSchema },
      async (ctx) => {
        const { link, owner } = await open(db, secrets, ctx, ctx.body.token);
        if (isProved(owner) || owner.credentialId !== link.credentialId) throw worthless();
        const hash = await ctx.context.password.hash(ctx.body.password);
        const isCurrent = sql`EXISTS (SELECT 1 FROM ${user} WHERE ${eq(user.id, owner.user.id)} AND ${isPending(link)})`;
        const statements = replacePassword(db, owner.user.id, hash, Date.now());
        if ((await commitIf(db, { isCurrent }, statements)) !== null) throw worthless();
        await onNewPassword(owner.user);
        await startSession(ctx, owner);
        return ctx.json({ status: true });
      },
    ),
  };
}

/** @throws {APIError} 401 for a worthless link; 409 while somebody else is signed in */
async function open(
  db: Db,
  secrets: readonly string[],
  ctx: AuthRequest,
  token: string,
): Promise<{ link: EmailLink; owner: Owner; isSignedIn: boolean }> {
  const link = await readEmailLink(token, secrets);
  const owner = link && (await findOwner(db, link.email));
  if (owner === null) throw worthless();
  const session = await getSessionFromCtx(ctx);
  const isEnabled = session !== null && session.user.enabled !== false;
  const isSignedIn = isEnabled && session.user.id === owner.user.id;
  if (isEnabled && !isSignedIn) {
    throw new APIError('CONFLICT', {
      code: 'OTHER_ACCOUNT',
      message: 'This link is for another account.',
      email: owner.user.email,
    });
  }
  return { link: link as EmailLink, owner, isSignedIn };
}

function isProved({ user: { emailVerified, emailSetByStaff } }: Owner): boolean {
  return emailVerified && !emailSetByStaff;
}

/** @throws {APIError} 403 with the code `disabled` for an account that awaits admission */
async function startSession(ctx: AuthRequest, { user: { id, ...rest } }: Owner): Promise<void> {
  const session = await ctx.context.internalAdapter.createSession(id);
  await setSessionCookie(ctx, { session, user: { ...rest, id, emailVerified: true } });
}

function worthless(): APIError {
  return new APIError('UNAUTHORIZED', {
    code: 'INVALID_TOKEN',
    message: 'This link has expired, or was used or replaced by a newer one.',
  });
}
