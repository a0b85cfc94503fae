/**
 * The transactional outbox: a message is a row committed with the change it belongs to, sent to the queue after the
 * commit, deleted by the consumer when it has been worked on, and sent again by cron when it is older than a minute.
 */
import { asc, eq, lte, sql } from 'drizzle-orm';
import type { Db, Statement } from '#worker/db/database';
import { outbox } from '#worker/db/schema/operations';
import { log } from '#worker/platform/log';
import type { OutboxMessage } from './messages.ts';
import { type Queues, queueOf } from './send-message.ts';

export const RESEND_AFTER_MS = 60_000;
/** Longest pause between two sendings of a message that keeps failing. */
const MAX_RESEND_PAUSE_MS = 15 * 60_000;
const RESEND_BATCH = 100;
/** Octets of one batch: a queue takes 256 KB, and 128 KB of one message. */
const MAX_BATCH_OCTETS = 200_000;

/** The statement that stands in the same batch as the change. */
export function outboxRow(db: Db, message: OutboxMessage, now: number): Statement {
  return db.insert(outbox).values({
    id: message.outboxId,
    orgId: message.orgId,
    type: message.type,
    payload: message,
    createdAt: now,
    sentAt: now,
  });
}

/** The statement that puts a later part of the same work in the message's place. */
export function outboxProgress(db: Db, message: OutboxMessage, now: number): Statement {
  return db
    .update(outbox)
    .set({ payload: message, sentAt: now, attempts: 1 })
    .where(eq(outbox.id, message.outboxId));
}

/** The statement that ends a message: it has been worked on. */
export function outboxDone(db: Db, outboxId: string): Statement {
  return db.delete(outbox).where(eq(outbox.id, outboxId));
}

/**
 * Sends again what has waited too long since it was last sent: a minute after the first time, then ever longer. What a
 * queue does not take is logged, waits for the next time, and keeps none of the others.
 * @param olderThanMs 0 sends everything, as after the loss of a queue
 * @returns how many were sent
 */
export async function resendOutbox(
  db: Db,
  env: Queues,
  now: number,
  olderThanMs: number = RESEND_AFTER_MS,
): Promise<number> {
  const pause = sql`min(${olderThanMs} * ${outbox.attempts}, ${MAX_RESEND_PAUSE_MS})`;
  const due = await db
    .select()
    .from(outbox)
    .where(lte(sql`${outbox.sentAt} + ${pause}`, now))
    .orderBy(asc(outbox.sentAt))
    .limit(RESEND_BATCH);
  for (const row of due) {
    await db
      .update(outbox)
      .set({ sentAt: now, attempts: sql`${outbox.attempts} + 1` })
      .where(eq(outbox.id, row.id));
  }
  const messages = Map.groupBy(
    due.map((row) => row.payload as OutboxMessage),
    ({ type }) => queueOf(env, type),
  );
  let sent = 0;
  for (const [queue, waiting] of messages) {
    for (const bodies of batchesOf(waiting)) {
      try {
        await queue.sendBatch(bodies.map((body) => ({ body })));
        sent += bodies.length;
      } catch (error) {
        log.error('messages could not be sent again', {
          outboxIds: bodies.map((each) => each.outboxId),
          error,
        });
      }
    }
  }
  return sent;
}

/** Each as large as a queue takes at once; a message that is larger than that stands alone. */
function batchesOf(messages: readonly OutboxMessage[]): OutboxMessage[][] {
  const batches: OutboxMessage[][] = [];
  let room = 0;
  for (const message of messages) {
    const octets = new TextEncoder().encode(JSON.stringify(message)).byteLength;
    if (octets > room) {
      batches.push([]);
      room = MAX_BATCH_OCTETS;
    }
    batches.at(-1)?.push(message);
    room -= octets;
  }
  return batches;
}
