// `npm run migrate`: applies pending migrations to the local D1, or to the deployed one with `-- --remote`.
import { recordMigrations } from './start/known-migrations.ts';
import { migrateLocally } from './start/local-migrations.ts';
import { lockState, stateFolder } from './start/state-folder.ts';
import { runTool } from './tools/run-tool.ts';

if (process.argv.includes('--remote')) {
  process.exitCode = (await runTool('wrangler', ['d1', 'migrations', 'apply', 'tessera', '--remote'])).code;
} else {
  const lock = await lockState(stateFolder, '');
  await recordMigrations(stateFolder);
  await migrateLocally(stateFolder, lock);
  lock.release();
  console.log('The local database is up to date.');
}
