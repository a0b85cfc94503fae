// Properties of features: their types, defaults and bounds, what is refused and how, and what two people at once get.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import { featureCalls } from '#tests/support/features';
import { expectOneOfTwoEdits } from '#tests/support/refusals';
import { expectUnchanged } from '#tests/support/stored-state';
import { newTenant, type Tenant } from '#tests/support/tenants';

let tenant: Tenant;
const { newFeature, newProperty, refused } = featureCalls(() => tenant);

beforeAll(async () => {
  tenant = await newTenant();
});

describe('a property', () => {
  let feature: Feature;
  beforeAll(async () => {
    feature = await newFeature();
  });
  const path = () => `/features/${feature.id}/properties`;
  const base = { name: 'Fine', propertyKey: 'fine-key' };

  test('starts with the default of its type', async () => {
    for (const [type, value] of [
      ['number', 0],
      ['boolean', false],
      ['string', ''],
      ['meterable', { state: 'on' }],
    ] as const) {
      const property = await newProperty(feature, { propertyKey: `default-${type}`, type });
      expect(property).toMatchObject({ type, value, bounds: null, conflictResolution: 'higher' });
      expect((await tenant.make<Feature>('GET', `/features/${feature.id}`)).properties).toContainEqual(
        property,
      );
    }
  });

  test('normalises a metered default: a missing or zero count is 1, a lifetime has no period', async () => {
    const meter = { limit: 10, uniqueResourceIds: true };
    const monthly = await newProperty(feature, {
      propertyKey: 'monthly',
      type: 'meterable',
      value: {
        state: 'metered',
        meter: { ...meter, periodType: 'rolling', periodCount: 0, periodLength: 'month' },
      },
    });
    expect(monthly.value).toEqual({
      state: 'metered',
      meter: { ...meter, periodType: 'rolling', periodCount: 1, periodLength: 'month' },
    });
    const lifetime = await newProperty(feature, {
      propertyKey: 'lifetime',
      type: 'meterable',
      value: {
        state: 'metered',
        meter: { ...meter, periodType: 'lifetime', periodCount: 4, periodLength: 'day' },
      },
    });
    expect(lifetime.value).toEqual({ state: 'metered', meter: { ...meter, periodType: 'lifetime' } });
  });

  const metered = (meter: object) => ({
    ...base,
    type: 'meterable',
    value: {
      state: 'metered',
      meter: { limit: 1, periodType: 'lifetime', uniqueResourceIds: false, ...meter },
    },
  });
  const bounded = (bounds: object, value: unknown = 0) => ({
    ...base,
    type: 'number',
    value,
    bounds: { allowDecimal: false, ...bounds },
  });
  test.each<[string, object, string[]]>([
    ['no key', { name: 'Fine', type: 'number' }, ['propertyKey: Required']],
    [
      'a short key',
      { ...base, propertyKey: 'ab', type: 'number' },
      ['propertyKey: Must be at least 3 characters'],
    ],
    [
      'a long key',
      { ...base, propertyKey: 'x'.repeat(26), type: 'number' },
      ['propertyKey: Must be at most 25 characters'],
    ],
    [
      '__proto__ as key',
      { ...base, propertyKey: '__proto__', type: 'number' },
      ['propertyKey: Use letters, digits, hyphens, underscores and dots'],
    ],
    [
      'an emoji as key',
      { ...base, propertyKey: '🚀🚀🚀', type: 'number' },
      ['propertyKey: Use letters, digits, hyphens, underscores and dots'],
    ],
    [
      'an unknown type',
      { ...base, type: 'date' },
      ['type: Must be one of number, boolean, string, meterable'],
    ],
    [
      'min above max',
      bounded({ min: 5, max: 4 }, 5),
      ['bounds.min: Minimum value must be less than or equal to maximum value'],
    ],
    [
      'a fractional min',
      bounded({ min: 0.5 }, 1),
      ['bounds.min: Minimum value must be an integer when decimal values are not allowed'],
    ],
    [
      'a fractional max',
      bounded({ max: 0.5 }),
      ['bounds.max: Maximum value must be an integer when decimal values are not allowed'],
    ],
    ['a default below min', bounded({ min: 5 }, 4), ['value: Must be greater than or equal to 5']],
    ['a default above max', bounded({ max: 5 }, 6), ['value: Must be less than or equal to 5']],
    ['a fractional default', bounded({}, 1.5), ['value: Must be a whole number']],
    [
      'no default where 0 does not fit',
      { ...base, type: 'number', bounds: { min: 1, allowDecimal: true } },
      ['value: Must be greater than or equal to 1'],
    ],
    [
      'bounds that are not of a number',
      { ...base, type: 'string', bounds: { allowDecimal: true } },
      ['bounds: Only number properties have bounds'],
    ],
    ['text for a number', { ...base, type: 'number', value: '1' }, ['value: Must be a number']],
    ['a number for a boolean', { ...base, type: 'boolean', value: 1 }, ['value: Must be true or false']],
    ['a number for text', { ...base, type: 'string', value: 1 }, ['value: Must be text']],
    [
      'text that is too long',
      { ...base, type: 'string', value: 'x'.repeat(2001) },
      ['value: Must be at most 2,000 characters'],
    ],
    [
      'true for a meterable',
      { ...base, type: 'meterable', value: true },
      ['value: Must be on, off or metered'],
    ],
    [
      'an unknown state',
      { ...base, type: 'meterable', value: { state: 'maybe' } },
      ['value.state: Must be on, off or metered'],
    ],
    [
      'metered without a meter',
      { ...base, type: 'meterable', value: { state: 'metered' } },
      ['value.meter: Required'],
    ],
    ['a negative limit', metered({ limit: -1 }), ['value.meter.limit: Must be greater than or equal to 0']],
    ['a fractional limit', metered({ limit: 1.5 }), ['value.meter.limit: Must be a whole number']],
    [
      'a negative count',
      metered({ periodType: 'rolling', periodLength: 'day', periodCount: -1 }),
      ['value.meter.periodCount: Must be greater than or equal to 0'],
    ],
    [
      'a fixed period without a length',
      metered({ periodType: 'fixed', periodCount: 1 }),
      ['value.meter.periodLength: Please select a meter length'],
    ],
  ])('is refused with %s, naming the field', async (_, body, issues) => {
    expect(await refused(400, 'POST', path(), body)).toEqual(issues);
  });

  test.each(['1e400', '-1e400', '9007199254740993', 'NaN'])(
    'is refused with the number %s',
    async (number) => {
      await expectUnchanged(tenant, async () => {
        const response = await tenant.user.fetch(`/api/orgs/${tenant.orgId}${path()}`, {
          body: `{"name":"Fine","propertyKey":"fine-key","type":"number","value":${number}}`,
          headers: { 'content-type': 'application/json' },
        });
        expect(response.status).toBe(400);
      });
    },
  );

  test('cannot share its key with another of the feature, the system property included', async () => {
    await newProperty(feature, { propertyKey: 'constructor', type: 'number' });
    for (const propertyKey of ['constructor', 'enabled']) {
      expect(await refused(409, 'POST', path(), { ...base, propertyKey, type: 'number' })).toEqual([
        `propertyKey: A property with the key "${propertyKey}" already exists`,
      ]);
    }
    const elsewhere = await newFeature();
    await newProperty(elsewhere, { propertyKey: 'constructor', type: 'string' });
  });

  test('never changes its key or type', async () => {
    const property = await newProperty(feature, { propertyKey: 'unchanging', type: 'number' });
    const own = `${path()}/${property.id}`;
    expect(await refused(400, 'PUT', own, { propertyKey: 'other' })).toEqual([
      'propertyKey: Unknown property',
    ]);
    expect(await refused(400, 'PUT', own, { type: 'string' })).toEqual(['type: Unknown property']);
  });

  test('keeps the default within the bounds through every change', async () => {
    const property = await newProperty(feature, {
      propertyKey: 'fitting',
      type: 'number',
      value: 5,
      bounds: { min: 0, max: 10, allowDecimal: false },
    });
    const own = `${path()}/${property.id}`;
    expect(await refused(400, 'PUT', own, { value: 11 })).toEqual([
      'value: Must be less than or equal to 10',
    ]);
    expect(await refused(400, 'PUT', own, { bounds: { min: 6, allowDecimal: false } })).toEqual([
      'value: Must be greater than or equal to 6',
    ]);
    expect(await refused(400, 'PUT', own, { value: 'five' })).toEqual(['value: Must be a number']);
    const moved = await tenant.make<FeatureProperty>('PUT', own, {
      value: 20,
      bounds: { min: 15, max: 25, allowDecimal: false },
    });
    expect(moved).toMatchObject({ value: 20, bounds: { min: 15, max: 25 }, name: property.name });
    const free = await tenant.make<FeatureProperty>('PUT', own, { bounds: null });
    expect(free).toMatchObject({ value: 20, bounds: null });
  });

  test('edited by two people: the second gets a conflict with the current state', async () => {
    const property = await newProperty(feature, { propertyKey: 'two-people', type: 'number' });
    const own = `${path()}/${property.id}`;
    await expectOneOfTwoEdits(tenant, own, property.updatedAt, [{ value: 1 }, { value: 2 }]);
  });

  test('stays within its bounds when bounds and default change concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const property = await newProperty(feature, {
        propertyKey: `moment-${round}`,
        type: 'number',
        value: 5,
      });
      const own = `${path()}/${property.id}`;
      const bounds = { max: 10, allowDecimal: true };
      await Promise.all([tenant.call('PUT', own, { bounds }), tenant.call('PUT', own, { value: 50 })]);
      const { properties } = await tenant.make<Feature>('GET', `/features/${feature.id}`);
      const stored = properties.find(({ id }) => id === property.id);
      expect(stored?.bounds === null || (stored?.value as number) <= 10).toBe(true);
    }
  });

  test('loses no concurrent edit of another field', async () => {
    const property = await newProperty(feature, { propertyKey: 'no-loss', type: 'number' });
    const own = `${path()}/${property.id}`;
    const edits = [
      { name: 'Renamed' },
      { value: 7 },
      { conflictResolution: 'lower' },
      { description: 'Told' },
    ];
    await Promise.all(edits.map((edit) => tenant.make('PUT', own, edit)));
    const { properties } = await tenant.make<Feature>('GET', `/features/${feature.id}`);
    expect(properties.find(({ id }) => id === property.id)).toMatchObject(Object.assign({}, ...edits));
  });

  test('is deleted once; a second delete returns not found', async () => {
    const property = await newProperty(feature, { propertyKey: 'short-lived', type: 'number' });
    const own = `${path()}/${property.id}`;
    expect((await tenant.call('DELETE', own)).status).toBe(204);
    await refused(404, 'DELETE', own);
    await refused(404, 'PUT', own, { value: 1 });
  });

  test('is found only below its own feature', async () => {
    const property = await newProperty(feature, { propertyKey: 'own-feature', type: 'number' });
    const elsewhere = await newFeature();
    await refused(404, 'PUT', `/features/${elsewhere.id}/properties/${property.id}`, { value: 1 });
    await refused(404, 'DELETE', `/features/${elsewhere.id}/properties/${property.id}`);
  });

  test('cannot be created for a feature that does not exist', async () => {
    await refused(404, 'POST', '/features/feat_nowhere/properties', { ...base, type: 'number' });
  });
});

