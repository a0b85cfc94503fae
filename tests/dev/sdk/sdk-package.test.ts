// The package as it is served: its size, its declarations, and that nothing under one version ever changes.
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SdkPackage, sdkEntries, sdkFolder } from '../../../dev/sdk/build-sdk.ts';
import { packTarball } from '../../../dev/sdk/pack-tarball.ts';
import { packageProblem } from '../../../dev/sdk/packages-lock.ts';
import { captureTool, root } from '../../../dev/tools/run-tool.ts';
import { installSdk } from '../../consumers/install-sdk.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-sdk-'));
const tarballPath = join(folder, 'tessera-sdk.tgz');
let sdk: SdkPackage;

beforeAll(async () => {
  sdk = await installSdk(folder, []);
  writeFileSync(tarballPath, sdk.tarball);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = (path: string) => sdk.files.get(path) ?? '';

/** Compressed, as an application bundles the installed package with all that the entry has; React apart. */
async function sizeOf(entry: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from '${entry}'`, resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    external: ['react'],
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? '').length;
}

/** The smallest client of others for the same takes 7.1 KB. */
const budgets: readonly (readonly [string, number])[] = [
  ['index', 6.5],
  ['browser', 3],
  ['react', 4],
  ['handler', 1.5],
  ['testing', 30],
];

test.each(budgets)('%s adds at most %d KB to an application, compressed', async (name, budget) => {
  const entry = name === 'index' ? 'tessera-sdk' : `tessera-sdk/${name}`;
  expect((await sizeOf(entry)) / 1024).toBeLessThanOrEqual(budget);
});

test('it is a download of at most 70 KB, and takes 400 KB installed', () => {
  const bytes = [...sdk.files.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0);
  expect([sdk.tarball.length <= 70 * 1024, bytes <= 400 * 1024]).toEqual([true, true]);
});

test('it has no dependencies, no scripts of npm, and every file that it exports', () => {
  const manifest = JSON.parse(text('package.json')) as {
    exports: Record<string, { types: string; default: string }>;
    [field: string]: unknown;
  };
  for (const field of ['dependencies', 'devDependencies', 'scripts', 'imports'])
    expect(manifest).not.toHaveProperty(field);
  const exported = Object.values(manifest.exports).flatMap((paths) => Object.values(paths));
  expect(exported.filter((path) => !sdk.files.has(path.replace('./', '')))).toEqual([]);
  expect(Object.keys(manifest.exports)).toHaveLength(sdkEntries.length);
});

test('scripts import each other and React alone, and nothing that Node 20 lacks', () => {
  for (const [path, script] of sdk.files) {
    if (!path.endsWith('.js')) continue;
    const imported = [...script.matchAll(/^import .*?from "([^"]+)"|\bimport\("([^"]+)"\)/gm)].map(
      ([, name]) => name,
    );
    expect(imported.filter((name) => !/^(\.\/[\w-]+\.js|react)$/.test(name ?? ''))).toEqual([]);
    expect(script).not.toMatch(/groupBy|withResolvers|\bZod|Array\.fromAsync/);
  }
});

test('declarations are one file per entry, without imports of what is not in the package', () => {
  for (const name of sdkEntries) {
    const imported = [...text(`dist/${name}.d.ts`).matchAll(/(?:from |import\()["']([^"']+)/g)].map(
      ([, name]) => name,
    );
    expect(imported.filter((each) => !/^(\.\/(index|browser)\.js|react)$/.test(each ?? ''))).toEqual([]);
  }
});

test('the public declarations are those that are listed', async () => {
  const listed = sdkEntries.map((name) => `// ${name}\n${withoutComments(text(`dist/${name}.d.ts`))}`);
  await expect(listed.join('\n')).toMatchFileSnapshot(join(sdkFolder, 'public-declarations.txt'));
});

test('a version’s package never changes: other content needs another version', () => {
  expect(packageProblem(sdk)).toBeNull();
  const changed = { ...sdk, tarball: packTarball(new Map([...sdk.files, ['README.md', 'another']])) };
  expect(packageProblem(changed)).toContain('raise the version');
});

test.each(globSync('examples/*/package-lock.json', { cwd: root }))(
  '%s has the package that the server serves',
  (path) => {
    const { packages } = JSON.parse(readFileSync(join(root, path), 'utf8')) as {
      packages: Record<string, { integrity?: string }>;
    };
    const hash = createHash('sha512').update(sdk.tarball).digest('base64');
    expect(packages['node_modules/tessera-sdk']?.integrity).toBe(`sha512-${hash}`);
  },
);

describe('the tarball', () => {
  test('has the same bytes whatever the order of its files', () => {
    expect(packTarball(new Map([...sdk.files].reverse())).equals(sdk.tarball)).toBe(true);
    expect(gunzipSync(sdk.tarball).length % 512).toBe(0);
  });

  test('has the same bytes on every machine: what packs it computes as elsewhere', () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `${(at * at * 31) % 9_973} of line ${at}\n`);
    const packed = packTarball(new Map([['lines', lines.join('')]]));
    expect(createHash('sha256').update(packed).digest('hex')).toBe(
      'c6be15866cac7f14e77e4bcb6132d0fe25b90a62112fdd36273a57a9e2884eb2',
    );
  });

  test.each(['publint', 'attw'] as const)('passes %s', async (tool) => {
    const args = tool === 'publint' ? [tarballPath, '--strict'] : [tarballPath, '--profile', 'esm-only'];
    const { code, output } = await captureTool(tool, args);
    expect(code, output).toBe(0);
  });
});

function withoutComments(declarations: string): string {
  return declarations.replace(/\/\*\*?[\s\S]*?\*\/\n?/g, '').replace(/^\s*\n/gm, '');
}
