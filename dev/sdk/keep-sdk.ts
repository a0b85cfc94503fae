// Puts the package of the client where the Worker serves it from, once for each version: what is there stays.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Deployment } from '../deploy/deployment.ts';
import { patientFetch } from '../workspace/patient-fetch.ts';
import type { SdkPackage } from './build-sdk.ts';

const differs = (fileName: string) =>
  `${fileName} is served already, with other content, and stays as it is. To serve this content, raise the version in packages/sdk/package.json and packages/contracts/public/sdk-package.ts, and run npm run sdk.`;

/** By the local server at this address. Says so if it serves other content under that version. */
export async function keepSdkLocally(url: string, { fileName, tarball }: SdkPackage): Promise<void> {
  const response = await patientFetch(`${url}/dev/sdk/${fileName}`, {
    method: 'PUT',
    headers: { origin: url },
    body: new Uint8Array(tarball),
  });
  if (!response.ok) throw new Error(`${url}/dev/sdk answered ${response.status}: ${await response.text()}`);
  const { isKept } = (await response.json()) as { isKept: boolean };
  if (!isKept) console.log(differs(fileName));
}

interface ServedSdk {
  /** Nothing is served under this version yet. */
  readonly isAbsent: boolean;
  /** Why the package must not be deployed; null if it may. */
  readonly problem: string | null;
}

/** What the bucket of the deployed Worker has under this version. */
export async function servedSdk(
  deployment: Deployment,
  { fileName, tarball }: SdkPackage,
): Promise<ServedSdk> {
  const { object, options } = placeOf(deployment, fileName);
  return inFolder(async (folder) => {
    const served = join(folder, 'served.tgz');
    const get = ['r2', 'object', 'get', object, '--remote', '--file', served, ...options];
    const { code, output } = await deployment.ask(...get);
    if (code === 0) {
      return { isAbsent: false, problem: readFileSync(served).equals(tarball) ? null : differs(fileName) };
    }
    // Anything but its absence could hide a package that must not be replaced.
    if (/specified key does not exist/i.test(output)) return { isAbsent: true, problem: null };
    return { isAbsent: false, problem: `${object} could not be read:\n\n${output.trim()}` };
  });
}

/** Puts the package into the bucket of the deployed Worker. @returns why it could not be put there, or null */
export async function keepSdkRemotely(
  deployment: Deployment,
  { fileName, tarball }: SdkPackage,
): Promise<string | null> {
  const { object, options } = placeOf(deployment, fileName);
  return inFolder(async (folder) => {
    const built = join(folder, 'built.tgz');
    writeFileSync(built, tarball);
    const put = ['r2', 'object', 'put', object, '--remote', '--file', built, ...options];
    const { code, output } = await deployment.ask(...put);
    return code === 0 ? null : `${object} could not be stored:\n\n${output.trim()}`;
  });
}

function placeOf(deployment: Deployment, fileName: string) {
  const { name, options } = deployment.bucketOf('ARTIFACTS');
  return { object: `${name}/sdk/${fileName}`, options };
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-sdk-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
