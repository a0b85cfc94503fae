/**
 * Commits statements only where named conditions hold at that very moment. D1 has no interactive transactions: whatever
 * a use case has read may be different by the time it writes. The conditions are therefore asked inside the transaction
 * of the batch, ahead of its statements, and one that does not hold undoes all of it: no row, no raised revision, no
 * line in the audit log.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { commit, type Db, type Statement } from './database.ts';
import type { environment } from './schema/environments.ts';
import type { feature, featureProperty } from './schema/features.ts';
import type { jwtIntegration } from './schema/integrations.ts';
import type { plan } from './schema/plans.ts';
import type { stripeIntegration } from './schema/stripe.ts';

/**
 * @param conditions asked in this order, each an expression that is true or not; names of letters only
 * @returns null when everything was committed; else the first condition that did not hold, and nothing was
 */
export async function commitIf<Name extends string>(
  db: Db,
  conditions: Readonly<Record<Name, SQL>>,
  statements: readonly Statement[],
): Promise<Name | null> {
  const names = Object.keys(conditions) as Name[];
  try {
    await commit(db, [demand(db, names, conditions), ...statements]);
    return null;
  } catch (error) {
    const unmet = names.find((name) => isUnmet(error, name));
    if (unmet === undefined) throw error;
    return unmet;
  }
}

/**
 * SQLite cannot raise an error outside of triggers, but an unreadable JSON path is one, and its message names the path.
 * A CASE evaluates only the branch it takes; its last one asks nothing, so that there may be no condition at all.
 */
function demand<Name extends string>(
  db: Db,
  names: readonly Name[],
  conditions: Readonly<Record<Name, SQL>>,
): Statement {
  const branches = names.map(
    (name) => sql`WHEN (${conditions[name]}) IS NOT TRUE THEN json_extract('{}', ${pathOf(name)})`,
  );
  return db
    .select({ isMet: sql`CASE ${sql.join(branches, sql` `)} WHEN TRUE THEN 1 END` })
    .from(sql`(SELECT 1)`);
}

function isUnmet(error: unknown, name: string): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    // SQLite before 3.45 said "JSON path error near", since then "bad JSON path:".
    if (/JSON path/i.test(cause.message) && cause.message.includes(`'${pathOf(name)}'`)) return true;
  }
  return false;
}

function pathOf(name: string): string {
  return `unmet:${name}`;
}

/** Tables whose rows belong to an organisation and are edited by people. */
type EditedTable =
  | typeof feature
  | typeof featureProperty
  | typeof plan
  | typeof environment
  | typeof jwtIntegration
  | typeof stripeIntegration;

/**
 * Condition: the organisation has such a row and, where an instant is given, nobody has changed it since then.
 * @param further narrows it down, with columns of the same table
 */
export function rowStands(
  table: EditedTable,
  orgId: string,
  id: string,
  updatedAt?: number | undefined,
  further?: SQL | undefined,
): SQL {
  const isIt = and(
    eq(table.id, id),
    eq(table.orgId, orgId),
    updatedAt === undefined ? undefined : eq(table.updatedAt, updatedAt),
    further,
  );
  return sql`EXISTS (SELECT 1 FROM ${table} WHERE ${isIt})`;
}

/** The next `updatedAt` of a row: now, but always later than its last one, so that no two states share an instant. */
export function nextUpdatedAt(table: EditedTable, now: number): SQL<number> {
  return sql`max(${now}, ${table.updatedAt} + 1)`;
}
