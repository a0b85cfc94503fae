// Builds tessera-sdk into packages/sdk/dist: one script per entry and what they share, and one file of declarations per entry. The same
// sources make the same bytes on every machine.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isolatedDeclarationSync } from 'rolldown/experimental';
import { build, type Rolldown } from 'vite';
import { sdkFileName } from '../../packages/contracts/public/sdk-package.ts';
import { root } from '../tools/run-tool.ts';
import { packTarball } from './pack-tarball.ts';

export const sdkFolder = join(root, 'packages/sdk');
export const sdkEntries = ['index', 'browser', 'react', 'handler', 'testing'];

export interface SdkPackage {
  readonly version: string;
  /** As it is served, below /sdk. */
  readonly fileName: string;
  /** By path in the package. */
  readonly files: ReadonlyMap<string, string>;
  readonly tarball: Buffer;
}

/** @throws {Error} with what the bundler says */
export async function buildSdk(): Promise<SdkPackage> {
  const scripts = await bundleSdk();
  const declarations = emitDeclarations();
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
  const { version } = manifest;
  return { version, fileName: sdkFileName(version), files, tarball: packTarball(files) };
}

/** @returns the scripts by name; what entries share is a chunk of its own */
async function bundleSdk(): Promise<Map<string, string>> {
  const result = await build({
    root: sdkFolder,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2023',
      minify: false,
      lib: { entry: sdkEntries.map((name) => join(sdkFolder, `${name}.ts`)), formats: ['es'] },
      rolldownOptions: {
        external: ['react'],
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'shared-[hash].js',
          minify: false,
          // For bundlers, which leave out what an application does not use.
          comments: { annotation: true },
        },
      },
    },
  });
  const [{ output }] = result as [Rolldown.RolldownOutput];
  return new Map(
    output.flatMap((chunk) => (chunk.type === 'chunk' ? [[chunk.fileName, withUnixLines(chunk.code)]] : [])),
  );
}

/** Of each file by itself, which takes no compiler: tests/dev/sdk compiles projects against them. @throws {Error} where a type is not written out */
function emitDeclarations(): Map<string, string> {
  return new Map(
    sdkEntries.map((name) => {
      const { code, errors } = isolatedDeclarationSync(`${name}.ts`, readText(`${name}.ts`), {});
      if (errors.length > 0)
        throw new Error(`packages/sdk/${name}.ts: ${errors.map(({ message }) => message).join('; ')}`);
      return [`${name}.d.ts`, withUnixLines(code).replace(/(from ['"]\.\/[a-z]+)\.ts(['"])/g, '$1.js$2')];
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
