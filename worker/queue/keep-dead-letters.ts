/**
 * Consumer of the dead-letter queues: what was given up is kept in D1, where it can be seen and replayed. What stands in
 * the outbox is sent, and may be given up, again and again: it is kept once, as it was the last time.
 */
import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/database';
import { deadLetter } from '#worker/db/schema/operations';
import { newId } from '#worker/platform/ids';
import type { Log } from '#worker/platform/log';
import type { QueueMessage } from './messages.ts';

export async function keepDeadLetters(
  db: Db,
  batch: MessageBatch<QueueMessage>,
  now: number,
  log: Log,
): Promise<void> {
  for (const message of batch.messages) {
    try {
      const { body, attempts } = message;
      await db
        .insert(deadLetter)
        .values({
          id: 'outboxId' in body ? `dead_${body.outboxId}` : newId('dead', now),
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
      log.error('queue message given up', { queue: batch.queue, type: message.body?.type });
      message.ack();
    } catch (error) {
      log.error('dead letter could not be kept', { queue: batch.queue, error });
      message.retry({ delaySeconds: 60 });
    }
  }
}
