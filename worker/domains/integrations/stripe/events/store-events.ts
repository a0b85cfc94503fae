/**
 * Stores Stripe events once, each with the outbox row of the message that processes it. Stripe retries deliveries,
 * and polling lists events again: duplicates change nothing.
 */
import { and, eq, sql } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import { z } from 'zod';
import { ALL_STRIPE_EVENTS, STRIPE_PAYMENT_EVENTS } from '#contracts/console/stripe';
import type { ReceivedStripeEvent, StripeEventReceived } from '#runtime/messages';
import { rowExists } from '#worker/db/commit-if';
import type { Db } from '#worker/db/database';
import { insertSelect } from '#worker/db/insert-select';
import { customerBalance } from '#worker/db/schema/customers';
import { stripeEvent, stripeIntegration } from '#worker/db/schema/stripe';
import { outboxRowsIf } from '#worker/queue/outbox';
import { outboxIdOfEvent } from '../integration/connection-error.ts';
import { isNotDeleted, type StripeIntegrationRow } from '../integration/integration-store.ts';
import { hasFunded, hasTopUps } from '../top-ups/top-up-store.ts';
import { describeObject, isRecord } from './describe-object.ts';

const MAX_ID = 255;
/** The last second that a Date can represent. */
const MAX_SECOND = 8_640_000_000_000;

/** The fields that are used. Validated despite the signature: the account's owner knows the signing secret and can sign anything. */
const eventSchema = z.object({
  id: z.string().regex(new RegExp(`^\\w{1,${MAX_ID}}$`)),
  type: z.enum(ALL_STRIPE_EVENTS),
  created: z.int().min(0).max(MAX_SECOND),
  data: z.object({ object: z.looseObject({}) }),
});

/**
 * @param events at most 100, so that their messages stay far below D1's limit for one bound value; irrelevant ones are
 *   skipped
 * @param now not before Stripe created the newest of these events: an object that was read later needs no further call
 * @param isFirst whether they can be the first event that the console waits for
 * @returns the messages of new events, to be sent to the queue
 */
export async function storeEvents(
  db: Db,
  { id: integrationId, orgId }: Pick<StripeIntegrationRow, 'id' | 'orgId'>,
  events: readonly Stripe.Event[],
  now: number,
  isFirst = true,
): Promise<StripeEventReceived[]> {
  const charged = await customersCharged(db, integrationId, events);
  const messages = events.flatMap((event): StripeEventReceived[] => {
    const read = readEvent(event, now, charged);
    const outboxId = outboxIdOfEvent(integrationId, event.id);
    if (read === null) return [];
    return [{ type: 'stripe.event-received', outboxId, orgId, integrationId, event: read, attempts: 0 }];
  });
  if (messages.length === 0) return [];
  const exists = rowExists(stripeIntegration, orgId, integrationId, isNotDeleted);
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${stripeEvent} e WHERE e.integration_id = ${integrationId}
    AND e.id = value ->> '$.event.id')`;
  const [stored] = await db.batch([
    outboxRowsIf(db, messages, sql`${isNew} AND ${exists}`, now),
    insertSelect(
      db,
      stripeEvent,
      {
        integrationId,
        id: sql`value ->> '$.event.id'`,
        type: sql`value ->> '$.event.type'`,
        objectId: sql`coalesce(value ->> '$.event.customerId', value ->> '$.event.productId')`,
        createdAt: sql`value ->> '$.event.createdAt'`,
        receivedAt: now,
      },
      { from: sql`json_each(${JSON.stringify(messages)})`, where: exists },
    ).onConflictDoNothing(),
    db
      .update(stripeIntegration)
      .set({
        lastEventAt: now,
        ...(isFirst && { firstEventAt: sql`coalesce(${stripeIntegration.firstEventAt}, ${now})` }),
      })
      .where(and(eq(stripeIntegration.id, integrationId), sql`changes() > 0`)),
  ]);
  const isStored = new Set(stored.map(({ id }) => id));
  return messages.filter(({ outboxId }) => isStored.has(outboxId));
}

/** Null: irrelevant. */
function readEvent(
  event: Stripe.Event,
  now: number,
  charged: ReadonlyMap<string, string> | null,
): ReceivedStripeEvent | null {
  const read = eventSchema.safeParse(event);
  if (!read.success) return null;
  const { id, type, created, data } = read.data;
  const { object } = data;
  const isPayment = isPaymentEvent(type);
  if (isPayment && charged === null) return null;
  const isOfCustomer = isPayment || type.startsWith('customer.subscription.');
  const subject = type.startsWith('charge.dispute.')
    ? charged?.get(textOf(object.payment_intent))
    : isOfCustomer
      ? object.customer
      : object.id;
  const subjectId = isRecord(subject) ? subject.id : subject;
  if (!isObjectId(subjectId)) return null;
  const isProduct = type.startsWith('product.');
  return {
    id,
    type,
    createdAt: created * 1000,
    receivedAt: now,
    customerId: isProduct ? null : subjectId,
    productId: isProduct ? subjectId : null,
    object: describeObject(object),
  };
}

export function isPaymentEvent(type: string): boolean {
  return (STRIPE_PAYMENT_EVENTS as readonly string[]).includes(type);
}

/**
 * Whose balances were paid by the payments that events dispute: a dispute does not name its customer. Null: no price of the account
 * gives anything or ever did, so events of payments mean nothing.
 */
async function customersCharged(
  db: Db,
  integrationId: string,
  events: readonly Stripe.Event[],
): Promise<ReadonlyMap<string, string> | null> {
  const payments = events.filter(({ type }) => isPaymentEvent(type));
  if (payments.length === 0) return null;
  const intents = payments.map(({ data }) =>
    textOf((data.object as { payment_intent?: unknown }).payment_intent),
  );
  const [[found], rows] = await db.batch([
    db
      .select({
        isUsed: sql<number>`${hasTopUps(integrationId)} OR ${hasFunded(integrationId)}`.as('is_used'),
      })
      .from(sql`(SELECT 1)`),
    db
      .select({ intent: customerBalance.paymentIntent, customer: customerBalance.customerIdentifier })
      .from(customerBalance)
      .where(
        and(
          eq(customerBalance.integrationId, integrationId),
          sql`${customerBalance.paymentIntent} IS NOT NULL`,
          sql`${customerBalance.paymentIntent} IN (SELECT value FROM json_each(${JSON.stringify(intents)}))`,
        ),
      ),
  ]);
  if (!found?.isUsed) return null;
  return new Map(rows.map(({ intent, customer }) => [intent ?? '', customer]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : isRecord(value) && typeof value.id === 'string' ? value.id : '';
}

/** Product ids are user-defined and may contain any characters; '.' and '..' would change the path of a request. */
function isObjectId(id: unknown): id is string {
  return typeof id === 'string' && id.length <= MAX_ID && !['', '.', '..'].includes(id);
}
