// `npm run release`: releases what is committed under package.json's number: changelog, docs/releases.md, baselines, a commit with its tag,
// and beside them, in .wrangler/release, a bill of materials and the client package. docs/versions.md says who runs it.
// -- --dry-run checks and reports, and changes nothing. -- --next 1.2.0 opens the next release.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { writeBaseline } from './release/baseline.ts';
import { openNext, planRelease } from './release/cut-release.ts';
import { reportPackages } from './release/report-packages.ts';
import { Repository } from './release/repository.ts';
import { formatStatements, readStatements, STATEMENTS_PATH } from './release/storage-statements.ts';
import { buildSdk } from './sdk/build-sdk.ts';
import { packageProblem } from './sdk/packages-lock.ts';
import { readOptions } from './tools/read-options.ts';
import { readNpm } from './tools/run-npm.ts';
import { root } from './tools/run-tool.ts';
import { StartError } from './tools/start-error.ts';

const { values } = readOptions('release', {
  next: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
});
if (values.next !== undefined) {
  openNext(root, values.next);
  console.log(`The next release is ${values.next}. Describe its changes in CHANGELOG.md.`);
} else {
  await release(values['dry-run']);
}

/** @throws {StartError} before anything is written, if this cannot be released */
async function release(isTrial: boolean): Promise<void> {
  const repository = new Repository(root);
  const planned = planRelease(root, repository, new Date().toISOString().slice(0, 10));
  const { version, tag, commit, texts } = planned;
  const sdk = await buildSdk();
  const problem = packageProblem(sdk);
  if (problem !== null) throw new StartError(problem);
  const materials = await billOfMaterials();
  for (const line of await reportPackages()) console.log(line);
  if (isTrial) {
    console.log(`\n${version} can be released, of ${commit}.`);
    return;
  }
  const folder = join(root, '.wrangler/release', version);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `tessera-${version}.cdx.json`), materials);
  writeFileSync(join(folder, sdk.fileName), sdk.tarball);
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(root, path), text);
  writeBaseline();
  writeFileSync(join(root, STATEMENTS_PATH), formatStatements(await readStatements()));
  repository.commit(`release: ${version}`, tag);
  console.log(`
Released ${version}, of ${commit}, with the tag ${tag}.

  ${relative(root, folder)} has its bill of materials and the client package.
  git push --follow-tags, then npm run deploy`);
}

/** CycloneDX, of every package in the lock file. */
async function billOfMaterials(): Promise<string> {
  const { code, output } = await readNpm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only');
  if (code !== 0) throw new StartError(`npm sbom failed:\n\n${output}`);
  const materials = JSON.parse(output) as { metadata: { component: { name: string } } };
  materials.metadata.component.name = 'tessera'; // npm takes the folder's.
  return `${JSON.stringify(materials, null, 1)}\n`;
}
