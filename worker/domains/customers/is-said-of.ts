/** Condition for commitIf: such a grant or override stands. */
import { type SQL, sql } from 'drizzle-orm';
import type { customerGrant, customerOverride } from '#worker/db/schema/customers';

export function isSaidOf(table: typeof customerGrant | typeof customerOverride, isIt: SQL | undefined): SQL {
  return sql`EXISTS (SELECT 1 FROM ${table} WHERE ${isIt})`;
}
