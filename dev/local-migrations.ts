// Applies pending migrations to the local D1 database.
import { captureTool } from './tools.ts';

/** @throws {Error} with wrangler's output if a migration fails; D1 is then unchanged by that migration */
export async function migrateLocally(stateFolder: string): Promise<void> {
  const { code, output } = await captureTool('wrangler', [
    ...['d1', 'migrations', 'apply', 'tessera', '--local', '--persist-to', stateFolder],
  ]);
  if (code !== 0) throw new Error(`The local database could not be migrated:\n\n${output.trim()}`);
}
