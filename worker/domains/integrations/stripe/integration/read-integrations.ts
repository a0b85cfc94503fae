/** Stripe integrations as the console reads them. Keys and secrets never leave the row. */
import { and, asc, eq, sql } from 'drizzle-orm';
import { ALL_STRIPE_EVENTS, type StripeIntegration } from '#contracts/console/stripe';
import { DEFAULT_POLICY } from '#contracts/console/subscription-policy';
import type { Db } from '#worker/db/database';
import { stripeIntegration, stripeProduct, stripeSyncJob } from '#worker/db/schema/stripe';
import { notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import {
  asSyncJob,
  countCustomers,
  findIntegrationRow,
  isNotDeleted,
  type StripeIntegrationRow,
  webhookUrlOf,
} from './integration-store.ts';

/** @throws {ApiError} not-found, also for a deleted integration */
export async function getIntegrationRow(db: Db, { orgId }: Scope, id: string): Promise<StripeIntegrationRow> {
  const row = await findIntegrationRow(db, id);
  if (row === null || row.orgId !== orgId) throw notFound('The integration');
  return row;
}

/** Oldest first. */
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
  const isSelected = and(
    eq(stripeIntegration.orgId, orgId),
    isNotDeleted,
    id === null ? undefined : eq(stripeIntegration.id, id),
  );
  // Ids sort by time. Jobs are selected by integration because that is their only index.
  const selectedIds = sql`(SELECT ${stripeIntegration.id} FROM ${stripeIntegration} WHERE ${isSelected})`;
  const newestJobs = sql`(SELECT max(j.id) FROM ${stripeSyncJob} j WHERE j.integration_id IN ${selectedIds}
    GROUP BY j.integration_id, j.type)`;
  const outer = sql.raw('stripe_integration.id');
  const [rows, jobs] = await db.batch([
    db
      .select({
        row: stripeIntegration,
        customerCount: countCustomers(outer).as('customer_count'),
        productCount: sql<number>`(SELECT count(*) FROM ${stripeProduct} p WHERE p.org_id = ${orgId}
            AND p.integration_id = ${outer} AND p.deleted_at IS NULL)`.as('product_count'),
      })
      .from(stripeIntegration)
      .where(isSelected)
      .orderBy(asc(stripeIntegration.createdAt), asc(stripeIntegration.id)),
    db
      .select()
      .from(stripeSyncJob)
      .where(and(eq(stripeSyncJob.orgId, orgId), sql`${stripeSyncJob.id} IN ${newestJobs}`)),
  ]);
  return rows.map(({ row, customerCount, productCount }) => {
    const own = jobs.filter(({ integrationId }) => integrationId === row.id);
    const customerJob = own.find(({ type }) => type === 'stripe-customer');
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      accountId: row.accountId,
      testMode: !row.livemode,
      maskedKey: row.maskedKey,
      hasWebhook: row.webhookSecret !== null && !row.webhookHealth?.problems.includes('missing'),
      webhookManuallyAdded: row.webhookManuallyAdded,
      webhook: { url: webhookUrlOf(settings.baseUrl, row.id), events: [...ALL_STRIPE_EVENTS] },
      webhookHealth: row.webhookHealth,
      initialSyncSkipped: row.initialSyncSkipped,
      quickstartWaitForEventSkipped: row.quickstartWaitForEventSkipped,
      quickStart: row.quickStart,
      subscriptionPolicy: row.subscriptionPolicy ?? DEFAULT_POLICY,
      userIdKey: row.userIdKey,
      userIdsReady: row.userIdKey === null || row.userIdsReady,
      firstEventAt: row.firstEventAt,
      lastEventAt: row.lastEventAt,
      lastSyncJobReport: customerJob === undefined ? null : asSyncJob(customerJob),
      lastSyncJobTime: customerJob === undefined ? null : (customerJob.finishedAt ?? customerJob.startedAt),
      syncJobs: own.map(asSyncJob),
      customerCount,
      productCount,
      trouble: row.trouble === null ? null : { message: row.trouble, at: row.troubleAt ?? row.updatedAt },
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    };
  });
}
