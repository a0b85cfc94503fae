// `npm run drill [-- --customers 800 --state folder]`: restores the database of a local server to an earlier copy, as docs/deploy.md describes, while
// customers are granted, changed and removed, and calls go on. Passes if within a minute every check answers as it did when the copy was made.
// It works on a copy of the folder's state (TESSERA_STATE, `.wrangler/state`), or on an empty one where there is none.
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sudoEndpoints } from '#contracts/console/sudo';
import { type AccessCheckAnswer, accessEndpoints } from '#contracts/public/access';
import {
  type ChangeCustomersAnswer,
  type CustomerChange,
  MAX_CHANGES,
  provisioningEndpoints,
} from '#contracts/public/customers';
import { meteringEndpoints } from '#contracts/public/metering';
import { bundleWorker } from './build/bundle-worker.ts';
import { buildConsole } from './build/console-build.ts';
import { signInDemo } from './demo/demo-account.ts';
import { DEFAULT_SEATS, type DrillCustomer, drillCustomers, PLAN_SEATS } from './drill/lives.ts';
import { migrateLocally } from './start/local-migrations.ts';
import { type LocalServer, startLocalServer } from './start/local-server.ts';
import { readLocalSettings } from './start/local-settings.ts';
import { lockState, stateFolder } from './start/state-folder.ts';
import { findFreePort } from './tools/free-port.ts';
import { readOptions } from './tools/read-options.ts';
import { root } from './tools/run-tool.ts';
import { StartError } from './tools/start-error.ts';
import type { ApiSession } from './workspace/api-session.ts';
import {
  createDeployed,
  createFeature,
  createKey,
  createOrganisation,
  createPlan,
} from './workspace/build-workspace.ts';
import { callPublicApi } from './workspace/call-public-api.ts';

const { values } = readOptions('drill', { customers: { type: 'string' }, state: { type: 'string' } });
const count = Number(values.customers ?? 800);
if (!Number.isInteger(count) || count < 8 || count > 8_000)
  throw new StartError('--customers must be a number from 8 to 8000');
const source = values.state === undefined ? stateFolder : resolve(values.state);
if (values.state !== undefined && !existsSync(join(source, 'v3')))
  throw new StartError(`--state: ${source} contains no state of a local server`);

/** Within which checks follow the database. */
const FOLLOWS_WITHIN_MS = 60_000;
const AT_ONCE = 8;
/** Calls that go on meanwhile. */
const BUSY_EVERY_MS = 50;

const folder = mkdtempSync(join(tmpdir(), 'tessera-drill-'));
const state = join(folder, 'state');
const database = join(state, 'v3/d1');
let server: LocalServer | undefined;
try {
  process.exitCode = (await drill()) ? 0 : 1;
} finally {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
}

async function drill(): Promise<boolean> {
  await copyState();
  await buildConsole();
  const bundlePath = await bundleWorker(join(root, 'wrangler.toml'), 'development');
  await migrateLocally(state);
  const port = await findFreePort();
  const { all: vars } = readLocalSettings(`http://localhost:${port}`);
  const start = () => startLocalServer({ port, stateFolder: state, bundlePath, vars });

  server = await start();
  const { url } = server;
  const session = await signInDemo(url);
  const keys = await setUp(session);
  const customers = drillCustomers(count);
  const seatsNow = () => seatsOf(url, keys.checking, customers);
  console.log(`${count} customers of an organisation of their own are created ...`);
  await change(
    url,
    keys.managing,
    customers.flatMap(({ before }) => before),
  );
  const busy = goOn(url, keys.checking, customers);
  await waitFor('the customers', (seats) => differing(customers, 'seatsBefore', seats), seatsNow);

  console.log('The database is copied ...');
  await busy.pause(() => server?.stop());
  cpSync(database, join(folder, 'copy'), { recursive: true });
  server = await start();
  busy.resume();
  console.log('Customers are granted, changed and removed ...');
  await change(
    url,
    keys.managing,
    customers.flatMap(({ after }) => after),
  );
  await waitFor('the changes', (seats) => differing(customers, 'seatsAfter', seats), seatsNow);

  console.log('The copy is restored ...');
  await busy.pause(() => server?.stop());
  rmSync(database, { recursive: true });
  cpSync(join(folder, 'copy'), database, { recursive: true });
  server = await start();
  busy.resume();
  console.log(`${differing(customers, 'seatsBefore', await seatsNow())} checks differ from the database.`);
  const { message } = await session.call(sudoEndpoints.followRestoredDatabase, { params: {} });
  console.log(`Database restored: ${message}`);

  const began = Date.now();
  let left = count;
  while (left > 0 && Date.now() - began < FOLLOWS_WITHIN_MS) {
    await sleep(500);
    left = differing(customers, 'seatsBefore', await seatsNow());
  }
  const { calls, failures } = busy.end();
  console.log(`${calls} other calls went on, ${failures} of them failed.`);
  console.log(
    left === 0
      ? `Every check follows the database after ${((Date.now() - began) / 1000).toFixed(1)} s.`
      : `${left} of ${count} customers still have what the database does not know.`,
  );
  return left === 0 && failures === 0;
}

