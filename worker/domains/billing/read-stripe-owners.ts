/** Asks Stripe whose a customer or subscription ID is, by the metadata that Tessera writes. */
import { invalidField } from '#worker/http/api-error';
import type { RequestContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { isMissing } from '#worker/platform/stripe-error';
import { callStripeForUser } from './billing-account.ts';

interface StripeOwners {
  /** The customer itself, or the subscription's. */
  readonly customerIds: readonly string[];
  /** Organisations named in the metadata. */
  readonly orgIds: readonly string[];
}

/**
 * @param field where the ID was entered
 * @param id cus_… or sub_…
 * @throws {ApiError} invalid-request naming the field for an ID that Stripe does not have; unavailable for every Stripe failure
 */
export function readStripeOwners(
  ctx: RequestContext,
  field: 'activeStripeCustomerId' | 'activeStripeSubscriptionId',
  id: string,
): Promise<StripeOwners> {
  return callStripeForUser(ctx, async (stripe) => {
    try {
      if (field === 'activeStripeCustomerId') return await ownersOfCustomer(stripe, id);
      const { metadata, customer } = await stripe.subscriptions.retrieve(id);
      const customerId = typeof customer === 'string' ? customer : customer.id;
      const { customerIds, orgIds } = await ownersOfCustomer(stripe, customerId);
      return { customerIds, orgIds: [...orgIds, ...orgIdIn(metadata)] };
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw invalidField(field, 'Tessera’s Stripe account has no such ID');
    }
  });
}

async function ownersOfCustomer(stripe: StripeClient, id: string): Promise<StripeOwners> {
  const customer = await stripe.customers.retrieve(id);
  return { customerIds: [id], orgIds: customer.deleted ? [] : orgIdIn(customer.metadata) };
}

function orgIdIn({ orgId }: Readonly<Record<string, string>>): string[] {
  return orgId === undefined ? [] : [orgId];
}
