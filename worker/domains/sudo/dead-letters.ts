/**
 * Dead letters: list, retry, discard. Consumers are idempotent, so retrying a message that was processed after all
 * changes nothing.
 */
import { count, desc, eq, sql } from 'drizzle-orm';
import type { DeadLetter, sudoEndpoints } from '#contracts/console/sudo';
import type { AnswerOf } from '#contracts/public/endpoint';
import { auditRow, auditRowIf } from '#worker/db/audit';
import { commit, type Db } from '#worker/db/database';
import { deadLetter } from '#worker/db/schema/operations';
import { invalidField, notFound } from '#worker/http/api-error';
import type { Caller, RequestContext } from '#worker/http/request-context';
import type { QueueMessage } from '#worker/queue/messages';
import { sendAgain } from '#worker/queue/send-message';

const PAGE_SIZE = 50;

type DeadLetterRow = typeof deadLetter.$inferSelect;

/** @throws {ApiError} invalid-request naming cursor */
export async function listDeadLetters(
  db: Db,
  cursor: string | undefined,
): Promise<AnswerOf<typeof sudoEndpoints.listDeadLetters>> {
  const [rows, [counted]] = await db.batch([
    db
      .select()
      .from(deadLetter)
      .where(cursor === undefined ? undefined : isAfter(cursor))
      .orderBy(desc(deadLetter.diedAt), desc(deadLetter.id))
      .limit(PAGE_SIZE + 1),
    db.select({ total: count() }).from(deadLetter),
  ]);
  const page = rows.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return {
    items: page.map(asDeadLetter),
    nextCursor: rows.length > PAGE_SIZE && last !== undefined ? `${last.diedAt}.${last.id}` : null,
    total: counted?.total ?? 0,
  };
}

/** Sends before deleting the row: the message may be sent twice, but is never lost. @throws {ApiError} not-found */
export async function retryDeadLetter(ctx: RequestContext, actor: Caller, id: string): Promise<void> {
  const { db, env } = ctx;
  const [row] = await db.select().from(deadLetter).where(eq(deadLetter.id, id));
  if (row === undefined) throw notFound('The message');
  await sendAgain(env, row.body as QueueMessage);
  await commit(db, [
    db.delete(deadLetter).where(eq(deadLetter.id, id)),
    auditRow(
      ctx,
      { orgId: asDeadLetter(row).orgId, actor },
      {
        action: 'sudo.dead-letter-retried',
        targetId: id,
        detail: { queue: row.queue, type: asDeadLetter(row).type },
      },
    ),
  ]);
}

/** @throws {ApiError} not-found */
export async function discardDeadLetter(ctx: RequestContext, actor: Caller, id: string): Promise<void> {
  const { db } = ctx;
  const [gone] = (await commit(db, [
    db.delete(deadLetter).where(eq(deadLetter.id, id)).returning(),
    auditRowIf(ctx, { orgId: null, actor }, sql`changes() > 0`, {
      action: 'sudo.dead-letter-discarded',
      targetId: id,
    }),
  ])) as [unknown[]];
  if (gone.length === 0) throw notFound('The message');
}

/** Events are large customer data, so only their number is shown. */
function asDeadLetter({ id, queue, body, attempts, diedAt }: DeadLetterRow): DeadLetter {
  const message = body as QueueMessage;
  if (message.type === 'events.recorded') {
    const { orgId, groups } = message.batch;
    const events = groups.reduce((sum, group) => sum + group.count, 0);
    return {
      id,
      queue,
      type: message.type,
      orgId,
      body: { type: message.type, orgId, events },
      attempts,
      diedAt,
    };
  }
  const orgId = 'orgId' in message ? message.orgId : null;
  return { id, queue, type: message.type, orgId, body, attempts, diedAt };
}

function isAfter(cursor: string) {
  const [, diedAt, id] = /^(\d{1,16})\.(\w+)$/.exec(cursor) ?? [];
  if (diedAt === undefined || id === undefined)
    throw invalidField('cursor', 'Must be a cursor from this list');
  return sql`(${deadLetter.diedAt}, ${deadLetter.id}) < (${Number(diedAt)}, ${id})`;
}
