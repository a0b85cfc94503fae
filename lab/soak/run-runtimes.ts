// One script that uses the package as npm installs it, in the oldest Node that it promises, in Deno and in Bun. Needs a registry.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { artifactEndpoints } from '#contracts/console/artifacts';
import { buildSdk } from '../../dev/sdk/build-sdk.ts';
import { findFreePort } from '../../dev/tools/free-port.ts';
import { runNpm } from '../../dev/tools/run-npm.ts';
import { root } from '../../dev/tools/run-tool.ts';
import {
  createDeployed,
  createFeature,
  createOrganisation,
  createPlan,
} from '../../dev/workspace/build-workspace.ts';
import { signInAs } from '../../dev/workspace/sign-in.ts';

const PACKAGES = ['node@20.19.5', 'deno@2.9.6', 'bun@1.4.5'];
const scripts = {
  node: 'node use-client.mjs',
  deno: 'deno run --allow-all use-client.mjs',
  bun: 'bun run use-client.mjs',
};
const LONGEST_MS = 60_000;
const account = { email: 'runtimes@tessera.example', password: 'tessera-runtimes', name: 'Rui Runtimes' };

/** @param url of a server without such an account */
export async function runRuntimes(url: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-runtimes-'));
  // Bun resets what it gives up.
  const silent = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
  try {
    const { fileName, tarball } = await buildSdk();
    const { secretKey, version } = await setUp(url);
    const write = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text);
    write(fileName, tarball);
    write('package.json', JSON.stringify({ private: true, scripts }));
    write('tessera-version.json', version);
    write('use-client.mjs', installedScript());
    await runNpm(['install', `./${fileName}`, ...PACKAGES], folder);
    const env = {
      TESSERA_URL: url,
      TESSERA_KEY: secretKey,
      SILENT_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      CLOSED_URL: `http://127.0.0.1:${await findFreePort()}`,
    };
    for (const name of Object.keys(scripts)) {
      await runNpm(['run', name], folder, { env: { ...env, CUSTOMER: `${name}-ada` }, timeout: LONGEST_MS });
      console.log(`${name}: ok`);
    }
    return true;
  } finally {
    silent.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As an application has it: JavaScript that imports the package by its name. */
function installedScript(): string {
  const text = stripTypeScriptTypes(readFileSync(join(root, 'tests/consumers/use-client.ts'), 'utf8'));
  return text
    .replaceAll(/'[./]+packages\/sdk\/index\.ts'/g, "'tessera-sdk'")
    .replaceAll(/'[./]+packages\/sdk\/(\w+)\.ts'/g, "'tessera-sdk/$1'");
}

/** @returns the key of an environment that runs the version, as the console exports it */
async function setUp(url: string): Promise<{ readonly secretKey: string; readonly version: string }> {
  const workspace = await createOrganisation(await signInAs(url, account), 'Runtimes');
  const { session, orgId } = workspace;
  const properties = [
    { name: 'Rows', propertyKey: 'rows', type: 'number' as const },
    { name: 'Runs', propertyKey: 'runs', type: 'meterable' as const },
  ];
  const feature = await createFeature(workspace, { name: 'Reports', slug: 'reports', properties });
  const meter = { limit: 10, periodType: 'lifetime', uniqueResourceIds: false } as const;
  const values = { reports: { rows: 25, runs: { state: 'metered', meter } as const } };
  const plan = { name: 'Users', slug: 'users', grantToAuthenticatedUsers: true, values };
  await createPlan(workspace, plan, [feature]);
  const { secretKey } = await createDeployed(workspace, { name: 'Production', type: 'live' });
  const [{ id } = { id: '' }] = await session.call(artifactEndpoints.list, { params: { orgId } });
  const path = artifactEndpoints.exportJson.path.replace(':orgId', orgId).replace(':artifactId', id);
  return { secretKey, version: await (await session.send('GET', path)).text() };
}
