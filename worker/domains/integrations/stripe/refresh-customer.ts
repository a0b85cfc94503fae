/** Asks Stripe how one customer stands now, stores it, and tells the ledgers that know the customer. */
import { and, eq } from 'drizzle-orm';
import { commitIf, rowStands } from '#worker/db/commit-if';
import { stripeCustomer, stripeIntegration } from '#worker/db/schema/stripe';
import { newId } from '#worker/platform/ids';
import { announceCustomers } from './announce-customers.ts';
import { applyCustomers } from './apply-customers.ts';
import { isNotDeleted } from './is-not-deleted.ts';
import { type ReadCustomer, readCustomer } from './read-objects.ts';
import { stripeFailureOf } from './stripe-failure.ts';
import type { StripeSource } from './stripe-source.ts';

/** Clocks of two Workers differ by less than what so many tries take. */
const MAX_TRIES = 3;

/**
 * @param createdAt of the event, for a customer that was deleted before it was ever read
 * @returns the customer as it was read; null where it was left out: of another mode, or of an integration that is gone by now
 * @throws Stripe's errors
 */
export async function refreshCustomer(
  source: StripeSource,
  customerId: string,
  createdAt: number,
): Promise<ReadCustomer | null> {
  const { env, db, integration, clock } = source;
  const { id: integrationId, orgId, livemode } = integration;
  for (let tries = 1; ; tries++) {
    const readAt = clock();
    const read = await ask(source, customerId, createdAt);
    if (read.livemode !== livemode) return null;
    const now = clock();
    const outboxId = newId('out', now);
    const apply = applyCustomers(db, {
      ...{ orgId, integrationId, customers: [read], readAt, outboxId, now },
    });
    const stands = rowStands(stripeIntegration, orgId, integrationId, undefined, isNotDeleted);
    if ((await commitIf(db, { stands }, apply.statements)) !== null) return null;
    await announceCustomers(env, db, apply.outboxIds);

    const isOurs = and(eq(stripeCustomer.integrationId, integrationId), eq(stripeCustomer.id, customerId));
    const [standing] = await db
      .select({
        readAt: stripeCustomer.readAt,
        subscriptions: stripeCustomer.subscriptions,
        deletedAt: stripeCustomer.deletedAt,
      })
      .from(stripeCustomer)
      .where(isOurs);
    const isSame =
      standing === undefined ||
      standing.readAt <= readAt ||
      (JSON.stringify(standing.subscriptions) === JSON.stringify(read.subscriptions) &&
        (standing.deletedAt !== null) === read.isDeleted);
    if (isSame || tries === MAX_TRIES) return read;
    // What stands was read by a Worker whose clock is ahead, perhaps before this: once more, when that has passed.
    await scheduler.wait(Math.min(Math.max(standing.readAt - clock() + 1, 0), 2_000));
  }
}

async function ask(
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
