/**
 * The data locations whose ledgers of an environment are being retired: the outbox has a row for each until that is done. Others that
 * share the usage ask them, too. See durable-objects/README.md, "Retiring a location".
 */
import { inArray, sql } from 'drizzle-orm';
import type { LeavingLocations } from '#contracts/internal/ledger';
import { LOCATIONS, type Location } from '#contracts/public/locations';
import type { Db } from './database.ts';
import { outbox } from './schema/operations.ts';

/** The id of the outbox row that retires a location's ledgers. */
export function retirementId(environmentId: string, location: Location): string {
  return `out_location_${environmentId}_${location}`;
}

/** The statement that reads them. */
export function leavingRows(db: Db, environmentId: string) {
  const ids = LOCATIONS.map((location) => retirementId(environmentId, location));
  return db
    .select({
      location: sql<Location>`${outbox.payload} ->> 'location'`,
      run: sql<string | null>`${outbox.payload} ->> 'run'`,
    })
    .from(outbox)
    .where(inArray(outbox.id, ids))
    .orderBy(outbox.id);
}

export function leavingOf(
  rows: readonly { readonly location: Location; readonly run: string | null }[],
): LeavingLocations {
  return Object.fromEntries(rows.map(({ location, run }) => [location, run ?? '']));
}
