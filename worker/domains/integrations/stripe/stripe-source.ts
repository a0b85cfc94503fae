/** What is needed to ask Stripe about something of an integration's and to store the answer. */
import type { Db } from '#worker/db/database';
import type { Env } from '#worker/env';
import type { StripeClient } from '#worker/platform/stripe';
import type { StripeIntegrationRow } from './integration-store.ts';

export interface StripeSource {
  readonly env: Env;
  readonly db: Db;
  readonly integration: StripeIntegrationRow;
  readonly stripe: StripeClient;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}
