// Runs npm in a folder that has a lock file of its own. It is the npm that runs this script.
import { spawn } from 'node:child_process';

/** @throws {Error} with what npm says */
export async function runNpm(args: readonly string[], folder: string): Promise<string> {
  const path = process.env.npm_execpath;
  if (path === undefined) throw new Error('npm is found by npm run: start it that way');
  const child = spawn(process.execPath, [path, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => void chunks.push(String(chunk)));
  const code = await new Promise((ended) => child.once('error', ended).once('close', ended));
  const output = chunks.join('');
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed in ${folder}:\n${output}`);
  return output;
}
