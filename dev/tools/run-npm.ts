// Runs npm in a folder that has a lock file of its own. It is the npm that runs this script.
import { type SpawnOptions, spawn } from 'node:child_process';

/** Its script, for Node. @throws {Error} if no npm runs this */
export function npmPath(): string {
  const path = process.env.npm_execpath;
  if (path === undefined) throw new Error('npm is found by npm run: start it that way');
  return path;
}

/** @throws {Error} with what npm says */
export async function runNpm(
  args: readonly string[],
  folder: string,
  { env: own, ...options }: Pick<SpawnOptions, 'env' | 'timeout'> = {},
): Promise<void> {
  // A build by Vite leaves NODE_ENV behind, with which npm leaves out what builds; npm run -s would silence the reason of a failure.
  const env = { ...process.env, NODE_ENV: '', npm_config_loglevel: 'notice', ...own };
  const command = [npmPath(), ...args];
  const stdio = ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'];
  const child = spawn(process.execPath, command, { ...options, cwd: folder, env, stdio });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => void chunks.push(String(chunk)));
  const code = await new Promise((ended) => child.once('error', ended).once('close', ended));
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed in ${folder}:\n${chunks.join('')}`);
}
