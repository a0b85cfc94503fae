import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Customer, CustomerEntitlements } from '#contracts/console/customers';
import { shardOf } from '#engine/ledger/shard-of';
import { ledgerAt } from '#objects/stubs';
import type { CustomerChanged } from '#runtime/messages';
import { check, propertyOf } from '#tests/support/access-checks';
import { newMember } from '#tests/support/accounts';
import { update } from '#tests/support/counter-updates';
import { type CustomerTenant, customerTenant } from '#tests/support/customers';
import { eventually } from '#tests/support/eventually';
import { evict } from '#tests/support/evict';
import { ofFiles } from '#tests/support/paying-tenants';
import { auditRows } from '#tests/support/stored-state';
import {
  deliver,
  enableLocations,
  newTenant,
  outboxMessages,
  publishAll,
  tenantOf,
} from '#tests/support/tenants';
import { openDatabase } from '#worker/db/database';
import { outbox } from '#worker/db/schema/operations';
import { pushCustomerFacts } from '#worker/domains/customer-facts/push-customer-facts';
import { workContext } from '#worker/http/make-work-context';

let own: CustomerTenant;
beforeAll(async () => {
  own = await customerTenant();
  // An environment's first customer facts reach isolates with the snapshot, later ones with the ledger's answer.
  await own.grant('the-first@tests.example');
  await publishAll(own.tenant);
  await eventually(async () => expect(await seatsOf('the-first@tests.example')).toBe(50));
});

let serial = 0;
function someone(): string {
  serial += 1;
  return `customer-${serial}@tests.example`;
}

async function seatsOf(userIdentifier: string, options: object = {}, secret = own.secret): Promise<unknown> {
  return propertyOf(await check(secret, { userIdentifier, ...options }), 'workspaces', 'seats');
}

