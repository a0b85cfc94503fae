/**
 * Consumer of stripe.integration-deleted: deletes the webhook endpoint in Stripe, then the customers, products, prices,
 * events, sync jobs and what prices give in batches. What was bought stays. The integration's row stays without key and secrets, because customer facts are
 * versioned by its deletion time.
 */

import { sql } from 'drizzle-orm';
import type { StripeIntegrationDeleted } from '#runtime/messages';
import { sendMessage } from '#runtime/send-message';
import { commit } from '#worker/db/database';
import { limitTo } from '#worker/db/limit-to';
import { customerSource, provisionedCustomer, subscriptionChange } from '#worker/db/schema/customers';
import {
  stripeCustomer,
  stripeEvent,
  stripeIntegration,
  stripePrice,
  stripeProduct,
  stripeSyncJob,
  stripeTopUp,
} from '#worker/db/schema/stripe';
import { knownCustomerStatements } from '#worker/domains/customer-facts/known-customers';
import { renewWordsOf } from '#worker/domains/customer-facts/renew-words-of';
import type { WorkContext } from '#worker/http/request-context';
import { outboxDone, outboxProgress } from '#worker/queue/outbox';
import { deleteWebhookEndpoint } from './delete-webhook-endpoint.ts';

const BATCH_ROWS = 2_000;
const MAX_BATCHES = 20;
/** Pause between attempts to reach Stripe. */
const RETRY_PAUSE_MS = 10 * 60_000;

export async function purgeIntegration(ctx: WorkContext, message: StripeIntegrationDeleted): Promise<void> {
  const { env, db, clock } = ctx;
  const { integrationId, outboxId } = message;
  const isKeyDeleted = await deleteWebhookEndpoint(ctx, integrationId);
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    if ((await deleteBatch(ctx, message)) > 0) continue;
    if (isKeyDeleted) await commit(db, [outboxDone(db, outboxId)]);
    else await commit(db, [outboxProgress(db, message, clock() + RETRY_PAUSE_MS)]);
    return;
  }
  await commit(db, [outboxProgress(db, message, clock())]);
  await sendMessage(env, message);
}

/**
 * The known customers change in the transaction that deletes the first of their rows. Nothing else reads a deleted
 * integration's customers. Created customers that were the same as one of them have their words renewed before: the rows say which.
 * @returns the number of deleted rows
 */
async function deleteBatch(
  { db, clock }: WorkContext,
  { orgId, integrationId }: StripeIntegrationDeleted,
): Promise<number> {
  const isDeleted = sql`EXISTS (SELECT 1 FROM ${stripeIntegration} i WHERE i.id = ${integrationId} AND i.deleted_at IS NOT NULL)`;
  const tables = [
    customerSource,
    stripeCustomer,
    stripePrice,
    stripeProduct,
    stripeEvent,
    stripeSyncJob,
    stripeTopUp,
    subscriptionChange,
  ];
  const rowsOf = (table: (typeof tables)[number]) =>
    sql`rowid IN (SELECT rowid FROM ${table} WHERE integration_id = ${integrationId} AND ${isDeleted} ${limitTo(BATCH_ROWS)})`;
  const customers = sql`SELECT id FROM ${stripeCustomer} WHERE ${rowsOf(stripeCustomer)}
    UNION SELECT identifier FROM ${customerSource} WHERE ${rowsOf(customerSource)}`;
  const joined = await db.all<{ readonly identifier: string }>(sql`
    SELECT identifier FROM ${customerSource} WHERE ${rowsOf(customerSource)}
    UNION SELECT user_id FROM ${stripeCustomer} WHERE ${rowsOf(stripeCustomer)} AND EXISTS (SELECT 1 FROM ${provisionedCustomer} p
      WHERE p.org_id = ${orgId} AND p.identifier = ${stripeCustomer}.user_id)`);
  if (joined.length > 0) {
    await commit(db, knownCustomerStatements(db, orgId, joined, clock()));
    await renewWordsOf(
      db,
      orgId,
      joined.map(({ identifier }) => identifier),
    );
  }
  const known = knownCustomerStatements(db, orgId, [], clock(), customers);
  const deletions = tables.map((table) => db.delete(table).where(rowsOf(table)));
  const results = (await commit(db, [...known, ...deletions])) as D1Result[];
  return results.slice(known.length).reduce((sum, { meta }) => sum + meta.changes, 0);
}
