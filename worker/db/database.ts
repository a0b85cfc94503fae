/**
 * The control plane's D1 database. Stores return unexecuted statements, and use cases commit them in batches; a batch
 * is one transaction.
 */

import { type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { limitTo } from './limit-to.ts';
import * as artifacts from './schema/artifacts.ts';
import * as auth from './schema/auth.ts';
import * as billing from './schema/billing.ts';
import * as customers from './schema/customers.ts';
import * as environments from './schema/environments.ts';
import * as features from './schema/features.ts';
import * as integrations from './schema/integrations.ts';
import * as operations from './schema/operations.ts';
import * as organisationDeletions from './schema/organisation-deletions.ts';
import * as organisations from './schema/organisations.ts';
import * as plans from './schema/plans.ts';
import * as stripe from './schema/stripe.ts';
import * as watchSessions from './schema/watch-sessions.ts';
import * as webhooks from './schema/webhooks.ts';

export const schema = {
  ...auth,
  ...organisations,
  ...organisationDeletions,
  ...features,
  ...plans,
  ...artifacts,
  ...environments,
  ...customers,
  ...integrations,
  ...stripe,
  ...billing,
  ...operations,
  ...watchSessions,
  ...webhooks,
};

export type Db = DrizzleD1Database<typeof schema>;

/** An unexecuted statement: what a store returns for a use case to commit. */
export type Statement = BatchItem<'sqlite'>;

const databases = new WeakMap<D1Database, Db>();

export function openDatabase(d1: D1Database): Db {
  let db = databases.get(d1);
  if (db === undefined) {
    db = writeLimits(drizzle(d1, { schema }));
    databases.set(d1, db);
  }
  return db;
}

/** Makes `.limit()` write its number out as well: see `limitTo`. */
function writeLimits(db: Db): Db {
  const { dialect } = db as unknown as {
    dialect: { buildLimit: (rows: number | undefined) => SQL | undefined };
  };
  dialect.buildLimit = (rows) => (rows === undefined ? undefined : sql` ${limitTo(rows)}`);
  return db;
}

/**
 * Commits all statements in one transaction and returns their results in order. D1 returns a batch's rows as objects, so a
 * joined select must not have two columns of the same name: the second would overwrite the first.
 */
export async function commit(db: Db, statements: readonly Statement[]): Promise<unknown[]> {
  const [first, ...rest] = statements;
  if (first === undefined) return [];
  return db.batch([first, ...rest]);
}

/** Whether a statement violated a unique index. @param columns only this index, as `table.column` */
export function isUniqueViolation(error: unknown, columns?: string): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes('UNIQUE constraint failed')) {
      return columns === undefined || cause.message.includes(columns);
    }
  }
  return false;
}

/** SQLite's codes for a wrong statement or a violated constraint. Another attempt would fail as well. */
const PERMANENT = /SQLITE_(?:ERROR|CONSTRAINT|MISMATCH|TOOBIG|RANGE|MISUSE|AUTH)/;

/** Whether D1 cannot be reached, is overloaded or full, or refuses writes: a later attempt may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.startsWith('D1_ERROR')) return !PERMANENT.test(cause.message);
  }
  return false;
}
