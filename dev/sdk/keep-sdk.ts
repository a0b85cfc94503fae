// Puts the package of the client where the Worker serves it from, once for each version: what is there stays.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captureTool } from '../tools/run-tool.ts';
import type { SdkPackage } from './build-sdk.ts';

const BUCKET = 'tessera-artifacts';

const differs = (fileName: string) =>
  `${fileName} is served already, with other content, and stays as it is. To serve this content, raise the version in packages/sdk/package.json and packages/contracts/public/sdk-package.ts, and run npm run sdk.`;

/** By the local server at this address. Says so if it serves other content under that version. */
export async function keepSdkLocally(url: string, { fileName, tarball }: SdkPackage): Promise<void> {
  const response = await fetch(`${url}/dev/sdk/${fileName}`, {
    method: 'PUT',
    headers: { origin: url },
    body: new Uint8Array(tarball),
  });
  if (!response.ok) throw new Error(`${url}/dev/sdk answered ${response.status}: ${await response.text()}`);
  const { isKept } = (await response.json()) as { isKept: boolean };
  if (!isKept) console.log(differs(fileName));
}

/** In the bucket of the deployed Worker. @returns why it could not be put there, or null */
export async function keepSdkRemotely({ fileName, tarball }: SdkPackage): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-sdk-'));
  try {
    const object = `${BUCKET}/sdk/${fileName}`;
    const [served, built] = [join(folder, 'served.tgz'), join(folder, 'built.tgz')];
    const found = await captureTool('wrangler', [
      'r2',
      'object',
      'get',
      object,
      '--remote',
      '--file',
      served,
    ]);
    if (found.code === 0) return readFileSync(served).equals(tarball) ? null : differs(fileName);
    // Anything but its absence could hide a package that must not be replaced.
    if (!/does not exist/i.test(found.output))
      return `${object} could not be read:\n\n${found.output.trim()}`;
    writeFileSync(built, tarball);
    const put = await captureTool('wrangler', ['r2', 'object', 'put', object, '--remote', '--file', built]);
    return put.code === 0 ? null : `${object} could not be stored:\n\n${put.output.trim()}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
