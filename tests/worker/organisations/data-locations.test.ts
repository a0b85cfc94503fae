import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { LOCATIONS, type Location, type LocationFlags } from '#contracts/public/locations';
import { check, propertyOf } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { newTenant, outboxMessages, publishAll, type Tenant } from '#tests/support/tenants';

const PARIS = { 'x-dev-cf': JSON.stringify({ latitude: '48.86', longitude: '2.35', continent: 'EU' }) };
const SYDNEY = { 'x-dev-cf': JSON.stringify({ latitude: '-33.87', longitude: '151.21', continent: 'OC' }) };
async function switchOn(tenant: Tenant, ...on: Location[]): Promise<void> {
  const flags = Object.fromEntries(
    LOCATIONS.map((location) => [location, on.includes(location)]),
  ) as LocationFlags;
  await tenant.make('PUT', '/data-locations', { locations: flags });
  await expect.poll(() => outboxMessages(tenant.orgId)).toEqual([]);
}

/** An organisation in Western Europe and Oceania, whose preview environment meters files. */
async function meteredTenant(): Promise<{ tenant: Tenant; key: string }> {
  const tenant = await newTenant();
  const { id } = await tenant.make('POST', '/features', { name: 'Exports', slug: 'exports' });
  await tenant.make('POST', `/features/${id}/properties`, {
    ...{ name: 'Files', propertyKey: 'files', type: 'meterable' },
    value: { state: 'metered', meter: { limit: 100, periodType: 'lifetime', uniqueResourceIds: false } },
  });
  const key = (await tenant.key(await tenant.previewId())).value;
  await switchOn(tenant, 'weur', 'oc');
  await publishAll(tenant);
  return { tenant, key };
}

const count = (key: string, by: number, headers: Record<string, string>) =>
  update(key, { userIdentifier: 'ada', feature: 'exports', property: 'files', by }, headers);

async function usedAt(key: string, headers: Record<string, string>, consistency = 'local'): Promise<unknown> {
  const answer = await check(key, { userIdentifier: 'ada', consistency }, { headers });
  return (propertyOf(answer, 'exports', 'files') as { used: number }).used;
}

describe('usage in two data locations', () => {
  it('is counted where it happens and comes to one figure everywhere', async () => {
    const { key } = await meteredTenant();
    expect((await count(key, 3, PARIS)).status).toBe(200);
    expect((await count(key, 4, SYDNEY)).status).toBe(200);
    await expect.poll(() => usedAt(key, PARIS)).toBe(7);
    await expect.poll(() => usedAt(key, SYDNEY)).toBe(7);
    expect(await usedAt(key, SYDNEY, 'strict')).toBe(7);
  });

  it('stays counted when one of them is turned off and on again', async () => {
    const { tenant, key } = await meteredTenant();
    await count(key, 3, PARIS);
    await count(key, 4, SYDNEY);
    await switchOn(tenant, 'weur');
    await expect.poll(() => usedAt(key, PARIS)).toBe(7);
    await expect.poll(() => usedAt(key, SYDNEY)).toBe(7);
    expect((await count(key, 1, SYDNEY)).body.meter).toMatchObject({ used: 8 });
    await switchOn(tenant, 'weur', 'oc');
    await expect.poll(() => usedAt(key, SYDNEY)).toBe(8);
  });
});

describe('the ledgers of a deleted environment', () => {
  it('are deleted in every data location', async () => {
    const tenant = await newTenant();
    const { id } = await tenant.make('POST', '/environments', { name: 'Doomed', type: 'test' });
    await publishAll(tenant);
    expect((await tenant.call('DELETE', `/environments/${id}`)).status).toBe(204);
    const { results } = await env.DB.prepare(
      "SELECT type FROM outbox WHERE org_id = ? AND type = 'location.closed'",
    )
      .bind(tenant.orgId)
      .all();
    await publishAll(tenant);
    expect(results.length).toBeLessThanOrEqual(1); // the queue may have been faster
    expect(await outboxMessages(tenant.orgId)).toEqual([]);
  });
});
