// Builds tessera-sdk into packages/sdk/dist: one script per entry and what they share, and one file of declarations per entry. The same
// sources make the same bytes on every machine.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { captureTool, root } from '../tools/run-tool.ts';
import { packTarball } from './pack-tarball.ts';

export const sdkFolder = join(root, 'packages/sdk');
export const sdkEntries = ['index', 'browser', 'react', 'handler', 'testing'].filter((name) =>
  existsSync(join(sdkFolder, `${name}.ts`)),
);

export interface SdkPackage {
  readonly version: string;
  /** By path in the package. */
  readonly files: ReadonlyMap<string, string>;
  readonly tarball: Buffer;
}

/** @throws {Error} with what the compiler or the bundler says */
export async function buildSdk(): Promise<SdkPackage> {
  const [scripts, declarations] = await Promise.all([bundleSdk(sdkEntries, false), emitDeclarations()]);
  const manifest = publishedManifest();
  const files = new Map([
    ['package.json', `${JSON.stringify(manifest, null, 2)}\n`],
    ['README.md', readText('README.md')],
    ...[...scripts, ...declarations].map(([name, text]) => [`dist/${name}`, text] as const),
  ]);
  const dist = join(sdkFolder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  for (const [path, text] of files) if (path.startsWith('dist/')) writeFileSync(join(sdkFolder, path), text);
  return { version: manifest.version, files, tarball: packTarball(files) };
}

/** @param entries names of files of the package @returns the scripts by name; what entries share is a chunk of its own */
export async function bundleSdk(
  entries: readonly string[],
  isMinified: boolean,
): Promise<Map<string, string>> {
  const result = await build({
    root: sdkFolder,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2023',
      minify: isMinified,
      lib: { entry: entries.map((name) => join(sdkFolder, `${name}.ts`)), formats: ['es'] },
      rolldownOptions: {
        external: ['react'],
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'shared-[hash].js',
          minify: isMinified,
        },
      },
    },
  });
  const [{ output }] = result as [Rolldown.RolldownOutput];
  return new Map(
    output.flatMap((chunk) => (chunk.type === 'chunk' ? [[chunk.fileName, withUnixLines(chunk.code)]] : [])),
  );
}

const declarationFolder = join(root, 'node_modules/.types/packages/sdk');

async function emitDeclarations(): Promise<Map<string, string>> {
  const paths = sdkEntries.map((name) => join(declarationFolder, `${name}.d.ts`));
  // The compiler takes what it emitted before for granted.
  const args = paths.every(existsSync) ? [] : ['--force'];
  const { code, output } = await captureTool('tsc', ['-b', 'packages/sdk', ...args]);
  if (code !== 0) throw new Error(`The types of tessera-sdk could not be built:\n\n${output.trim()}`);
  return new Map(
    sdkEntries.map((name, at) => {
      const text = withUnixLines(readFileSync(paths[at] as string, 'utf8'));
      return [`${name}.d.ts`, text.replace(/(from ['"]\.\/[a-z]+)\.ts(['"])/g, '$1.js$2')];
    }),
  );
}

interface Manifest {
  readonly version: string;
  readonly [field: string]: unknown;
}

const published = [
  'name',
  'version',
  'description',
  'license',
  'type',
  'sideEffects',
  'engines',
  'exports',
  'files',
];
published.push('peerDependencies', 'peerDependenciesMeta');

/** Without what concerns this repository alone. */
function publishedManifest(): Manifest {
  const own = JSON.parse(readText('package.json')) as Manifest;
  const fields = Object.entries(own).filter(([name]) => published.includes(name));
  return Object.fromEntries(fields) as Manifest;
}

const readText = (name: string) => withUnixLines(readFileSync(join(sdkFolder, name), 'utf8'));

function withUnixLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
