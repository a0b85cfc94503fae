/**
 * Too many wrong passwords keep an account's owner from signing in on a new device, whoever tried them. A mailed link gives the browser
 * that requested it ten new attempts. It works once, for 15 minutes, and signs nobody in.
 */
import { waitUntil } from 'cloudflare:workers';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { signJWT, verifyJWT } from 'better-auth/crypto';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { newAttemptsSchema, useNewAttemptsSchema } from '#contracts/console/auth';
import { takeAttempt } from '#worker/db/attempt-limit';
import type { Db } from '#worker/db/database';
import { user } from '#worker/db/schema/auth';
import { giveNewAttempts, mayMail } from './account-limits.ts';
import type { Recipient } from './account-mail.ts';
import type { AuthRequest } from './email-link.ts';

const LINK_S = 15 * 60;
const COOKIE = 'new_attempts';

const linkSchema = z.object({
  purpose: z.literal('new-attempts'),
  /** In lower case. */
  email: z.string(),
  /** The random value in the cookie of the browser. */
  browser: z.string(),
});

/** @param secrets of which one has signed a link, newest first */
export function newAttempts(
  db: Db,
  secrets: readonly string[],
  mailLink: (to: Recipient, token: string) => Promise<void>,
) {
  const mailTo = async (email: string, browser: string, secret: string) => {
    const [to] = await db
      .select({ name: user.name, email: user.email })
      .from(user)
      .where(eq(user.email, email));
    if (to === undefined || !(await mayMail(db, 'new-attempts', email))) return;
    await mailLink(to, await signJWT({ purpose: 'new-attempts', email, browser }, secret, LINK_S));
  };

  return {
    /** The response is the same for every email, and does not wait for the mail. */
    requestNewAttempts: createAuthEndpoint(
      '/request-new-attempts',
      { method: 'POST', body: newAttemptsSchema },
      async (ctx) => {
        const browser = crypto.randomUUID();
        const { name, attributes } = browserCookie(ctx);
        await ctx.setSignedCookie(name, browser, ctx.context.secret, attributes);
        waitUntil(mailTo(ctx.body.email.toLowerCase(), browser, ctx.context.secret));
        return ctx.json({ status: true });
      },
    ),

    useNewAttempts: createAuthEndpoint(
      '/use-new-attempts',
      { method: 'POST', body: useNewAttemptsSchema },
      async (ctx) => {
        const claims = await Promise.all(secrets.map((secret) => verifyJWT(ctx.body.token, secret)));
        const link = claims.map((each) => linkSchema.safeParse(each).data).find((each) => each !== undefined);
        if (link === undefined) throw refused('INVALID_TOKEN', 'This link has expired or was already used.');
        const { email, browser } = link;
        if ((await ctx.getSignedCookie(browserCookie(ctx).name, ctx.context.secret)) !== browser) {
          throw refused('OTHER_BROWSER', 'Open this link in the browser where you were signing in.');
        }
        const once = { max: 1, windowMs: LINK_S * 1000 };
        if ((await takeAttempt(db, `new-attempts/${browser}`, once, Date.now())) !== null) {
          throw refused('INVALID_TOKEN', 'This link has expired or was already used.');
        }
        await giveNewAttempts(ctx, email);
        return ctx.json({ email });
      },
    ),
  };
}

const browserCookie = ({ context }: AuthRequest) => context.createAuthCookie(COOKIE, { maxAge: LINK_S });

function refused(code: string, message: string): APIError {
  return new APIError('BAD_REQUEST', { code, message });
}
