import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { LOCATIONS, type Location } from '#contracts/public/locations';
import { shardOf } from '#engine/ledger/shard-of';
import { ledgerAt } from '#objects/stubs';
import type { LocationClosed } from '#runtime/messages';
import { check, propertyOf, refusal } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { newFeatureForAll } from '#tests/support/features';
import { publicRequest } from '#tests/support/public-requests';
import { enableLocations, newTenant, outboxMessages, publishAll, type Tenant } from '#tests/support/tenants';
import { commit, openDatabase } from '#worker/db/database';
import { leavingOf, leavingRows } from '#worker/db/leaving-locations';
import { retiredLedgersOf, retireLedgers } from '#worker/domains/metering/retire-ledgers';
import type { Env } from '#worker/env';
import { workContext } from '#worker/http/make-work-context';
import { handlePublicApi } from '#worker/public-api';
import { change } from '#worker/queue/change';
import { outboxRow } from '#worker/queue/outbox';

const PARIS = { 'x-dev-cf': JSON.stringify({ latitude: '48.86', longitude: '2.35', continent: 'EU' }) };
const SYDNEY = { 'x-dev-cf': JSON.stringify({ latitude: '-33.87', longitude: '151.21', continent: 'OC' }) };

async function switchOn(tenant: Tenant, ...on: Location[]): Promise<void> {
  await enableLocations(tenant, ...on);
  await expect.poll(() => outboxMessages(tenant.orgId)).toEqual([]);
}

/** An organisation in Western Europe and Oceania, whose preview environment meters files. */
async function meteredTenant(): Promise<{ tenant: Tenant; key: string }> {
  const tenant = await newTenant();
  const { id } = await newFeatureForAll(tenant, { name: 'Exports', slug: 'exports' });
  await tenant.make('POST', `/features/${id}/properties`, {
    name: 'Files',
    propertyKey: 'files',
    type: 'meterable',
    value: { state: 'metered', meter: { limit: 100, periodType: 'lifetime', uniqueResourceIds: false } },
  });
  const key = (await tenant.key(await tenant.previewId())).value;
  await switchOn(tenant, 'weur', 'oc');
  await publishAll(tenant);
  return { tenant, key };
}

const count = (key: string, by: number, headers: Record<string, string>) =>
  update(key, { userIdentifier: 'ada', feature: 'exports', property: 'files', by }, headers);

/** The ledger of the customer that the tests count for. */
async function ledgerOfAda(tenant: Tenant, location: Location) {
  const environmentId = await tenant.previewId();
  const shard = shardOf('ada', (await shardsOf(environmentId)) ?? 0);
  return ledgerAt(env, { environmentId, location, shard });
}

async function leavingOfPreview(tenant: Tenant) {
  return leavingOf(await leavingRows(openDatabase(env.DB), await tenant.previewId()));
}

