// What a meter costs: which meters can pay, what is refused and how, and what happens to a meter that others cost.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { ErrorBody } from '#contracts/public/errors';
import { featureCalls } from '#tests/support/features';
import { expectUnchanged } from '#tests/support/stored-state';
import { newTenant, type Tenant } from '#tests/support/tenants';

let tenant: Tenant;
let ai: Feature;
let chat: Feature;
let credits: FeatureProperty;
const { newFeature, newProperty, refused } = featureCalls(() => tenant);

const metered = (meter: object = {}) => ({
  state: 'metered',
  meter: { limit: 100, periodType: 'lifetime', uniqueResourceIds: false, ...meter },
});
const seats = metered({ uniqueResourceIds: true });
let serial = 0;
const newMeter = (feature: Feature, more: object = {}) =>
  newProperty(feature, { propertyKey: `meter-${serial++}`, type: 'meterable', value: metered(), ...more });
const pathOf = (feature: Feature, property?: FeatureProperty) =>
  `/features/${feature.id}/properties${property === undefined ? '' : `/${property.id}`}`;

beforeAll(async () => {
  tenant = await newTenant();
  ai = await newFeature();
  chat = await newFeature();
  credits = await newMeter(ai, { name: 'Credits', propertyKey: 'credits' });
});

test('a meter costs a part of another, stored to the thousandth, and stops costing it', async () => {
  for (const per of [0.001, 0.25, 1, 4, 12.345, 999_999.999, 1_000_000]) {
    const costs = { propertyId: credits.id, per };
    const tokens = await newMeter(chat, { costs });
    expect(tokens.costs).toEqual(costs);
    const read = await tenant.make<Feature>('GET', `/features/${chat.id}`);
    expect(read.properties).toContainEqual(tokens);
    const free = await tenant.make<FeatureProperty>('PUT', pathOf(chat, tokens), { costs: null });
    expect(free.costs).toBeNull();
  }
  expect((await newMeter(chat)).costs).toBeNull();
});

describe('is refused, naming the field,', () => {
  const bodyOf = (costs: object | undefined) => ({
    name: 'Fine',
    propertyKey: 'fine-key',
    type: 'meterable',
    costs,
  });
  test.each([
    ['less than a thousandth', 0.0009, 'Must be greater than or equal to 0.001'],
    ['nothing', 0, 'Must be greater than or equal to 0.001'],
    ['more than a million', 1_000_000.001, 'Must be less than or equal to 1,000,000'],
    ['four decimal places', 0.1234, 'Must have at most three decimal places'],
    ['text', '1', 'Must be a number'],
  ])('a cost of %s', async (_, per, message) => {
    const body = bodyOf({ propertyId: credits.id, per });
    expect(await refused(400, 'POST', pathOf(chat), body)).toEqual([`costs.per: ${message}`]);
  });

  test('what is no meter, or is paid by none', async () => {
    const flag = await newProperty(ai, { propertyKey: 'flag', type: 'boolean' });
    const costs = (propertyId: string) => bodyOf({ propertyId, per: 1 });
    expect(await refused(400, 'POST', pathOf(chat), { ...costs(credits.id), type: 'number' })).toEqual([
      'costs: Only meters have costs',
    ]);
    expect(await refused(400, 'POST', pathOf(chat), costs(flag.id))).toEqual([
      'costs.propertyId: Must be a meter',
    ]);
    expect(await refused(400, 'POST', pathOf(chat), costs('prop_nowhere'))).toEqual([
      'costs.propertyId: Unknown property',
    ]);
  });

  test('a meter of another organisation', async () => {
    const stranger = await newTenant();
    const theirs = featureCalls(() => stranger);
    const foreign = await theirs.newProperty(await theirs.newFeature(), {
      propertyKey: 'abc',
      type: 'meterable',
    });
    const body = bodyOf({ propertyId: foreign.id, per: 1 });
    expect(await refused(400, 'POST', pathOf(chat), body)).toEqual(['costs.propertyId: Unknown property']);
  });

  test('itself, a meter with costs, and costs of a meter that others cost', async () => {
    const tokens = await newMeter(chat, { name: 'Tokens', costs: { propertyId: credits.id, per: 1 } });
    const costs = (propertyId: string) => ({ costs: { propertyId, per: 1 } });
    expect(await refused(400, 'PUT', pathOf(chat, tokens), costs(tokens.id))).toEqual([
      'costs.propertyId: A meter cannot cost itself',
    ]);
    expect(await refused(400, 'POST', pathOf(chat), bodyOf({ propertyId: tokens.id, per: 1 }))).toEqual([
      'costs.propertyId: This meter has costs itself',
    ]);
    const other = await newMeter(ai);
    expect(await refused(400, 'PUT', pathOf(ai, credits), costs(other.id))).toEqual([
      `costs.propertyId: “${chat.name} › Tokens” costs this meter, so it cannot have costs`,
    ]);
    await tenant.call('DELETE', pathOf(chat, tokens));
  });

  test('a meter of unique resources, by its default or in a plan', async () => {
    const counted = await newMeter(ai, { value: seats });
    const costs = (propertyId: string) => bodyOf({ propertyId, per: 1 });
    expect(await refused(400, 'POST', pathOf(chat), costs(counted.id))).toEqual([
      'costs.propertyId: This meter counts unique resources by default',
    ]);
    const planned = await newMeter(ai);
    await setInPlan('Seats', planned, seats);
    expect(await refused(400, 'POST', pathOf(chat), costs(planned.id))).toEqual([
      'costs.propertyId: This meter counts unique resources in the plan “Seats”',
    ]);
  });
});

