/**
 * Stores events of Stripe's once, each together with the outbox row of the message that has it worked on. Stripe sends
 * an event again until it is told that it has come, and the look for missed ones finds it once more: that changes nothing.
 */
import { and, eq, sql } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import { z } from 'zod';
import { STRIPE_WEBHOOK_EVENTS } from '#contracts/stripe';
import type { Db } from '#worker/db/database';
import { outbox } from '#worker/db/schema/operations';
import { stripeEvent, stripeIntegration } from '#worker/db/schema/stripe';
import type { ReceivedStripeEvent, StripeEventReceived } from '#worker/queue/messages';
import { describeObject, isRecord } from './describe-object.ts';
import type { StripeIntegrationRow } from './integration-store.ts';
import { isNotDeleted } from './is-not-deleted.ts';

const MAX_ID = 255;
/** The last second that a Date knows. */
const MAX_SECOND = 8_640_000_000_000;

/** What is needed of an event. Whoever knows the signing secret, as the account's owner does, can sign anything. */
const eventSchema = z.object({
  id: z.string().regex(new RegExp(`^\\w{1,${MAX_ID}}$`)),
  type: z.enum(STRIPE_WEBHOOK_EVENTS),
  created: z.int().min(0).max(MAX_SECOND),
  data: z.object({ object: z.looseObject({}) }),
});
/** Events of one statement: their messages together stay far below what D1 takes as one value. */
export const MAX_EVENTS = 100;

/**
 * @param events of which those that are of no use here are left out; at most MAX_EVENTS
 * @returns the messages to be sent: of the events that were new
 */
export async function storeEvents(
  db: Db,
  { id: integrationId, orgId }: Pick<StripeIntegrationRow, 'id' | 'orgId'>,
  events: readonly Stripe.Event[],
  now: number,
): Promise<StripeEventReceived[]> {
  const messages = events.flatMap((event): StripeEventReceived[] => {
    const read = readEvent(event, now);
    // The same event always has the same id, so that its row can be there once.
    const outboxId = `out_${integrationId}_${event.id}`;
    if (read === null) return [];
    return [{ type: 'stripe.event-received', outboxId, orgId, integrationId, event: read, attempts: 0 }];
  });
  if (messages.length === 0) return [];
  const incoming = sql`incoming AS (SELECT value ->> '$.event.id' AS id, value ->> '$.event.type' AS type, coalesce(value ->> '$.event.customerId', value ->> '$.event.productId') AS object_id, value ->> '$.event.createdAt' AS created_at, value ->> 'outboxId' AS outbox_id, value AS payload FROM json_each(${JSON.stringify(messages)}))`;
  const stands = sql`EXISTS (SELECT 1 FROM ${stripeIntegration} WHERE ${and(eq(stripeIntegration.id, integrationId), isNotDeleted)})`;
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${stripeEvent} e WHERE e.integration_id = ${integrationId} AND e.id = incoming.id)`;
  const [stored] = await db.batch([
    db
      .insert(outbox)
      .select(
        sql`WITH ${incoming} SELECT outbox_id, ${orgId}, 'stripe.event-received', payload, ${now}, ${now}, 1 FROM incoming WHERE ${isNew} AND ${stands}`,
      )
      .onConflictDoNothing()
      .returning({ id: outbox.id }),
    db
      .insert(stripeEvent)
      .select(
        sql`WITH ${incoming} SELECT ${integrationId}, id, type, object_id, created_at, ${now}, NULL FROM incoming WHERE ${stands}`,
      )
      .onConflictDoNothing(),
    db
      .update(stripeIntegration)
      .set({ firstEventAt: sql`coalesce(${stripeIntegration.firstEventAt}, ${now})`, lastEventAt: now })
      .where(and(eq(stripeIntegration.id, integrationId), sql`changes() > 0`)),
  ]);
  const isStored = new Set(stored.map(({ id }) => id));
  return messages.filter(({ outboxId }) => isStored.has(outboxId));
}

/** Null: it is of no use here. */
function readEvent(event: Stripe.Event, now: number): ReceivedStripeEvent | null {
  const read = eventSchema.safeParse(event);
  if (!read.success) return null;
  const { id, type, created, data } = read.data;
  const { object } = data;
  const subject = type.startsWith('customer.subscription.') ? object.customer : object.id;
  const subjectId = isRecord(subject) ? subject.id : subject;
  if (!isObjectId(subjectId)) return null;
  const isOfProduct = type.startsWith('product.');
  return {
    ...{ id, type, createdAt: created * 1000, receivedAt: now },
    customerId: isOfProduct ? null : subjectId,
    productId: isOfProduct ? subjectId : null,
    object: describeObject(object),
  };
}

/** Of whatever characters, as people choose the ids of products; only those that an address takes for a way up are none. */
function isObjectId(id: unknown): id is string {
  return typeof id === 'string' && id.length <= MAX_ID && !['', '.', '..'].includes(id);
}
