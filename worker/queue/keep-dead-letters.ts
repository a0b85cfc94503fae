/**
 * Consumer of the dead-letter queues: stores failed messages in D1, and their events in R2, where platform staff can inspect and
 * retry them.
 * An outbox message may fail repeatedly; it has one row, with its latest state.
 */
import { sql } from 'drizzle-orm';
import type { Log } from '#runtime/log';
import type { QueueMessage } from '#runtime/messages';
import type { Db } from '#worker/db/database';
import { deadLetter } from '#worker/db/schema/operations';
import type { Env } from '#worker/env';
import { storeEvents } from './dead-letter-events.ts';

/** A work context satisfies this. */
interface DeadLetterContext {
  readonly db: Db;
  readonly now: number;
  readonly env: Pick<Env, 'EVENT_ARCHIVE'>;
  readonly log: Log;
}

export async function keepDeadLetters(
  { db, env, now, log }: DeadLetterContext,
  batch: MessageBatch<QueueMessage>,
): Promise<void> {
  for (const message of batch.messages) {
    try {
      const { body: received, attempts } = message;
      const id = idOf(message);
      const body = received?.type === 'events.recorded' ? await storeEvents(env, id, received) : received;
      await db
        .insert(deadLetter)
        .values({
          id,
          queue: batch.queue,
          body,
          attempts,
          diedAt: now,
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

/** The same for a message that is delivered again. */
function idOf({ id, body }: Message<QueueMessage>): string {
  const isOutboxMessage = typeof body === 'object' && body !== null && 'outboxId' in body;
  return `dead_${isOutboxMessage ? body.outboxId : id.replaceAll(/\W/g, '_')}`;
}
