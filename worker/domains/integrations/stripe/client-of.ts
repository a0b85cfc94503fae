/** Stripe, as one integration's key may use it. */
import type { Settings } from '#worker/env';
import { openStripe, type StripeClient } from '#worker/platform/stripe';
import type { StripeIntegrationRow } from './integration-store.ts';
import { openSecret } from './seal-secret.ts';

/** @param integration one that has its key: not deleted, or not yet forgotten at Stripe */
export async function clientOf(
  settings: Settings,
  { orgId, id, secretKey }: Pick<StripeIntegrationRow, 'orgId' | 'id' | 'secretKey'>,
): Promise<StripeClient> {
  if (secretKey === null) throw new Error('The integration has no key any more');
  return openStripe({
    secretKey: await openSecret(settings, { orgId, id }, 'secret-key', secretKey),
    apiBase: settings.stripeApiBase,
  });
}
