// What survives a crash: a server of its own is killed with SIGKILL, its whole process group at once, right after it
// acknowledged a change; started again on the same data, it must go on where it was.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import { deploymentEndpoints } from '#contracts/console/artifacts';
import { featureEndpoints } from '#contracts/console/features';
import { planEndpoints } from '#contracts/console/plans';
import { type ApiSession, openApiSession } from '../../dev/api-session.ts';
import { demoAccount } from '../../dev/demo/demo-account.ts';
import { findFreePort } from '../../dev/free-port.ts';
import { migrateLocally } from '../../dev/local-migrations.ts';
import { type LocalServer, startLocalServer } from '../../dev/local-server.ts';
import { expect, test } from './support/test.ts';

const crashes = 4;

let stateFolder: string;
let server: LocalServer | undefined;

test.beforeAll(() => {
  stateFolder = mkdtempSync(join(tmpdir(), 'tessera-crash-'));
});

test.afterAll(async () => {
  await server?.stop();
  rmSync(stateFolder, { recursive: true, force: true });
});

test('a server killed between a change and its publication publishes it after the restart', async () => {
  test.setTimeout(180_000);
  const port = await findFreePort();
  const start = () => startLocalServer({ port, stateFolder });
  await migrateLocally(stateFolder);
  server = await start();
  const session = openApiSession(server.url);
  const orgId = await signUp(session);
  const seats = await setUpSeats(session, orgId);

  for (let crash = 1; crash <= crashes; crash += 1) {
    // Changes follow each other faster than they are published, so the last one acknowledged is not published yet.
    const changes = changeUntilItFails(seats);
    await changes.begun;
    await server.kill();
    const last = await changes.lastAcknowledged;
    server = await start();
    const standing = await seats.read();
    expect(standing).toBeGreaterThanOrEqual(last);
    await expect.poll(() => seatsOf(port, seats.key), { timeout: 15_000 }).toBe(standing);
  }
});

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

async function signUp(session: ApiSession): Promise<string> {
  const { email, password, name } = demoAccount;
  await session.send('POST', '/api/auth/sign-up/email', { email, password, name });
  const mailbox = (await (await session.send('GET', '/dev/mailbox')).json()) as { links: string[] }[];
  const token = new URL(mailbox[0]?.links[0] ?? '').searchParams.get('token');
  await session.send('GET', `/api/auth/verify-email?token=${token}`);
  await session.send('POST', '/api/auth/sign-in/email', { email, password });
  const created = await session.send('POST', '/api/auth/organization/create', { name: 'Crash and carry on' });
  return ((await created.json()) as { id: string }).id;
}

async function setUpSeats(session: ApiSession, orgId: string): Promise<Seats> {
  const feature = await session.call(featureEndpoints.create, {
    params: { orgId },
    body: { name: 'Team seats', slug: 'team-seats' },
  });
  const property = await session.call(featureEndpoints.createProperty, {
    params: { orgId, featureId: feature.id },
    body: { name: 'Seats', propertyKey: 'seats', type: 'number' },
  });
  const { planId } = await session.call(planEndpoints.create, {
    params: { orgId },
    body: { name: 'Starter', slug: 'starter' },
  });
  await session.call(planEndpoints.update, {
    params: { orgId, planId },
    body: { grantToAnonymousSessions: true },
  });
  const { environments } = await session.call(deploymentEndpoints.status, { params: { orgId } });
  const key = await session.call(apiKeyEndpoints.create, {
    params: { orgId },
    body: { environmentId: environments[0]?.environmentId ?? '', type: 'public' },
  });

  const current = async () => {
    const { currentVersion } = await session.call(planEndpoints.get, { params: { orgId, planId } });
    const params = { orgId, planId, version: String(currentVersion) };
    return session.call(planEndpoints.getVersion, { params });
  };
  const set = async (value: number) => {
    const { version } = await current();
    await session.call(planEndpoints.updateVersion, {
      params: { orgId, planId, version: String(version) },
      body: { properties: { [feature.id]: [{ id: property.id, type: 'number', value }] } },
    });
  };
  await set(0);
  const read = async () => {
    const { properties } = await current();
    return properties[feature.id]?.find(({ id }) => id === property.id)?.value as number;
  };
  return { key: key.value, read, set };
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
