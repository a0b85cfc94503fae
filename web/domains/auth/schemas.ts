/** Validation schemas of the authentication forms. */
import { z } from 'zod';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#contracts/console/auth';
import { nameSchema } from '#contracts/public/text';

export const PASSWORD_HINT = 'Minimum 8 characters.';

const newPassword = z
  .string()
  .min(MIN_PASSWORD_LENGTH, PASSWORD_HINT)
  .max(MAX_PASSWORD_LENGTH, `Must be at most ${MAX_PASSWORD_LENGTH} characters`);

const email = z.email('Enter an email like ada@example.com');

export const signInSchema = z.object({ email, password: z.string().min(1) });

export const signUpSchema = z.object({
  email,
  password: newPassword,
  name: nameSchema,
});

export const forgotPasswordSchema = z.object({ email });

export const resetPasswordSchema = z.object({ newPassword, confirmPassword: z.string() });
