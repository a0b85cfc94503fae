import type { Db } from '#worker/db/database';
import { liveEnvironment } from '#worker/db/live-environments';
import { environment } from '#worker/db/schema/environments';
import { invalidField } from '#worker/http/api-error';
import type { Scope } from '#worker/http/request-context';

/** @param ids null: all @throws {ApiError} invalid-request naming environmentIds */
export async function ensureEnvironmentsExist(db: Db, { orgId }: Scope, ids: readonly string[] | null) {
  if (ids === null) return;
  const rows = await db.select({ id: environment.id }).from(environment).where(liveEnvironment(orgId));
  const known = new Set(rows.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw invalidField('environmentIds', `There is no environment ${unknown}`);
}
