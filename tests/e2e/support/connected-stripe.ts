// A Stripe account that is connected to the test's organisation through the API, as far as the test wants it.
import { expect, type Page } from '@playwright/test';
import type { StripeIntegration } from '#contracts/console/stripe';
import type { OwnOrganisation } from './own-organisation.ts';
import type { StripeAccount } from './stripe-account.ts';

export interface ConnectOptions {
  readonly mode?: 'test' | 'live';
  /** Also with a webhook, both syncs, and nothing left to wait for. */
  readonly isWhole?: boolean;
}

export async function connectStripe(
  page: Page,
  { api }: OwnOrganisation,
  { keys }: StripeAccount,
  { mode = 'test', isWhole = true }: ConnectOptions = {},
): Promise<StripeIntegration> {
  const secretKey = mode === 'live' ? keys.liveSecretKey : keys.secretKey;
  const made = await api<StripeIntegration>(page, 'POST', '/integrations/stripe', { secretKey });
  if (!isWhole) return made;
  const path = `/integrations/stripe/${made.id}`;
  await api(page, 'POST', `${path}/webhook`, { mode: 'automatic' });
  await api(page, 'PUT', path, { quickstartWaitForEventSkipped: true });
  for (const type of ['stripe-product', 'stripe-customer']) {
    await api(page, 'POST', `${path}/sync-jobs`, { type });
  }
  const read = () => api<StripeIntegration>(page, 'GET', path);
  await expect
    .poll(async () => (await read()).syncJobs.map(({ status }) => status))
    .toEqual(['finished', 'finished']);
  return read();
}
