/** The Stripe customer that a customer is in an account, which is created if there is none: with the metadata that makes both one. */
import type { LinkedCustomer } from '#contracts/console/linked-customer';
import { isUserId } from '#contracts/public/identifiers';
import { sha256Hex } from '#runtime/hash';
import { readLinkedCustomers } from '#worker/domains/customer-facts/read-linked-customers';
import { Refusal } from '#worker/http/api-error';
import type { StripeClient } from '#worker/platform/stripe';
import type { StripeIntegrationRow } from '../integration/integration-store.ts';
import { readCustomer } from '../sync/read-objects.ts';
import { storeReadings } from '../sync/refresh-customer.ts';
import type { Shop } from './sales-account.ts';

/** Who buys. */
export interface Buyer {
  /** Canonical. */
  readonly id: string;
  /** As saved by API; null without one. */
  readonly email: string | null;
  readonly name: string | null;
}

/** The Stripe customers that the customer is, in modes that the environment sees. Those that only share its email are others. */
export async function stripeCustomersOf(
  { ctx, orgId, environmentId, isLive }: Shop,
  { id }: Buyer,
): Promise<LinkedCustomer[]> {
  const linked = await readLinkedCustomers(ctx, { orgId }, id);
  return linked.filter(
    (each) =>
      !(isLive && each.testMode) &&
      (each.id === id ||
        each.userId === id ||
        each.joins.some((join) => join.environmentId === environmentId && join.sameAs === id)),
  );
}

/** @throws {ApiError} conflict if none can be created; Stripe's errors */
export async function ensureStripeCustomer(
  shop: Shop,
  buyer: Buyer,
  account: StripeIntegrationRow,
  stripe: StripeClient,
): Promise<string> {
  const known = await stripeCustomersOf(shop, buyer);
  const found = known.find(({ integrationId }) => integrationId === account.id);
  if (found !== undefined) return found.id;
  const { id, email, name } = buyer;
  if (account.userIdKey === null)
    throw needed(
      `Set the metadata key for user IDs in the integration ${account.name}: a new Stripe customer carries the customer’s ID under it`,
    );
  if (!isUserId(id))
    throw needed(
      'A Stripe customer that is created carries the customer’s ID, which must be an ID of your own: no email, and no cus_…',
    );
  const fields = { ...(email && { email }), ...(name && { name }), metadata: { [account.userIdKey]: id } };
  // Two checkouts at once create one customer.
  const key = await sha256Hex(JSON.stringify(['customer', account.id, fields]));
  const readAt = shop.ctx.clock();
  const created = await stripe.customers.create(fields, { idempotencyKey: `tessera-${key}` });
  const customer = await readCustomer(stripe, created);
  // The webhook says so too, a moment later.
  await storeReadings({ ctx: shop.ctx, integration: account, stripe }, [{ customer, readAt }]);
  return created.id;
}

function needed(message: string): Refusal {
  return new Refusal('conflict', 'stripe-customer-needed', message);
}
