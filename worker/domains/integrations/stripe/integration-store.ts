/** Reads of Stripe integrations, in the shape of the wire. Keys and secrets never leave the row. */
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { STRIPE_WEBHOOK_EVENTS, type StripeIntegration, type SyncJob } from '#contracts/stripe';
import type { Db } from '#worker/db/database';
import { stripeCustomer, stripeIntegration, stripeProduct, stripeSyncJob } from '#worker/db/schema/stripe';
import { notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';

export type StripeIntegrationRow = typeof stripeIntegration.$inferSelect;
export type SyncJobRow = typeof stripeSyncJob.$inferSelect;

/** @throws {ApiError} not-found, also of a deleted one */
export async function getIntegrationRow(db: Db, { orgId }: Scope, id: string): Promise<StripeIntegrationRow> {
  const row = await findIntegrationRow(db, id);
  if (row === null || row.orgId !== orgId) throw notFound('The integration');
  return row;
}

/** Null of a deleted one. For what has no tenant of its own: Stripe's calls, and messages. */
export async function findIntegrationRow(db: Db, id: string): Promise<StripeIntegrationRow | null> {
  const [row] = await db
    .select()
    .from(stripeIntegration)
    .where(and(eq(stripeIntegration.id, id), isNull(stripeIntegration.deletedAt)));
  return row ?? null;
}

/** In the order in which they were made. */
export function listStripeIntegrations(ctx: RequestContext, scope: Scope): Promise<StripeIntegration[]> {
  return readIntegrations(ctx, scope, null);
}

/** @throws {ApiError} not-found */
export async function getStripeIntegration(
  ctx: RequestContext,
  scope: Scope,
  id: string,
): Promise<StripeIntegration> {
  const [integration] = await readIntegrations(ctx, scope, id);
  if (integration === undefined) throw notFound('The integration');
  return integration;
}

async function readIntegrations(
  { db, settings }: RequestContext,
  { orgId }: Scope,
  id: string | null,
): Promise<StripeIntegration[]> {
  const isMeant = and(
    eq(stripeIntegration.orgId, orgId),
    isNull(stripeIntegration.deletedAt),
    id === null ? undefined : eq(stripeIntegration.id, id),
  );
  // Ids are in the order of time. By integration, as jobs are found by nothing else.
  const meant = sql`(SELECT ${stripeIntegration.id} FROM ${stripeIntegration} WHERE ${isMeant})`;
  const newestJobs = sql`(SELECT max(j.id) FROM ${stripeSyncJob} j WHERE j.integration_id IN ${meant} GROUP BY j.integration_id, j.type)`;
  const outer = sql.raw('stripe_integration.id');
  const [rows, jobs] = await db.batch([
    db
      .select({
        row: stripeIntegration,
        customerCount: customersOf(outer).as('customer_count'),
        productCount:
          sql<number>`(SELECT count(*) FROM ${stripeProduct} p WHERE p.org_id = ${orgId} AND p.integration_id = ${outer} AND p.deleted_at IS NULL)`.as(
            'product_count',
          ),
      })
      .from(stripeIntegration)
      .where(isMeant)
      .orderBy(asc(stripeIntegration.createdAt), asc(stripeIntegration.id)),
    db
      .select()
      .from(stripeSyncJob)
      .where(and(eq(stripeSyncJob.orgId, orgId), sql`${stripeSyncJob.id} IN ${newestJobs}`)),
  ]);
  return rows.map(({ row, customerCount, productCount }) => {
    const own = jobs.filter(({ integrationId }) => integrationId === row.id);
    const ofCustomers = own.find(({ type }) => type === 'stripe-customer');
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      accountId: row.accountId,
      testMode: !row.livemode,
      maskedKey: row.maskedKey,
      hasWebhook: row.webhookSecret !== null,
      webhookManuallyAdded: row.webhookManuallyAdded,
      webhook: { url: webhookUrlOf(settings.baseUrl, row.id), events: [...STRIPE_WEBHOOK_EVENTS] },
      initialSyncSkipped: row.initialSyncSkipped,
      quickstartWaitForEventSkipped: row.quickstartWaitForEventSkipped,
      quickStart: row.quickStart,
      firstEventAt: row.firstEventAt,
      lastEventAt: row.lastEventAt,
      lastSyncJobReport: ofCustomers === undefined ? null : asSyncJob(ofCustomers),
      lastSyncJobTime: ofCustomers === undefined ? null : (ofCustomers.finishedAt ?? ofCustomers.startedAt),
      syncJobs: own.map(asSyncJob),
      customerCount,
      productCount,
      trouble: row.trouble === null ? null : { message: row.trouble, at: row.troubleAt ?? row.updatedAt },
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    };
  });
}

/** How many customers are there: all of an index, less the few that were deleted. */
export function customersOf(integrationId: SQL): SQL<number> {
  const counted = sql`SELECT count(*) FROM ${stripeCustomer} c WHERE c.integration_id = ${integrationId}`;
  return sql<number>`((${counted}) - (${counted} AND c.deleted_at IS NOT NULL))`;
}

export function asSyncJob(row: SyncJobRow): SyncJob {
  const { id, type, status, processed, failed, startedAt, finishedAt, error, waitsUntil } = row;
  return { id, type, status, processed, failed, startedAt, finishedAt, error, waitsUntil };
}

/** Where Stripe posts the integration's events; contracts/stripe has the path. */
export function webhookUrlOf(baseUrl: string, integrationId: string): string {
  return `${baseUrl}/api/webhooks/stripe/${integrationId}`;
}
