/**
 * The transactional outbox. A message is a row committed with its change, sent to the queue after the commit, and
 * deleted by the consumer. The schedule resends rows older than a minute, so delivery is at least once and consumers
 * are idempotent.
 */
import { eq, lte, type SQL, sql } from 'drizzle-orm';
import type { Log } from '#runtime/log';
import type { OutboxMessage } from '#runtime/messages';
import { bytesOf, MAX_BATCH, MAX_MESSAGE_BYTES, type Queues, resendQueueOf } from '#runtime/send-message';
import { commit, type Db, type Statement } from '#worker/db/database';
import { insertSelect, type RowSource } from '#worker/db/insert-select';
import { deadLetter, outbox, outboxDueAt } from '#worker/db/schema/operations';

/** Per run. */
const MAX_RESENT = 1_000;
/** A queue's limit is 256 KB per batch. */
const MAX_BATCH_BYTES = 200_000;

/** The statement to commit in the same batch as the change. */
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

/** As outboxRow, for a message with a fixed id: a row that is still there starts over with this message. */
export function outboxRestart(db: Db, message: OutboxMessage, now: number): Statement {
  const state = { payload: message, createdAt: now, sentAt: now, attempts: 1 };
  return db
    .insert(outbox)
    .values({ ...state, id: message.outboxId, orgId: message.orgId, type: message.type })
    .onConflictDoUpdate({ target: outbox.id, set: state });
}

/** A message built in SQL: each field is a constant or a SQL expression. */
export type MessageInSql<Message extends OutboxMessage = OutboxMessage> = Message extends OutboxMessage
  ? { readonly [Field in keyof Message]: Field extends 'type' ? Message[Field] : Message[Field] | SQL }
  : never;

/** As outboxRow, with one message per row of a query. JSON fields are given as SQL: `json(…)`. */
export function outboxRowsFrom(db: Db, message: MessageInSql, source: RowSource, now: number): Statement {
  const fields = Object.entries(message).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`);
  return insertSelect(
    db,
    outbox,
    {
      id: message.outboxId,
      orgId: message.orgId,
      type: message.type,
      payload: sql`json_object(${sql.join(fields, sql`, `)})`,
      createdAt: now,
      sentAt: now,
    },
    source,
  );
}

/**
 * As outboxRow, for the messages that satisfy a condition and have no row yet. Returns the ids of the new rows.
 * @param condition reads the message's JSON as `value`
 */
export function outboxRowsIf(db: Db, messages: readonly OutboxMessage[], condition: SQL, now: number) {
  const values = {
    id: sql`value ->> 'outboxId'`,
    orgId: sql`value ->> 'orgId'`,
    type: sql`value ->> 'type'`,
    payload: sql`value`,
    createdAt: now,
    sentAt: now,
  };
  const source = { from: sql`json_each(${JSON.stringify(messages)})`, where: condition };
  return insertSelect(db, outbox, values, source).onConflictDoNothing().returning({ id: outbox.id });
}

/** The statement that replaces the message with the next part of the same work. */
export function outboxProgress(db: Db, message: OutboxMessage, now: number): Statement {
  return db
    .update(outbox)
    .set({ payload: message, sentAt: now, attempts: 1 })
    .where(eq(outbox.id, message.outboxId));
}

/** The statement that deletes the rows of processed messages. */
export function outboxAllDone(db: Db, outboxIds: readonly string[]): Statement {
  return db
    .delete(outbox)
    .where(sql`${outbox.id} IN (SELECT value FROM json_each(${JSON.stringify(outboxIds)}))`);
}

/** The statement that deletes the row of a processed message. */
export function outboxDone(db: Db, outboxId: string): Statement {
  return db.delete(outbox).where(eq(outbox.id, outboxId));
}

/** A work context satisfies this. */
interface ResendContext {
  readonly db: Db;
  readonly env: Queues;
  readonly now: number;
  readonly log: Log;
}

/**
 * Resends due messages: a minute after the first attempt, then with growing pauses. Organisations take turns, so that one
 * with many messages does not delay the others. A message that the queue rejects is logged and retried later, and a
 * malformed row becomes a dead letter; neither blocks the others.
 * @param which `all` also sends what is not due, e.g. after the loss of a queue
 * @returns the number of sent messages
 */
export async function resendOutbox(
  { db, env, now, log }: ResendContext,
  which: 'due' | 'all' = 'due',
): Promise<number> {
  const due = await db
    .select({
      id: outbox.id,
      orgId: outbox.orgId,
      type: outbox.type,
      // Unparsed: one malformed payload would fail the whole query.
      payload: sql<string>`${outbox.payload}`,
    })
    .from(outbox)
    .where(which === 'due' ? lte(outboxDueAt, now) : lte(outbox.sentAt, now))
    .orderBy(sql`row_number() OVER (PARTITION BY ${outbox.orgId} ORDER BY ${outbox.sentAt})`, outbox.sentAt)
    .limit(MAX_RESENT);
  const ready: OutboxMessage[] = [];
  for (const row of due) {
    const message = readMessage(row);
    if (message === null) {
      await park(db, row, now);
      log.error('malformed outbox row moved to dead letters', { outboxId: row.id, type: row.type });
      continue;
    }
    ready.push(message);
  }
  const ids = JSON.stringify(ready.map(({ outboxId }) => outboxId));
  await db
    .update(outbox)
    .set({ sentAt: now, attempts: sql`${outbox.attempts} + 1` })
    .where(sql`${outbox.id} IN (SELECT value FROM json_each(${ids}))`);
  const messages = Map.groupBy(ready, ({ type }) => resendQueueOf(env, type));
  let sent = 0;
  for (const [queue, waiting] of messages) {
    for (const bodies of batchesOf(waiting)) {
      try {
        await queue.sendBatch(bodies.map((body) => ({ body })));
        sent += bodies.length;
      } catch (error) {
        log.error('messages could not be resent', {
          outboxIds: bodies.map((each) => each.outboxId),
          error,
        });
      }
    }
  }
  return sent;
}

interface StoredMessage {
  readonly id: string;
  readonly orgId: string;
  readonly type: string;
  readonly payload: string;
}

/** Null: malformed. A consumer could not process it, or not delete its row. */
function readMessage({ id, type, payload }: StoredMessage): OutboxMessage | null {
  try {
    const message = JSON.parse(payload) as OutboxMessage | null;
    return message?.outboxId === id && message.type === type ? message : null;
  } catch {
    return null;
  }
}

/** Moves a malformed row to the dead letters, with its text, where platform staff see it. */
async function park(db: Db, { id, orgId, type, payload }: StoredMessage, now: number): Promise<void> {
  const body = { type: 'malformed', outboxId: id, orgId, rowType: type, payload };
  await commit(db, [
    db
      .insert(deadLetter)
      .values({ id: `dead_${id}`, queue: 'outbox', body, attempts: 0, diedAt: now })
      .onConflictDoNothing(),
    outboxDone(db, id),
  ]);
}

/** Splits by number and size. A message that the queue will reject gets its own batch, so that only it fails. */
function batchesOf(messages: readonly OutboxMessage[]): OutboxMessage[][] {
  const batches: OutboxMessage[][] = [];
  let room = 0;
  for (const message of messages) {
    const bytes = bytesOf(message);
    if (bytes > MAX_MESSAGE_BYTES) {
      batches.unshift([message]);
      continue;
    }
    if (bytes > room || batches.at(-1)?.length === MAX_BATCH) {
      batches.push([]);
      room = MAX_BATCH_BYTES;
    }
    batches.at(-1)?.push(message);
    room -= bytes;
  }
  return batches;
}
