// `npm run migrate`: applies pending migrations to the local D1, or to the deployed one with `-- --remote`.
import { readDeployment } from './deploy/deployment.ts';
import { recordMigrations } from './start/known-migrations.ts';
import { migrateLocally } from './start/local-migrations.ts';
import { lockState, stateFolder } from './start/state-folder.ts';
import { readOptions } from './tools/read-options.ts';

const { values } = readOptions('migrate', { remote: { type: 'boolean', default: false } });
if (values.remote) {
  const deployment = await readDeployment();
  const { code } = await deployment.run('d1', 'migrations', 'apply', deployment.database.name, '--remote');
  process.exitCode = code;
} else {
  const lock = await lockState(stateFolder, '');
  await recordMigrations(stateFolder);
  await migrateLocally(stateFolder, lock);
  lock.release();
  console.log('The local database is up to date.');
}
