// `npm run skew`: the last release beside today's sources, as during a deployment and after a rollback. Without arguments the newest line of
// docs/releases.md; -- --release <commit> takes another commit, for example before there is a release.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StripeEmulator, startStripeEmulator } from '@tessera/stripe-emulator/start-stripe-emulator';
import { bundleWorker } from './build/bundle-worker.ts';
import { readReleases } from './release/releases.ts';
import {
  type Bundles,
  composeMixedLedgers,
  composeWorker,
  mixedConfig,
  RELEASED_LOCATION,
  type Side,
} from './skew/compose-worker.ts';
import { CountingCustomer } from './skew/count-updates.ts';
import { extractSources, hasCommit, isShallow } from './skew/released-sources.ts';
import { startSkewServer } from './skew/skew-server.ts';
import { migrateLocally } from './start/local-migrations.ts';
import { readOptions } from './tools/read-options.ts';
import { captureTool, root } from './tools/run-tool.ts';

const UPDATES = 200;
/** Releases before 1.3.0 lack them: their objects refuse holds, and count neither costs nor for entities, nor know what an update gives back. */
const HOLDS = 'packages/contracts/public/holds.ts';
const COSTS = 'packages/contracts/public/costs.ts';

const { values } = readOptions('skew', { release: { type: 'string' } });
const [newest] = readReleases(readFileSync(join(root, 'docs/releases.md'), 'utf8'));
const commit = values.release ?? newest?.commit;
if (commit === undefined) {
  console.log(
    'Skipped: docs/releases.md has no release yet. npm run skew -- --release <commit> takes a commit.',
  );
} else if (!hasCommit(commit)) {
  const isPartial = isShallow() && values.release === undefined;
  const outcome = isPartial ? 'SKIPPED  this copy is without its history' : 'FAILED  unknown release';
  console.error(`${outcome}: it has no commit ${commit}. Fetch the full history: git fetch --unshallow`);
  process.exitCode = isPartial ? 0 : 1;
} else {
  await run(commit);
}

async function run(released: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-skew-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const sources = extractSources(released, folder);
  const stateFolder = join(folder, 'migrated');
  const [current, before] = await Promise.all([
    bundleWorker(join(root, 'wrangler.toml'), 'development'),
    bundleWorker(join(sources, 'wrangler.toml'), 'development', sources),
    migrateLocally(stateFolder),
  ]);
  const bundles = { current, released: before };
  const stripe = await startStripeEmulator();
  const given = { bundles, folder, stateFolder, stripe, stripeUrl: stripe.url };
  const hasHolds = existsSync(join(sources, HOLDS));
  const hasCosts = existsSync(join(sources, COSTS));
  const unknown = [
    ...(hasHolds ? [] : ['a hold ']),
    ...(hasCosts ? [] : ['a meter that costs ', 'an entity of a customer ', 'givesBack']),
  ];
  const withoutUnknown = unknown.length === 0 ? [] : ['--testNamePattern', `^(?!.*(${unknown.join('|')}))`];
  const results = await Promise.all([
    attempt(`the Worker of ${released} with today's objects and schema`, () =>
      conform({ worker: 'released', objects: 'current' }, sources, given),
    ),
    attempt(`today's Worker with the objects of ${released}`, () =>
      conform({ worker: 'current', objects: 'released' }, root, given, withoutUnknown),
    ),
    attempt(`ledgers of ${released} in ${RELEASED_LOCATION} and of today elsewhere: ${UPDATES} updates`, () =>
      countInBoth(given, { hasHolds, hasCosts }),
    ),
    attempt(`today's state, opened by ${released}`, () => openToday(given, hasCosts)),
  ]);
  await stripe.stop();
  process.exitCode = results.every(Boolean) ? 0 : 1;
}

interface Given {
  readonly bundles: Bundles;
  readonly folder: string;
  readonly stateFolder: string;
  readonly stripe: StripeEmulator;
  readonly stripeUrl: string;
}

async function attempt(what: string, work: () => Promise<void>): Promise<boolean> {
  const startedAt = Date.now();
  try {
    await work();
    console.log(`ok      ${what} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
    return true;
  } catch (error) {
    console.log(`FAILED  ${what}\n${error instanceof Error ? error.message : error}`);
    return false;
  }
}

/** @param suite the folder whose conformance suite it is: that of the Worker @param some options that choose tests */
async function conform(
  sides: { readonly worker: Side; readonly objects: Side },
  suite: string,
  { bundles, ...given }: Given,
  some: readonly string[] = [],
): Promise<void> {
  const bundlePath = await composeWorker(sides, bundles, given.folder);
  const server = await startSkewServer({ bundlePath, ...given });
  try {
    const options = ['run', '--config', 'tests/vitest.config.ts', '--project', 'conformance', ...some];
    const env = { CONFORMANCE_URL: server.url };
    const { code, output } = await captureTool('vitest', options, { cwd: suite, env });
    if (code !== 0) throw new Error(output);
  } finally {
    await server.stop();
  }
}

async function countInBoth(
  { bundles, ...given }: Given,
  { hasHolds, hasCosts }: { readonly hasHolds: boolean; readonly hasCosts: boolean },
): Promise<void> {
  const bundlePath = await composeMixedLedgers(bundles, given.folder);
  const server = await startSkewServer({ bundlePath, configPath: mixedConfig(given.folder), ...given });
  try {
    const customer = await CountingCustomer.create(server.url, given.stripe);
    await customer.shareLimit();
    await customer.count(UPDATES, hasCosts ? 'anywhere' : 'today');
    await customer.compare();
    if (!hasHolds) await customer.hold();
    await customer.compare();
  } finally {
    await server.stop();
  }
}

/** As after a rollback, and after the deployment that follows it. */
async function openToday({ bundles, ...given }: Given, hasCosts: boolean): Promise<void> {
  const server = await startSkewServer({ bundlePath: bundles.current, ...given });
  try {
    const customer = await CountingCustomer.create(server.url, given.stripe);
    await customer.shareLimit();
    for (const [index, bundlePath] of [bundles.released, bundles.current].entries()) {
      await customer.count(UPDATES / 4, index === 0 || hasCosts ? 'anywhere' : 'nowhere');
      await customer.compare();
      await server.restartWith(bundlePath);
      await customer.compare();
    }
    await customer.compareShares();
    await customer.count(UPDATES / 4, 'anywhere');
    await customer.compare();
  } finally {
    await server.stop();
  }
}
