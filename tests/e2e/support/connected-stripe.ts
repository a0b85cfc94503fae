// A Stripe account that is connected to the test's organisation through the API, as far as the test wants it.
import type { Page } from '@playwright/test';
import { type StripeIntegration, stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { connectStripe as connect, waitForSync } from '../../../dev/workspace/connect-stripe.ts';
import type { OwnOrganisation } from './own-organisation.ts';
import type { StripeAccount } from './stripe-account.ts';

export interface ConnectOptions {
  readonly mode?: 'test' | 'live';
  /** Also with a webhook, both syncs, and nothing left to wait for. */
  readonly isWhole?: boolean;
}

export async function connectStripe(
  page: Page,
  organisation: OwnOrganisation,
  { keys }: StripeAccount,
  { mode = 'test', isWhole = true }: ConnectOptions = {},
): Promise<StripeIntegration> {
  const body = { secretKey: mode === 'live' ? keys.liveSecretKey : keys.secretKey };
  const workspace = organisation.workspace(page);
  const { session, orgId } = workspace;
  if (!isWhole) return session.call(stripeIntegrationEndpoints.create, { params: { orgId }, body });
  const integrationId = await connect(workspace, body);
  for (const type of ['stripe-product', 'stripe-customer'] as const)
    await waitForSync(workspace, integrationId, type);
  return session.call(stripeIntegrationEndpoints.get, { params: { orgId, integrationId } });
}