async function setInPlan(name: string, { id }: FeatureProperty, value: unknown) {
  const body = { name, slug: `plan-${serial++}` };
  const plan = await tenant.make<{ planId: string; currentVersion: number }>('POST', '/plans', body);
  return tenant.call<ErrorBody>('PUT', `/plans/${plan.planId}/versions/${plan.currentVersion}`, {
    properties: { [ai.id]: [{ id, type: 'meterable', value }] },
  });
}

describe('a meter that others cost', () => {
  let paid: FeatureProperty;
  let images: FeatureProperty;
  beforeAll(async () => {
    paid = await newMeter(ai);
    images = await newMeter(chat, { name: 'Images', costs: { propertyId: paid.id, per: 2.5 } });
  });

  test('counts amounts, by its default and in plans', async () => {
    const message = `value.meter.uniqueResourceIds: “${chat.name} › Images” costs this meter, so it must count amounts`;
    expect(await refused(400, 'PUT', pathOf(ai, paid), { value: seats })).toEqual([message]);
    await setInPlan('Amounts', paid, metered());
    const answer = await setInPlan('Resources', paid, seats);
    expect(answer.status).toBe(400);
    expect(answer.body.issues).toEqual([
      {
        path: `properties.${ai.id}.0.value.meter.uniqueResourceIds`,
        message: `“${chat.name} › Images” costs this meter, so it must count amounts`,
      },
    ]);
  });

  test('is deleted only after its last cost, alone and with its feature', async () => {
    for (const path of [pathOf(ai, paid), `/features/${ai.id}`]) {
      await expectUnchanged(tenant, async () => {
        const answer = await tenant.call<ErrorBody>('DELETE', path);
        expect([answer.status, answer.body.message]).toEqual([
          409,
          `“${chat.name} › Images” costs this meter. Remove its costs first.`,
        ]);
      });
    }
    await tenant.make('PUT', pathOf(chat, images), { costs: null });
    expect((await tenant.call('DELETE', pathOf(ai, paid))).status).toBe(204);
  });

  test('goes with its feature if only that costs it', async () => {
    const own = await newFeature();
    const purse = await newMeter(own);
    await newMeter(own, { costs: { propertyId: purse.id, per: 1 } });
    expect((await tenant.call('DELETE', `/features/${own.id}`)).status).toBe(204);
  });
});

test('two concurrent edits never make a chain, and a deletion never leaves a cost of nothing', async () => {
  for (let round = 0; round < 4; round++) {
    const [one, two, three] = [await newMeter(ai), await newMeter(ai), await newMeter(ai)];
    const cost = (from: FeatureProperty, to: FeatureProperty) =>
      tenant.call('PUT', pathOf(ai, from), { costs: { propertyId: to.id, per: 1 } });
    await Promise.all([
      cost(one, two),
      cost(two, three),
      cost(three, one),
      tenant.call('DELETE', pathOf(ai, three)),
    ]);
    const { properties } = await tenant.make<Feature>('GET', `/features/${ai.id}`);
    const byId = new Map(properties.map((each) => [each.id, each]));
    for (const { costs } of properties) {
      if (costs !== null && costs.propertyId !== credits.id)
        expect(byId.get(costs.propertyId)?.costs).toBeNull();
    }
  }
});

test('the activity says what a meter cost before and after', async () => {
  const tokens = await newMeter(chat, { costs: { propertyId: credits.id, per: 0.25 } });
  await tenant.make('PUT', pathOf(chat, tokens), { costs: { propertyId: credits.id, per: 3 } });
  const { items } = await tenant.make<{ items: { targetId: string; action: string; detail: unknown }[] }>(
    'GET',
    '/activity',
  );
  const changed = items.find(
    ({ targetId, action }) => targetId === tokens.id && action === 'property.changed',
  );
  expect(changed?.detail).toMatchObject({
    changes: [{ field: 'costs', from: `0.25 of ${ai.slug}.credits`, to: `3 of ${ai.slug}.credits` }],
  });
});
