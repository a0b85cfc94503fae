// Applications as people begin them: each installs the packed client and what else it needs, runs against a server, and asserts what it
// answers. Needs a registry. tests/consumers/applications.test.ts runs those that need nothing more.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDocumentedTarget } from '#lab/fixtures/create-documented-target';
import { documentedVersion } from '#lab/fixtures/documented-version';
import { buildSdk } from '../../dev/sdk/build-sdk.ts';
import { runNpm } from '../../dev/tools/run-npm.ts';
import { root } from '../../dev/tools/run-tool.ts';

const JEST = 'jest@30.5.2';
const LONGEST_MS = 120_000;

/** The application's file in tests/consumers/applications, and what it installs beside the client. */
const applications: readonly (readonly [file: string, packages: readonly string[]])[] = [
  ['node.mjs', []],
  ['express.mjs', ['express@5.3.0']],
  ['fastify.mjs', ['fastify@5.12.8']],
  ['vite.mjs', ['vite@8.3.8']],
  ['commonjs.test.cjs', [JEST]],
  ['jsdom.test.cjs', [JEST, 'jest-environment-jsdom@30.5.2', 'react@19.3.1', 'react-dom@19.3.1']],
  ['react-native.mjs', ['jsdom@31.0.1', 'whatwg-fetch@3.6.20']],
  ['openfeature-server.mjs', ['@openfeature/server-sdk@1.23.0', '@openfeature/ofrep-provider@0.1.3']],
  ['openfeature-web.mjs', ['@openfeature/web-sdk@1.10.0', '@openfeature/ofrep-web-provider@0.4.3']],
];

/** Jest with its defaults. */
const commandOf = (file: string) => (file.endsWith('.test.cjs') ? 'jest' : `node ${file}`);

export async function runApplications(url: string): Promise<boolean> {
  const { fileName, tarball } = await buildSdk();
  const { secretKey, publicKey } = await createDocumentedTarget(url);
  const env = { TESSERA_URL: url, TESSERA_KEY: secretKey, TESSERA_PUBLIC_KEY: publicKey };
  const failed: string[] = [];
  for (const [file, packages] of applications) {
    const folder = mkdtempSync(join(tmpdir(), 'tessera-application-'));
    try {
      writeFileSync(join(folder, fileName), tarball);
      writeFileSync(join(folder, 'tessera-version.json'), JSON.stringify(documentedVersion()));
      writeFileSync(
        join(folder, 'package.json'),
        JSON.stringify({ private: true, scripts: { start: commandOf(file) } }),
      );
      copyFileSync(join(root, 'tests/consumers/applications', file), join(folder, file));
      await runNpm(['install', '--no-audit', '--no-fund', `./${fileName}`, ...packages], folder);
      await runNpm(['start'], folder, {
        env: { ...env, CUSTOMER: `${file}@customers.example` },
        timeout: LONGEST_MS,
      });
      console.log(`${file}: ok`);
    } catch (error) {
      failed.push(file);
      console.error(`${file}: ${error instanceof Error ? error.message : error}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return failed.length === 0;
}
