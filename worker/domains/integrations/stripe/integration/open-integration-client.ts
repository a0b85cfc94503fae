/** Opens a Stripe client with an integration's key. */

import type { WorkContext } from '#worker/http/request-context';
import { openStripe, type StripeAccess, type StripeClient } from '#worker/platform/stripe';
import type { Settings } from '#worker/settings';
import { CallBudget } from './call-budget.ts';
import type { StripeIntegrationRow } from './integration-store.ts';
import { openSecret } from './seal-secret.ts';

/** @param integration must have its key: it is live, or its webhook endpoint is still to be deleted */
export async function openIntegrationClient(
  settings: Settings,
  { orgId, id, secretKey }: Pick<StripeIntegrationRow, 'orgId' | 'id' | 'secretKey'>,
  options: Pick<StripeAccess, 'timeoutMs' | 'beforeCall'> = {},
): Promise<StripeClient> {
  if (secretKey === null) throw new Error('The integration has no key');
  return openStripe({
    secretKey: await openSecret(settings, { orgId, id }, 'secret-key', secretKey),
    apiBase: settings.stripeApiBase,
    ...options,
  });
}

/** For background work: all of its calls are within the account's budget. */
export function openPacedClient(
  ctx: WorkContext,
  integration: StripeIntegrationRow,
  options: Pick<StripeAccess, 'timeoutMs'> = {},
): Promise<StripeClient> {
  const budget = new CallBudget(ctx.db, integration);
  return openIntegrationClient(ctx.settings, integration, { ...options, beforeCall: () => budget.take() });
}