describe('a manually granted plan', () => {
  it('applies to the next check, and no longer once it is revoked', async () => {
    const who = someone();
    expect(await seatsOf(who)).toBe(1);
    const { id } = await own.grant(who);
    const answer = await check(own.secret, { userIdentifier: who });
    expect(answer.customer).toEqual({ isCustomer: false, plans: ['pro'] });
    expect(propertyOf(answer, 'workspaces', 'seats')).toBe(50);
    expect(propertyOf(answer, 'workspaces', 'files')).toMatchObject({ limit: 100, used: 0 });
    expect(await own.tenant.call('DELETE', own.path(who, `/grants/${id}`))).toMatchObject({ status: 204 });
    expect(await seatsOf(who)).toBe(1);
  });

  it('counts for that customer alone, and never for anonymous sessions', async () => {
    await own.grant(someone());
    expect(await seatsOf(someone())).toBe(1);
    expect(propertyOf(await check(own.secret), 'workspaces', 'seats')).toBe(1);
  });

  it('ends at its instant, and an answer is not valid beyond it', async () => {
    const who = someone();
    const until = Date.now() + 1_500;
    await own.grant(who, { until });
    const answer = await check(own.secret, { userIdentifier: who });
    expect(propertyOf(answer, 'workspaces', 'seats')).toBe(50);
    expect(answer.validUntil).toBe(until);
    await expect.poll(() => seatsOf(who)).toBe(1);
    expect(Date.now()).toBeGreaterThanOrEqual(until);
    expect(await own.grant(who)).toMatchObject({ until: null });
  });

  it('of one environment has no effect in another', async () => {
    const who = someone();
    const other = await own.tenant.make('POST', '/environments', {
      name: 'Staging',
      description: null,
      url: null,
      type: 'test',
    });
    await own.grant(who, { environmentId: other.id });
    expect(await seatsOf(who)).toBe(1);
    await own.grant(who, { environmentId: own.previewId });
    expect(await seatsOf(who)).toBe(50);
  });

  it('applies to updates and consumption, including the first one in an isolate', async () => {
    const who = someone();
    expect((await update(own.secret, ofFiles(who, { by: 2 }))).body.meter).toEqual({
      state: 'off',
      allowed: false,
      used: 2,
    });
    await own.grant(who);
    expect((await update(own.secret, ofFiles(who, { by: 90, enforce: true }))).body).toMatchObject({
      accepted: true,
      meter: { limit: 100, used: 92 },
    });
    const consume = { feature: 'workspaces', property: 'files', by: 9 };
    const answer = await check(own.secret, { userIdentifier: who, consume });
    expect(answer.consumed).toMatchObject({ accepted: false, used: 92 });
  });

  it('reaches a reading of bounded freshness within two seconds', async () => {
    const who = someone();
    const bounded = { consistency: 'bounded' };
    expect(await seatsOf(who, bounded)).toBe(1);
    await own.grant(who);
    await expect.poll(() => seatsOf(who, bounded)).toBe(50);
  });

  it.each([
    '..',
    '.',
    '~..',
    'a/b?c#d',
    '%2e%2e',
    '100% sure',
    '__proto__',
    'o\'hara "x"',
    'ünïcode 🎈',
    'cus_A1',
  ])('is for the customer called %s and nobody else', async (who) => {
    const { id } = await own.grant(who);
    expect(await seatsOf(who)).toBe(50);
    const customer = await own.tenant.make<Customer>('GET', own.path(who));
    expect(customer.identifier).toBe(who);
    expect(customer.grants.map((grant) => grant.id)).toEqual([id]);
  });

  it('is for one customer in any spelling of the email', async () => {
    await own.grant('Grace@Tests.example');
    expect(await seatsOf('grace@tests.EXAMPLE')).toBe(50);
  });

  it.each([
    ['an unknown plan', { planId: 'plan_unknown' }, 'planId'],
    ['an unknown environment', { environmentId: 'env_unknown' }, 'environmentId'],
    ['a past instant', { until: 1_000 }, 'until'],
    ['no reason', { reason: '  ' }, 'reason'],
    ['something else', { surprise: true }, 'surprise'],
  ])('with %s is refused, naming the field', async (_what, change, path) => {
    const body = { environmentId: null, planId: own.proId, reason: 'Because', until: null, ...change };
    expect(await own.tenant.call('POST', own.path(someone(), '/grants'), body)).toMatchObject({
      status: 400,
      body: { issues: [{ path }] },
    });
  });

  it('twice is a conflict', async () => {
    const who = someone();
    await own.grant(who);
    const body = { environmentId: null, planId: own.proId, reason: 'Because', until: null };
    expect(await own.tenant.call('POST', own.path(who, '/grants'), body)).toMatchObject({ status: 409 });
  });
});

describe('an overridden property', () => {
  it('takes precedence over plans, is in explanations, and can be replaced and removed', async () => {
    const who = someone();
    await own.grant(who);
    await own.override(who, own.seats.id, 7);
    const explained = await check(own.secret, { userIdentifier: who }, { query: '?explain=1' });
    expect(propertyOf(explained, 'workspaces', 'seats')).toBe(7);
    expect(explained.explanation).toContainEqual(
      expect.objectContaining({ property: 'seats', value: 7, decidedBy: { override: 'override' } }),
    );
    const { id } = await own.override(who, own.seats.id, 9);
    expect(await seatsOf(who)).toBe(9);
    expect((await own.tenant.make<Customer>('GET', own.path(who))).overrides).toHaveLength(1);
    await own.tenant.make('DELETE', own.path(who, `/overrides/${id}`));
    expect(await seatsOf(who)).toBe(50);
  });

  it('of one environment takes precedence over one of all environments', async () => {
    const who = someone();
    await own.override(who, own.seats.id, 8, { environmentId: own.previewId });
    await own.override(who, own.seats.id, 9);
    expect(await seatsOf(who)).toBe(8);
  });

  it('may be a meter, which then counts', async () => {
    const who = someone();
    const meter = { limit: 3, periodType: 'lifetime', uniqueResourceIds: false };
    await own.override(who, own.files.id, { state: 'metered', meter });
    expect((await update(own.secret, ofFiles(who, { by: 4, enforce: true }))).body.accepted).toBe(false);
    expect((await update(own.secret, ofFiles(who, { by: 3, enforce: true }))).body).toMatchObject({
      accepted: true,
      meter: { limit: 3, used: 3, allowed: false },
    });
  });

  it('is checked against its property', async () => {
    const refused = (propertyId: string, value: unknown) =>
      own.tenant.call('PUT', own.path(someone(), '/overrides'), {
        environmentId: null,
        propertyId,
        value,
        reason: 'Because',
        until: null,
      });
    expect(await refused(own.seats.id, 1001)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'value', message: 'Must be less than or equal to 1,000' }] },
    });
    expect(await refused(own.seats.id, 'many')).toMatchObject({ status: 400 });
    expect(await refused('prop_unknown', 1)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'propertyId' }] },
    });
  });
});

