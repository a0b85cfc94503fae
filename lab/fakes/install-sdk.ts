// The built package in somebody's folder, as npm would install it.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSdk, type SdkPackage } from '../../dev/sdk/build-sdk.ts';
import { root } from '../../dev/tools/run-tool.ts';

/**
 * @param others names of packages that the folder has as well, in the repository's version
 * @returns the package as it is built
 */
export async function installSdk(folder: string, others: readonly string[]): Promise<SdkPackage> {
  const sdk = await buildSdk();
  const modules = join(folder, 'node_modules');
  const make = (path: string) => {
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
  for (const [path, text] of sdk.files) writeFileSync(make(join(modules, 'tessera-sdk', path)), text);
  for (const name of others) symlinkSync(join(root, 'node_modules', name), make(join(modules, name)));
  return sdk;
}
