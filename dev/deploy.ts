// `npm run deploy`: builds the console, then deploys (deploy/deploy-steps.ts). docs/deploy.md lists the one-time steps before the first deployment.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole } from './build/console-build.ts';
import { senderProblem } from './deploy/check-sender.ts';
import { DEPLOY_STEPS } from './deploy/deploy-steps.ts';
import { buildSdk } from './sdk/build-sdk.ts';
import { keepSdkRemotely } from './sdk/keep-sdk.ts';
import { root, runTool } from './tools/run-tool.ts';

const placeholder = 'database_id = "00000000-0000-0000-0000-000000000000"';

const config = readFileSync(join(root, 'wrangler.toml'), 'utf8');
if (config.includes(placeholder)) {
  console.error(
    'wrangler.toml has no database yet: do the one-time steps of docs/deploy.md, "The first time", first.',
  );
  process.exit(1);
}
const problem = senderProblem(config);
if (problem !== null) {
  console.error(problem);
  process.exit(1);
}
await buildConsole();
const sdkProblem = await keepSdkRemotely(await buildSdk());
if (sdkProblem !== null) {
  console.error(sdkProblem);
  process.exit(1);
}
for (const step of DEPLOY_STEPS) {
  const { code } = await runTool('wrangler', step, { stdio: 'inherit' });
  if (code !== 0) process.exit(code);
}
