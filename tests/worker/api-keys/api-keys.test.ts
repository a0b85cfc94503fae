// API keys: how many there may be, what of them is stored, who may see them, and that every step is on record.
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { type ApiKey, MAX_KEYS_PER_TYPE } from '#contracts/console/api-keys';
import type { Environment } from '#contracts/console/environments';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import type { ErrorBody } from '#contracts/public/errors';
import { LOCATIONS } from '#contracts/public/locations';
import { parseApiKey } from '#engine/identity/api-key';
import { groupsOf, someEvent } from '#lab/fixtures/recorded-events';
import { eventStreamStub } from '#objects/stubs';
import { sha256Hex } from '#runtime/hash';
import { newMember, newStaff } from '#tests/support/accounts';
import { auditTrail, expectUnchanged } from '#tests/support/stored-state';
import { newTenant, outboxMessages, type Tenant, tenantOf } from '#tests/support/tenants';

type RevealedKey = ApiKey & { value: string };
interface KeyList {
  keys: ApiKey[];
  publicRemaining: number;
  secretRemaining: number;
}

let tenant: Tenant;
let environment: Environment;

beforeEach(async () => {
  tenant = await newTenant();
  environment = await tenant.make<Environment>('POST', '/environments', { name: 'Production', type: 'live' });
});

const newKey = (type: ApiKeyType = 'secret') =>
  tenant.make<RevealedKey>('POST', '/api-keys', { environmentId: environment.id, type });
const listKeys = () => tenant.make<KeyList>('GET', `/environments/${environment.id}/api-keys`);

async function generation(): Promise<number> {
  const row = await env.DB.prepare('SELECT generation FROM environment WHERE id = ?')
    .bind(environment.id)
    .first();
  return row?.generation as number;
}

test.each(['secret', 'public'] as const)(
  'a %s key contains its type, its environment and a location',
  async (type) => {
    const key = await newKey(type);
    expect(parseApiKey(key.value)).toEqual({
      ok: true,
      type,
      environmentId: environment.id,
      home: expect.toBeOneOf([...LOCATIONS]),
    });
    expect(key).toMatchObject({ type, environmentId: environment.id, createdByUserId: tenant.user.userId });
  },
);

test('no two keys are alike', async () => {
  const keys = await Promise.all([newKey(), newKey(), newKey('public'), newKey('public')]);
  expect(new Set(keys.map(({ value }) => value)).size).toBe(4);
});

test('the list shows masked keys and how many more can be created', async () => {
  const { value, ...secret } = await newKey();
  const { value: publicValue, ...shipped } = await newKey('public');
  const list = await listKeys();
  expect(list).toEqual({ keys: [secret, shipped], publicRemaining: 4, secretRemaining: 4 });
  expect(secret.maskedValue.endsWith(value.slice(-4))).toBe(true);
  for (const text of [value, publicValue]) {
    expect(JSON.stringify(list)).not.toContain(text);
    expect(JSON.stringify(list)).not.toContain(text.slice(8, -8));
  }
});

test("the database stores a key's hash and ciphertext, never the key", async () => {
  const { id, value } = await newKey();
  const row = await env.DB.prepare('SELECT * FROM api_key WHERE id = ?').bind(id).first();
  expect(row?.hash).toBe(await sha256Hex(value));
  const everything = await env.DB.batch(
    ['api_key', 'audit_log', 'outbox', 'environment'].map((table) =>
      env.DB.prepare(`SELECT * FROM ${table}`),
    ),
  );
  expect(JSON.stringify(everything)).not.toContain(value.slice(8));
});

test('a ciphertext copied to another key cannot be decrypted', async () => {
  const [one, other] = [await newKey(), await newKey()];
  await env.DB.prepare(
    'UPDATE api_key SET sealed_value = (SELECT sealed_value FROM api_key WHERE id = ?) WHERE id = ?',
  )
    .bind(one.id, other.id)
    .run();
  const { expectConsole } = await import('#tests/support/expect-console');
  expectConsole('error', /could not be decrypted/);
  expect((await tenant.call('GET', `/api-keys/${other.id}`)).status).toBe(500);
  expect((await auditTrail(tenant)).map(({ action }) => action)).not.toContain('api-key.revealed');
});

