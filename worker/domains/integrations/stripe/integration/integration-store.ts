/** The rows of Stripe integrations, for events, syncs and sales. Keys and secrets never leave the row. */
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { SyncJob } from '#contracts/console/stripe';
import type { Db } from '#worker/db/database';
import { stripeCustomer, stripeIntegration, type stripeSyncJob } from '#worker/db/schema/stripe';

export type StripeIntegrationRow = typeof stripeIntegration.$inferSelect;
export type SyncJobRow = typeof stripeSyncJob.$inferSelect;

/** Condition: the integration is live. The row of a deleted one is kept, because customer facts are versioned by its deletion time. */
export const isNotDeleted = isNull(stripeIntegration.deletedAt);

/** Null for a deleted integration. Not scoped to an organisation: for webhooks and queue messages. */
export async function findIntegrationRow(db: Db, id: string): Promise<StripeIntegrationRow | null> {
  const [row] = await db
    .select()
    .from(stripeIntegration)
    .where(and(eq(stripeIntegration.id, id), isNotDeleted));
  return row ?? null;
}

/** Counts live customers: all rows of an index minus the few deleted ones of a partial index. */
export function countCustomers(integrationId: SQL): SQL<number> {
  const counted = sql`SELECT count(*) FROM ${stripeCustomer} c WHERE c.integration_id = ${integrationId}`;
  return sql<number>`((${counted}) - (${counted} AND c.deleted_at IS NOT NULL))`;
}

export function asSyncJob(row: SyncJobRow): SyncJob {
  const { id, type, status, processed, failed, startedAt, finishedAt, error, waitsUntil } = row;
  return { id, type, status, processed, failed, startedAt, finishedAt, error, waitsUntil };
}

/** The URL to which Stripe posts the integration's events; contracts/console/stripe.ts has the path. */
export function webhookUrlOf(baseUrl: string, integrationId: string): string {
  return `${baseUrl}/api/webhooks/stripe/${integrationId}`;
}
