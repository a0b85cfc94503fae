// Checks that need no D1: it throws on any use here.

import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { LOCATIONS, type Location } from '#contracts/public/locations';
import { crc32 } from '#engine/identity/crc32';
import { encodeUint32 } from '#engine/identity/crockford-base32';
import { shardOf } from '#engine/ledger/shard-of';
import { HEDGE_READ_MS } from '#engine/outages/budget';
import { ledgerAt, replicaStub } from '#objects/stubs';
import { evict } from '#tests/support/evict';
import { expectConsole } from '#tests/support/expect-console';
import { type PayingTenant, payingTenant } from '#tests/support/paying-tenants';
import { publicRequest } from '#tests/support/public-requests';
import { pass, SilentBindings, stopClock } from '#tests/support/silence';
import { subscribed } from '#tests/support/stripe-customers';
import { enableLocations, newTenant, publishAll, type Tenant } from '#tests/support/tenants';
import { newWorkspace } from '#tests/support/workspaces';
import { NEW_CUSTOMERS_BURST, takeNewCustomer } from '#worker/domains/customer-facts/limit-new-customers';
import { handlePublicApi } from '#worker/public-api';

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

async function check(
  { env: bindings }: SilentBindings,
  key: string,
  body: object = {},
): Promise<AccessCheckAnswer> {
  const request = publicRequest('access-checks', key, body, { 'x-dev-cf': SYDNEY });
  const response = await handlePublicApi(request, bindings, createExecutionContext());
  expect(response.status).toBe(200);
  return response.json();
}

async function tenantIn(...locations: readonly Location[]): Promise<Tenant> {
  const tenant = await newTenant();
  await enableLocations(tenant, ...locations);
  await newWorkspace(tenant);
  return tenant;
}

/** With randomness where keys of today name the home location. */
async function asFormerKey(tenant: Tenant, value: string): Promise<string> {
  const body = `${value.slice(0, 34)}zzz${value.slice(37, 66)}`;
  const former = body + encodeUint32(crc32(body));
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

  it('follows an organisation that has moved from the location that the key names', async () => {
    const tenant = await tenantIn('weur');
    const { value } = await tenant.key(await tenant.previewId());
    await publishAll(tenant);
    await enableLocations(tenant, 'sam');
    await publishAll(tenant);
    const isolate = newIsolate();
    expect((await check(isolate, value)).customer.plans).toEqual(['starter']);
    expect(pullsOf(isolate)).toEqual(['oc', 'weur', 'sam']);
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

describe('customers whom a nearby ledger has served', () => {
  let own: PayingTenant;
  let environmentId: string;
  beforeAll(async () => {
    own = await payingTenant();
    environmentId = own.previewId;
    await enableLocations(own.tenant, ...LOCATIONS);
    await publishAll(own.tenant);
  });

  /** Everything near Sydney that has served the customers sleeps. */
  async function sleep(...customers: readonly string[]): Promise<void> {
    await evict(await replicaStub(env, environmentId, 'oc'));
    const { results } = await env.DB.prepare('SELECT ledger_shards AS shards FROM environment WHERE id = ?')
      .bind(environmentId)
      .all<{ shards: number }>();
    for (const customer of customers) {
      const shard = shardOf(customer, results[0]?.shards ?? 0);
      await evict(await ledgerAt(env, { environmentId, location: 'oc', shard }));
    }
  }

  const plansOf = async (isolate: SilentBindings, userIdentifier: string) => {
    const { customer, warnings } = await check(isolate, own.secret, { userIdentifier });
    return [...customer.plans, ...warnings.map(({ code }) => code)];
  };

  it('are known to new isolates after it has slept: with subscriptions, with grants, by email, and without anything', async () => {
    const payer = await own.someone([subscribed('prod_pro')]);
    await own.grant('granted@tests.example', { planId: own.plusId });
    const expected = [
      [payer.id, ['pro']],
      [payer.email, ['pro']],
      ['granted@tests.example', ['plus']],
      ['nobody@tests.example', []],
      ['user-42', []],
    ] as const;
    for (const [identifier, plans] of expected) {
      await expect.poll(() => plansOf(new SilentBindings(), identifier)).toEqual(plans);
    }
    await sleep(...expected.map(([identifier]) => identifier));
    const isolate = newIsolate();
    // The isolate of the test remembers them for 30 s.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
    for (const [identifier, plans] of expected) expect(await plansOf(isolate, identifier)).toEqual(plans);
  });

  it('have a grant that was made while it slept, although they had nothing before', async () => {
    const identifier = 'later@tests.example';
    expect(await plansOf(new SilentBindings(), identifier)).toEqual([]);
    await sleep(identifier);
    await own.grant(identifier, { planId: own.plusId });
    await sleep(identifier);
    await expect.poll(() => plansOf(newIsolate(), identifier)).toEqual(['plus']);
  });

  it('and have no facts, are still known to have none while no ledger answers', async () => {
    const identifier = 'nothing@tests.example';
    await plansOf(new SilentBindings(), identifier);
    const isolate = newIsolate();
    expect(await plansOf(isolate, identifier)).toEqual([]);
    isolate.silence('LEDGER', { error: new Error('unreachable') });
    expectConsole('warn', /usage could not be read/);
    expect(await plansOf(isolate, identifier)).toEqual([]);
  });

  it('if they are too many new ones at once, are answered by the plans of everyone, with a warning', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const isolate = newIsolate();
    await check(isolate, own.secret);
    for (let taken = 0; taken < NEW_CUSTOMERS_BURST; taken++) takeNewCustomer(own.tenant.orgId, Date.now());
    expect(await plansOf(isolate, 'random-1')).toEqual(['customer-facts-unknown']);
    vi.setSystemTime(Date.now() + 1_000);
    Object.assign(isolate.env, { DB: env.DB });
    expect(await plansOf(isolate, 'random-2')).toEqual([]);
  });
});
