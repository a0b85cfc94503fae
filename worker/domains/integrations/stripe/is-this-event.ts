/** Condition: the stored event that a message is about. */
import { and, eq } from 'drizzle-orm';
import { stripeEvent } from '#worker/db/schema/stripe';
import type { StripeEventReceived } from '#worker/queue/messages';

export function isThisEvent({ integrationId, event }: Pick<StripeEventReceived, 'integrationId' | 'event'>) {
  return and(eq(stripeEvent.integrationId, integrationId), eq(stripeEvent.id, event.id));
}
