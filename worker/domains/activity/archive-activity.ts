/**
 * Moves the oldest audit rows to R2: those of more than 13 months, and those beyond the newest 100,000 of an organisation, which keys
 * that manage customers may write all day. A trigger lets only rows be deleted that are in the archive.
 */
import { and, asc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { gzip } from '#runtime/gzip';
import { commit } from '#worker/db/database';
import { auditArchive, auditLog, storedRows } from '#worker/db/schema/operations';
import { organisationDeletion } from '#worker/db/schema/organisation-deletions';
import type { WorkContext } from '#worker/http/request-context';

export const KEPT_MONTHS = 13;
export const MAX_ROWS = 100_000;
/** Of an object, and of one deletion. */
const BATCH_ROWS = 2_000;
/** In a run: as much as an organisation can write in a minute, several times over. */
const MAX_BATCHES = 10;

/** The objects of an organisation. Empty: rows outside every organisation. */
export const archivePrefix = (orgId: string) => `audit/${orgId || 'none'}/`;

/** A part of the schedule. Organisations that are being deleted are left alone: their rows go, and their objects have gone. */
export async function archiveExcessActivity(ctx: WorkContext): Promise<void> {
  const { total } = storedRows;
  for (const { orgId, rows } of await findDue(ctx, sql`${total} > ${MAX_ROWS}`))
    await archiveOldest(ctx, orgId, ownRows(orgId), Math.min(rows - MAX_ROWS, BATCH_ROWS));
}

/** A part of the schedule: once an hour. */
export async function archiveOldActivity(ctx: WorkContext): Promise<void> {
  const before = new Date(ctx.now);
  before.setUTCMonth(before.getUTCMonth() - KEPT_MONTHS);
  const isOld = lt(auditLog.at, before.getTime());
  const hasOld = sql`EXISTS (SELECT 1 FROM ${auditLog} WHERE ${auditLog.orgId} = ${storedRows.orgId} AND ${isOld})`;
  for (const { orgId } of [...(await findDue(ctx, hasOld)), { orgId: '' }])
    await archiveOldest(ctx, orgId, and(ownRows(orgId), isOld), BATCH_ROWS);
}

function findDue({ db }: WorkContext, isDue: SQL) {
  const { orgId, total, kind } = storedRows;
  const isKept = sql`NOT EXISTS (SELECT 1 FROM ${organisationDeletion} d WHERE d.org_id = ${orgId} AND d.started_at IS NOT NULL)`;
  return db
    .select({ orgId, rows: total })
    .from(storedRows)
    .where(and(eq(kind, 'audit_log'), isDue, isKept))
    .orderBy(sql`random()`)
    .limit(MAX_BATCHES);
}

const ownRows = (orgId: string) => (orgId === '' ? isNull(auditLog.orgId) : eq(auditLog.orgId, orgId));

async function archiveOldest(
  { db, env }: WorkContext,
  orgId: string,
  condition: SQL | undefined,
  limit: number,
): Promise<void> {
  const rows = await db
    .select({
      id: auditLog.id,
      orgId: auditLog.orgId,
      actorUserId: auditLog.actorUserId,
      actorKey: auditLog.actorKey,
      action: auditLog.action,
      targetId: auditLog.targetId,
      detail: auditLog.detail,
      at: auditLog.at,
    })
    .from(auditLog)
    .where(condition)
    .orderBy(asc(auditLog.at), asc(auditLog.id))
    .limit(limit);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return;
  // Named for its first row: a run that ended before the deletion writes the same object again.
  const day = new Date(first.at).toISOString().slice(0, 10);
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`);
  await env.EVENT_ARCHIVE.put(`${archivePrefix(orgId)}${day}/${first.id}.jsonl.gz`, await gzip(lines));
  const through = { throughAt: last.at, throughId: last.id };
  await commit(db, [
    db
      .insert(auditArchive)
      .values({ orgId, ...through })
      .onConflictDoUpdate({
        target: auditArchive.orgId,
        set: through,
        setWhere: sql`(${auditArchive.throughAt}, ${auditArchive.throughId}) < (${last.at}, ${last.id})`,
      }),
    db
      .delete(auditLog)
      .where(
        sql`${auditLog.id} IN (SELECT value FROM json_each(${JSON.stringify(rows.map(({ id }) => id))}))`,
      ),
  ]);
}
