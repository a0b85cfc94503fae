// Bundles a Worker as it would be deployed. wrangler's process ends with it, and so does the memory that its bundler takes.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { captureTool, root } from '../tools/run-tool.ts';

/**
 * Without the console's files, which may be built at the same time.
 *
 * @param config path of its wrangler.toml, whose script is called index.ts
 * @param entry `development`: the script of that name beside it, which serves /dev too
 * @param folder whose sources they are
 * @returns the path of the module; it is deleted when this process ends
 * @throws {Error} with wrangler's output
 */
export async function bundleWorker(config: string, entry?: 'development', folder = root): Promise<string> {
  const own = mkdtempSync(join(tmpdir(), 'tessera-worker-'));
  process.once('exit', () => rmSync(own, { recursive: true, force: true }));
  const [assets, output] = [join(own, 'assets'), join(own, 'bundle')];
  mkdirSync(assets);
  const script = entry === undefined ? [] : [join(dirname(config), 'worker', `${entry}.ts`)];
  const args = ['deploy', ...script, '--config', config, '--assets', assets, '--dry-run', '--outdir', output];
  const result = await captureTool('wrangler', args, { cwd: folder });
  if (result.code !== 0) throw new Error(`The Worker could not be bundled:\n\n${result.output.trim()}`);
  return join(output, `${entry ?? 'index'}.js`);
}