describe('a push of customer facts', () => {
  const message = (who: string): CustomerChanged => ({
    type: 'customer.changed',
    outboxId: `out_${who}`,
    orgId: own.tenant.orgId,
    environmentId: null,
    customer: who,
  });

  /** Without what else the organisation has yet to publish. */
  const pushes = async () =>
    (await outboxMessages(own.tenant.orgId)).filter(({ type }) => type === 'customer.changed');

  it('leaves the outbox empty after the response, and is idempotent', async () => {
    const who = someone();
    expect(await seatsOf(who)).toBe(1);
    await own.grant(who);
    expect(await pushes()).toEqual([]);
    await deliver('tessera-facts', [message(who), message(who)]);
    expect(await seatsOf(who)).toBe(50);
  });

  it('is not overwritten by an older push', async () => {
    const who = someone();
    expect(await seatsOf(who)).toBe(1);
    const ledger = await ledgerOf(who);
    const grants = [{ planId: own.proId, until: null }];
    await ledger.pushFacts(who, { version: 3, grants, overrides: [] });
    await ledger.pushFacts(who, { version: 2, grants: [], overrides: [] });
    expect(await seatsOf(who)).toBe(50);
    await ledger.pushFacts(who, { version: 4, grants: [], overrides: [] });
    await ledger.pushFacts(who, { version: 3, grants, overrides: [] });
    expect(await seatsOf(who)).toBe(1);
  });

  it('stores nothing in a ledger that does not know the customer, nor for customers without facts', async () => {
    const unknown = someone();
    await own.grant(unknown);
    const asked = someone();
    await check(own.secret, { userIdentifier: asked });
    for (const who of [unknown, asked]) expect(await storedFacts(who)).toBeNull();
    await check(own.secret, { userIdentifier: unknown });
    expect(await storedFacts(unknown)).toContain(own.proId);
  });

  it('survives an eviction of the ledger, and is loaded again if nothing was stored', async () => {
    const granted = someone();
    const plain = someone();
    await own.grant(granted);
    await Promise.all([seatsOf(granted), seatsOf(plain)]);
    await evictLedgerOf(granted);
    await evictLedgerOf(plain);
    expect(await seatsOf(granted)).toBe(50);
    expect(await seatsOf(plain)).toBe(1);
  });

  it('stays in the outbox if a ledger fails, and arrives with the next attempt', async () => {
    const who = someone();
    expect(await seatsOf(who)).toBe(1);
    const { id } = await own.grant(who);
    expect(await seatsOf(who)).toBe(50);
    await env.DB.prepare('DELETE FROM customer_grant WHERE id = ?').bind(id).run();
    await env.DB.prepare('UPDATE customer SET facts_version = facts_version + 1 WHERE identifier = ?')
      .bind(who)
      .run();
    await openDatabase(env.DB)
      .insert(outbox)
      .values(outboxValues(message(who)));
    const unreachable = {
      getByName: () => ({ pushFacts: () => Promise.reject(new Error('Out of reach')) }),
    } as unknown as typeof env.LEDGER;
    await expect(
      pushCustomerFacts(workContext({ ...env, LEDGER: unreachable }, Date.now), message(who)),
    ).rejects.toThrow(/could not be notified/);
    expect(await pushes()).toEqual([message(who)]);
    expect(await seatsOf(who)).toBe(50);
    await publishAll(own.tenant);
    expect(await seatsOf(who)).toBe(1);
  });

  it('reaches the customer in every data location that knows them', async () => {
    const two = await customerTenant();
    await enableLocations(two.tenant, 'enam', 'weur');
    await publishAll(two.tenant);
    const from = (continent: string) => ({ headers: { 'x-dev-cf': JSON.stringify({ continent }) } });
    const seen = async (continent: string) =>
      propertyOf(await check(two.secret, { userIdentifier: 'ada' }, from(continent)), 'workspaces', 'seats');
    const { id } = await two.grant('ada');
    await publishAll(two.tenant);
    await expect.poll(() => seen('EU')).toBe(50);
    expect(await seen('NA')).toBe(50);
    await two.override('ada', two.seats.id, 3);
    expect([await seen('EU'), await seen('NA')]).toEqual([3, 3]);
    await two.tenant.make('DELETE', two.path('ada', `/grants/${id}`));
    expect([await seen('EU'), await seen('NA')]).toEqual([3, 3]);
  });
});

