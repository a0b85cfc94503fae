/** What the password's field says after a refused call; null if the password is not the reason. */
import { AuthCallError } from '#web/api/auth-call.ts';

export const wrongPassword = (error: Error | null): string | null =>
  error instanceof AuthCallError && error.code === 'INVALID_PASSWORD' ? error.message : null;
