// Installs the clients that are compared, with lock file and folder of their own, and says how much they weigh.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { runNpm } from '../../../dev/tools/run-npm.ts';
import { installSdk } from '../../fakes/install-sdk.ts';

export const folder = import.meta.dirname;

/** The package of each client, by the name of its script here. */
export const packages = new Map([
  ['tessera', 'tessera-sdk'],
  ['growthbook', '@growthbook/growthbook'],
  ['unleash', 'unleash-client'],
  ['openfeature', '@openfeature/server-sdk'],
  ['flipt', '@flipt-io/flipt-client-js'],
]);

/** Needs a registry the first time, and whenever the lock file has changed. */
export async function installClients(): Promise<void> {
  const installed = join(folder, 'node_modules/.package-lock.json');
  const lock = join(folder, 'package-lock.json');
  const isCurrent = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
  if (!isCurrent) await runNpm(['ci', '--ignore-scripts'], folder);
  // Of an earlier build.
  rmSync(join(folder, 'node_modules/tessera-sdk'), { recursive: true, force: true });
  await installSdk(folder, []);
}

export interface Sizes {
  /** Octets of the package and everything that it depends on. */
  readonly installed: number;
  /** Compressed octets of a bundle with what its script here uses. */
  readonly compressed: number;
}

export async function sizesOf(name: string): Promise<Sizes> {
  const folders = dependenciesOf(packages.get(name) ?? '');
  const bundle = await rolldown({ input: join(folder, `${name}.js`), platform: 'node', logLevel: 'silent' });
  const { output } = await bundle.generate({ minify: true, codeSplitting: false });
  await bundle.close();
  return {
    installed: folders.reduce((sum, path) => sum + octetsOf(path), 0),
    compressed: gzipSync(output[0].code).length,
  };
}

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Folders below node_modules, as npm finds them. The package that is built here depends on nothing. */
function dependenciesOf(name: string): string[] {
  const text = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const { packages: locked } = JSON.parse(text) as { packages: Record<string, Locked> };
  const found = new Set([`node_modules/${name}`]);
  for (const path of found) {
    const { dependencies, peerDependencies } = locked[path] ?? {};
    for (const needed of Object.keys({ ...dependencies, ...peerDependencies })) {
      const nested = path
        .split('/node_modules/')
        .map((_, depth, all) => all.slice(0, depth + 1).join('/node_modules/'));
      const places = ['', ...nested.map((place) => `${place}/`)].reverse();
      const place = places.map((each) => `${each}node_modules/${needed}`).find((each) => each in locked);
      if (place !== undefined) found.add(place);
    }
  }
  return [...found];
}

/** Without the packages inside it, which count by themselves. */
function octetsOf(path: string): number {
  return readdirSync(join(folder, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.slice(join(folder, path).length).includes('node_modules'))
    .reduce((sum, file) => sum + statSync(file).size, 0);
}
