// Features: what the console may define, what is refused and how, and what two people at once get.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { ErrorBody } from '#contracts/public/errors';
import { featureCalls } from '#tests/support/features';
import { expectOneOfTwoEdits } from '#tests/support/refusals';
import { auditRows, expectUnchanged, storedWorkspace } from '#tests/support/stored-state';
import { newTenant, type Tenant } from '#tests/support/tenants';

let tenant: Tenant;
const { newFeature, newProperty, refused } = featureCalls(() => tenant);

beforeAll(async () => {
  tenant = await newTenant();
});

describe('a feature', () => {
  test('is created with its system property, off by default, in one step', async () => {
    const feature = await newFeature();
    expect(feature.properties).toEqual([]);
    expect(feature.systemFeatureProperties).toMatchObject([
      { propertyKey: 'enabled', type: 'boolean', value: false, bounds: null, conflictResolution: 'higher' },
    ]);
    expect(await tenant.make('GET', `/features/${feature.id}`)).toEqual(feature);
    expect(await tenant.make<Feature[]>('GET', '/features')).toContainEqual(feature);
  });

  test('keeps names in any script, and treats names of prototype members as ordinary text', async () => {
    for (const [index, name] of [
      'שלום עולם',
      'مرحبا',
      '機能です',
      '🚀🚀🚀',
      '__proto__',
      'constructor',
    ].entries()) {
      const slug = index === 5 ? 'constructor' : `script-${index}`;
      const feature = await tenant.make<Feature>('POST', '/features', { name, slug });
      expect(await tenant.make<Feature>('GET', `/features/${feature.id}`)).toMatchObject({ name, slug });
    }
  });

  test('trims its name, and an empty description is none', async () => {
    const feature = await tenant.make<Feature>('POST', '/features', {
      name: '  Trimmed  ',
      slug: 'trimmed',
      description: '  ',
    });
    expect(feature).toMatchObject({ name: 'Trimmed', description: null });
  });

  test.each<[string, object, string[]]>([
    ['no name', { slug: 'fine' }, ['name: Required']],
    ['a short name', { name: 'ab', slug: 'fine' }, ['name: Must be at least 3 characters']],
    ['a name of spaces', { name: '       ', slug: 'fine' }, ['name: Must be at least 3 characters']],
    ['a long name', { name: 'x'.repeat(101), slug: 'fine' }, ['name: Must be at most 100 characters']],
    ['NUL in the name', { name: 'abc\0def', slug: 'fine' }, ['name: Must not contain control characters']],
    ['half a character', { name: 'abc\ud800', slug: 'fine' }, ['name: Contains invalid Unicode']],
    ['a name that is no text', { name: 12345, slug: 'fine' }, ['name: Must be text']],
    ['a short slug', { name: 'Fine', slug: 'ab' }, ['slug: Must be at least 3 characters']],
    ['a long slug', { name: 'Fine', slug: 'x'.repeat(33) }, ['slug: Must be at most 32 characters']],
    [
      'a long description',
      { name: 'Fine', slug: 'fine', description: 'x'.repeat(1001) },
      ['description: Must be at most 1,000 characters'],
    ],
    [
      'NUL in the description',
      { name: 'Fine', slug: 'fine', description: 'a\0b' },
      ['description: Must not contain control characters'],
    ],
    ['an unknown field', { name: 'Fine', slug: 'fine', colour: 'red' }, ['colour: Unknown property']],
    ['no object', [], [': Must be an object']],
  ])('is refused with %s, naming the field', async (_, body, issues) => {
    expect(await refused(400, 'POST', '/features', body)).toEqual(issues);
  });

  test.each([
    '__proto__',
    'Capital',
    'with space',
    'ünïcode',
    '🚀🚀🚀',
    'שלום',
    'a/b',
    'a.b.c',
    '---',
    'nul\0',
    '___',
  ])('is refused with the slug %j', async (slug) => {
    const message = 'slug: Use lower-case letters, digits, hyphens and underscores';
    expect(await refused(400, 'POST', '/features', { name: 'Fine', slug })).toEqual([message]);
  });

  test('is refused with a body of 3 MB, one that is not JSON, and one that names __proto__', async () => {
    const call = (body: string) =>
      tenant.user.fetch(`/api/orgs/${tenant.orgId}/features`, {
        body,
        headers: { 'content-type': 'application/json' },
      });
    await expectUnchanged(tenant, async () => {
      expect((await call(JSON.stringify({ name: 'x'.repeat(3_000_000), slug: 'fine' }))).status).toBe(413);
      expect((await call('{"name": ')).status).toBe(400);
      const polluted = await call('{"name":"Fine","slug":"fine","__proto__":{"isAdmin":true}}');
      expect(polluted.status).toBe(400);
      expect((await polluted.json<ErrorBody>()).issues?.[0]?.path).toBe('__proto__');
    });
  });

  test('cannot share its slug with another of the organisation, on creation or change', async () => {
    const [one, other] = [await newFeature(), await newFeature()];
    const issue = `slug: A feature with the slug "${one.slug}" already exists`;
    expect(await refused(409, 'POST', '/features', { name: 'Again', slug: one.slug })).toEqual([issue]);
    expect(await refused(409, 'PUT', `/features/${other.id}`, { slug: one.slug })).toEqual([issue]);
  });

  test('is created once when the same slug is sent ten times concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => tenant.call('POST', '/features', { name: 'Racing', slug: 'racing' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    const all = await tenant.make<Feature[]>('GET', '/features');
    expect(all.filter(({ slug }) => slug === 'racing')).toHaveLength(1);
  });

  test('changes only in the fields sent', async () => {
    const feature = await tenant.make<Feature>('POST', '/features', {
      name: 'Before',
      slug: 'only-what-was-sent',
      description: 'Stays',
    });
    const changed = await tenant.make<Feature>('PUT', `/features/${feature.id}`, { name: 'After' });
    expect(changed).toMatchObject({ name: 'After', slug: feature.slug, description: 'Stays' });
    expect(changed.updatedAt).toBeGreaterThan(feature.updatedAt);
    const cleared = await tenant.make<Feature>('PUT', `/features/${feature.id}`, { description: null });
    expect(cleared).toMatchObject({ name: 'After', description: null });
  });

  test('is unchanged by an edit without changes, also when repeated', async () => {
    const feature = await newFeature();
    const edit = { name: 'Renamed', updatedAt: feature.updatedAt };
    const renamed = await tenant.make<Feature>('PUT', `/features/${feature.id}`, edit);
    await expectUnchanged(tenant, async () => {
      expect(await tenant.make('PUT', `/features/${feature.id}`, {})).toEqual(renamed);
      expect(await tenant.make('PUT', `/features/${feature.id}`, edit)).toEqual(renamed);
    });
  });

  test('edited by two people: the second gets a conflict with the current state', async () => {
    const feature = await newFeature();
    const path = `/features/${feature.id}`;
    const won = await expectOneOfTwoEdits(tenant, path, feature.updatedAt);
    expect(await tenant.make('GET', path)).toEqual(won);
  });

  test('is deleted once; a second delete returns not found', async () => {
    const feature = await newFeature();
    await newProperty(feature, { propertyKey: 'limit', type: 'number' });
    expect((await tenant.call('DELETE', `/features/${feature.id}`)).status).toBe(204);
    expect((await tenant.call('GET', `/features/${feature.id}`)).status).toBe(404);
    await refused(404, 'DELETE', `/features/${feature.id}`);
    await refused(404, 'PUT', `/features/${feature.id}`, { name: 'Too late' });
    expect(JSON.stringify(await storedWorkspace(tenant))).not.toContain(feature.id);
  });
});

