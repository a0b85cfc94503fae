/**
 * Consumer of the dead-letter queues: stores failed messages in D1, where platform staff can inspect and retry them.
 * An outbox message may fail repeatedly; it has one row, with its latest state.
 */
import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/database';
import { deadLetter } from '#worker/db/schema/operations';
import type { IdPrefix } from '#worker/platform/ids';
import type { Log } from '#worker/platform/log';
import type { QueueMessage } from './messages.ts';

/** A work context satisfies this. */
interface DeadLetterContext {
  readonly db: Db;
  readonly now: number;
  readonly newId: (prefix: IdPrefix) => string;
  readonly log: Log;
}

export async function keepDeadLetters(
  { db, now, newId, log }: DeadLetterContext,
  batch: MessageBatch<QueueMessage>,
): Promise<void> {
  for (const message of batch.messages) {
    try {
      const { body, attempts } = message;
      await db
        .insert(deadLetter)
        .values({
          id:
            typeof body === 'object' && body !== null && 'outboxId' in body
              ? `dead_${body.outboxId}`
              : newId('dead'),
          ...{ queue: batch.queue, body, attempts, diedAt: now },
        })
        .onConflictDoUpdate({
          target: deadLetter.id,
          set: {
            body,
            attempts: sql`${deadLetter.attempts} + ${attempts}`,
            diedAt: sql`max(${deadLetter.diedAt}, ${now})`,
          },
        });
      log.error('queue message moved to dead letters', { queue: batch.queue, type: message.body?.type });
      message.ack();
    } catch (error) {
      log.error('dead letter could not be stored', { queue: batch.queue, error });
      message.retry({ delaySeconds: 60 });
    }
  }
}
