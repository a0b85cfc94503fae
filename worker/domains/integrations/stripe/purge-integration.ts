/**
 * Removes what is left of a deleted integration, a piece at a time: its webhook at Stripe, then customers, products, events
 * and jobs. The integration's own row stays, without key and secrets: versions of facts go by when it was deleted.
 */
import { sql } from 'drizzle-orm';
import { commit, type Db, openDatabase } from '#worker/db/database';
import {
  stripeCustomer,
  stripeEvent,
  stripeIntegration,
  stripeProduct,
  stripeSyncJob,
} from '#worker/db/schema/stripe';
import type { Env } from '#worker/env';
import type { StripeIntegrationDeleted } from '#worker/queue/messages';
import { outboxDone, outboxProgress } from '#worker/queue/outbox';
import { sendMessage } from '#worker/queue/send-message';
import { forgetAtStripe } from './forget-at-stripe.ts';

const PIECE = 2_000;
const MAX_PIECES = 20;
/** Between two tries to reach Stripe. */
const STRIPE_PAUSE_MS = 10 * 60_000;

export async function purgeIntegration(
  env: Env,
  message: StripeIntegrationDeleted,
  clock: () => number,
): Promise<void> {
  const db = openDatabase(env.DB);
  const { integrationId, outboxId } = message;
  const isForgotten = await forgetAtStripe(env, db, integrationId, clock());
  for (let piece = 0; piece < MAX_PIECES; piece++) {
    if ((await deletePiece(db, integrationId)) > 0) continue;
    if (isForgotten) await commit(db, [outboxDone(db, outboxId)]);
    else await commit(db, [outboxProgress(db, message, clock() + STRIPE_PAUSE_MS)]);
    return;
  }
  await commit(db, [outboxProgress(db, message, clock())]);
  await sendMessage(env, message);
}

/** @returns how many rows went */
async function deletePiece(db: Db, integrationId: string): Promise<number> {
  const isDeleted = sql`EXISTS (SELECT 1 FROM ${stripeIntegration} i WHERE i.id = ${integrationId} AND i.deleted_at IS NOT NULL)`;
  const tables = [stripeCustomer, stripeProduct, stripeEvent, stripeSyncJob];
  const statements = tables.map((table) =>
    db
      .delete(table)
      .where(
        sql`rowid IN (SELECT rowid FROM ${table} WHERE integration_id = ${integrationId} AND ${isDeleted} LIMIT ${PIECE})`,
      ),
  );
  const results = (await commit(db, statements)) as D1Result[];
  return results.reduce((sum, { meta }) => sum + meta.changes, 0);
}
