/**
 * The Better Auth calls that the Worker exposes under /api/auth, with their request schemas. Any other path returns a 404,
 * even if the library has a handler for it.
 */
import { z } from 'zod';
import type { Method } from '../public/endpoint.ts';
import { nameSchema } from '../public/text.ts';
import { ownPageOf } from './own-page.ts';
import { imageUrlSchema } from './web-url.ts';

export const MIN_PASSWORD_LENGTH = 8;
/** Limits the cost of hashing, which grows with length. */
export const MAX_PASSWORD_LENGTH = 128;

/** The request header with the human verification token. */
export const CAPTCHA_HEADER = 'x-captcha-response';
/** The token that the console sends if no site key is configured (local development only). */
export const DEVELOPMENT_CAPTCHA_TOKEN = 'development-pass';

/** The code of a sign-in that is refused because too many passwords were tried. A mailed link gives the browser new attempts. */
export const ATTEMPTS_USED_CODE = 'ATTEMPTS_USED';

/** Accepts what zod's pattern accepts. A constant, for pages that load no zod. */
export const EMAIL_PATTERN =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

const BAD_EMAIL = 'Enter a full email, for example ada@example.com';
const emailSchema = z
  .email({ pattern: EMAIL_PATTERN, error: BAD_EMAIL })
  .max(254, 'Must be at most 254 characters');

const newPasswordSchema = z
  .string()
  .min(MIN_PASSWORD_LENGTH, `Must be at least ${MIN_PASSWORD_LENGTH} characters`)
  .max(MAX_PASSWORD_LENGTH, `Must be at most ${MAX_PASSWORD_LENGTH} characters`);

/** The page to open afterwards. */
const returnPathSchema = z
  .string()
  .max(2000)
  .transform((value, ctx) => {
    const page = ownPageOf(value);
    if (page !== null) return page;
    ctx.addIssue({ code: 'custom', message: 'Must be a page of the console' });
    return z.NEVER;
  })
  .optional();

const noBodySchema = z.strictObject({});

const tokenSchema = z.string().min(1, 'Required').max(2000);

export const signUpSchema = z.strictObject({
  name: nameSchema,
  email: emailSchema,
  password: newPasswordSchema,
  image: imageUrlSchema.optional(),
});

export const verifyEmailSchema = z.object({ token: tokenSchema });

export const newAttemptsSchema = z.strictObject({ email: emailSchema });
export const useNewAttemptsSchema = z.strictObject({ token: tokenSchema });

/** The password replaces the one that was chosen at sign-up, perhaps by a stranger. */
export const claimEmailSchema = z.strictObject({ token: tokenSchema, password: newPasswordSchema });

export const resetPasswordSchema = z.strictObject({ newPassword: newPasswordSchema, token: tokenSchema });

export interface AuthCall {
  readonly method: Method;
  /** Relative to /api/auth. Ends in `/*` if one more segment follows. */
  readonly path: string;
  readonly query?: z.ZodType;
  /** Absent if the call has no body. */
  readonly body?: z.ZodType;
  /** Whether the call requires a signed-in, enabled user. */
  readonly needsSession: boolean;
  /** Whether CAPTCHA_HEADER must contain a valid token. */
  readonly needsCaptcha: boolean;
}

const open = { needsSession: false, needsCaptcha: false } as const;
const verified = { needsSession: false, needsCaptcha: true } as const;
const signedIn = { needsSession: true, needsCaptcha: false } as const;

export const authCalls: readonly AuthCall[] = [
  {
    method: 'POST',
    path: '/sign-up/email',
    ...verified,
    body: signUpSchema,
  },
  {
    method: 'POST',
    path: '/sign-in/email',
    ...verified,
    body: z.strictObject({
      email: emailSchema,
      password: z.string().min(1, 'Required').max(MAX_PASSWORD_LENGTH, 'Invalid credentials.'),
      callbackURL: returnPathSchema,
      rememberMe: z.boolean().optional(),
    }),
  },
  {
    method: 'POST',
    path: '/sign-in/social',
    ...open,
    body: z.strictObject({
      provider: z.enum(['google', 'github']),
      callbackURL: returnPathSchema,
      errorCallbackURL: returnPathSchema,
      newUserCallbackURL: returnPathSchema,
      disableRedirect: z.boolean().optional(),
    }),
  },
  { method: 'GET', path: '/callback/*', ...open },
  { method: 'GET', path: '/get-session', ...open },
  { method: 'POST', path: '/sign-out', ...open, body: noBodySchema },
  { method: 'POST', path: '/revoke-sessions', ...signedIn, body: noBodySchema },
  { method: 'POST', path: '/revoke-other-sessions', ...signedIn, body: noBodySchema },
  {
    method: 'POST',
    path: '/update-user',
    ...signedIn,
    body: z.strictObject({ name: nameSchema, image: imageUrlSchema.nullable() }).partial(),
  },
  {
    method: 'POST',
    path: '/delete-user',
    ...signedIn,
    /** With neither, a link with the token is mailed. */
    body: z.strictObject({
      password: z.string().min(1, 'Required').max(MAX_PASSWORD_LENGTH, 'Invalid password').optional(),
      token: z.string().min(1, 'Required').max(200).optional(),
    }),
  },
  {
    method: 'POST',
    path: '/send-verification-email',
    ...verified,
    body: z.strictObject({ email: emailSchema, callbackURL: returnPathSchema }),
  },
  /** Mails the caller the link that proves the email of the account. */
  { method: 'POST', path: '/request-email-link', ...signedIn, body: noBodySchema },
  {
    method: 'GET',
    path: '/verify-email',
    ...open,
    query: verifyEmailSchema,
  },
  { method: 'POST', path: '/verify-email', ...open, body: claimEmailSchema },
  { method: 'POST', path: '/request-new-attempts', ...verified, body: newAttemptsSchema },
  { method: 'POST', path: '/use-new-attempts', ...open, body: useNewAttemptsSchema },
  {
    method: 'POST',
    path: '/request-password-reset',
    ...verified,
    body: z.strictObject({ email: emailSchema, redirectTo: returnPathSchema }),
  },
  {
    method: 'POST',
    path: '/reset-password',
    ...open,
    body: resetPasswordSchema,
  },
];
