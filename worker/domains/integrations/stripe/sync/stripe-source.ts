/** An integration with the client that reads from its Stripe account, and the context that stores what was read. */
import type { WorkContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import type { StripeIntegrationRow } from '../integration/integration-store.ts';

export interface StripeSource {
  readonly ctx: WorkContext;
  readonly integration: StripeIntegrationRow;
  readonly stripe: StripeClient;
}
