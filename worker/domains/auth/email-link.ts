/**
 * The link that verifies an email. It belongs to the password of one sign-up: replacing the password, by whatever means, makes it
 * worthless. The browser that signed up carries the password's id in a signed cookie, and one where the account is signed in has its session;
 * in any other browser the link changes nothing by being opened, since mail scanners open links too and anyone can sign up with somebody
 * else's email.
 */
import type { createAuthMiddleware } from 'better-auth/api';
import { signJWT, verifyJWT } from 'better-auth/crypto';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '#worker/db/database';
import { isEmailProved } from '#worker/db/proved-email';
import { account, user } from '#worker/db/schema/auth';

export type AuthRequest = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

const LINK_S = 24 * 60 * 60;
const COOKIE = 'sign_up';
const CREDENTIAL = 'credential';

const linkSchema = z.object({
  purpose: z.literal('verify-email'),
  /** In lower case. */
  email: z.string(),
  /** The row in `account` with the password. Null: the account has none. */
  credentialId: z.string().nullable(),
});
export type EmailLink = Omit<z.infer<typeof linkSchema>, 'purpose'>;

export const signEmailLink = ({ email, credentialId }: EmailLink, secret: string): Promise<string> =>
  signJWT({ purpose: 'verify-email', email, credentialId }, secret, LINK_S);

/**
 * Null for a token that is expired, or was not signed as one of these links.
 * @param secrets newest first
 */
export async function readEmailLink(token: string, secrets: readonly string[]): Promise<EmailLink | null> {
  for (const secret of secrets) {
    const { data } = linkSchema.safeParse(await verifyJWT(token, secret));
    if (data !== undefined) return data;
  }
  return null;
}

/** The user with this email and the id of its password. Null if there is none. */
export async function findOwner(db: Db, email: string) {
  const [row] = await db
    .select({ user, credentialId: account.id })
    .from(user)
    .leftJoin(account, and(eq(account.userId, user.id), eq(account.providerId, CREDENTIAL)))
    .where(eq(user.email, email));
  return row ?? null;
}

/** Condition on `user`: nobody has proved its email, and its password is still the one of the link. */
export function isPending({ email, credentialId }: EmailLink): SQL {
  const current = sql`(SELECT id FROM ${account} WHERE user_id = ${user.id} AND provider_id = ${CREDENTIAL})`;
  return sql`(${user.email} = ${email} AND NOT ${isEmailProved} AND ${current} IS ${credentialId})`;
}

export async function rememberSignUp(ctx: AuthRequest, credentialId: string): Promise<void> {
  const { name, attributes } = signUpCookie(ctx);
  await ctx.setSignedCookie(name, credentialId, ctx.context.secret, attributes);
}

/** Whether this browser chose the password that the link belongs to. */
export async function hasSignedUpHere(ctx: AuthRequest, { credentialId }: EmailLink): Promise<boolean> {
  const known = await ctx.getSignedCookie(signUpCookie(ctx).name, ctx.context.secret);
  return Boolean(known) && known === credentialId;
}

/** HttpOnly and SameSite=Lax, as all cookies of Better Auth. */
const signUpCookie = ({ context }: AuthRequest) => context.createAuthCookie(COOKIE, { maxAge: LINK_S });
