/**
 * Fetches one customer's current state from Stripe, stores it, and pushes changed facts to the customer's ledgers. A
 * customer that was read recently enough is not fetched again.
 */
import { and, eq, gt, lt } from 'drizzle-orm';
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

export interface CustomerEvents {
  readonly customerId: string;
  /** The oldest event's; used if the customer was deleted before it was first read. */
  readonly createdAt: number;
  /** A read that began after this instant contains what the events report. */
  readonly readAfter: number;
}

/**
 * @returns the customer; null if it was skipped: it is of another mode, or the integration was deleted
 * @throws Stripe's errors
 */
export async function refreshCustomer(
  source: StripeSource,
  { customerId, createdAt, readAfter }: CustomerEvents,
): Promise<ReadCustomer | null> {
  const { ctx, integration } = source;
  const { db, clock } = ctx;
  const { id: integrationId, orgId, livemode } = integration;
  const isOurs = and(eq(stripeCustomer.integrationId, integrationId), eq(stripeCustomer.id, customerId));
  const [known] = await db
    .select()
    .from(stripeCustomer)
    .where(and(isOurs, gt(stripeCustomer.readAt, readAfter)));
  if (known !== undefined) return asRead(known);
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
    // An unchanged customer is not written; that it was read still counts.
    const isRead = db
      .update(stripeCustomer)
      .set({ readAt })
      .where(and(isOurs, lt(stripeCustomer.readAt, readAt)));
    if ((await commitIf(db, { exists }, [...apply.statements, isRead])) !== null) return null;
    await pushStoredCustomers(ctx, apply.outboxIds);

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

/** A deleted customer's row keeps its email, which facts are versioned by. */
function asRead(row: typeof stripeCustomer.$inferSelect): ReadCustomer {
  const { id, name, livemode, metadata, subscriptions, createdAt, deletedAt } = row;
  const isDeleted = deletedAt !== null;
  return {
    ...{ id, email: isDeleted ? null : row.email, name, livemode, metadata, subscriptions, createdAt },
    isDeleted,
  };
}

/** @param createdAt of the result if the customer is deleted @throws Stripe's errors */
export async function fetchCustomer(
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
