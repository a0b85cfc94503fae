// Brings the D1 database of this machine to the newest migration.
import { captureTool } from './tools.ts';

/** @throws {Error} with wrangler's own words when a migration fails; D1 then is as it was before that migration. */
export async function migrateLocally(stateFolder: string): Promise<void> {
  const { code, output } = await captureTool('wrangler', [
    ...['d1', 'migrations', 'apply', 'tessera', '--local', '--persist-to', stateFolder],
  ]);
  if (code !== 0) throw new Error(`The local database could not be migrated:\n\n${output.trim()}`);
}
