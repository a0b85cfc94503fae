// `npm run sdk`: builds the client package, and writes down the hash of a version that was not served yet, in the examples' lock files
// too. -- --replace does so for a version that is written down, which is right only if nobody installed it.
import { buildSdk } from './sdk/build-sdk.ts';
import {
  packageProblem,
  readPackagesLock,
  sdkHash,
  writeExampleLocks,
  writePackagesLock,
} from './sdk/packages-lock.ts';
import { readOptions } from './tools/read-options.ts';

const { values } = readOptions('sdk', { replace: { type: 'boolean', default: false } });
const sdk = await buildSdk();
const known = readPackagesLock();
const isNew = !known.has(sdk.version) || values.replace;
if (isNew) {
  writePackagesLock(known.set(sdk.version, sdkHash(sdk)));
  writeExampleLocks(sdk);
}
const problem = packageProblem(sdk);
if (problem !== null) console.error(problem);
process.exitCode = problem === null ? 0 : 1;
console.log(`${sdk.fileName}: ${sdk.tarball.length} bytes, sha256 ${sdkHash(sdk)}`);
