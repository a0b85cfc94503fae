/** What is wrong with a secret key before Stripe is asked, in the words of the specification; null: nothing. */
import { secretKeySchema } from '#contracts/stripe';

export function checkSecretKey(text: string): string | null {
  const result = secretKeySchema.safeParse(text);
  return result.success ? null : (result.error.issues[0]?.message ?? 'Invalid input');
}
