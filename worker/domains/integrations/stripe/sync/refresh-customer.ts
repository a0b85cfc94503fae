/**
 * Fetches a customer's current state from Stripe, and stores what was read of some customers: in one transaction, after
 * which their ledgers get the changed facts.
 */
import { and, gt, type SQL, sql } from 'drizzle-orm';
import { commitIf, rowExists } from '#worker/db/commit-if';
import { stripeCustomer, stripeIntegration } from '#worker/db/schema/stripe';
import { isNotDeleted } from '../integration/integration-store.ts';
import { stripeFailureOf } from '../integration/stripe-failure.ts';
import { applyCustomers, type CustomerReading } from './apply-customers.ts';
import { pushStoredCustomers } from './push-customers.ts';
import { type ReadCustomer, readCustomer } from './read-objects.ts';
import type { StripeSource } from './stripe-source.ts';

/** @param createdAt of the result if the customer is deleted @throws Stripe's errors */
export async function fetchCustomer(
  { stripe, integration }: StripeSource,
  customerId: string,
  createdAt: number,
): Promise<ReadCustomer> {
  const deleted: ReadCustomer = {
    id: customerId,
    email: null,
    name: null,
    livemode: integration.livemode,
    metadata: {},
    subscriptions: [],
    createdAt,
    isDeleted: true,
  };
  try {
    const customer = await stripe.customers.retrieve(customerId, { expand: ['subscriptions'] });
    return customer.deleted ? deleted : await readCustomer(stripe, customer);
  } catch (error) {
    if (stripeFailureOf(error)?.kind === 'missing') return deleted;
    throw error;
  }
}

/** The query of an integration's stored customers among these, as far as they were read after the instant. */
export function customersReadAfter(
  { ctx, integration }: StripeSource,
  customerIds: readonly string[],
  readAfter: number,
) {
  return ctx.db
    .select()
    .from(stripeCustomer)
    .where(and(isOneOf(integration.id, customerIds), gt(stripeCustomer.readAt, readAfter)));
}

/** A stored customer as it was read. A deleted customer's row keeps its email, which facts are versioned by. */
export function asRead(row: typeof stripeCustomer.$inferSelect): ReadCustomer {
  const { id, name, livemode, metadata, subscriptions, createdAt, deletedAt } = row;
  const isDeleted = deletedAt !== null;
  return {
    id,
    email: isDeleted ? null : row.email,
    name,
    livemode,
    metadata,
    subscriptions,
    createdAt,
    isDeleted,
  };
}

/**
 * @param readings of different customers, all of the integration's mode
 * @returns for each, the instant of a newer read with another state, possibly of a Worker with a fast clock, or else null; null if
 *   the integration was deleted, and nothing was stored
 */
export async function storeReadings(
  { ctx, integration }: StripeSource,
  readings: readonly CustomerReading[],
): Promise<(number | null)[] | null> {
  const { db, clock, newId } = ctx;
  const { id: integrationId, orgId } = integration;
  const apply = applyCustomers(db, {
    orgId,
    integrationId,
    customers: readings,
    outboxId: newId('out'),
    now: clock(),
  });
  const exists = rowExists(stripeIntegration, orgId, integrationId, isNotDeleted);
  const ids = readings.map(({ customer }) => customer.id);
  // An unchanged customer is not written; that it was read still counts.
  const instants = JSON.stringify(readings.map(({ customer, readAt }) => [customer.id, readAt]));
  const readAt = sql`(SELECT j.value ->> 1 FROM json_each(${instants}) j WHERE j.value ->> 0 = ${stripeCustomer.id})`;
  const areRead = db
    .update(stripeCustomer)
    .set({ readAt })
    .where(sql`${isOneOf(integrationId, ids)} AND ${stripeCustomer.readAt} < ${readAt}`);
  if ((await commitIf(db, { exists }, [...apply.statements, areRead])) !== null) return null;
  await pushStoredCustomers(ctx, apply.outboxIds);

  const { id, readAt: storedAt, subscriptions, deletedAt } = stripeCustomer;
  const rows = await db
    .select({ id, readAt: storedAt, subscriptions, deletedAt })
    .from(stripeCustomer)
    .where(isOneOf(integrationId, ids));
  const stored = new Map(rows.map((row) => [row.id, row]));
  return readings.map(({ customer, readAt: own }) => {
    const row = stored.get(customer.id);
    const isSame =
      row === undefined ||
      row.readAt <= own ||
      (stateOf(row) === stateOf(customer) && (row.deletedAt !== null) === customer.isDeleted);
    return isSame ? null : row.readAt;
  });
}

/** The subscriptions as Stripe says them: without the instant that is added when they are stored. */
function stateOf({ subscriptions }: Pick<ReadCustomer, 'subscriptions'>): string {
  return JSON.stringify(subscriptions, (name, value) => (name === 'pastDueAt' ? undefined : value));
}

/** Condition: one of these customers of the integration. */
function isOneOf(integrationId: string, customerIds: readonly string[]): SQL {
  const ids = JSON.stringify(customerIds);
  return sql`${stripeCustomer.integrationId} = ${integrationId} AND ${stripeCustomer.id} IN (SELECT value FROM json_each(${ids}))`;
}
