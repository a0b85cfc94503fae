// Runs npm in a folder that has a lock file of its own. It is the npm that runs this script.
import { type SpawnOptions, spawn } from 'node:child_process';
import { finish, root, type ToolResult } from './run-tool.ts';

/** Its script, for Node. @throws {Error} if no npm runs this */
export function npmPath(): string {
  const path = process.env.npm_execpath;
  if (path === undefined) throw new Error('npm is found by npm run: start it that way');
  return path;
}

/** A Vite build leaves NODE_ENV behind, with which npm leaves out the packages that build. */
const withoutMode = () => ({ ...process.env, NODE_ENV: '' });

/** What an npm command that prints JSON prints in the repository. */
export function readNpm(...args: readonly string[]): Promise<ToolResult> {
  return finish(
    spawn(process.execPath, [npmPath(), ...args, '--loglevel', 'silent'], {
      cwd: root,
      env: withoutMode(),
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
}

/** @throws {Error} with what npm says */
export async function runNpm(
  args: readonly string[],
  folder: string,
  { env: own, ...options }: Pick<SpawnOptions, 'env' | 'timeout'> = {},
): Promise<void> {
  // npm run -s would silence the reason of a failure.
  const env = { ...withoutMode(), npm_config_loglevel: 'notice', ...own };
  const command = [npmPath(), ...args];
  const stdio = ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'];
  const child = spawn(process.execPath, command, { ...options, cwd: folder, env, stdio });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => void chunks.push(String(chunk)));
  const code = await new Promise((ended) => child.once('error', ended).once('close', ended));
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed in ${folder}:\n${chunks.join('')}`);
}
