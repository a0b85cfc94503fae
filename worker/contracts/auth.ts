/**
 * The calls of /api/auth that Better Auth answers (spec, console shell, section 7): what each may be sent. What is not
 * in this list does not exist, whatever else the library could answer.
 */
import { z } from 'zod';
import type { Method } from './endpoint.ts';
import { nameSchema } from './text.ts';
import { imageUrlSchema } from './web-url.ts';

export const MIN_PASSWORD_LENGTH = 8;
/** Hashing costs by length: nobody types more. */
export const MAX_PASSWORD_LENGTH = 128;

/** The header that carries the answer of the human verification. */
export const CAPTCHA_HEADER = 'x-captcha-response';
/** What the page sends in that header where no site key is configured (local work only). */
export const DEVELOPMENT_CAPTCHA_TOKEN = 'development-pass';

const emailSchema = z.email('A valid email is required').max(254, 'A valid email is required');

const newPasswordSchema = z
  .string()
  .min(MIN_PASSWORD_LENGTH, `Must be at least ${MIN_PASSWORD_LENGTH} characters`)
  .max(MAX_PASSWORD_LENGTH, `Must be at most ${MAX_PASSWORD_LENGTH} characters`);

/** A page of the console itself: never another site, however it is written. */
const ownPagePattern = /^\/(?![/\\]|%2f|%5c)[\w\-.~/@:+%?&=#]*$/i;

/** Where to go afterwards. */
const returnPathSchema = z
  .string()
  .max(2000)
  .regex(ownPagePattern, 'Must be a page of the console')
  .optional();

const noBodySchema = z.strictObject({});

export interface AuthCall {
  readonly method: Method;
  /** Below /api/auth; ends in `/*` where one more segment follows. */
  readonly path: string;
  readonly query?: z.ZodType;
  /** Absent: no body is read. */
  readonly body?: z.ZodType;
  /** Whether it is refused to whoever is not signed in, or no longer enabled. */
  readonly needsSession: boolean;
  /** Whether CAPTCHA_HEADER must carry a valid answer. */
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
    body: z.strictObject({
      name: nameSchema,
      email: emailSchema,
      password: newPasswordSchema,
      image: imageUrlSchema.optional(),
      callbackURL: returnPathSchema,
      rememberMe: z.boolean().optional(),
    }),
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
    body: z.strictObject({ password: z.string().max(MAX_PASSWORD_LENGTH).optional() }),
  },
  {
    method: 'POST',
    path: '/send-verification-email',
    ...open,
    body: z.strictObject({ email: emailSchema, callbackURL: returnPathSchema }),
  },
  {
    method: 'GET',
    path: '/verify-email',
    ...open,
    query: z.object({ token: z.string().min(1, 'Required').max(2000), callbackURL: returnPathSchema }),
  },
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
    body: z.strictObject({ newPassword: newPasswordSchema, token: z.string().min(1, 'Required').max(200) }),
  },
];
