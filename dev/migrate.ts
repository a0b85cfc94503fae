// `npm run migrate`: applies new migrations to the local D1, or, with `-- --remote`, to the deployed one.
import { resolve } from 'node:path';
import { migrateLocally } from './local-migrations.ts';
import { root, runTool } from './tools.ts';

if (process.argv.includes('--remote')) {
  process.exitCode = (await runTool('wrangler', ['d1', 'migrations', 'apply', 'tessera', '--remote'])).code;
} else {
  await migrateLocally(resolve(root, process.env.TESSERA_STATE ?? '.wrangler/state'));
  console.log('The local database is up to date.');
}
