// Builds the console into web/dist, or leaves it alone when nothing that goes into it has changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { captureTool, root } from './tools.ts';

const stampPath = join(root, 'node_modules/.cache/tessera/console-build');
const sources = ['web', 'worker/contracts', 'worker/engine', 'package.json', 'package-lock.json'];

/**
 * Answers whether a build was needed.
 * @throws {Error} with the builder's own words when it fails.
 */
export async function buildConsole(): Promise<boolean> {
  const stamp = stampOfSources();
  const isBuilt = existsSync(join(root, 'web/dist/index.html')) && existsSync(stampPath);
  if (isBuilt && readFileSync(stampPath, 'utf8') === stamp) return false;
  const { code, output } = await captureTool('vite', [
    'build',
    '--config',
    'web/vite.config.ts',
    '--logLevel',
    'warn',
  ]);
  if (code !== 0) throw new Error(`The console could not be built:\n\n${output.trim()}`);
  mkdirSync(dirname(stampPath), { recursive: true });
  writeFileSync(stampPath, stamp);
  return true;
}

/** A hash over the paths and contents of everything that the build reads. */
function stampOfSources(): string {
  const hash = createHash('sha256');
  for (const path of sources.flatMap(listFiles).sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(path: string): string[] {
  if (/\.[a-z]+$/.test(path)) return [path];
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'dist') return [];
    const inner = `${path}/${entry.name}`;
    return entry.isDirectory() ? listFiles(inner) : [inner];
  });
}
