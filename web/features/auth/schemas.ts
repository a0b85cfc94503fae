/** What the authentication forms ask for (specification, section 5). */
import { z } from 'zod';

export const MIN_PASSWORD = 8;
export const PASSWORD_HINT = 'Minimum 8 characters.';

const newPassword = z.string().min(MIN_PASSWORD, PASSWORD_HINT);

export const signInSchema = z.object({ email: z.email(), password: z.string().min(1) });

export const signUpSchema = z.object({
  email: z.email(),
  password: newPassword,
  name: z.string().trim().min(1).max(100, 'Must be at most 100 characters'),
});

export const forgotPasswordSchema = z.object({ email: z.email() });

export const resetPasswordSchema = z.object({ newPassword, confirmPassword: z.string() });