test('20 concurrent calls create five keys of a type, and no more are audited', async () => {
  const before = await generation();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      tenant.call<ErrorBody>('POST', '/api-keys', { environmentId: environment.id, type: 'secret' }),
    ),
  );
  const made = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 409);
  expect([made.length, refused.length]).toEqual([MAX_KEYS_PER_TYPE, 20 - MAX_KEYS_PER_TYPE]);
  expect(refused[0]?.body.message).toBe('An environment can have at most 5 secret keys. Revoke one first.');
  expect(await listKeys()).toMatchObject({ secretRemaining: 0, publicRemaining: 5 });
  const created = (await auditTrail(tenant)).filter(({ action }) => action === 'api-key.created');
  expect(created).toHaveLength(MAX_KEYS_PER_TYPE);
  expect(await generation()).toBe(before + MAX_KEYS_PER_TYPE);
});

test('the limit is per type and environment, and a revoked key does not count', async () => {
  const keys = [];
  for (let index = 0; index < MAX_KEYS_PER_TYPE; index++) keys.push(await newKey());
  await newKey('public');
  await tenant.key(await tenant.previewId());
  await expectUnchanged(tenant, async () => {
    const answer = await tenant.call('POST', '/api-keys', { environmentId: environment.id, type: 'secret' });
    expect(answer.status).toBe(409);
  });
  await tenant.make('DELETE', `/api-keys/${keys[0]?.id}`);
  await newKey();
});

test('every reveal returns the full key and is audited', async () => {
  const key = await newKey();
  expect(await tenant.make('GET', `/api-keys/${key.id}`)).toEqual(key);
  const member = tenantOf(await newMember(tenant.user, tenant.orgId), tenant.orgId);
  expect(await member.make('GET', `/api-keys/${key.id}`)).toEqual(key);
  const { results } = await env.DB.prepare(
    "SELECT actor_user_id FROM audit_log WHERE action = 'api-key.revealed' AND target_id = ? ORDER BY at, rowid",
  )
    .bind(key.id)
    .all();
  expect(results.map((row) => row.actor_user_id)).toEqual([tenant.user.userId, member.user.userId]);
});

test('platform staff cannot reveal keys of organisations they are not members of', async () => {
  const key = await newKey();
  const staff = await newStaff('Grace Hopper');
  // The first read of the hour leaves an audit row.
  await tenantOf(staff, tenant.orgId).make('GET', '/features');
  await expectUnchanged(tenant, async () => {
    const answer = await tenantOf(staff, tenant.orgId).call('GET', `/api-keys/${key.id}`);
    expect([403, 404]).toContain(answer.status);
    expect(JSON.stringify(answer.body)).not.toContain(key.value);
  });
});

test('a revoked key is deleted and audited, and its replicas are updated', async () => {
  const key = await newKey();
  const before = await generation();
  expect((await tenant.call('DELETE', `/api-keys/${key.id}`)).status).toBe(204);
  expect(await generation()).toBe(before + 1);
  expect(await outboxMessages(tenant.orgId)).toContainEqual(
    expect.objectContaining({ type: 'environment.changed', environmentId: environment.id }),
  );
  expect(await auditTrail(tenant)).toContainEqual({ action: 'api-key.revoked', targetId: key.id });
  await expectUnchanged(tenant, async () => {
    expect((await tenant.call('GET', `/api-keys/${key.id}`)).status).toBe(404);
    expect((await tenant.call('DELETE', `/api-keys/${key.id}`)).status).toBe(404);
  });
  expect((await listKeys()).keys).toEqual([]);
});

