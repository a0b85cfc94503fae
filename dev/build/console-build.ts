// Builds the console into web/dist, unless its sources are unchanged since the last build.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProcessLock, waitForLock } from '../tools/process-lock.mjs';
import { captureTool, root } from '../tools/run-tool.ts';

const cacheFolder = join(root, 'node_modules/.cache/tessera');
const stampPath = join(cacheFolder, 'console-build');
/** Vite's manifest of the last build, stored outside the served folder. */
export const manifestPath = join(cacheFolder, 'console-manifest.json');
const sources = [
  ...['web', 'packages/contracts', 'packages/engine', 'package.json', 'package-lock.json'],
  ...['examples/guides', 'examples/hono-worker/src'], // The code of the guides.
];

/**
 * One process at a time builds; those that wait for it find the build done.
 *
 * @returns whether a build was needed
 * @throws {Error} with Vite's output if the build fails
 */
export async function buildConsole(): Promise<boolean> {
  const lock = await waitForLock(cacheFolder, 'console-build', `process ${process.pid}`);
  try {
    return await buildIfChanged(lock);
  } finally {
    lock.release();
  }
}

async function buildIfChanged(lock: ProcessLock): Promise<boolean> {
  const stamp = stampOfSources();
  const isBuilt = [join(root, 'web/dist/index.html'), manifestPath, stampPath].every(existsSync);
  if (isBuilt && readFileSync(stampPath, 'utf8') === stamp) return false;
  const { code, output } = await captureTool(
    'vite',
    ['build', '--config', 'web/vite.config.ts', '--manifest', '--logLevel', 'warn'],
    {
      env: { NODE_ENV: 'production' }, // A test runner sets another one, which would build React for development.
      onStart: (pid) => lock.include(pid),
    },
  );
  if (code !== 0) throw new Error(`The console could not be built:\n\n${output.trim()}`);
  mkdirSync(cacheFolder, { recursive: true });
  renameSync(join(root, 'web/dist/.vite/manifest.json'), manifestPath);
  rmSync(join(root, 'web/dist/.vite'), { recursive: true });
  writeFileSync(stampPath, stamp);
  return true;
}

/** Hash of the paths and contents of all build inputs. */
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
