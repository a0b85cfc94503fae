// Applies pending migrations to the local D1 database.
import type { ProcessLock } from '../tools/process-lock.mjs';
import { captureTool } from '../tools/run-tool.ts';

/**
 * @param lock of the state folder, which wrangler keeps if this process ends before it
 * @throws {Error} with wrangler's output if a migration fails; D1 is then unchanged by that migration
 */
export async function migrateLocally(
  stateFolder: string,
  lock?: Pick<ProcessLock, 'include'>,
): Promise<void> {
  const args = ['d1', 'migrations', 'apply', 'tessera', '--local', '--persist-to', stateFolder];
  const { code, output } = await captureTool('wrangler', args, { onStart: (pid) => lock?.include(pid) });
  if (code !== 0) throw new Error(`The local database could not be migrated:\n\n${output.trim()}`);
}
