// Builds the console into web/dist, or leaves it alone when nothing that goes into it has changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { captureTool, root } from './tools.ts';

const cacheFolder = join(root, 'node_modules/.cache/tessera');
const stampPath = join(cacheFolder, 'console-build');
/** What the last build made of each source file; kept out of what is served. */
export const manifestPath = join(cacheFolder, 'console-manifest.json');
const sources = ['web', 'worker/contracts', 'worker/engine', 'package.json', 'package-lock.json'];

/**
 * Answers whether a build was needed.
 * @throws {Error} with the builder's own words when it fails.
 */
export async function buildConsole(): Promise<boolean> {
  const stamp = stampOfSources();
  const isBuilt = [join(root, 'web/dist/index.html'), manifestPath, stampPath].every(existsSync);
  if (isBuilt && readFileSync(stampPath, 'utf8') === stamp) return false;
  const { code, output } = await captureTool('vite', [
    'build',
    '--config',
    'web/vite.config.ts',
    '--manifest',
    '--logLevel',
    'warn',
  ]);
  if (code !== 0) throw new Error(`The console could not be built:\n\n${output.trim()}`);
  mkdirSync(cacheFolder, { recursive: true });
  renameSync(join(root, 'web/dist/.vite/manifest.json'), manifestPath);
  rmSync(join(root, 'web/dist/.vite'), { recursive: true });
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