/** The folder is locked while it is copied, so that no server writes into it. */
async function copyState(): Promise<void> {
  if (!existsSync(join(source, 'v3'))) return;
  const lock = await lockState(source, '');
  try {
    console.log(`${source} is copied ...`);
    cpSync(join(source, 'v3'), join(state, 'v3'), { recursive: true });
  } finally {
    await lock.release();
  }
}

interface Keys {
  readonly checking: string;
  readonly managing: string;
}

async function setUp(session: ApiSession): Promise<Keys> {
  await session.send('POST', '/dev/staff');
  const workspace = await createOrganisation(session, `Restore drill ${Date.now()}`);
  const feature = await createFeature(workspace, {
    name: 'Workspaces',
    slug: 'workspaces',
    properties: [
      { name: 'Seats', propertyKey: 'seats', type: 'number', value: DEFAULT_SEATS },
      { name: 'Calls', propertyKey: 'calls', type: 'meterable', value: { state: 'on' } },
    ],
  });
  for (const [slug, seats] of Object.entries(PLAN_SEATS))
    await createPlan(workspace, { name: slug, slug, values: { workspaces: { seats } } }, [feature]);
  const { envId, secretKey } = await createDeployed(workspace, { name: 'Drill', type: 'live' });
  return { checking: secretKey, managing: await createKey(workspace, envId, 'secret', true) };
}

/** Makes the changes in order, as fast as the pace of a key allows. @throws {Error} if one is refused */
async function change(url: string, key: string, changes: readonly CustomerChange[]): Promise<void> {
  for (let at = 0; at < changes.length; ) {
    const batch = changes.slice(at, at + MAX_CHANGES);
    const { results } = await callPublicApi<ChangeCustomersAnswer>(
      url,
      key,
      provisioningEndpoints.changeMany.path,
      { changes: batch },
    );
    const refused = results.findIndex(({ status }) => status === 'error');
    const result = results[refused];
    if (result === undefined) at += batch.length;
    else if (result.status === 'error' && result.errorType === 'rate-limited') {
      at += refused;
      await sleep(result.retryAfterMs ?? 1_000);
    } else throw new Error(`A change was refused: ${JSON.stringify([batch[refused], result])}`);
  }
}

type Seats = ReadonlyMap<string, unknown>;

async function seatsOf(url: string, key: string, customers: readonly DrillCustomer[]): Promise<Seats> {
  const seats = new Map<string, unknown>();
  const queue = customers.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const { name } of queue)
        seats.set(name, (await check(url, key, name)).features.workspaces?.properties.seats);
    }),
  );
  return seats;
}

function check(url: string, key: string, userIdentifier: string): Promise<AccessCheckAnswer> {
  return callPublicApi<AccessCheckAnswer>(url, key, accessEndpoints.check.path, { userIdentifier });
}

/** How many customers have other seats than they should. */
function differing(
  customers: readonly DrillCustomer[],
  expected: 'seatsBefore' | 'seatsAfter',
  found: Seats,
): number {
  return customers.filter((each) => found.get(each.name) !== each[expected]).length;
}

/** @throws {Error} if checks do not answer what was changed within a minute */
async function waitFor(
  what: string,
  differingIn: (seats: Seats) => number,
  read: () => Promise<Seats>,
): Promise<void> {
  const began = Date.now();
  for (let left = differingIn(await read()); left > 0; left = differingIn(await read())) {
    if (Date.now() - began > FOLLOWS_WITHIN_MS) throw new Error(`${left} checks do not see ${what}.`);
    await sleep(500);
  }
}

/** Checks and counts for customers in turn, until it is ended. */
function goOn(url: string, key: string, customers: readonly DrillCustomer[]) {
  const seen = { calls: 0, failures: 0 };
  let isOn = true;
  let hasEnded = false;
  let running: Promise<unknown> = Promise.resolve();
  const one = async () => {
    const userIdentifier = customers[seen.calls % customers.length]?.name ?? '';
    const counted = { userIdentifier, feature: 'workspaces', property: 'calls', by: 1 };
    seen.calls += 1;
    const call =
      seen.calls % 4 === 0
        ? callPublicApi(url, key, meteringEndpoints.update.path, counted)
        : check(url, key, userIdentifier);
    await call.catch((error: unknown) => {
      seen.failures += 1;
      console.error(error instanceof Error ? error.message : error);
    });
  };
  const loop = async () => {
    while (!hasEnded) {
      running = isOn ? one() : Promise.resolve();
      await running;
      await sleep(BUSY_EVERY_MS);
    }
  };
  void loop();
  return {
    async pause(work: () => Promise<void> | undefined): Promise<void> {
      isOn = false;
      await running;
      await work();
    },
    resume: () => {
      isOn = true;
    },
    end: () => {
      hasEnded = true;
      return seen;
    },
  };
}
