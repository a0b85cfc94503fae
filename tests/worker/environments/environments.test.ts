// Environments: the preview one that comes with the organisation, and those that people add, rename and delete.
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Environment, MAX_ENVIRONMENTS } from '#contracts/console/environments';
import type { ErrorBody } from '#contracts/public/errors';
import { newMember } from '#tests/support/accounts';
import { expectOneOfTwoEdits, expectRefused } from '#tests/support/refusals';
import { auditTrail } from '#tests/support/stored-state';
import { newTenant, outboxMessages, type Tenant, tenantOf } from '#tests/support/tenants';

let tenant: Tenant;
let serial = 0;

beforeAll(async () => {
  tenant = await newTenant();
});

function newEnvironment(body: object = {}): Promise<Environment> {
  return tenant.make<Environment>('POST', '/environments', {
    name: `Environment ${++serial}`,
    type: 'test',
    ...body,
  });
}

async function removed(environment: Environment): Promise<void> {
  await tenant.make('DELETE', `/environments/${environment.id}`);
}

async function preview(): Promise<Environment> {
  const all = await tenant.make<Environment[]>('GET', '/environments');
  return all.find(({ type }) => type === 'preview') as Environment;
}

const refused = (status: number, method: string, path: string, body?: unknown) =>
  expectRefused(tenant, status, method, path, body);

/** The instant counter of what replicas must know. */
async function generationOf({ id }: Environment): Promise<number> {
  const row = await env.DB.prepare('SELECT generation FROM environment WHERE id = ?').bind(id).first();
  return row?.generation as number;
}

