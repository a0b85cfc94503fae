// Reads the repository's own source for the rules: which files there are, and what each imports. Import statements are
// found by their text, which is enough for code that the formatter lays out.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve, sep } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

export interface Import {
  /** As written. */
  specifier: string;
  /** The file it means, relative to the root; null for a package. */
  target: string | null;
  /** `import type` and `export type`: gone before anything runs. */
  isTypeOnly: boolean;
}

const aliases = readAliases();
const importStatement = /^(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?['"]([^'"]+)['"]/gm;
const importCall = /\bimport\(\s*['"]([^'"]+)['"]/g;

/** The files below the given folders that match, as paths relative to the root with forward slashes, sorted. */
export function listFiles(folders: readonly string[], pattern = /\.(ts|tsx|mjs)$/): string[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !/(^|\/)(node_modules|dist|test-results|\.wrangler)\//.test(path))
    .sort();
}

export function readSource(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export function importsOf(path: string, source = readSource(path)): Import[] {
  const statements = [...source.matchAll(importStatement)].map(([, type, specifier = '']) => ({
    specifier,
    isTypeOnly: type !== undefined,
  }));
  const calls = [...source.matchAll(importCall)].map(([, specifier = '']) => ({
    specifier,
    isTypeOnly: false,
  }));
  return [...statements, ...calls].map((found) => ({ ...found, target: targetOf(path, found.specifier) }));
}

function targetOf(path: string, specifier: string): string | null {
  if (specifier.startsWith('.'))
    return normalize(join(dirname(path), specifier))
      .split(sep)
      .join('/');
  for (const [prefix, folder, ending] of aliases) {
    if (specifier.startsWith(prefix)) return `${folder}${specifier.slice(prefix.length)}${ending}`;
  }
  return null;
}

/** package.json `imports`, as [prefix, folder, ending]: '#engine/*' to './packages/engine/*.ts' and so on. */
function readAliases(): [string, string, string][] {
  const { imports } = JSON.parse(readSource('package.json')) as { imports: { [alias: string]: string } };
  return Object.entries(imports).map(([alias, path]) => {
    const [folder = '', ending = ''] = path.replace(/^\.\//, '').split('*');
    return [alias.replace('*', ''), folder, ending];
  });
}