describe('the console', () => {
  it('shows plans with their sources, values with their reasons, and usage', async () => {
    const who = someone();
    await own.grant(who);
    await own.override(who, own.seats.id, 7);
    await update(own.secret, ofFiles(who, { by: 4 }));
    const standing = await own.tenant.make<CustomerEntitlements>(
      'GET',
      own.path(who, `/environments/${own.previewId}`),
    );
    expect(standing.plans).toEqual([
      { planId: own.proId, slug: 'pro', name: 'Pro plan', from: ['grant'], subscriptions: [] },
    ]);
    const entitlement = (key: string) => standing.entitlements.find(({ property }) => property === key);
    expect(entitlement('seats')).toMatchObject({
      value: 7,
      decidedBy: { override: 'override' },
      candidates: [{ plan: 'pro', value: 50 }],
      meter: null,
    });
    expect(entitlement('files')).toMatchObject({ decidedBy: ['pro'], meter: { used: 4, limit: 100 } });
    expect(standing.readLocation).not.toBeNull();
  });

  it('corrects a meter by an amount, once per idempotency key', async () => {
    const who = someone();
    await own.grant(who);
    await update(own.secret, ofFiles(who, { by: 10 }));
    const correct = (change: object = {}) =>
      own.tenant.call<{ applied: number; meter: object }>('POST', own.path(who, '/corrections'), {
        environmentId: own.previewId,
        propertyId: own.files.id,
        by: -4,
        reason: 'Counted twice',
        idempotencyKey: `${who} once`,
        ...change,
      });
    expect((await correct()).body).toMatchObject({ applied: -4, meter: { used: 6 } });
    await correct();
    const answer = await check(own.secret, { userIdentifier: who });
    expect(propertyOf(answer, 'workspaces', 'files')).toMatchObject({ used: 6 });
    expect(await correct({ propertyId: own.seats.id })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'propertyId' }] },
    });
    expect(await correct({ by: 0 })).toMatchObject({ status: 400, body: { issues: [{ path: 'by' }] } });
    const { results } = await env.DB.prepare(
      "SELECT action FROM audit_log WHERE target_id = ? AND action = 'customer.meter-corrected'",
    )
      .bind(who)
      .all();
    expect(results).toHaveLength(1);
  });

  it('shows the events of that customer only', async () => {
    const who = someone();
    await check(own.secret, { userIdentifier: who });
    await check(own.secret, { userIdentifier: `${who}.uk` });
    type Events = { events: { subjectIdentifier: string }[] };
    const read = async () => (await own.tenant.make<Events>('GET', own.path(who, '/events'))).events;
    await expect.poll(read).toMatchObject([{ subjectIdentifier: who }]);
  });

  it('writes audit rows with actor and reason', async () => {
    const who = someone();
    const { id } = await own.grant(who, { reason: 'Trial for the board' });
    const { id: overrideId } = await own.override(who, own.seats.id, 2);
    await own.tenant.make('DELETE', own.path(who, `/grants/${id}`));
    await own.tenant.make('DELETE', own.path(who, `/overrides/${overrideId}`));
    const { results } = await env.DB.prepare(
      'SELECT action, actor_user_id, detail FROM audit_log WHERE target_id = ? ORDER BY id',
    )
      .bind(who)
      .all<{ action: string; actor_user_id: string; detail: string }>();
    expect(results.map(({ action }) => action)).toEqual([
      'customer.plan-granted',
      'customer.property-overridden',
      'customer.plan-withdrawn',
      'customer.override-removed',
    ]);
    expect(results[0]!.detail).toContain('Trial for the board');
    expect(new Set(results.map((row) => row.actor_user_id))).toEqual(new Set([own.tenant.user.userId]));
  });

  it('records the value that an override replaces or leaves, per environment, also of two at once', async () => {
    const who = someone();
    const { id } = await own.override(who, own.seats.id, 2);
    await own.override(who, own.seats.id, 2, { environmentId: own.previewId });
    await Promise.all([3, 4].map((value) => own.override(who, own.seats.id, value)));
    const [last] = (await own.tenant.make<Customer>('GET', own.path(who))).overrides.filter(
      ({ environmentId }) => environmentId === null,
    );
    expect(last?.id).not.toBe(id);
    await own.tenant.make('DELETE', own.path(who, `/overrides/${last?.id}`));
    const rows = (await auditRows(own.tenant)).filter(({ targetId }) => targetId === who);
    const values = rows.map(({ detail }) => {
      const { from, value } = detail as { from?: number; value?: number };
      return `${from} to ${value}`;
    });
    const [one, other] = last?.value === 4 ? [3, 4] : [4, 3];
    const first = 'undefined to 2';
    const all = [first, first, `2 to ${one}`, `${one} to ${other}`, `${other} to undefined`];
    expect(values.toSorted()).toEqual(all.toSorted());
  });

  it("neither shows nor changes another organisation's customers", async () => {
    const who = someone();
    const { id } = await own.grant(who);
    const other = await newTenant();
    expect((await other.make<Customer>('GET', own.path(who))).grants).toEqual([]);
    expect((await other.call('DELETE', own.path(who, `/grants/${id}`))).status).toBe(404);
    expect((await other.call('GET', own.path(who, `/environments/${own.previewId}`))).status).toBe(404);
    const body = { planId: own.proId, environmentId: null, reason: 'Not mine', until: null };
    expect(await other.call('POST', own.path(who, '/grants'), body)).toMatchObject({ status: 400 });
    expect(await seatsOf(who)).toBe(50);
  });

  it('lets every member do so', async () => {
    const member = tenantOf(await newMember(own.tenant.user, own.tenant.orgId), own.tenant.orgId);
    const who = someone();
    await member.make('POST', own.path(who, '/grants'), {
      planId: own.plusId,
      environmentId: null,
      reason: 'Asked by mail',
      until: null,
    });
    expect(await seatsOf(who)).toBe(5);
  });
});

