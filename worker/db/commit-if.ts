/**
 * Optimistic locking for D1: commits statements only if named conditions are true at commit time. D1 has no interactive
 * transactions, so rows that a use case has read may change before it writes. The first statement of the batch evaluates
 * the conditions; an unmet one aborts the batch, which rolls back every statement, including outbox and audit rows.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { commit, type Db, type Statement } from './database.ts';
import type { customerGrant, customerOverride } from './schema/customers.ts';
import type { environment } from './schema/environments.ts';
import type { feature, featureProperty } from './schema/features.ts';
import type { jwtIntegration } from './schema/integrations.ts';
import type { plan } from './schema/plans.ts';
import type { stripeIntegration } from './schema/stripe.ts';
import type { webhook } from './schema/webhooks.ts';
import type { workflow } from './schema/workflows.ts';

type Attempt<Name extends string> =
  | { readonly unmet: null; readonly results: readonly unknown[] }
  | { readonly unmet: Name; readonly results: null };

/** As commitIf, with the results of the statements. */
export async function tryCommit<Name extends string>(
  db: Db,
  conditions: Readonly<Record<Name, SQL>>,
  statements: readonly Statement[],
): Promise<Attempt<Name>> {
  const names = Object.keys(conditions) as Name[];
  const demands = names.length === 0 ? [] : [demand(db, names, conditions)];
  try {
    const results = await commit(db, [...demands, ...statements]);
    return { unmet: null, results: results.slice(demands.length) };
  } catch (error) {
    const unmet = names.find((name) => isUnmet(error, name));
    if (unmet === undefined) throw error;
    return { unmet, results: null };
  }
}

/**
 * @param conditions boolean expressions, evaluated in this order; names contain letters only
 * @returns null after the commit; otherwise the first unmet condition, and nothing was committed
 */
export async function commitIf<Name extends string>(
  db: Db,
  conditions: Readonly<Record<Name, SQL>>,
  statements: readonly Statement[],
): Promise<Name | null> {
  return (await tryCommit(db, conditions, statements)).unmet;
}

/**
 * SQLite's RAISE() works in triggers only. An invalid JSON path raises an error as well, and its message contains the path,
 * so the path carries the condition's name. CASE evaluates only the branch it takes.
 */
function demand<Name extends string>(
  db: Db,
  names: readonly Name[],
  conditions: Readonly<Record<Name, SQL>>,
): Statement {
  const branches = names.map(
    (name) => sql`WHEN (${conditions[name]}) IS NOT TRUE THEN json_extract('{}', ${pathOf(name)})`,
  );
  return db.select({ isMet: sql`CASE ${sql.join(branches, sql` `)} END` }).from(sql`(SELECT 1)`);
}

function isUnmet(error: unknown, name: string): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    // SQLite before 3.45 reports "JSON path error near", later versions "bad JSON path:".
    if (/JSON path/i.test(cause.message) && cause.message.includes(`'${pathOf(name)}'`)) return true;
  }
  return false;
}

function pathOf(name: string): string {
  return `unmet:${name}`;
}

/** Tables with rows that belong to an organisation and that members edit. */
export type EditedTable =
  | typeof feature
  | typeof featureProperty
  | typeof plan
  | typeof environment
  | typeof jwtIntegration
  | typeof stripeIntegration
  | typeof webhook
  | typeof workflow;

/**
 * Condition: the organisation has this row.
 * @param further narrows it down, with columns of the same table
 */
export function rowExists(
  table: EditedTable | typeof customerGrant | typeof customerOverride,
  orgId: string,
  id: string,
  further?: SQL | undefined,
): SQL {
  const isIt = and(eq(table.id, id), eq(table.orgId, orgId), further);
  return sql`EXISTS (SELECT 1 FROM ${table} WHERE ${isIt})`;
}

/**
 * Condition: the organisation has this row, and nobody has changed it since `updatedAt`.
 * @param updatedAt undefined: every state of the row is accepted
 */
export function isCurrentRow(
  table: EditedTable,
  orgId: string,
  id: string,
  updatedAt: number | undefined,
  further?: SQL | undefined,
): SQL {
  const isUnchanged = updatedAt === undefined ? undefined : eq(table.updatedAt, updatedAt);
  return rowExists(table, orgId, id, and(isUnchanged, further));
}

/** The next `updatedAt` of a row: now, but always greater than the last one, so that no two states share an instant. */
export function nextUpdatedAt(table: EditedTable, now: number): SQL<number> {
  return sql`max(${now}, ${table.updatedAt} + 1)`;
}