describe('an environment', () => {
  test('is created with nothing deployed, audited and published to its replicas', async () => {
    const made = await newEnvironment({
      name: 'Production',
      type: 'live',
      description: 'Where customers are',
      url: 'https://app.example',
    });
    expect(made).toMatchObject({
      name: 'Production',
      type: 'live',
      description: 'Where customers are',
      url: 'https://app.example',
      artifactId: null,
      artifactNumber: null,
      lastDeployedAt: null,
      lastDeployedByUserId: null,
    });
    expect(await tenant.make('GET', `/environments/${made.id}`)).toEqual(made);
    expect(await tenant.make<Environment[]>('GET', '/environments')).toContainEqual(made);
    expect(await auditTrail(tenant)).toContainEqual({ action: 'environment.created', targetId: made.id });
    expect(await generationOf(made)).toBeGreaterThan(0);
    expect(await outboxMessages(tenant.orgId)).toContainEqual(
      expect.objectContaining({ type: 'environment.changed', environmentId: made.id }),
    );
    await removed(made);
  });

  const base = { name: 'Fine', type: 'test' };
  test.each<[string, object, string[]]>([
    ['no name', { type: 'test' }, ['name: Required']],
    ['a short name', { ...base, name: 'ab' }, ['name: Must be at least 3 characters']],
    ['a long name', { ...base, name: 'x'.repeat(101) }, ['name: Must be at most 100 characters']],
    ['no type', { name: 'Fine' }, ['type: Required']],
    ['the type preview', { ...base, type: 'preview' }, ['type: Must be one of live, test']],
    [
      'a long description',
      { ...base, description: 'x'.repeat(1001) },
      ['description: Must be at most 1,000 characters'],
    ],
    [
      'a script as its address',
      { ...base, url: 'javascript:alert(1)' },
      ['url: Must be a valid web address, beginning with https:// or http://'],
    ],
    [
      'an address that is none',
      { ...base, url: 'somewhere' },
      ['url: Must be a valid web address, beginning with https:// or http://'],
    ],
    [
      'a password in its address',
      { ...base, url: 'https://user:secret@app.example' },
      ['url: Must be a valid web address, beginning with https:// or http://'],
    ],
    [
      'a long address',
      { ...base, url: `https://app.example/${'x'.repeat(200)}` },
      ['url: Must be at most 200 characters'],
    ],
    ['an unknown field', { ...base, artifactId: 'art_x' }, ['artifactId: Unknown property']],
  ])('is refused with %s, naming the field', async (_, body, issues) => {
    expect(await refused(400, 'POST', '/environments', body)).toEqual(issues);
  });

  test('changes only in the fields sent; an empty URL is stored as none', async () => {
    const made = await newEnvironment({ url: 'https://app.example', description: 'Stays' });
    const path = `/environments/${made.id}`;
    const renamed = await tenant.make<Environment>('PUT', path, {
      name: 'Renamed',
      updatedAt: made.updatedAt,
    });
    expect(renamed).toEqual({ ...made, name: 'Renamed', updatedAt: renamed.updatedAt });
    expect(await tenant.make('PUT', path, { url: '' })).toMatchObject({ url: null, description: 'Stays' });
    expect(await refused(400, 'PUT', path, { type: 'live' })).toEqual(['type: Unknown property']);
    await removed(made);
  });

  test('edited by two people: the second gets a conflict with the current state', async () => {
    const made = await newEnvironment();
    const path = `/environments/${made.id}`;
    await expectOneOfTwoEdits(tenant, path, made.updatedAt);
    await removed(made);
  });

  test("cannot take another's name in any case, but may change its own", async () => {
    const [one, other] = [await newEnvironment({ name: 'Staging' }), await newEnvironment()];
    const issue = (name: string) => [`name: An environment named "${name}" already exists`];
    const body = { name: 'STAGING', type: 'live' };
    expect(await refused(409, 'POST', '/environments', body)).toEqual(issue('STAGING'));
    expect(await refused(409, 'PUT', `/environments/${other.id}`, { name: 'staging' })).toEqual(
      issue('staging'),
    );
    expect(await refused(409, 'POST', '/environments', { name: 'preview', type: 'test' })).toEqual(
      issue('preview'),
    );
    expect(await tenant.make('PUT', `/environments/${one.id}`, { name: 'staging' })).toMatchObject({
      name: 'staging',
    });
    await removed(one);
    await removed(other);
    await removed(await newEnvironment({ name: 'Staging' }));
  });

  test('is deleted with its keys; its replicas are updated, and the deletion is audited', async () => {
    const made = await newEnvironment();
    const key = await tenant.key(made.id);
    const generation = await generationOf(made);
    await removed(made);
    expect(await generationOf(made)).toBeGreaterThan(generation);
    expect(await outboxMessages(tenant.orgId)).toContainEqual(
      expect.objectContaining({ type: 'environment.changed', environmentId: made.id }),
    );
    expect(await auditTrail(tenant)).toContainEqual({ action: 'environment.deleted', targetId: made.id });
    expect(await tenant.make<Environment[]>('GET', '/environments')).not.toContainEqual(
      expect.objectContaining({ id: made.id }),
    );
    const path = `/environments/${made.id}`;
    await refused(404, 'GET', path);
    await refused(404, 'PUT', path, { name: 'Too late' });
    await refused(404, 'DELETE', path);
    await refused(404, 'GET', `${path}/api-keys`);
    await refused(404, 'GET', `/api-keys/${key.id}`);
    await refused(404, 'POST', '/api-keys', { environmentId: made.id, type: 'secret' });
  });

  test('deleted by two people concurrently is deleted and audited once', async () => {
    const made = await newEnvironment();
    const answers = await Promise.all([1, 2, 3].map(() => tenant.call('DELETE', `/environments/${made.id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    const trail = await auditTrail(tenant);
    expect(
      trail.filter(({ action, targetId }) => action === 'environment.deleted' && targetId === made.id),
    ).toHaveLength(1);
  });

  test('can be created by any member', async () => {
    const member = tenantOf(await newMember(tenant.user, tenant.orgId), tenant.orgId);
    const made = await member.make<Environment>('POST', '/environments', {
      name: 'Of a member',
      type: 'test',
    });
    await removed(made);
  });
});

describe('the preview environment', () => {
  test('cannot be renamed, deleted or created', async () => {
    const { id, name } = await preview();
    expect(await refused(400, 'PUT', `/environments/${id}`, { name: 'Other' })).toEqual([
      'name: The preview environment cannot be renamed',
    ]);
    expect(await refused(400, 'DELETE', `/environments/${id}`)).toEqual([
      'environmentId: The preview environment cannot be deleted',
    ]);
    expect((await tenant.call('PUT', `/environments/${id}`, { name })).status).toBe(200);
  });

  test('can be described', async () => {
    const { id, name } = await preview();
    const described = await tenant.make('PUT', `/environments/${id}`, {
      name,
      description: 'Follows the workspace',
    });
    expect(described).toMatchObject({ name, description: 'Follows the workspace' });
  });
});

test('concurrent calls never create more environments than the limit', async () => {
  const crowded = await newTenant();
  const answers = await Promise.all(
    Array.from({ length: MAX_ENVIRONMENTS + 5 }, (_, index) =>
      crowded.call<ErrorBody>('POST', '/environments', { name: `Environment ${index}`, type: 'test' }),
    ),
  );
  const lost = answers.filter(({ status }) => status !== 201);
  // One of those that there may be is the preview environment.
  expect(lost).toHaveLength(6);
  for (const { status, body } of lost) {
    expect([status, body.message]).toEqual([
      409,
      `An organisation can have at most ${MAX_ENVIRONMENTS} environments`,
    ]);
  }
  const all = await crowded.make<Environment[]>('GET', '/environments');
  expect(all).toHaveLength(MAX_ENVIRONMENTS);
  const trail = await auditTrail(crowded);
  expect(trail.filter(({ action }) => action === 'environment.created')).toHaveLength(MAX_ENVIRONMENTS - 1);
  await crowded.make('DELETE', `/environments/${all.at(-1)?.id}`);
  await crowded.make('POST', '/environments', { name: 'Room again', type: 'test' });
});