function outboxValues(payload: CustomerChanged): typeof outbox.$inferInsert {
  const { outboxId: id, orgId, type } = payload;
  return { id, orgId, type, payload, createdAt: Date.now(), sentAt: Date.now() };
}

async function ledgerOf(who: string) {
  const [row] = (
    await env.DB.prepare('SELECT data_locations AS l FROM organization WHERE id = ?')
      .bind(own.tenant.orgId)
      .all<{ l: string }>()
  ).results;
  const [location] = JSON.parse(row!.l);
  const shards = await env.DB.prepare('SELECT ledger_shards AS n FROM environment WHERE id = ?')
    .bind(own.previewId)
    .first<number>('n');
  return ledgerAt(env, { environmentId: own.previewId, location, shard: shardOf(who, shards!) });
}

async function storedFacts(who: string): Promise<string | null> {
  return runInDurableObject(await ledgerOf(who), (_object, { storage: { sql } }) => {
    const hasTable = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'facts'").toArray().length > 0;
    if (!hasTable) return null;
    const [row] = sql.exec<{ body: string }>('SELECT body FROM facts WHERE customer = ?', who).toArray();
    return row?.body ?? null;
  });
}

async function evictLedgerOf(who: string): Promise<void> {
  await evict(await ledgerOf(who));
}
