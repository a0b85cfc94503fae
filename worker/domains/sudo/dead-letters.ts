/**
 * Dead letters: list, retry, discard. Consumers are idempotent, so retrying a message that was processed after all
 * changes nothing.
 */
import { asc, count, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { DeadLetter, sudoEndpoints } from '#contracts/console/sudo';
import type { AnswerOf } from '#contracts/public/endpoint';
import type { QueueMessage } from '#runtime/messages';
import { sendAgain } from '#runtime/send-message';
import type { Db } from '#worker/db/database';
import { deadLetter } from '#worker/db/schema/operations';
import { invalidField, notFound } from '#worker/http/api-error';
import type { Caller, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { countEvents, deleteEvents, readDeadMessage, storedEventsOf } from '#worker/queue/dead-letter-events';

const PAGE_SIZE = 50;
/** Two calls and an audit row each; rows of earlier releases have up to 128 KB. */
const RETRIED_AT_ONCE = 50;
/** So often a call goes on to the next messages, if none could be sent. */
const MAX_ROUNDS = 5;

type DeadLetterRow = typeof deadLetter.$inferSelect;

/** @throws {ApiError} invalid-request naming cursor */
export async function listDeadLetters(
  db: Db,
  cursor: string | undefined,
): Promise<AnswerOf<typeof sudoEndpoints.listDeadLetters>> {
  const total = sql<number>`count(*)`.as('total');
  const [rows, queues] = await db.batch([
    db
      .select()
      .from(deadLetter)
      .where(cursor === undefined ? undefined : isAfter(cursor))
      .orderBy(desc(deadLetter.diedAt), desc(deadLetter.id))
      .limit(PAGE_SIZE + 1),
    db
      .select({ queue: deadLetter.queue, total })
      .from(deadLetter)
      .groupBy(deadLetter.queue)
      .orderBy(desc(total)),
  ]);
  const page = rows.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return {
    items: page.map(asDeadLetter),
    nextCursor: rows.length > PAGE_SIZE && last !== undefined ? `${last.diedAt}.${last.id}` : null,
    total: queues.reduce((sum, each) => sum + each.total, 0),
    queues,
  };
}

/** Sends before deleting the row: the message may be sent twice, but is never lost. @throws {ApiError} not-found */
export async function retryDeadLetter(ctx: RequestContext, actor: Caller, id: string): Promise<void> {
  const [row] = await ctx.db.select().from(deadLetter).where(eq(deadLetter.id, id));
  if (row === undefined) throw notFound('The message');
  if (!(await send(ctx, row))) throw notFound("The message's events");
  await forget(ctx, actor, [row]);
}

/**
 * As retryDeadLetter, for a queue's oldest messages. One that cannot be sent is logged and stays; it counts an attempt, so that
 * others go first.
 * @returns how many were sent, and how many the queue still has
 */
export async function retryDeadLetters(
  ctx: RequestContext,
  actor: Caller,
  queue: string,
): Promise<AnswerOf<typeof sudoEndpoints.retryDeadLetters>> {
  const { db } = ctx;
  const tried = new Set<string>();
  let retried = 0;
  for (let round = 0; round < MAX_ROUNDS && retried === 0; round++) {
    const rows = await db
      .select()
      .from(deadLetter)
      .where(eq(deadLetter.queue, queue))
      .orderBy(asc(deadLetter.attempts), asc(deadLetter.diedAt), asc(deadLetter.id))
      .limit(RETRIED_AT_ONCE);
    const untried = rows.filter(({ id }) => !tried.has(id));
    if (untried.length === 0) break;
    for (const { id } of untried) tried.add(id);
    retried = await retryAll(ctx, actor, untried);
  }
  const [left] = await db.select({ total: count() }).from(deadLetter).where(eq(deadLetter.queue, queue));
  return { retried, remaining: left?.total ?? 0 };
}

/** @returns how many were sent */
async function retryAll(ctx: RequestContext, actor: Caller, rows: readonly DeadLetterRow[]): Promise<number> {
  const { db, log } = ctx;
  const attempts = await Promise.allSettled(rows.map((row) => send(ctx, row)));
  const sent = rows.filter((row, index) => {
    const attempt = attempts[index];
    if (attempt?.status === 'fulfilled' && attempt.value) return true;
    const error = attempt?.status === 'rejected' ? attempt.reason : 'its events are gone';
    log.error('dead letter could not be retried', { id: row.id, queue: row.queue, error });
    return false;
  });
  await forget(ctx, actor, sent);
  const failed = rows.filter((row) => !sent.includes(row));
  if (failed.length > 0) {
    await db
      .update(deadLetter)
      .set({ attempts: sql`${deadLetter.attempts} + 1` })
      .where(isOneOf(failed));
  }
  return sent.length;
}

/** @returns false if the message's events are gone */
async function send({ env }: RequestContext, { body }: DeadLetterRow): Promise<boolean> {
  const message = await readDeadMessage(env, body);
  if (message === null) return false;
  await sendAgain(env, message);
  return true;
}

/** Deletes the rows of messages that were sent. */
async function forget(ctx: RequestContext, actor: Caller, rows: readonly DeadLetterRow[]): Promise<void> {
  if (rows.length === 0) return;
  const scope = { orgId: null, actor };
  await change(ctx, scope, {
    write: [ctx.db.delete(deadLetter).where(isOneOf(rows))],
    audit: rows.map((row) => {
      const { id, queue, type, orgId } = asDeadLetter(row);
      return { orgId, action: 'sudo.dead-letter-retried', targetId: id, detail: { queue, type } };
    }),
    publish: [],
  });
  await deleteEvents(
    ctx.env,
    rows.map(({ body }) => body),
  );
}

function isOneOf(rows: readonly DeadLetterRow[]): SQL {
  const ids = JSON.stringify(rows.map(({ id }) => id));
  return sql`${deadLetter.id} IN (SELECT value FROM json_each(${ids}))`;
}

/** @throws {ApiError} not-found */
export async function discardDeadLetter(ctx: RequestContext, actor: Caller, id: string): Promise<void> {
  const { db, env } = ctx;
  const scope = { orgId: null, actor };
  const { results } = await change(ctx, scope, {
    write: [db.delete(deadLetter).where(eq(deadLetter.id, id)).returning()],
    audit: { action: 'sudo.dead-letter-discarded', targetId: id, onlyIf: sql`changes() > 0` },
    publish: [],
  });
  const [gone] = results;
  if (gone.length === 0) throw notFound('The message');
  await deleteEvents(
    env,
    gone.map(({ body }) => body),
  );
}

/** Events are large customer data, so only their number is shown. */
function asDeadLetter({ id, queue, body, attempts, diedAt }: DeadLetterRow): DeadLetter {
  const stored = storedEventsOf(body);
  if (stored !== null) {
    const { type, orgId, events } = stored;
    return { id, queue, type, orgId, body: { type, orgId, events }, attempts, diedAt };
  }
  const message = body as QueueMessage;
  if (message.type === 'events.recorded') {
    const { orgId } = message.batch;
    const shown = { type: message.type, orgId, events: countEvents(message) };
    return { id, queue, type: message.type, orgId, body: shown, attempts, diedAt };
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
