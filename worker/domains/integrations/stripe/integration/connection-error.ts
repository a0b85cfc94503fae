/**
 * An integration's connection error, which the console shows. A failed call sets it, the next successful call clears
 * it.
 */
import { and, eq, sql } from 'drizzle-orm';
import type { Db, Statement } from '#worker/db/database';
import { outbox } from '#worker/db/schema/operations';
import { stripeIntegration } from '#worker/db/schema/stripe';
import type { StripeIntegrationRow } from './integration-store.ts';
import { describeFailure, type StripeFailure } from './stripe-failure.ts';

/** Rate limiting is not a connection error: it ends within seconds. */
export function setConnectionError(
  db: Db,
  integrationId: string,
  failure: StripeFailure,
  now: number,
): Statement[] {
  if (failure.kind === 'busy') return [];
  return [
    db
      .update(stripeIntegration)
      .set({ trouble: describeFailure(failure), troubleAt: now })
      .where(eq(stripeIntegration.id, integrationId)),
  ];
}

/** Postponed events become due with the next run of the schedule. */
export function clearConnectionError(
  db: Db,
  { id, trouble }: Pick<StripeIntegrationRow, 'id' | 'trouble'>,
): Statement[] {
  if (trouble === null) return [];
  return [
    db.update(stripeIntegration).set({ trouble: null, troubleAt: null }).where(eq(stripeIntegration.id, id)),
    retryWaitingEvents(db, id),
  ];
}

/** Makes postponed events due immediately. */
export function retryWaitingEvents(db: Db, integrationId: string): Statement {
  const isOf = sql`${outbox.payload} ->> 'integrationId' = ${integrationId}`;
  return db
    .update(outbox)
    .set({ sentAt: 0 })
    .where(and(eq(outbox.type, 'stripe.event-received'), isOf));
}
