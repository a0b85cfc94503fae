// Builds tessera-sdk into packages/sdk/dist: for each of two module formats, one script per entry and what they share, and one file of
// declarations per entry. The same sources make the same bytes on every machine.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isolatedDeclarationSync } from 'rolldown/experimental';
import { build, type Rolldown } from 'vite';
import { sdkFileName } from '../../packages/contracts/public/sdk-package.ts';
import { root } from '../tools/run-tool.ts';
import { packTarball } from './pack-tarball.ts';

export const sdkFolder = join(root, 'packages/sdk');
export const sdkEntries = [
  'index',
  'holds',
  'ai',
  'webhooks',
  'browser',
  'react',
  'pricing',
  'handler',
  'testing',
  'fake-server',
];

export interface SdkPackage {
  readonly version: string;
  /** As it is served, below /sdk. */
  readonly fileName: string;
  /** By path in the package. */
  readonly files: ReadonlyMap<string, string>;
  readonly tarball: Buffer;
}

/** Files lie beside package.json, where tools that do not read its `exports` look for `tessera-sdk/browser`. */
const formats = [
  { name: 'es', script: '.mjs', declarations: '.d.mts' },
  { name: 'cjs', script: '.js', declarations: '.d.ts' },
] as const;
type Format = (typeof formats)[number];

/** @throws {Error} with what the bundler says */
export async function buildSdk(): Promise<SdkPackage> {
  const built = await Promise.all(formats.map(bundleSdk));
  const manifest = publishedManifest();
  const files = new Map([
    ['package.json', `${JSON.stringify(manifest, null, 2)}\n`],
    ['README.md', readText('README.md')],
    ...built.flat(),
    ...formats.flatMap(emitDeclarations),
  ]);
  replaceDist(files);
  const { version } = manifest;
  return { version, fileName: sdkFileName(version), files, tarball: packTarball(files) };
}

/** Several processes may build at the same time, as tests and a server that starts do. None finds half of the files. */
function replaceDist(files: SdkPackage['files']): void {
  const written = join(root, 'node_modules/.cache/tessera', `sdk-${process.pid}`);
  mkdirSync(written, { recursive: true });
  for (const [path, text] of files) writeFileSync(join(written, path), text);
  const dist = join(sdkFolder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  try {
    renameSync(written, dist);
  } catch {
    rmSync(written, { recursive: true }); // Another process has put the same files there in between.
  }
}

type Files = (readonly [name: string, text: string])[];

/** What entries share is a chunk of its own. */
async function bundleSdk({ name: format, script }: Format): Promise<Files> {
  const result = await build({
    root: sdkFolder,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2023',
      minify: false,
      lib: { entry: sdkEntries.map((name) => join(sdkFolder, `${name}.ts`)), formats: [format] },
      rolldownOptions: {
        // The hashes in the chunks' names are made of paths from here.
        cwd: sdkFolder,
        external: ['react'],
        // Nor where each part comes from: the package does not have the sources.
        experimental: { attachDebugInfo: 'none' },
        output: {
          entryFileNames: `[name]${script}`,
          chunkFileNames: `shared-[hash]${script}`,
          // Shorter statements, with their names and lines: what fails in an application can be read.
          minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
          // Annotations are for bundlers, which leave out what an application does not use; declarations have the documentation.
          comments: { annotation: true, jsdoc: false },
        },
      },
    },
  });
  const [{ output }] = result as [Rolldown.RolldownOutput];
  return output.flatMap((chunk) =>
    chunk.type === 'chunk' ? [[chunk.fileName, withUnixLines(chunk.code)] as const] : [],
  );
}

/** Of each file by itself, which takes no compiler: tests/dev/sdk compiles projects against them. @throws {Error} where a type is not written out */
function emitDeclarations({ script, declarations }: Format): Files {
  return sdkEntries.map((name) => {
    const { code, errors } = isolatedDeclarationSync(`${name}.ts`, readText(`${name}.ts`), {});
    if (errors.length > 0)
      throw new Error(`packages/sdk/${name}.ts: ${errors.map(({ message }) => message).join('; ')}`);
    const text = withUnixLines(code).replace(/(from ['"]\.\/[a-z]+)\.ts(['"])/g, `$1${script}$2`);
    return [name + declarations, text];
  });
}

interface Manifest {
  readonly version: string;
  readonly [field: string]: unknown;
}

const published = ['name', 'version', 'description', 'license', 'sideEffects', 'engines'];
published.push('peerDependencies', 'peerDependenciesMeta');

/** Without what concerns this repository alone. */
function publishedManifest(): Manifest {
  const own = JSON.parse(readText('package.json')) as Manifest;
  const fields = Object.entries(own).filter(([name]) => published.includes(name));
  return {
    ...(Object.fromEntries(fields) as Manifest),
    type: 'commonjs',
    main: './index.js',
    types: './index.d.ts',
    exports: {
      ...Object.fromEntries(sdkEntries.map((name) => [name === 'index' ? '.' : `./${name}`, exported(name)])),
      './package.json': './package.json',
    },
  };
}

/**
 * Node and bundlers load the module whether it is imported or required, so that an application has one client, one error and one React
 * context. CommonJS is for what can load nothing else: Jest, and older tools.
 */
function exported(name: string): object {
  const module = `./${name}.mjs`;
  return {
    import: { types: `./${name}.d.mts`, default: module },
    'module-sync': module,
    module,
    default: { types: `./${name}.d.ts`, default: `./${name}.js` },
  };
}

const readText = (name: string) => withUnixLines(readFileSync(join(sdkFolder, name), 'utf8'));

function withUnixLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
