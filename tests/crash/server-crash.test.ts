// What survives a crash: a server of its own is killed with SIGKILL, its whole process group at once, right after it
// acknowledged a change and in the middle of a sync of 5,000 customers with Stripe. Started again on the same data, it must
// publish the change, and end the sync with exactly these customers, having asked for no page a third time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type StripeEmulator, startStripeEmulator } from '@tessera/stripe-emulator/start-stripe-emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planEndpoints } from '#contracts/console/plans';
import { type StripeIntegration, stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { bundleWorker } from '../../dev/build/bundle-worker.ts';
import { buildConsole } from '../../dev/build/console-build.ts';
import { signInDemo } from '../../dev/demo/demo-account.ts';
import { migrateLocally } from '../../dev/start/local-migrations.ts';
import { type LocalServer, startLocalServer } from '../../dev/start/local-server.ts';
import { readLocalSettings } from '../../dev/start/local-settings.ts';
import { findFreePort } from '../../dev/tools/free-port.ts';
import type { ApiSession } from '../../dev/workspace/api-session.ts';
import {
  createFeature,
  createKey,
  createOrganisation,
  createPlan,
  getItem,
  previewOf,
  setPlanValues,
  type Workspace,
} from '../../dev/workspace/build-workspace.ts';

const customers = 5_000;
/** More often, reading the progress would cost the server more than the sync does. */
const READ_EVERY_MS = 250;
/** The server is killed when so many have been read. */
const crashes = [800, 2_400, 4_000];

let stateFolder: string;
let server: LocalServer | undefined;
let stripe: StripeEmulator | undefined;

beforeAll(async () => {
  await buildConsole();
  stateFolder = mkdtempSync(join(tmpdir(), 'tessera-crash-'));
}, 300_000);

afterAll(async () => {
  await server?.stop();
  await stripe?.stop();
  // What was killed may still have written a file while the folder is removed.
  rmSync(stateFolder, { recursive: true, force: true, maxRetries: 20 });
});

test('a server killed three times publishes the last change that it acknowledged, and ends its sync with exactly 5,000 customers', {
  timeout: 600_000,
}, async () => {
  stripe = await startStripeEmulator({ sendsWebhooks: false });
  const account = stripe.control.createAccount({ name: 'Crash and carry on' });
  const control = controlOf(stripe.url, account.accountId);
  await control('POST', '/customers?mode=test', { count: customers });
  await control('PATCH', '/faults', { slowByMs: 40 });

  const port = await findFreePort();
  const { all } = readLocalSettings(`http://localhost:${port}`);
  const vars = { ...all, STRIPE_API_BASE: stripe.url };
  const bundlePath = await bundleWorker(resolve(import.meta.dirname, '../../wrangler.toml'), 'development');
  const start = () => startLocalServer({ port, stateFolder, bundlePath, vars });
  await migrateLocally(stateFolder);
  server = await start();
  const session = await signInDemo(server.url);
  const workspace = await createOrganisation(session, 'Crash and carry on');
  const { orgId } = workspace;
  const seats = await setUpSeats(workspace);
  const { id } = await session.call(stripeIntegrationEndpoints.create, {
    params: { orgId },
    body: { secretKey: account.secretKey },
  });
  const params = { orgId, integrationId: id };
  await control('DELETE', '/requests');
  await session.call(stripeIntegrationEndpoints.startSync, { params, body: { type: 'stripe-customer' } });

  for (const read of crashes) {
    await readUntil(session, params, (each) => (each.lastSyncJobReport?.processed ?? 0) >= read);
    // Changes follow each other faster than they are published, so the last one acknowledged is not published yet.
    const changes = changeUntilItFails(seats);
    await changes.begun;
    await server.kill();
    const last = await changes.lastAcknowledged;
    server = await start();
    const standing = await seats.read();
    expect(standing).toBeGreaterThanOrEqual(last);
    await expect.poll(() => seatsOf(port, seats.key), { timeout: 30_000 }).toBe(standing);
  }

  const ended = await readUntil(session, params, (each) => each.lastSyncJobReport?.status !== 'running');
  expect(ended.lastSyncJobReport).toMatchObject({ status: 'finished', processed: customers, failed: 0 });
  expect(ended.customerCount).toBe(customers);

  const pages = Map.groupBy(await pagesAsked(control), (page) => page);
  expect(pages.size).toBe(customers / 100);
  const thrice = [...pages].filter(([, requests]) => requests.length > 2);
  expect(thrice).toEqual([]);
  const twice = [...pages].filter(([, requests]) => requests.length === 2);
  expect(twice.length).toBeLessThanOrEqual(crashes.length);
});

type Control = (method: string, path: string, body?: unknown) => Promise<unknown>;

function controlOf(url: string, accountId: string): Control {
  return async (method, path, body) => {
    const response = await fetch(`${url}/_emulator/accounts/${accountId}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.ok).toBe(true);
    return response.json();
  };
}

/** For each request for a page of customers, where that page begins. */
async function pagesAsked(control: Control): Promise<string[]> {
  const { requests } = (await control('GET', '/requests')) as { requests: { url: string }[] };
  return requests
    .map(({ url }) => new URL(url, 'http://stripe'))
    .filter(({ pathname }) => pathname === '/v1/customers')
    .map(({ searchParams }) => searchParams.get('starting_after') ?? 'the first');
}

async function readUntil(
  session: ApiSession,
  params: { orgId: string; integrationId: string },
  isReached: (integration: StripeIntegration) => boolean,
): Promise<StripeIntegration> {
  for (;;) {
    const integration = await session.call(stripeIntegrationEndpoints.get, { params });
    if (isReached(integration)) return integration;
    await sleep(READ_EVERY_MS);
  }
}

interface Changes {
  /** Settles once the server has acknowledged a few changes. */
  begun: Promise<void>;
  lastAcknowledged: Promise<number>;
}

/** Changes the seats again and again until the server no longer answers. */
function changeUntilItFails(seats: Seats): Changes {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const change = async () => {
    let last = await seats.read();
    for (let acknowledged = 1; ; acknowledged += 1) {
      try {
        await seats.set(last + 1);
      } catch {
        return last;
      }
      last += 1;
      if (acknowledged === 3) begin();
    }
  };
  return { begun, lastAcknowledged: change() };
}

interface Seats {
  /** An API key of the preview environment. */
  key: string;
  /** What the workspace says. */
  read(): Promise<number>;
  set(value: number): Promise<void>;
}

async function setUpSeats(workspace: Workspace): Promise<Seats> {
  const { session, orgId } = workspace;
  const properties = [{ name: 'Seats', propertyKey: 'seats', type: 'number' as const }];
  const feature = await createFeature(workspace, { name: 'Team seats', slug: 'team-seats', properties });
  const property = getItem(feature.properties, ({ propertyKey }) => propertyKey === 'seats');
  const starter = { name: 'Starter', slug: 'starter', grantToAnonymousSessions: true };
  const { planId } = await createPlan(workspace, starter);
  const key = await createKey(workspace, await previewOf(workspace), 'public');

  const current = async () => {
    const { currentVersion } = await session.call(planEndpoints.get, { params: { orgId, planId } });
    const params = { orgId, planId, version: String(currentVersion) };
    return session.call(planEndpoints.getVersion, { params });
  };
  const set = async (value: number) => {
    const { version: currentVersion } = await current();
    const values = [{ id: property.id, type: 'number' as const, value }];
    await setPlanValues(workspace, { planId, currentVersion }, { [feature.id]: values });
  };
  await set(0);
  const read = async () => {
    const { properties } = await current();
    return properties[feature.id]?.find(({ id }) => id === property.id)?.value as number;
  };
  return { key, read, set };
}

async function seatsOf(port: number, key: string): Promise<unknown> {
  const response = await fetch(`http://localhost:${port}/api/v1/access-checks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  });
  const answer = (await response.json()) as {
    features?: { [slug: string]: { properties: { [key: string]: unknown } } };
  };
  return answer.features?.['team-seats']?.properties.seats;
}