test('every change of a feature and its properties is in the audit log, with the user who made it', async () => {
  const own = await newTenant();
  const feature = await own.make<Feature>('POST', '/features', { name: 'Exports', slug: 'exports' });
  const path = `/features/${feature.id}`;
  await own.make('PUT', path, { name: 'Data exports' });
  await own.make('PUT', path, { name: 'Data exports' });
  const property = await own.make<FeatureProperty>('POST', `${path}/properties`, {
    name: 'Rows',
    propertyKey: 'rows',
    type: 'number',
  });
  await own.make('PUT', `${path}/properties/${property.id}`, { value: 5 });
  await own.call('DELETE', `${path}/properties/${property.id}`);
  await own.call('DELETE', path);
  await own.call('DELETE', path);

  const actorUserId = own.user.userId;
  const ofFeature = { actorUserId, targetId: feature.id };
  const ofProperty = { actorUserId, targetId: property.id };
  expect((await auditRows(own)).filter(({ action }) => /^(feature|property)\./.test(action))).toEqual([
    { ...ofFeature, action: 'feature.created', detail: { name: 'Exports', slug: 'exports' } },
    {
      ...ofFeature,
      action: 'feature.changed',
      detail: { changes: [{ field: 'name', from: 'Exports', to: 'Data exports' }] },
    },
    {
      ...ofProperty,
      action: 'property.created',
      detail: { featureId: feature.id, key: 'rows', type: 'number' },
    },
    {
      ...ofProperty,
      action: 'property.changed',
      detail: {
        featureId: feature.id,
        key: 'rows',
        type: 'number',
        changes: [{ field: 'value', from: 0, to: 5 }],
      },
    },
    { ...ofProperty, action: 'property.deleted', detail: { featureId: feature.id, key: 'rows' } },
    { ...ofFeature, action: 'feature.deleted', detail: { name: 'Data exports', slug: 'exports' } },
  ]);
});
