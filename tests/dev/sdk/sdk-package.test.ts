// The package as it is served: its size, its declarations, and that nothing under one version ever changes.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installSdk } from '#lab/fakes/install-sdk';
import { type SdkPackage, sdkEntries, sdkFolder } from '../../../dev/sdk/build-sdk.ts';
import { packTarball } from '../../../dev/sdk/pack-tarball.ts';
import { packageProblem } from '../../../dev/sdk/packages-lock.ts';
import { captureTool, root } from '../../../dev/tools/run-tool.ts';

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
  ['holds', 3],
  ['ai', 4.1],
  ['webhooks', 1.5],
  ['browser', 3],
  ['react', 4],
  ['pricing', 2],
  ['handler', 1.5],
  ['testing', 44],
  ['fake-server', 57],
];

test.each(budgets)('%s adds at most %d KB to an application, compressed', async (name, budget) => {
  const entry = name === 'index' ? 'tessera-sdk' : `tessera-sdk/${name}`;
  expect((await sizeOf(entry)) / 1024).toBeLessThanOrEqual(budget);
});

test('in both formats it is a download of at most 194 KB, and takes 750 KB installed', () => {
  const bytes = [...sdk.files.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0);
  expect(sdk.tarball.length / 1024).toBeLessThanOrEqual(194);
  expect(bytes / 1024).toBeLessThanOrEqual(750);
});

test('it has no dependencies, no scripts of npm, and every file that it exports', () => {
  const manifest = JSON.parse(text('package.json')) as Record<string, unknown>;
  for (const field of ['dependencies', 'devDependencies', 'scripts', 'imports'])
    expect(manifest).not.toHaveProperty(field);
  const exported = [...text('package.json').matchAll(/"\.\/([^"*]+\.[^"]+)"/g)].map(([, path]) => path ?? '');
  expect(exported.filter((path) => !sdk.files.has(path))).toEqual([]);
  expect(new Set(exported)).toEqual(
    new Set([...sdk.files.keys()].filter((path) => !/^(shared|README)/.test(path))),
  );
});

test('scripts load each other and React alone, in their own format, and nothing that Node 20 lacks', () => {
  for (const [path, script] of sdk.files) {
    if (!/\.m?js$/.test(path)) continue;
    const loaded = [...script.matchAll(/^import .*?from "([^"]+)"|\b(?:import|require)\("([^"]+)"\)/gm)].map(
      ([, imported, required]) => imported ?? required ?? '',
    );
    const own = path.endsWith('.mjs') ? /^(\.\/[\w-]+\.mjs|react)$/ : /^(\.\/[\w-]+\.js|react)$/;
    expect(loaded.filter((name) => !own.test(name))).toEqual([]);
    expect(script).not.toMatch(/groupBy|withResolvers|\bZod|Array\.fromAsync/);
  }
});

test('hooks are marked as client code in both formats', () => {
  for (const path of ['react', 'pricing'].flatMap((name) => [`${name}.mjs`, `${name}.js`]))
    expect(text(path)).toMatch(/^"use client";/);
});

test('declarations are one file per entry and format, without imports of what is not in the package', () => {
  for (const [path, declarations] of sdk.files) {
    const [, format] = /\.d\.(m?)ts$/.exec(path) ?? [];
    if (format === undefined) continue;
    const imported = [...declarations.matchAll(/(?:from |import\()["']([^"']+)/g)].map(([, name]) => name);
    const own = [`./index.${format}js`, `./browser.${format}js`, 'react'];
    expect(imported.filter((each) => !own.includes(each ?? ''))).toEqual([]);
  }
});

test('the public declarations are those that are listed', async () => {
  const listed = sdkEntries.map((name) => `// ${name}\n${withoutComments(text(`${name}.d.ts`))}`);
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

  test('has the same bytes wherever the build is started', async () => {
    const build = pathToFileURL(join(root, 'dev/sdk/build-sdk.ts')).href;
    const script = `const { tarball } = await (await import('${build}')).buildSdk(); process.stdout.write(tarball);`;
    const options = { cwd: folder, encoding: 'buffer' } as const;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script],
      options,
    );
    expect(stdout.equals(sdk.tarball)).toBe(true);
  });

  test('has the same bytes on every machine: what packs it computes as elsewhere', () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `${(at * at * 31) % 9_973} of line ${at}\n`);
    const packed = packTarball(new Map([['lines', lines.join('')]]));
    expect(createHash('sha256').update(packed).digest('hex')).toBe(
      'c6be15866cac7f14e77e4bcb6132d0fe25b90a62112fdd36273a57a9e2884eb2',
    );
  });

  test.each([
    ['publint', ['--strict']],
    ['attw', []],
  ] as const)('passes %s', async (tool, options) => {
    const { code, output } = await captureTool(tool, [tarballPath, ...options]);
    expect(code, output).toBe(0);
  });
});

function withoutComments(declarations: string): string {
  return declarations.replace(/\/\*\*?[\s\S]*?\*\/\n?/g, '').replace(/^\s*\n/gm, '');
}
