/** Trouble with Stripe as the console shows it: it begins with a refusal, and ends with the first call that is answered. */
import { and, eq, sql } from 'drizzle-orm';
import type { Db, Statement } from '#worker/db/database';
import { outbox } from '#worker/db/schema/operations';
import { stripeIntegration } from '#worker/db/schema/stripe';
import type { StripeIntegrationRow } from './integration-store.ts';
import { type StripeFailure, wordsOf } from './stripe-failure.ts';

/** A request to slow down is no trouble: it passes within seconds. */
export function troubleBegins(
  db: Db,
  integrationId: string,
  failure: StripeFailure,
  now: number,
): Statement[] {
  if (failure.kind === 'busy') return [];
  return [
    db
      .update(stripeIntegration)
      .set({ trouble: wordsOf(failure), troubleAt: now })
      .where(eq(stripeIntegration.id, integrationId)),
  ];
}

/** What waited for it to end is sent with the next cron. */
export function troubleEnds(
  db: Db,
  { id, trouble }: Pick<StripeIntegrationRow, 'id' | 'trouble'>,
): Statement[] {
  if (trouble === null) return [];
  return [
    db.update(stripeIntegration).set({ trouble: null, troubleAt: null }).where(eq(stripeIntegration.id, id)),
    releaseEvents(db, id),
  ];
}

/** Events that could not be worked on are due at once. */
export function releaseEvents(db: Db, integrationId: string): Statement {
  const isOf = sql`${outbox.payload} ->> 'integrationId' = ${integrationId}`;
  return db
    .update(outbox)
    .set({ sentAt: 0 })
    .where(and(eq(outbox.type, 'stripe.event-received'), isOf));
}