test('a key revoked three times concurrently is revoked and audited once', async () => {
  const key = await newKey();
  const answers = await Promise.all([1, 2, 3].map(() => tenant.call('DELETE', `/api-keys/${key.id}`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
  const revoked = (await auditTrail(tenant)).filter(({ action }) => action === 'api-key.revoked');
  expect(revoked).toHaveLength(1);
});

test.each<[object, string]>([
  [{ type: 'secret' }, 'environmentId: Required'],
  [{ environmentId: '', type: 'secret' }, 'environmentId: Required'],
  [{ environmentId: 'env_x' }, 'type: Required'],
  [{ environmentId: 'env_x', type: 'admin' }, 'type: Must be one of secret, public'],
  [{ environmentId: 'env_x', type: 'secret', value: 'mine' }, 'value: Unknown property'],
])('a key is refused with %j: %s', async (body, issue) => {
  await expectUnchanged(tenant, async () => {
    const answer = await tenant.call<ErrorBody>('POST', '/api-keys', body);
    expect(answer.status).toBe(400);
    expect(answer.body.issues?.map(({ path, message }) => `${path}: ${message}`)).toEqual([issue]);
  });
});

test.each(['nowhere', '__proto__', 'env_0', `env_${'0'.repeat(26)}`, '🚀', 'nul\0'])(
  'a key cannot be made for the environment %j, which does not exist',
  async (environmentId) => {
    await expectUnchanged(tenant, async () => {
      const answer = await tenant.call('POST', '/api-keys', { environmentId, type: 'secret' });
      expect(answer.status).toBe(404);
    });
  },
);

test('a key has the default limits of its type until they are changed', async () => {
  expect(await newKey()).toMatchObject({ rateLimit: 600_000, allowanceShare: null });
  const open = await newKey('public');
  expect(open).toMatchObject({ rateLimit: 600, allowanceShare: 80 });
  const limited = await tenant.make<ApiKey>('POST', '/api-keys', {
    environmentId: environment.id,
    type: 'public',
    rateLimit: 60,
    allowanceShare: 20,
  });
  expect(limited).toMatchObject({ rateLimit: 60, allowanceShare: 20 });
  const before = await generation();
  const { value: _, ...rest } = open;
  const changed = { ...rest, rateLimit: 6_000, allowanceShare: 80 };
  expect(await tenant.make('PUT', `/api-keys/${open.id}`, { rateLimit: 6_000 })).toEqual(changed);
  expect((await listKeys()).keys).toContainEqual(changed);
  expect(await generation()).toBe(before + 1);
  expect(await auditTrail(tenant)).toContainEqual(
    expect.objectContaining({ action: 'api-key.limits-changed', targetId: open.id }),
  );
});

test.each([
  ['public', { rateLimit: 61 }, 'rateLimit'],
  ['public', { rateLimit: '600' }, 'rateLimit'],
  ['public', { rateLimit: null }, 'rateLimit'],
  ['public', { allowanceShare: 0 }, 'allowanceShare'],
  ['public', { allowanceShare: 101 }, 'allowanceShare'],
  ['secret', { allowanceShare: 80 }, 'allowanceShare'],
  ['public', { type: 'secret' }, 'type'],
  ['public', {}, ''],
] as const)('the limits of a %s key cannot become %j', async (type, change, path) => {
  const key = await newKey(type);
  await expectUnchanged(tenant, async () => {
    const { status, body } = await tenant.call<ErrorBody>('PUT', `/api-keys/${key.id}`, change);
    expect([status, body.issues?.[0]?.path]).toEqual([400, path]);
  });
});

test('the limits of a key of another organisation cannot be changed', async () => {
  const key = await newKey('public');
  const other = await newTenant();
  await expectUnchanged(tenant, async () => {
    const { status } = await other.call('PUT', `/api-keys/${key.id}`, { rateLimit: 600_000 });
    expect(status).toBe(404);
  });
});

test('a key has a name that can be changed and removed, which replicas are not told', async () => {
  const { value: _value, ...key } = await tenant.make<RevealedKey>('POST', '/api-keys', {
    environmentId: environment.id,
    type: 'secret',
    name: '  Billing server  ',
  });
  expect(key.name).toBe('Billing server');
  const before = await generation();
  const renamed = { ...key, name: 'Web' };
  expect(await tenant.make('PUT', `/api-keys/${key.id}`, { name: 'Web' })).toEqual(renamed);
  expect((await listKeys()).keys).toEqual([renamed]);
  expect(await tenant.make('PUT', `/api-keys/${key.id}`, { name: '' })).toEqual({ ...key, name: null });
  expect(await generation()).toBe(before);
  expect((await auditTrail(tenant)).filter(({ action }) => action === 'api-key.renamed')).toHaveLength(2);
  for (const name of ['x'.repeat(61), 'two\nlines', 7]) {
    const { status, body } = await tenant.call<ErrorBody>('PUT', `/api-keys/${key.id}`, { name });
    expect([status, body.issues?.[0]?.path]).toEqual([400, 'name']);
  }
});

test("the last use of a key is known to its own organisation, and a revoked key's is not listed", async () => {
  const [used, revoked, unused] = [await newKey(), await newKey(), await newKey('public')];
  const at = Date.now();
  const events = [used, revoked].map(({ id }) =>
    someEvent({ time: at, envId: environment.id, key: { id, type: 'secret' } }),
  );
  const stream = await eventStreamStub(env, tenant.orgId, 'weur');
  await stream.appendGroups({ orgId: tenant.orgId, groups: groupsOf(events) });
  const path = `/environments/${environment.id}/api-key-uses`;
  await tenant.call('DELETE', `/api-keys/${revoked.id}`);
  expect(await tenant.make('GET', path)).toEqual({ uses: [{ keyId: used.id, lastUsedAt: at }] });
  expect(unused.name).toBeNull();
  const stranger = await newTenant();
  expect((await stranger.call('GET', path)).status).toBe(404);
});
