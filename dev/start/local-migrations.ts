// Applies pending migrations to the local D1 database.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { ProcessLock } from '../tools/process-lock.mjs';
import { finish, root } from '../tools/run-tool.ts';

/**
 * @param lock of the state folder, which the migrating process keeps if this one ends before it
 * @throws {Error} with what was said if a migration fails; D1 is then unchanged by that migration
 */
export async function migrateLocally(
  stateFolder: string,
  lock?: Pick<ProcessLock, 'include'>,
): Promise<void> {
  const script = resolve(import.meta.dirname, 'apply-migrations.ts');
  const args = ['--disable-warning=ExperimentalWarning', script, stateFolder];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) lock?.include(child.pid);
  const { code, output } = await finish(child);
  if (code !== 0) throw new Error(`The local database could not be migrated:\n\n${output.trim()}`);
}
