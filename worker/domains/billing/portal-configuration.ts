/**
 * The configuration of Stripe's billing portal that Tessera uses: invoices, payment methods, and cancellation at the end of
 * the period. Plans cannot be changed there, since only Tessera's checkout creates its subscriptions.
 */
import type { Stripe } from 'stripe';
import type { WorkContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { AccountCache } from './account-cache.ts';
import { createOnce } from './create-once.ts';

/** Metadata that identifies the configuration in Tessera's own account. */
const MARK = { tessera: 'grow' } as const;

const cache = new AccountCache<string>();

const FEATURES: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
  customer_update: { enabled: true, allowed_updates: ['address', 'email', 'name', 'tax_id'] },
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: true, mode: 'at_period_end' },
  subscription_update: { enabled: false },
};

/** @returns bpc_…; null if it was not created yet */
export async function findPortalConfiguration(
  ctx: Pick<WorkContext, 'settings' | 'now'>,
  stripe: StripeClient,
): Promise<string | null> {
  const cached = cache.get(ctx);
  if (cached !== undefined) return cached;
  const id = await readConfiguration(stripe);
  if (id !== null) cache.set(ctx, id);
  return id;
}

/** @returns false if it existed */
export async function ensurePortalConfiguration(stripe: StripeClient): Promise<boolean> {
  if ((await readConfiguration(stripe)) !== null) return false;
  await createOnce('tessera-portal-configuration', (options) =>
    stripe.billingPortal.configurations.create({ features: FEATURES, metadata: MARK }, options),
  );
  return true;
}

async function readConfiguration(stripe: StripeClient): Promise<string | null> {
  const configurations = stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  for await (const { id, metadata } of configurations) {
    if (metadata?.tessera === MARK.tessera) return id;
  }
  return null;
}
