/**
 * Encrypts a column's secrets again with the current key, so that a former key can be removed from ENCRYPTION_KEY. The
 * schedule calls it; without a former key, and between two runs, it does nothing. See docs/deploy.md, "Rotating secrets".
 */
import { and, asc, getTableName, gt, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { MINUTE_MS } from '#engine/durations';
import type { WorkContext } from '#worker/http/request-context';
import { DecryptionError, type Encryption } from '#worker/platform/encryption';

/** A run reads all rows of the table, because nothing indexes their keys. */
const INTERVAL_MINUTES = 10;
const PAGE_SIZE = 100;
/** Per run: keeps its queries far below D1's 1,000 per invocation. */
const MAX_PAGES = 10;
/** Further pages of rows that cannot be decrypted: they do not hold up the others. */
const MAX_FAILED_PAGES = 90;
const MAX_LOGGED = 20;

interface SealedColumn {
  readonly table: SQLiteTable;
  readonly id: SQLiteColumn;
  readonly orgId: SQLiteColumn;
  readonly sealed: SQLiteColumn;
  /** What the secret is bound to, as when it was encrypted. */
  readonly contextOf: (owner: SecretOwner) => readonly string[];
}

/** The row of a secret. */
interface SecretOwner {
  readonly orgId: string;
  readonly id: string;
}

interface SealedRow extends SecretOwner {
  readonly sealed: string;
}

/** A secret that changes meanwhile keeps its new value. One that cannot be decrypted is logged, and stays as it is. */
export async function resealColumn(ctx: WorkContext, column: SealedColumn): Promise<void> {
  const { encryption } = ctx.settings;
  if (!encryption.hasFormerKeys || Math.floor(ctx.now / MINUTE_MS) % INTERVAL_MINUTES !== 0) return;
  const unreadable: string[] = [];
  let resealed = 0;
  let after = '';
  let pages = 0;
  let failedPages = 0;
  while (pages < MAX_PAGES && failedPages < MAX_FAILED_PAGES) {
    const rows = await readPage(ctx, column, encryption, after);
    const values: [id: string, before: string, after: string][] = [];
    for (const row of rows) {
      const sealed = await reseal(encryption, column, row);
      if (sealed === null) unreadable.push(row.id);
      else values.push([row.id, row.sealed, sealed]);
    }
    if (values.length > 0) {
      resealed += await write(ctx, column, values);
      pages += 1;
    } else failedPages += 1;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PAGE_SIZE) break;
  }
  await report(ctx, column, encryption, resealed, unreadable);
}

async function report(
  { db, log }: WorkContext,
  { table, sealed }: SealedColumn,
  encryption: Encryption,
  resealed: number,
  unreadable: readonly string[],
): Promise<void> {
  const left = await db.$count(table, isOfFormerKey(sealed, encryption));
  const column = `${getTableName(table)}.${sealed.name}`;
  log.info('secrets encrypted again', { column, resealed, left });
  if (unreadable.length > 0) {
    const ids = unreadable.slice(0, MAX_LOGGED);
    log.error('stored secrets cannot be decrypted', { column, rows: unreadable.length, ids });
  }
}

/** Condition. Null secrets do not satisfy it. */
function isOfFormerKey(sealed: SQLiteColumn, { currentKeyId }: Encryption): SQL {
  const prefix = `${currentKeyId}.`;
  return sql`substr(${sealed}, 1, ${prefix.length}) <> ${prefix}`;
}

async function readPage(
  { db }: WorkContext,
  { table, id, orgId, sealed }: SealedColumn,
  encryption: Encryption,
  after: string,
): Promise<SealedRow[]> {
  const rows = await db
    .select({ id, orgId, sealed })
    .from(table)
    .where(and(gt(id, after), isOfFormerKey(sealed, encryption)))
    .orderBy(asc(id))
    .limit(PAGE_SIZE);
  return rows as SealedRow[];
}

/** Null: it cannot be decrypted. */
async function reseal(
  encryption: Encryption,
  { contextOf }: SealedColumn,
  row: SealedRow,
): Promise<string | null> {
  const context = contextOf(row);
  try {
    return await encryption.encrypt(await encryption.decrypt(row.sealed, context), context);
  } catch (error) {
    if (error instanceof DecryptionError) return null;
    throw error;
  }
}

/** One statement for the whole page. @returns the number of rows written */
async function write(
  { db }: WorkContext,
  { table, id, sealed }: SealedColumn,
  values: readonly (readonly [id: string, before: string, after: string])[],
): Promise<number> {
  const given = sql`json_each(${JSON.stringify(values)})`;
  const name = sql.identifier(sealed.name);
  const { meta } = await db.run(
    sql`UPDATE ${table} SET ${name} = (SELECT j.value ->> 2 FROM ${given} j WHERE j.value ->> 0 = ${id})
      WHERE (${id}, ${sealed}) IN (SELECT j.value ->> 0, j.value ->> 1 FROM ${given} j)`,
  );
  return meta.changes;
}
