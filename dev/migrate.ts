// `npm run migrate`: applies pending migrations to the local D1, or to the deployed one with `-- --remote`.
import { resolve } from 'node:path';
import { migrateLocally } from './local-migrations.ts';
import { root, runTool } from './tools.ts';

if (process.argv.includes('--remote')) {
  process.exitCode = (await runTool('wrangler', ['d1', 'migrations', 'apply', 'tessera', '--remote'])).code;
} else {
  await migrateLocally(resolve(root, process.env.TESSERA_STATE ?? '.wrangler/state'));
  console.log('The local database is up to date.');
}
