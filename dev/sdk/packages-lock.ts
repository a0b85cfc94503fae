// packages/sdk/packages.lock: the hash of every version's package. Lock files of applications pin what a version's address serves.
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SDK_VERSION } from '../../packages/contracts/public/sdk-package.ts';
import { root } from '../tools/run-tool.ts';
import { type SdkPackage, sdkFolder } from './build-sdk.ts';

const path = join(sdkFolder, 'packages.lock');

/** By version. */
export function readPackagesLock(): Map<string, string> {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return new Map(lines.map((line) => line.split(' ') as [string, string]));
}

export function writePackagesLock(hashes: ReadonlyMap<string, string>): void {
  writeFileSync(path, [...hashes].map(([version, hash]) => `${version} ${hash}\n`).join(''));
}

/** The examples' lock files pin the package as an application's do. */
export function writeExampleLocks({ fileName, tarball }: SdkPackage): void {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  for (const name of globSync('examples/*/package-lock.json', { cwd: root })) {
    const lock = join(root, name);
    const pinned = new RegExp(`(/sdk/${fileName}",\\s*"integrity": ")[^"]*`);
    writeFileSync(lock, readFileSync(lock, 'utf8').replace(pinned, `$1${integrity}`));
  }
}

export function sdkHash({ tarball }: SdkPackage): string {
  return createHash('sha256').update(tarball).digest('hex');
}

/** Why the package must not be served; null if it may. */
export function packageProblem(sdk: SdkPackage): string | null {
  if (sdk.version !== SDK_VERSION) {
    return `packages/contracts/public/sdk-package.ts says ${SDK_VERSION}, packages/sdk/package.json ${sdk.version}`;
  }
  const known = readPackagesLock().get(sdk.version);
  if (known === sdkHash(sdk)) return null;
  return known === undefined
    ? `packages/sdk/packages.lock has no ${sdk.version}: run npm run sdk`
    : `${sdk.version} had other content before: raise the version, or, if nobody installed it yet, run npm run sdk -- --replace`;
}