async function shardsOf(environmentId: string): Promise<number | undefined> {
  const row = env.DB.prepare('SELECT ledger_shards AS shards FROM environment WHERE id = ?');
  return (await row.bind(environmentId).first<{ shards: number }>())?.shards;
}

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

  it('is not refused by another location as long as the nearest one, whose answer was lost, may have accepted', async () => {
    const { tenant, key } = await meteredTenant();
    const environmentId = await tenant.previewId();
    // Both ledgers exist, and hear nothing of each other.
    for (const [location, place] of [
      ['weur', PARIS],
      ['oc', SYDNEY],
    ] as const) {
      await usedAt(key, place);
      const shard = shardOf('ada', (await shardsOf(environmentId)) ?? 0);
      await runInDurableObject(await ledgerAt(env, { environmentId, location, shard }), (object) => {
        object.effects = { ...object.effects, receive: () => new Promise(() => {}) };
      });
    }
    await count(key, 99, SYDNEY);
    let lost = 0;
    const LEDGER = new Proxy(env.LEDGER, {
      get: (ledgers, name) =>
        name === 'getByName'
          ? (...named: Parameters<Env['LEDGER']['getByName']>) => ({
              answerText: async (...sent: [string, string?]) => {
                const answer = await ledgers.getByName(...named).answerText(...sent);
                if (named[1]?.locationHint !== 'weur' || lost > 0) return answer;
                lost += 1;
                throw new Error('the answer was lost');
              },
            })
          : Reflect.get(ledgers, name),
    });
    const context = createExecutionContext();
    const body = { userIdentifier: 'ada', feature: 'exports', property: 'files', by: 2, enforce: true };
    const response = await handlePublicApi(
      publicRequest('counter-updates', key, { ...body, idempotencyKey: 'once' }, PARIS),
      { ...env, LEDGER },
      context,
    );
    await waitOnExecutionContext(context);
    expect(lost).toBe(1);
    expect(await response.json()).toMatchObject({ accepted: true, replayed: true, meter: { used: 2 } });
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

  it('is still known after a move to a region that cannot reach the one that was left, as incomplete', async () => {
    const { tenant, key } = await meteredTenant();
    await switchOn(tenant, 'weur');
    await expect.poll(async () => (await count(key, 0, PARIS)).status).toBe(200);
    await count(key, 99, PARIS);
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    for (const location of ['weur', 'oc'] as const) {
      await runInDurableObject(await ledgerOfAda(tenant, location), (object) => {
        const { receive, copy } = object.effects;
        object.effects = {
          ...object.effects,
          receive: (...sent) => opened.then(() => receive(...sent)),
          copy: (...sent) => opened.then(() => copy(...sent)),
        };
      });
    }
    await enableLocations(tenant, 'oc');
    const warningsAt = async () =>
      (await check(key, { userIdentifier: 'ada' }, { headers: SYDNEY })).warnings.map(({ code }) => code);
    await expect.poll(warningsAt).toContain('usage-incomplete');
    const consume = { feature: 'exports', property: 'files', by: 10 };
    const strictly = { body: { userIdentifier: 'ada', consistency: 'strict', consume }, headers: SYDNEY };
    expect((await refusal(key, strictly)).status).toBe(503);
    open();
    await expect.poll(() => usedAt(key, SYDNEY)).toBe(99);
    await expect.poll(() => outboxMessages(tenant.orgId)).toEqual([]);
    expect(await leavingOfPreview(tenant)).toEqual({});
  });

  it('is not lost where a move is undone while it goes on', async () => {
    const { tenant, key } = await meteredTenant();
    await switchOn(tenant, 'weur');
    await expect.poll(async () => (await count(key, 0, PARIS)).status).toBe(200);
    await count(key, 6, PARIS);
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const reached = new Promise<void>((resolve) => {
      void ledgerOfAda(tenant, 'weur').then((ledger) =>
        runInDurableObject(ledger, (object) => {
          const { observeRetirement } = object.effects;
          object.effects = {
            ...object.effects,
            observeRetirement: async (...sent) => {
              const answer = await observeRetirement(...sent);
              resolve();
              await opened;
              return answer;
            },
          };
        }),
      );
    });
    await enableLocations(tenant, 'oc');
    await reached;
    await enableLocations(tenant, 'weur');
    await publishAll(tenant);
    expect((await count(key, 5, PARIS)).status).toBe(200);
    open();
    await expect.poll(() => outboxMessages(tenant.orgId)).toEqual([]);
    await expect.poll(() => usedAt(key, PARIS)).toBe(11);
  });
});

