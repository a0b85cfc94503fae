// Measures the built console: scripts of the first screen after sign-in, and scripts loaded later. `npm run build` prints
// the sizes; a browser test compares them with what a browser loads.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../tools/run-tool.ts';
import { manifestPath } from './console-build.ts';

/** Limit for the compressed scripts and styles of the first screen after sign-in. */
export const FIRST_SCREEN_LIMIT_BYTES = 250 * 1024;

/** Limit for the compressed JavaScript of /signin. */
export const SIGN_IN_LIMIT_BYTES = 110 * 1024;

/** Names of shared chunks (web/bundling/chunks.ts). */
const signInChunks = ['base'];
const firstScreenChunks = ['base', 'console'];

export interface FileSize {
  /** Path relative to web/dist. */
  file: string;
  bytes: number;
  gzipBytes: number;
}

export interface ConsoleSizes {
  /** Scripts, the largest first, like the others. */
  firstScreen: FileSize[];
  firstScreenStyles: FileSize[];
  /** What /signin loads. */
  signIn: FileSize[];
  later: FileSize[];
}

/** The output file and static imports of a chunk. */
interface ManifestEntry {
  file: string;
  /** The chunk's name. */
  name?: string;
  imports?: string[];
  /** Style sheets. */
  css?: string[];
}

/** Vite's manifest. */
type Manifest = Record<string, ManifestEntry>;

/** Measures the last build. */
export function measureConsole(): ConsoleSizes {
  const manifest = new Map(Object.entries(JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest));
  const firstEntries = entriesOf(manifest, firstScreenChunks);
  const first = scriptsOf(firstEntries);
  const scripts = new Set(
    [...manifest.values()].map(({ file }) => file).filter((file) => file.endsWith('.js')),
  );
  const later = [...scripts].filter((file) => !first.has(file));
  return {
    firstScreen: sized([...first]),
    firstScreenStyles: sized([...new Set(firstEntries.flatMap(({ css = [] }) => css))]),
    signIn: sized([...scriptsOf(entriesOf(manifest, signInChunks))]),
    later: sized(later),
  };
}

/** The chunks' entries and those of their static imports. */
function entriesOf(manifest: ReadonlyMap<string, ManifestEntry>, names: readonly string[]): ManifestEntry[] {
  const keys = new Set(names.map((name) => keyOf(manifest, name))); // Grows during iteration: each entry adds its imports.
  return [...walk()];
  function* walk() {
    for (const key of keys) {
      const entry = manifest.get(key);
      if (entry === undefined) throw new Error(`The build has no ${key}`);
      for (const imported of entry.imports ?? []) keys.add(imported);
      yield entry;
    }
  }
}

/** With those of the HTML. */
const scriptsOf = (entries: readonly ManifestEntry[]) =>
  new Set([...scriptsOfHtml(), ...entries.map(({ file }) => file)]);

const keyOf = (manifest: ReadonlyMap<string, ManifestEntry>, name: string) =>
  [...manifest].find(([key, entry]) => key.startsWith('_') && entry.name === name)?.[0] ?? name;

/** Scripts referenced by the HTML: the manifest omits scripts that are not modules. */
function scriptsOfHtml(): string[] {
  const html = readFileSync(join(root, 'web/dist/index.html'), 'utf8');
  return [...html.matchAll(/<script[^>]* src="\/([^"]+)"/g)].flatMap(([, path]) => path ?? []);
}

function sized(files: string[]): FileSize[] {
  return files
    .map((file) => {
      const content = readFileSync(join(root, 'web/dist', file));
      return { file, bytes: content.length, gzipBytes: gzipSync(content).length };
    })
    .sort((a, b) => b.gzipBytes - a.gzipBytes);
}

/** Two tables: the largest files by name, the rest summed in one line. */
export function describeSizes({ firstScreen, firstScreenStyles, signIn, later }: ConsoleSizes): string {
  return [
    line('JavaScript of sign-in', 'KB', 'gzip'),
    ...rows(signIn, 5),
    sum('together', total(signIn)),
    shareOf(signIn, SIGN_IN_LIMIT_BYTES),
    '',
    line('JavaScript of the first screen after sign-in', 'KB', 'gzip'),
    ...rows(firstScreen, 5),
    sum('together', total(firstScreen)),
    sum('style sheets', total(firstScreenStyles)),
    shareOf([...firstScreen, ...firstScreenStyles], FIRST_SCREEN_LIMIT_BYTES),
    '',
    line('Loaded later, with the pages that need it', 'KB', 'gzip'),
    ...rows(later, 10),
    sum('together', total(later)),
  ].join('\n');
}

function shareOf(scripts: readonly FileSize[], limitBytes: number): string {
  const share = Math.round((total(scripts).gzipBytes / limitBytes) * 100);
  return `  ${share}% of the ${toKilobytes(limitBytes)} KB (gzip) that it may load`;
}

function rows(scripts: readonly FileSize[], shown: number): string[] {
  const rest = scripts.slice(shown);
  return [
    ...scripts.slice(0, shown).map((script) => sum(displayName(script), script)),
    ...(rest.length > 0 ? [sum(`${rest.length} smaller files`, total(rest))] : []),
  ];
}

/** The file name without its folder and content hash. */
function displayName({ file }: FileSize): string {
  return basename(file, '.js').replace(/-[\w-]{8}$/, '');
}

function total(scripts: readonly FileSize[]): Omit<FileSize, 'file'> {
  return {
    bytes: scripts.reduce((bytes, script) => bytes + script.bytes, 0),
    gzipBytes: scripts.reduce((bytes, script) => bytes + script.gzipBytes, 0),
  };
}

function sum(label: string, { bytes, gzipBytes }: Omit<FileSize, 'file'>): string {
  return line(`  ${label}`, toKilobytes(bytes), toKilobytes(gzipBytes));
}

function line(label: string, bytes: string, gzipBytes: string): string {
  return label.padEnd(46) + bytes.padStart(10) + gzipBytes.padStart(10);
}

function toKilobytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}
