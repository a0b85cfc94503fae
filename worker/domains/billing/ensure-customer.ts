/** The organisation's customer at Stripe, made once, whoever asks for it first and however many do at the same time. */
import { and, eq, isNull } from 'drizzle-orm';
import { organization } from '#worker/db/schema/organisations';
import type { Caller, WorkContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { type BillingRow, findBilling } from './billing-store.ts';
import { onceFree } from './once-free.ts';

/**
 * @param goneId a customer that Stripe no longer has: another one takes its place
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
  const made = await onceFree(() =>
    // Nothing that may differ between two calls is sent along: Stripe takes one key for one and the same request.
    stripe.customers.create(
      { metadata: { orgId } },
      { idempotencyKey: `tessera-customer:${orgId}:${goneId ?? 'first'}` },
    ),
  );
  await stripe.customers.update(made.id, { name, email: caller.email });
  await db
    .update(organization)
    .set({ activeStripeCustomerId: made.id })
    .where(
      and(
        eq(organization.id, orgId),
        goneId === null
          ? isNull(organization.activeStripeCustomerId)
          : eq(organization.activeStripeCustomerId, goneId),
      ),
    );
  const row = await findBilling(db, orgId);
  return row?.customerId ?? made.id;
}
