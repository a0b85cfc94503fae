/** Validates a secret key's format before it is sent. Returns the error, or null. */
import { secretKeySchema } from '#contracts/console/stripe';

export function checkSecretKey(text: string): string | null {
  const result = secretKeySchema.safeParse(text);
  return result.success ? null : (result.error.issues[0]?.message ?? 'Invalid input');
}
