// Checks that need no D1: it throws on any use here.
import { createExecutionContext } from 'cloudflare:test';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { LOCATIONS, type Location } from '#contracts/public/locations';
import { crc32 } from '#engine/identity/crc32';
import { encodeUint32 } from '#engine/identity/crockford-base32';
import { HEDGE_READ_MS } from '#engine/outages/budget';
import { pass, SilentBindings, stopClock } from '#tests/support/silence';
import { newTenant, publishAll, type Tenant } from '#tests/support/tenants';
import { newWorkspace } from '#tests/support/workspaces';
import { handlePublicApi } from '#worker/domains/access/handle-public-api';

const SYDNEY = JSON.stringify({ latitude: '-33.9', longitude: '151.2', continent: 'OC', country: 'AU' });
const D1 = new Proxy({} as D1Database, {
  get() {
    throw new Error('D1 was used');
  },
});

/** A new isolate in Sydney. */
function newIsolate(): SilentBindings {
  const bindings = new SilentBindings();
  Object.assign(bindings.env, { DB: D1 });
  return bindings;
}

async function check({ env }: SilentBindings, key: string, body: object = {}): Promise<AccessCheckAnswer> {
  const request = new Request('http://localhost:4001/api/v1/access-checks', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-dev-cf': SYDNEY },
    body: JSON.stringify(body),
  });
  const response = await handlePublicApi(request, env, createExecutionContext());
  expect(response.status).toBe(200);
  return response.json();
}

async function tenantIn(...locations: readonly Location[]): Promise<Tenant> {
  const tenant = await newTenant();
  const enabled = Object.fromEntries(LOCATIONS.map((each) => [each, locations.includes(each)]));
  await tenant.make('PUT', '/data-locations', { locations: enabled });
  await newWorkspace(tenant);
  return tenant;
}

/** With randomness where keys of today name the home location. */
async function asFormerKey(tenant: Tenant, value: string): Promise<string> {
  const body = `${value.slice(0, 34)}zzz${value.slice(37, 66)}`;
  const former = body + encodeUint32(crc32(body));
  const { env } = new SilentBindings();
  const hash = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toHex();
  await env.DB.batch([
    env.DB.prepare('UPDATE api_key SET hash = ? WHERE hash = ?').bind(await hash(former), await hash(value)),
    env.DB.prepare('UPDATE environment SET generation = generation + 1 WHERE org_id = ?').bind(tenant.orgId),
  ]);
  return former;
}

const pullsOf = ({ calls }: SilentBindings) =>
  calls.flatMap((call) => (call.startsWith('ENVIRONMENT_REPLICA') ? [call.split(' ')[1]] : []));
const OTHERS = LOCATIONS.filter((each) => each !== 'oc');

afterEach(() => void vi.useRealTimers());

describe("a new isolate's first call", () => {
  let everywhere: { key: string };
  /** In Western Europe only. */
  let far: { key: string; formerKey: string };
  beforeAll(async () => {
    const [nine, one] = [await tenantIn(...LOCATIONS), await tenantIn('weur')];
    const keyOf = async (tenant: Tenant) => (await tenant.key(await tenant.previewId())).value;
    everywhere = { key: await keyOf(nine) };
    far = { key: await keyOf(one), formerKey: await asFormerKey(one, await keyOf(one)) };
    for (const tenant of [nine, one]) await publishAll(tenant);
  });

  it('with nine locations is answered by the nearest, and asks the home replica behind the answer', async () => {
    const isolate = newIsolate();
    expect((await check(isolate, everywhere.key)).customer.plans).toEqual(['starter']);
    await expect.poll(() => pullsOf(isolate)).toEqual(['oc', 'wnam']);
  });

  it('asks the location that the key names where the nearest has nothing', async () => {
    const isolate = newIsolate();
    expect((await check(isolate, far.key)).customer.plans).toEqual(['starter']);
    await expect.poll(() => pullsOf(isolate)).toEqual(['oc', 'weur']);
  });

  it('asks all other locations at once where a key of an earlier version names none', async () => {
    const isolate = newIsolate();
    expect((await check(isolate, far.formerKey)).customer.plans).toEqual(['starter']);
    expect(pullsOf(isolate).toSorted()).toEqual(LOCATIONS.toSorted());
    expect(pullsOf(isolate)[0]).toBe('oc');
  });

  it('waits for a silent nearest replica for a short time only', async () => {
    const isolate = newIsolate().silence('ENVIRONMENT_REPLICA', { location: 'oc' });
    stopClock();
    const answering = check(isolate, everywhere.key);
    await isolate.isWaiting();
    await pass(HEDGE_READ_MS);
    expect((await answering).warnings).toEqual([]);
    expect(pullsOf(isolate).slice(0, 2)).toEqual(['oc', 'wnam']);
  });

  it('with eight replicas away is answered by the ninth', async () => {
    const error = new Error('unreachable');
    const isolate = newIsolate();
    for (const location of LOCATIONS) {
      if (location !== 'afr') isolate.silence('ENVIRONMENT_REPLICA', { location, error });
    }
    expect((await check(isolate, everywhere.key)).warnings).toEqual([]);
    expect(new Set(pullsOf(isolate))).toEqual(new Set(['oc', ...OTHERS]));
  });
});
