// What survives a crash: a server of its own is killed with SIGKILL, its whole process group at once, right after it
// acknowledged a change; started again on the same data, it must go on where it was.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiKeyEndpoints } from '#contracts/api-keys';
import { deploymentEndpoints } from '#contracts/artifacts';
import { featureEndpoints } from '#contracts/features';
import { planEndpoints } from '#contracts/plans';
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
  const { key, setSeats } = await setUpSeats(session, orgId);

  for (let seats = 1; seats <= crashes; seats += 1) {
    await setSeats(seats);
    await server.kill();
    server = await start();
    await expect.poll(() => seatsOf(port, key), { timeout: 15_000 }).toBe(seats);
  }
});

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

async function setUpSeats(session: ApiSession, orgId: string) {
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

  let version = 1;
  const setSeats = async (value: number) => {
    const saved = await session.call(planEndpoints.updateVersion, {
      params: { orgId, planId, version: String(version) },
      body: { properties: { [feature.id]: [{ id: property.id, type: 'number', value }] } },
    });
    version = saved.version;
  };
  return { key: key.value, setSeats };
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