it('a ledger that nobody calls learns of a location that was enabled beside its own', async () => {
  const { tenant, key } = await meteredTenant();
  await switchOn(tenant, 'weur');
  await count(key, 3, PARIS);
  await switchOn(tenant, 'weur', 'oc');
  const environmentId = await tenant.previewId();
  const shard = shardOf('ada', (await shardsOf(environmentId)) ?? 0);
  const ledger = await ledgerAt(env, { environmentId, location: 'weur', shard });
  const peers = await runInDurableObject(ledger, ({ store }) => store.loadState()?.peers);
  expect(peers?.map(({ location }) => location)).toEqual(['oc']);
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

describe('retiring the ledgers of a location', () => {
  /** An environment of 64 ledgers, and a context whose queue keeps what is sent. */
  async function retiring() {
    const { orgId, environmentId } = await newTenant().then(async (tenant) => {
      await publishAll(tenant);
      return { orgId: tenant.orgId, environmentId: await tenant.previewId() };
    });
    await env.DB.prepare('UPDATE environment SET ledger_shards = 64 WHERE id = ?').bind(environmentId).run();
    const sent: LocationClosed[] = [];
    const queue = { send: async (message: LocationClosed) => void sent.push(message) };
    const ctx = workContext({ ...env, SYNC_QUEUE: queue } as unknown as Env, Date.now);
    const start = async () => {
      const scope = { orgId, actor: null };
      const publish = [retiredLedgersOf(scope, ['oc'], [environmentId])];
      await change(ctx, scope, { write: [], audit: null, publish });
      const [message, ...others] = (await outboxMessages(orgId)) as LocationClosed[];
      expect(others).toEqual([]);
      return message as LocationClosed;
    };
    return { ctx, sent, start, orgId, environmentId };
  }

  it('starts over when the location changes meanwhile: what it replaces and duplicates end', async () => {
    const { ctx, sent, start, orgId } = await retiring();
    const first = await start();
    expect(sent.splice(0)).toEqual([first]);
    await retireLedgers(ctx, first);
    const [replaced = first] = sent.splice(0);
    expect(replaced).toEqual({ ...first, fromShard: 32 });

    const again = await start();
    expect(again).toMatchObject({ outboxId: first.outboxId, fromShard: 0 });
    expect(sent.splice(0)).toEqual([again]);
    await retireLedgers(ctx, replaced);
    expect(await outboxMessages(orgId)).toEqual([again]);
    await retireLedgers(ctx, again);
    await retireLedgers(ctx, again);
    const next = { ...again, fromShard: 32 };
    expect(sent).toEqual([next]);
    await retireLedgers(ctx, next);
    await expect.poll(() => outboxMessages(orgId)).toEqual([]);
    expect(sent).toHaveLength(1);
  });

  it('goes on with the messages of an earlier release', async () => {
    const { ctx, sent, orgId, environmentId } = await retiring();
    const ofTask = { orgId, environmentId, location: 'oc', fromShard: 0 } as const;
    const old: LocationClosed = { ...ofTask, type: 'location.closed', outboxId: ctx.newId('out') };
    await commit(ctx.db, [outboxRow(ctx.db, old, ctx.now)]);
    await retireLedgers(ctx, old);
    const next = { ...old, fromShard: 32 };
    expect(sent).toEqual([next]);
    await retireLedgers(ctx, next);
    await expect.poll(() => outboxMessages(orgId)).toEqual([]);
  });
});

it('data locations can be disabled ten times an hour, and enabled at any time', async () => {
  const tenant = await newTenant();
  const put = (...on: Location[]) => {
    const locations = Object.fromEntries(LOCATIONS.map((location) => [location, on.includes(location)]));
    return tenant.call<{ message: string }>('PUT', '/data-locations', { locations });
  };
  for (let turn = 0; turn < 10; turn++) {
    expect((await put(turn % 2 === 0 ? 'weur' : 'oc')).status).toBe(200);
  }
  const refused = await put('weur');
  expect(refused.status).toBe(429);
  expect(refused.body.message).toContain('10 times an hour');
  expect((await put('oc', 'weur')).status).toBe(200);
  await expect.poll(() => outboxMessages(tenant.orgId)).toEqual([]);
});
