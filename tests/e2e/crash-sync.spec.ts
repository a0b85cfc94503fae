// A sync with Stripe survives a crash: the server is killed with SIGKILL, its whole process group at once, in the middle of
// reading 5,000 customers; started again on the same data it ends with exactly these, and has asked for no page a third time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type StripeIntegration, stripeIntegrationEndpoints } from '#contracts/console/stripe';
import type { ApiSession } from '../../dev/api-session.ts';
import { signInDemo } from '../../dev/demo/sign-in-demo.ts';
import { findFreePort } from '../../dev/free-port.ts';
import { migrateLocally } from '../../dev/local-migrations.ts';
import { type LocalServer, startLocalServer } from '../../dev/local-server.ts';
import { type StripeEmulator, startStripeEmulator } from '../../dev/stripe-emulator/start-stripe-emulator.ts';
import { expect, test } from './support/test.ts';

const customers = 5_000;
/** The server is killed when so many have been read. */
const crashes = [800, 2_600, 4_300];

let stateFolder: string;
let server: LocalServer | undefined;
let stripe: StripeEmulator | undefined;

test.beforeAll(() => {
  stateFolder = mkdtempSync(join(tmpdir(), 'tessera-crash-sync-'));
});

test.afterAll(async () => {
  await server?.stop();
  await stripe?.stop();
  rmSync(stateFolder, { recursive: true, force: true });
});

test('a sync of 5,000 customers that is killed three times ends with exactly 5,000', async () => {
  test.setTimeout(240_000);
  stripe = await startStripeEmulator({ sendsWebhooks: false });
  const account = stripe.control.createAccount({ name: 'Crash and carry on' });
  const control = controlOf(stripe.url, account.accountId);
  await control('POST', '/customers?mode=test', { count: customers });
  await control('PATCH', '/faults', { slowByMs: 40 });

  const port = await findFreePort();
  const vars = { STRIPE_API_BASE: stripe.url };
  const start = () => startLocalServer({ port, stateFolder, vars });
  await migrateLocally(stateFolder);
  server = await start();
  const session = await signInDemo(server.url);
  const orgId = await newOrganisation(session);
  const { id } = await session.call(stripeIntegrationEndpoints.create, {
    params: { orgId },
    body: { secretKey: account.secretKey },
  });
  const params = { orgId, integrationId: id };
  await control('DELETE', '/requests');
  await session.call(stripeIntegrationEndpoints.startSync, { params, body: { type: 'stripe-customer' } });

  for (const read of crashes) {
    await readUntil(session, params, (each) => (each.lastSyncJobReport?.processed ?? 0) >= read);
    await server.kill();
    server = await start();
  }
  const last = await readUntil(session, params, (each) => each.lastSyncJobReport?.status !== 'running');
  expect(last.lastSyncJobReport).toMatchObject({ status: 'finished', processed: customers, failed: 0 });
  expect(last.customerCount).toBe(customers);

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
    await sleep(25);
  }
}

async function newOrganisation(session: ApiSession): Promise<string> {
  const made = await session.send('POST', '/api/auth/organization/create', { name: 'Crash and carry on' });
  return ((await made.json()) as { id: string }).id;
}
