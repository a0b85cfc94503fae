/**
 * Limits per account, beside those per network: passwords tried, and verification mails sent. They apply after human
 * verification, and to unknown emails alike.
 *
 * A stranger who tries an account's passwords uses up the attempts of all devices on which nobody has signed in to it yet. Its owner
 * is not locked out: a device that has signed in carries a signed cookie and attempts of its own, and a password reset gives
 * all other devices new ones.
 */

import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import { MINUTE_MS } from '#engine/durations';
import type { Db } from '#worker/db/database';
import { sha256Hex } from '#worker/platform/hash';
import { forgetAttempts, returnAttempt, takeAttempt } from './attempt-limit.ts';

const PASSWORD_ATTEMPTS = { max: 10, windowMs: 15 * MINUTE_MS };
const VERIFICATION_MAILS = { max: 5, windowMs: 60 * MINUTE_MS };

const DEVICE_COOKIE = 'device';
const DEVICE_COOKIE_S = 180 * 24 * 60 * 60;

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
            refuseAfter(await takeAttempt(db, key, PASSWORD_ATTEMPTS, Date.now()));
          }),
        },
        {
          matcher: ({ path }) => path === '/send-verification-email',
          handler: createAuthMiddleware(async (ctx) => {
            const key = `verification-mail/${await hashOf(ctx.body.email)}`;
            refuseAfter(await takeAttempt(db, key, VERIFICATION_MAILS, Date.now()));
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
            if (!isPasswordRight(returned)) return;
            await forgetAttempts(db, key);
            const { name, attributes } = deviceCookie(ctx);
            const value = `${deviceId ?? crypto.randomUUID()}.${emailHash}`;
            await ctx.setSignedCookie(name, value, ctx.context.secret, attributes);
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

/** The key that counts this sign-in: the account's, or that of the account on a device where its owner has signed in. */
async function signInOf(ctx: HookContext) {
  const emailHash = await hashOf(ctx.body.email);
  const cookie = await ctx.getSignedCookie(deviceCookie(ctx).name, ctx.context.secret);
  const [deviceId, ownerHash] = (cookie || '').split('.');
  const isKnown = Boolean(deviceId) && ownerHash === emailHash;
  const key = isKnown ? `sign-in/${emailHash}/${deviceId}` : `sign-in/${emailHash}`;
  return { key, emailHash, deviceId: isKnown ? deviceId : undefined };
}

function deviceCookie(ctx: HookContext) {
  return ctx.context.createAuthCookie(DEVICE_COOKIE, { maxAge: DEVICE_COOKIE_S });
}

/** Unverified and disabled accounts are refused only after their password was right. */
function isPasswordRight(returned: unknown): boolean {
  return !(returned instanceof APIError) || returned.statusCode === 403;
}

/** The password was not compared, because the hasher is busy or cannot be reached. */
function isUnanswered(returned: unknown): boolean {
  return returned instanceof APIError && returned.statusCode === 503;
}

function hashOf(email: string): Promise<string> {
  return sha256Hex(email.toLowerCase());
}

/** @throws {APIError} 429 with the seconds to wait */
function refuseAfter(seconds: number | null): void {
  if (seconds === null) return;
  throw new APIError(
    'TOO_MANY_REQUESTS',
    { message: 'Too many attempts. Please try again later.' },
    { 'X-Retry-After': String(seconds) },
  );
}
