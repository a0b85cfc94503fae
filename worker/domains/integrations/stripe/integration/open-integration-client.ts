/** Opens a Stripe client with an integration's key. */
import type { Settings } from '#worker/env';
import { openStripe, type StripeClient } from '#worker/platform/stripe';
import type { StripeIntegrationRow } from './integration-store.ts';
import { openSecret } from './seal-secret.ts';

/** @param integration must have its key: it is live, or its webhook endpoint is still to be deleted */
export async function openIntegrationClient(
  settings: Settings,
  { orgId, id, secretKey }: Pick<StripeIntegrationRow, 'orgId' | 'id' | 'secretKey'>,
): Promise<StripeClient> {
  if (secretKey === null) throw new Error('The integration has no key');
  return openStripe({
    secretKey: await openSecret(settings, { orgId, id }, 'secret-key', secretKey),
    apiBase: settings.stripeApiBase,
  });
}
