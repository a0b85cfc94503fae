// A revoked key stays revoked, also near a replica that publishing could not reach.

import { createExecutionContext, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Location } from '#contracts/public/locations';
import { API_KEY_RANDOM_BYTES, formatApiKey } from '#engine/identity/api-key';
import { replicaStub } from '#objects/stubs';
import { sha256Hex } from '#runtime/hash';
import { newId } from '#runtime/ids';
import { publicRequest } from '#tests/support/public-requests';
import { pass, SilentBindings, stopClock } from '#tests/support/silence';
import { enableLocations, newTenant } from '#tests/support/tenants';
import { openDatabase } from '#worker/db/database';
import { apiKey, environment } from '#worker/db/schema/environments';
import { publishEnvironment } from '#worker/domains/publishing/publish-environment';
import type { Env } from '#worker/env';
import { workContext } from '#worker/http/make-work-context';
import { handlePublicApi } from '#worker/public-api';

const HOME: Location = 'weur';
const AWAY: Location = 'oc';
const SYDNEY = JSON.stringify({ latitude: '-33.9', longitude: '151.2', continent: 'OC', country: 'AU' });

let orgId: string;
beforeAll(async () => {
  const tenant = await newTenant();
  ({ orgId } = tenant);
  await enableLocations(tenant, HOME, AWAY);
});
afterEach(() => void vi.useRealTimers());

/** A call near the replica that is away. */
async function call({ env: bindings }: SilentBindings, key: string) {
  const request = publicRequest('access-checks', key, {}, { 'x-dev-cf': SYDNEY });
  const response = await handlePublicApi(request, bindings, createExecutionContext());
  const { warnings = [] } = (await response.json()) as { warnings?: { code: string }[] };
  return { status: response.status, codes: warnings.map(({ code }) => code) };
}

interface SomeKey {
  readonly environmentId: string;
  readonly value: string;
}

/** A key of a new environment, published everywhere. No message of the API is on its way that would publish it again. */
async function someKey(): Promise<SomeKey> {
  const environmentId = newId('env', Date.now());
  const now = Date.now();
  const row = {
    id: environmentId,
    orgId,
    name: 'Shop',
    type: 'live',
    createdAt: now,
    updatedAt: now,
  } as const;
  await openDatabase(env.DB).insert(environment).values(row);
  const value = await addKey(environmentId, 0);
  await publish(environmentId, env);
  return { environmentId, value };
}

/** @param number of the key in its environment */
async function addKey(environmentId: string, number: number): Promise<string> {
  const random = new Uint8Array(API_KEY_RANDOM_BYTES).fill(number);
  const value = formatApiKey({ type: 'secret', environmentId, home: HOME, random });
  await openDatabase(env.DB)
    .insert(apiKey)
    .values({
      id: newId('key', Date.now()),
      orgId,
      environmentId,
      type: 'secret',
      hash: await sha256Hex(value),
      sealedValue: '',
      maskedValue: '',
      createdAt: Date.now(),
    });
  return value;
}

function publish(environmentId: string, bindings: Env): Promise<void> {
  const message = { type: 'environment.changed', outboxId: 'out_none', orgId, environmentId } as const;
  return publishEnvironment(workContext(bindings, Date.now), message);
}

async function revoke({ environmentId }: SomeKey): Promise<void> {
  await env.DB.prepare('DELETE FROM api_key WHERE environment_id = ?').bind(environmentId).run();
  await publishNearHome(environmentId);
}

/** The publisher reaches every location but the one that is away. */
async function publishNearHome(environmentId: string): Promise<void> {
  await env.DB.prepare('UPDATE environment SET generation = generation + 1 WHERE id = ?')
    .bind(environmentId)
    .run();
  const error = new Error('unreachable');
  const { env: bindings } = new SilentBindings().silence('ENVIRONMENT_REPLICA', { location: AWAY, error });
  await expect(publish(environmentId, bindings)).rejects.toThrow('1 data locations did not acknowledge');
}

it('is refused by an isolate that was just started once the home replica has answered, behind the first call', async () => {
  const key = await someKey();
  expect(await call(new SilentBindings(), key.value)).toEqual({ status: 200, codes: ['nothing-deployed'] });
  await revoke(key);
  const bindings = new SilentBindings().silence('DB');
  expect(await call(bindings, key.value)).toMatchObject({ status: 200 });
  const pulls = [`ENVIRONMENT_REPLICA ${AWAY} pull`, `ENVIRONMENT_REPLICA ${HOME} pull`];
  await expect.poll(() => bindings.calls).toEqual(pulls);
  await expect.poll(async () => (await call(bindings, key.value)).status).toBe(401);
  expect(bindings.pending).toBe(0);
});

it('while a new one that publishing did not bring there works at once in an isolate that was just started', async () => {
  const { environmentId } = await someKey();
  const value = await addKey(environmentId, 1);
  await publishNearHome(environmentId);
  const bindings = new SilentBindings().silence('DB');
  bindings.silence('ENVIRONMENT_REPLICA', { location: HOME, lateMs: 300 });
  expect(await call(bindings, value)).toMatchObject({ status: 200 });
});

it('is refused within 30 seconds by an isolate that has accepted it, since the replica asks the home replica', async () => {
  const key = await someKey();
  const bindings = new SilentBindings();
  expect(await call(bindings, key.value)).toMatchObject({ status: 200 });
  await revoke(key);
  stopClock();
  // An isolate asks every three seconds at the latest.
  for (let second = 0; second < 27; second += 3) {
    await pass(3_000);
    await call(bindings, key.value);
    await scheduler.wait(50);
  }
  expect(await call(bindings, key.value)).toMatchObject({ status: 401 });
});

it('may be accepted for longer only with a warning, while the replica cannot ask the home replica either', async () => {
  const key = await someKey();
  const bindings = new SilentBindings();
  expect(await call(bindings, key.value)).toMatchObject({ status: 200 });
  await revoke(key);
  const replica = await replicaStub(env, key.environmentId, AWAY);
  await runInDurableObject(replica, (object) => {
    object.effects = { ...object.effects, pull: () => Promise.reject(new Error('unreachable')) };
  });
  stopClock();
  for (let second = 0; second < 33; second += 3) {
    await pass(3_000);
    await call(bindings, key.value);
  }
  const answer = await call(bindings, key.value);
  expect(answer).toEqual({ status: 200, codes: ['snapshot-stale', 'nothing-deployed'] });
});
