/**
 * Where an organisation keeps its data. The column is in db rather than in domains/organisations because the domains
 * below it (snapshots, metering, events) read it too.
 */
import { eq } from 'drizzle-orm';
import type { Location } from '#contracts/public/locations';
import type { Db } from './database.ts';
import { organization } from './schema/organisations.ts';

/** @returns the enabled data locations, the first of which is home; null when there is no such organisation */
export async function findDataLocations(db: Db, orgId: string): Promise<readonly Location[] | null> {
  const [row] = await db
    .select({ locations: organization.dataLocations })
    .from(organization)
    .where(eq(organization.id, orgId));
  return row?.locations ?? null;
}
