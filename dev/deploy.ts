// `npm run deploy`: builds the console, migrates D1, deploys the workflow runner, then the Worker, so that new code never runs
// against old tables or without its runner. README.md lists the one-time steps before the first deployment.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole } from './console-build.ts';
import { root, runTool, type Tool } from './tools.ts';

const placeholder = 'database_id = "00000000-0000-0000-0000-000000000000"';

if (readFileSync(join(root, 'wrangler.toml'), 'utf8').includes(placeholder)) {
  console.error(
    'wrangler.toml has no database yet: do the one-time steps of the README ("Deploying") first.',
  );
  process.exit(1);
}
await buildConsole();
await run('wrangler', ['d1', 'migrations', 'apply', 'tessera', '--remote']);
await run('wrangler', ['deploy', '--config', 'workflow-runner/wrangler.toml']);
await run('wrangler', ['deploy']);

async function run(tool: Tool, args: readonly string[]): Promise<void> {
  const { code } = await runTool(tool, args, { stdio: 'inherit' });
  if (code !== 0) process.exit(code);
}
