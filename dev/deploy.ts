// `npm run deploy`: checks the account, builds, then deploys. `-- --dry-run` does all but write, and lists the migrations that are due.
// `-- --config file` deploys to what another wrangler.toml names. docs/deploy.md lists the one-time steps before the first deployment.
import { bundleWorker } from './build/bundle-worker.ts';
import { buildConsole } from './build/console-build.ts';
import { readDeployment } from './deploy/deployment.ts';
import { configProblem, missingInAccount, pendingMigrations } from './deploy/preflight.ts';
import { buildSdk } from './sdk/build-sdk.ts';
import { keepSdkRemotely, servedSdk } from './sdk/keep-sdk.ts';
import { readOptions } from './tools/read-options.ts';
import { StartError } from './tools/start-error.ts';

const { values } = readOptions('deploy', {
  'dry-run': { type: 'boolean', default: false },
  config: { type: 'string', default: 'wrangler.toml' },
});
const deployment = await readDeployment(values.config);
refuse(configProblem(deployment));
console.log('Checking the account ...');
const missing = await missingInAccount(deployment);
refuse(missing.length === 0 ? null : `Nothing was deployed.\n${missing.join('\n')}`);
await buildConsole();
const sdk = await buildSdk();
const served = await servedSdk(deployment, sdk);
refuse(served.problem);

if (values['dry-run']) {
  await bundleWorker(deployment.path);
  const pending = await pendingMigrations(deployment);
  console.log(pending.length === 0 ? 'No migration is due.' : `Migrations to apply:\n${pending.join('\n')}`);
  console.log('A dry run: nothing was written. Without --dry-run, this release would be deployed.');
} else {
  if (served.isAbsent) refuse(await keepSdkRemotely(deployment, sdk));
  // New code never runs against old tables.
  await succeed('d1', 'migrations', 'apply', deployment.database.name, '--remote');
  await succeed('deploy');
}

function refuse(problem: string | null): void {
  if (problem !== null) throw new StartError(problem);
}

async function succeed(...args: readonly string[]): Promise<void> {
  const { code } = await deployment.run(...args);
  if (code !== 0) process.exit(code);
}
