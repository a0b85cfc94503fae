/** Creates the organisation's Stripe customer once, also for concurrent callers. */
import { and, eq, isNull } from 'drizzle-orm';
import { organization } from '#worker/db/schema/organisations';
import type { Caller, WorkContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { type BillingRow, findBilling } from './billing-store.ts';
import { createOnce } from './create-once.ts';

/**
 * @param goneId a customer that Stripe no longer has, to be replaced
 * @returns cus_…
 */
export async function ensureCustomer(
  { db }: Pick<WorkContext, 'db'>,
  stripe: StripeClient,
  { orgId, name, customerId }: BillingRow,
  caller: Pick<Caller, 'email'>,
  goneId: string | null = null,
): Promise<string> {
  if (customerId !== null && customerId !== goneId) return customerId;
  const created = await createOnce(`tessera-customer:${orgId}:${goneId ?? 'first'}`, (options) =>
    // The parameters are the same for every caller: Stripe rejects an idempotency key with different parameters.
    stripe.customers.create({ metadata: { orgId } }, options),
  );
  await stripe.customers.update(created.id, { name, email: caller.email });
  await db
    .update(organization)
    .set({ activeStripeCustomerId: created.id })
    .where(
      and(
        eq(organization.id, orgId),
        goneId === null
          ? isNull(organization.activeStripeCustomerId)
          : eq(organization.activeStripeCustomerId, goneId),
      ),
    );
  const row = await findBilling(db, orgId);
  return row?.customerId ?? created.id;
}
