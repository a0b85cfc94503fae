/**
 * Fetches one customer's current state from Stripe, stores it, and pushes changed facts to the customer's ledgers.
 */
import { and, eq } from 'drizzle-orm';
import { commitIf, rowExists } from '#worker/db/commit-if';
import { stripeCustomer, stripeIntegration } from '#worker/db/schema/stripe';
import { isNotDeleted } from '../integration/integration-store.ts';
import { stripeFailureOf } from '../integration/stripe-failure.ts';
import { applyCustomers } from './apply-customers.ts';
import { pushStoredCustomers } from './push-customers.ts';
import { type ReadCustomer, readCustomer } from './read-objects.ts';
import type { StripeSource } from './stripe-source.ts';

/** Enough to wait out the clock difference between two Workers. */
const MAX_TRIES = 3;

/**
 * @param createdAt the event's; used if the customer was deleted before it was first read
 * @returns the customer; null if it was skipped: it is of another mode, or the integration was deleted
 * @throws Stripe's errors
 */
export async function refreshCustomer(
  source: StripeSource,
  customerId: string,
  createdAt: number,
): Promise<ReadCustomer | null> {
  const { ctx, integration } = source;
  const { db, clock } = ctx;
  const { id: integrationId, orgId, livemode } = integration;
  for (let tries = 1; ; tries++) {
    const readAt = clock();
    const read = await fetchCustomer(source, customerId, createdAt);
    if (read.livemode !== livemode) return null;
    const now = clock();
    const outboxId = ctx.newId('out');
    const apply = applyCustomers(db, {
      ...{ orgId, integrationId, customers: [read], readAt, outboxId, now },
    });
    const exists = rowExists(stripeIntegration, orgId, integrationId, isNotDeleted);
    if ((await commitIf(db, { exists }, apply.statements)) !== null) return null;
    await pushStoredCustomers(ctx, apply.outboxIds);

    const isOurs = and(eq(stripeCustomer.integrationId, integrationId), eq(stripeCustomer.id, customerId));
    const [stored] = await db
      .select({
        readAt: stripeCustomer.readAt,
        subscriptions: stripeCustomer.subscriptions,
        deletedAt: stripeCustomer.deletedAt,
      })
      .from(stripeCustomer)
      .where(isOurs);
    const isSame =
      stored === undefined ||
      stored.readAt <= readAt ||
      (JSON.stringify(stored.subscriptions) === JSON.stringify(read.subscriptions) &&
        (stored.deletedAt !== null) === read.isDeleted);
    if (isSame || tries === MAX_TRIES) return read;
    // Another Worker with a fast clock stored its read, possibly an older one. Read again after that instant.
    await scheduler.wait(Math.min(Math.max(stored.readAt - clock() + 1, 0), 2_000));
  }
}

async function fetchCustomer(
  { stripe, integration }: StripeSource,
  customerId: string,
  createdAt: number,
): Promise<ReadCustomer> {
  const deleted: ReadCustomer = {
    ...{ id: customerId, email: null, name: null, livemode: integration.livemode },
    ...{ metadata: {}, subscriptions: [], createdAt, isDeleted: true },
  };
  try {
    const customer = await stripe.customers.retrieve(customerId, { expand: ['subscriptions'] });
    return customer.deleted ? deleted : await readCustomer(stripe, customer);
  } catch (error) {
    if (stripeFailureOf(error)?.kind === 'missing') return deleted;
    throw error;
  }
}
