/**
 * Limits per account, beside those per network: passwords tried, and mails sent to people who are not signed in. They apply
 * after human verification, and to unknown emails alike.
 *
 * A stranger who tries an account's passwords uses up the attempts of all devices on which nobody has signed in to it yet. Its owner
 * is not locked out: a device that has signed in carries a signed cookie and attempts of its own, and so does one that reset the password,
 * which gives all other devices new ones. A mailed link does for the device on which it was requested (new-attempts.ts). Strangers can use up the
 * mails, but the links to reset the password that they had mailed work for the owner.
 */

import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import { ATTEMPTS_USED_CODE } from '#contracts/console/auth';
import { MINUTE_MS } from '#engine/durations';
import { sha256Hex } from '#runtime/hash';
import { forgetAttempts, returnAttempt, takeAttempt } from '#worker/db/attempt-limit';
import type { Db } from '#worker/db/database';

/** The code of a sign-in to an account that awaits admission. */
export const DISABLED_CODE = 'disabled';

const PASSWORD_ATTEMPTS = { max: 10, windowMs: 15 * MINUTE_MS };
/** Verification: the one after sign-up, and five more. */
const MAILS = { max: 6, windowMs: 60 * MINUTE_MS };
const DELETION_LINKS = { max: 5, windowMs: 60 * MINUTE_MS };
const RESEND_PATH = '/send-verification-email';
/** The refusals of a sign-in whose password was right: an unverified account, and one that awaits admission. */
const AFTER_PASSWORD: ReadonlySet<unknown> = new Set(['EMAIL_NOT_VERIFIED', DISABLED_CODE]);

const DEVICE_COOKIE = 'device';
const DEVICE_COOKIE_S = 180 * 24 * 60 * 60;

type AccountMail = 'verification' | 'password-reset' | 'existing-account' | 'new-attempts';
type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

export function accountLimits(db: Db): BetterAuthPlugin {
  return {
    id: 'account-limits',
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === '/sign-in/email',
          handler: createAuthMiddleware(async (ctx) => {
            const { key } = await signInOf(ctx);
            refuseAfter(await takeAttempt(db, key, PASSWORD_ATTEMPTS, Date.now()), ATTEMPTS_USED_CODE);
          }),
        },
        {
          matcher: ({ path }) => path === RESEND_PATH,
          handler: createAuthMiddleware(async (ctx) => {
            refuseAfter(await takeMail(db, 'verification', ctx.body.email));
          }),
        },
      ],
      after: [
        {
          matcher: ({ path }) => path === '/sign-in/email',
          handler: createAuthMiddleware(async (ctx) => {
            const { returned } = ctx.context;
            const { key, emailHash, deviceId } = await signInOf(ctx);
            if (isUnanswered(returned)) return returnAttempt(db, key);
            if (!isPasswordRight(ctx.context)) return;
            await forgetAttempts(db, key);
            await rememberDevice(ctx, emailHash, deviceId ?? crypto.randomUUID(), DEVICE_COOKIE_S);
          }),
        },
      ],
    },
  };
}

/** For after a password reset, which proves that the owner reads the account's mail. */
export async function forgetFailedSignIns(db: Db, email: string): Promise<void> {
  await forgetAttempts(db, `sign-in/${await hashOf(email)}`);
}

/**
 * Counts a mail to an address. Who asked for it gets the same response when the hour's mails were sent, so that strangers
 * learn nothing.
 *
 * @param request the call that it follows: resending has counted its mail before it looked for the account
 */
export async function mayMail(
  db: Db,
  mail: AccountMail,
  email: string,
  request?: Request | undefined,
): Promise<boolean> {
  if (request !== undefined && new URL(request.url).pathname.endsWith(RESEND_PATH)) return true;
  return (await takeMail(db, mail, email)) === null;
}

/** Counts a link that deletes the account. Without it the response is the same. */
export async function mayMailDeletionLink(db: Db, userId: string): Promise<boolean> {
  return (await takeAttempt(db, `account-deletion-mail/${userId}`, DELETION_LINKS, Date.now())) === null;
}

/** @returns null if it may be sent, otherwise the seconds until it may */
export async function takeMail(db: Db, mail: AccountMail, email: string): Promise<number | null> {
  return takeAttempt(db, `${mail}-mail/${await hashOf(email)}`, MAILS, Date.now());
}

/** The key that counts this sign-in: the account's, or that of the account on a device where its owner has signed in. */
async function signInOf(ctx: HookContext) {
  const emailHash = await hashOf(ctx.body.email);
  const cookie = await ctx.getSignedCookie(deviceCookie(ctx).name, ctx.context.secret);
  const [deviceId, ownerHash] = (cookie || '').split('.');
  const isKnown = Boolean(deviceId) && ownerHash === emailHash;
  const key = isKnown ? `sign-in/${emailHash}/${deviceId}` : `sign-in/${emailHash}`;
  return { key, emailHash, deviceId: isKnown ? deviceId : undefined };
}

/** Gives this browser the attempts of a device that has not tried yet, for as long as they last. For who reads the email's mail. */
export async function giveNewAttempts(ctx: HookContext, email: string): Promise<void> {
  await rememberDevice(ctx, await hashOf(email), crypto.randomUUID(), PASSWORD_ATTEMPTS.windowMs / 1000);
}

async function rememberDevice(ctx: HookContext, emailHash: string, deviceId: string, maxAgeS: number) {
  const { name, attributes } = deviceCookie(ctx, maxAgeS);
  await ctx.setSignedCookie(name, `${deviceId}.${emailHash}`, ctx.context.secret, attributes);
}

function deviceCookie(ctx: HookContext, maxAge = DEVICE_COOKIE_S) {
  return ctx.context.createAuthCookie(DEVICE_COOKIE, { maxAge });
}

/**
 * Only what is known to follow the comparison counts. A 403 alone says nothing: a call from a foreign origin gets one before the
 * password is compared.
 */
function isPasswordRight({ newSession, returned }: HookContext['context']): boolean {
  if (newSession) return true;
  return returned instanceof APIError && AFTER_PASSWORD.has(returned.body?.code);
}

/** The password was not compared, because the hasher is busy or cannot be reached. */
function isUnanswered(returned: unknown): boolean {
  return returned instanceof APIError && returned.statusCode === 503;
}

function hashOf(email: string): Promise<string> {
  return sha256Hex(email.toLowerCase());
}

/** @param seconds null: refuses nothing. @throws {APIError} 429 with the seconds to wait */
export function refuseAfter(seconds: number | null, code?: string): void {
  if (seconds === null) return;
  throw new APIError(
    'TOO_MANY_REQUESTS',
    { message: 'Too many attempts. Please try again later.', ...(code && { code }) },
    { 'X-Retry-After': String(seconds) },
  );
}