describe('the system property', () => {
  test('cannot be deleted, and changes through its own route only', async () => {
    const feature = await newFeature();
    const [system] = feature.systemFeatureProperties;
    const id = system?.id ?? '';
    await refused(400, 'DELETE', `/features/${feature.id}/properties/${id}`);
    await refused(400, 'PUT', `/features/${feature.id}/properties/${id}`, { value: true });
    const changed = await tenant.make<FeatureProperty>(
      'PUT',
      `/features/${feature.id}/system-properties/${id}`,
      {
        value: true,
        conflictResolution: 'lower',
        updatedAt: system?.updatedAt,
      },
    );
    expect(changed).toMatchObject({ id, propertyKey: 'enabled', value: true, conflictResolution: 'lower' });
    const read = await tenant.make<Feature>('GET', `/features/${feature.id}`);
    expect(read.systemFeatureProperties).toEqual([changed]);
  });

  test('accepts only a boolean, and keeps its name', async () => {
    const feature = await newFeature();
    const path = `/features/${feature.id}/system-properties/${feature.systemFeatureProperties[0]?.id}`;
    expect(await refused(400, 'PUT', path, { value: 1 })).toEqual(['value: Must be true or false']);
    expect(await refused(400, 'PUT', path, { name: 'Other' })).toEqual(['name: Unknown property']);
  });

  test('has a route that returns not found for normal properties', async () => {
    const feature = await newFeature();
    const normal = await newProperty(feature, { propertyKey: 'normal', type: 'boolean' });
    await refused(404, 'PUT', `/features/${feature.id}/system-properties/${normal.id}`, { value: true });
  });
});
