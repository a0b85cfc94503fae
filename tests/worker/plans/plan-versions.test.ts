// The values that plans configure: versions that never change, references that are checked, and two people at once.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { Plan, PlanProperties, PlanVersion } from '#contracts/console/plans';
import type { ErrorBody } from '#contracts/public/errors';
import { expectUnchanged } from '#tests/support/stored-state';
import { newTenant, type Tenant } from '#tests/support/tenants';

let tenant: Tenant;
let stranger: Tenant;
let strangersFeature: Feature;
let serial = 0;

/** A feature with one property of each type. */
interface Fixture {
  readonly feature: Feature;
  readonly enabled: FeatureProperty;
  readonly seats: FeatureProperty;
  readonly calls: FeatureProperty;
  readonly plan: Plan;
}

async function newFixture(of: Tenant = tenant): Promise<Fixture> {
  const own = ++serial;
  const name = `Feature ${own}`;
  const feature = await of.make<Feature>('POST', '/features', { name, slug: `feature-${own}` });
  const property = (propertyKey: string, body: object) =>
    of.make<FeatureProperty>('POST', `/features/${feature.id}/properties`, { name, propertyKey, ...body });
  return {
    feature,
    enabled: feature.systemFeatureProperties[0] as FeatureProperty,
    seats: await property('seats', {
      type: 'number',
      value: 1,
      bounds: { min: 0, max: 100, allowDecimal: false },
    }),
    calls: await property('calls', { type: 'meterable' }),
    plan: await of.make<Plan>('POST', '/plans', { name: `Plan ${own}`, slug: `plan-${own}` }),
  };
}

beforeAll(async () => {
  tenant = await newTenant();
  stranger = await newTenant();
  strangersFeature = (await newFixture(stranger)).feature;
});

let fixture: Fixture;
beforeEach(async () => {
  fixture = await newFixture();
});

const put = (version: number | string, properties: unknown) =>
  tenant.call<PlanVersion>('PUT', `/plans/${fixture.plan.planId}/versions/${version}`, { properties });
const save = (version: number, properties: PlanProperties) =>
  tenant.make<PlanVersion>('PUT', `/plans/${fixture.plan.planId}/versions/${version}`, { properties });

const seatsAt = (value: number, of: Fixture = fixture) => ({
  id: of.seats.id,
  type: 'number' as const,
  value,
});
const enabledAs = (value: boolean) => ({ id: fixture.enabled.id, type: 'boolean' as const, value });

/** Expects 400 and no change in the database. @returns the issues as `path: message` */
async function refused(properties: unknown, version = 1): Promise<string[]> {
  let issues: string[] = [];
  await expectUnchanged(tenant, async () => {
    const answer = await put(version, properties);
    const body = answer.body as unknown as ErrorBody;
    expect([answer.status, body.errorType]).toEqual([400, 'invalid-request']);
    issues = (body.issues ?? []).map((issue) => `${issue.path}: ${issue.message}`);
  });
  return issues;
}

describe('an edit', () => {
  test('becomes the next version, and the previous one is unchanged', async () => {
    const { feature, plan } = fixture;
    const second = await save(1, { [feature.id]: [enabledAs(true), seatsAt(5)] });
    expect(second).toMatchObject({
      version: 2,
      currentVersion: 2,
      properties: { [feature.id]: [enabledAs(true), seatsAt(5)] },
      createdByUserId: tenant.user.userId,
    });
    await save(2, { [feature.id]: [enabledAs(true), seatsAt(6)] });
    expect(await tenant.make<Plan>('GET', `/plans/${plan.planId}`)).toMatchObject({ currentVersion: 3 });
    expect(await tenant.make<PlanVersion>('GET', `/plans/${plan.planId}/versions/2`)).toEqual({
      ...second,
      currentVersion: 3,
    });
    expect((await tenant.make<PlanVersion>('GET', `/plans/${plan.planId}/versions/1`)).properties).toEqual(
      {},
    );
  });

  test('that adds a feature enables it, unless the edit disables it', async () => {
    const { feature } = fixture;
    const added = await save(1, { [feature.id]: [seatsAt(5)] });
    expect(added.properties[feature.id]).toEqual([enabledAs(true), seatsAt(5)]);
    const other = await newFixture();
    const off = { id: other.enabled.id, type: 'boolean' as const, value: false };
    const silent = await save(2, { ...added.properties, [other.feature.id]: [off] });
    expect(silent.properties[other.feature.id]).toEqual([off]);
  });

  test('means the same whatever the plan had before: the same body again changes nothing, also after it was off', async () => {
    const { feature } = fixture;
    const body = { [feature.id]: [seatsAt(5)] };
    const first = await save(1, body);
    expect(await save(2, body)).toEqual(first);
    await save(2, { [feature.id]: [enabledAs(false), seatsAt(5)] });
    expect((await save(3, body)).properties).toEqual(first.properties);
  });

  test('that lists a feature without values leaves it out', async () => {
    const { feature } = fixture;
    await save(1, { [feature.id]: [seatsAt(5)] });
    expect((await save(2, { [feature.id]: [] })).properties).toEqual({});
  });

  test('of the same content creates no new version, in any order', async () => {
    const { feature } = fixture;
    const other = await newFixture();
    const second = await save(1, { [feature.id]: [seatsAt(5)], [other.feature.id]: [seatsAt(6, other)] });
    await expectUnchanged(tenant, async () => {
      const reordered = Object.fromEntries(
        Object.entries(second.properties)
          .reverse()
          .map(([id, values]) => [id, [...values].reverse()]),
      );
      expect(await save(2, reordered)).toEqual(second);
    });
  });

  test('repeated after a lost response returns the version it created', async () => {
    const { feature } = fixture;
    const second = await save(1, { [feature.id]: [seatsAt(5)] });
    await expectUnchanged(tenant, async () => {
      expect(await save(1, { [feature.id]: [seatsAt(5)] })).toEqual(second);
    });
  });
});

describe('two people', () => {
  test('who save one after the other: the second gets a conflict with the current version, and nothing is overwritten', async () => {
    const { feature } = fixture;
    const second = await save(1, { [feature.id]: [seatsAt(5)] });
    await expectUnchanged(tenant, async () => {
      const late = await put(1, { [feature.id]: [seatsAt(6)] });
      expect(late).toMatchObject({ status: 409, body: { errorType: 'conflict', current: second } });
    });
  });

  test('who save concurrently: exactly one wins', async () => {
    const { feature, plan } = fixture;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => put(1, { [feature.id]: [seatsAt(index + 1)] })),
    );
    const won = answers.filter(({ status }) => status === 200);
    const lost = answers.filter(({ status }) => status === 409);
    expect([won.length, lost.length]).toEqual([1, 11]);
    for (const { body } of lost) expect((body as unknown as ErrorBody).current).toEqual(won[0]?.body);
    expect(await tenant.make<Plan>('GET', `/plans/${plan.planId}`)).toMatchObject({ currentVersion: 2 });
  });

  test('who save different plans concurrently: both win', async () => {
    const fixtures = await Promise.all(Array.from({ length: 8 }, () => newFixture()));
    const versions = await Promise.all(
      fixtures.map((each) =>
        tenant.make<PlanVersion>('PUT', `/plans/${each.plan.planId}/versions/1`, {
          properties: { [each.feature.id]: [seatsAt(5, each)] },
        }),
      ),
    );
    expect(versions.map(({ version }) => version)).toEqual(Array(8).fill(2));
  });

  test('of whom one deletes the feature while the other configures it: either order leaves a plan that can be repaired', async () => {
    const { feature, plan } = fixture;
    const [deleted, saved] = await Promise.all([
      tenant.call('DELETE', `/features/${feature.id}`),
      put(1, { [feature.id]: [seatsAt(5)] }),
    ]);
    expect(deleted.status).toBe(204);
    expect([200, 400]).toContain(saved.status);
    const { currentVersion } = await tenant.make<Plan>('GET', `/plans/${plan.planId}`);
    expect(currentVersion).toBe(saved.status === 200 ? 2 : 1);
    expect((await put(currentVersion, {})).status).toBe(200);
  });

  test('of whom one narrows the bounds while the other configures a value: no plan ends up out of bounds', async () => {
    for (let round = 0; round < 5; round++) {
      fixture = await newFixture();
      const { feature, seats, plan } = fixture;
      const [narrowed, saved] = await Promise.all([
        tenant.call('PUT', `/features/${feature.id}/properties/${seats.id}`, {
          bounds: { min: 0, max: 10, allowDecimal: false },
        }),
        put(1, { [feature.id]: [seatsAt(50)] }),
      ]);
      expect([narrowed.status, saved.status].sort()).toEqual(saved.status === 200 ? [200, 409] : [200, 400]);
      const { currentVersion } = await tenant.make<Plan>('GET', `/plans/${plan.planId}`);
      expect(currentVersion).toBe(saved.status === 200 ? 2 : 1);
    }
  });
});

describe('values are refused, naming each field,', () => {
  test('for a feature that does not exist, whatever its id', async () => {
    for (const id of ['feat_nowhere', 'constructor', 'toString', '🚀']) {
      expect(await refused({ [id]: [seatsAt(5)] })).toEqual([`properties.${id}: Unknown feature`]);
    }
    expect(await refused({ 'nul\0': [seatsAt(5)] })).toEqual(['properties.nul\\u0000: Unknown feature']);
    const long = 'x'.repeat(65);
    expect(await refused({ [long]: [seatsAt(5)] })).toEqual([`properties.${long}: This name is not allowed`]);
  });

  test("for another organisation's feature just as for one that does not exist", async () => {
    const foreign = strangersFeature.id;
    expect(await refused({ [foreign]: [seatsAt(5)] })).toEqual([`properties.${foreign}: Unknown feature`]);
  });

  test('for __proto__ as a feature', async () => {
    await expectUnchanged(tenant, async () => {
      const response = await tenant.user.fetch(
        `/api/orgs/${tenant.orgId}/plans/${fixture.plan.planId}/versions/1`,
        {
          method: 'PUT',
          body: '{"properties":{"__proto__":[]}}',
          headers: { 'content-type': 'application/json' },
        },
      );
      expect(response.status).toBe(400);
    });
  });

  test('for a property that does not exist, or is of another feature', async () => {
    const { feature } = fixture;
    const other = await newFixture();
    expect(
      await refused({ [feature.id]: [{ ...seatsAt(5), id: 'prop_nowhere' }, seatsAt(5, other)] }),
    ).toEqual([
      `properties.${feature.id}.0.id: Unknown property`,
      `properties.${feature.id}.1.id: Unknown property`,
    ]);
  });

  test("for a type that is not the property's, and a value that is not of the type", async () => {
    const { feature, seats, enabled } = fixture;
    expect(
      await refused({
        [feature.id]: [
          { id: seats.id, type: 'string', value: 'five' },
          { id: enabled.id, type: 'boolean', value: 1 },
        ],
      }),
    ).toEqual([
      `properties.${feature.id}.0.type: Must be number, the property’s type`,
      `properties.${feature.id}.1.value: Must be true or false`,
    ]);
  });

  test('for numbers outside the bounds, and for fractions where they are not allowed', async () => {
    const { feature } = fixture;
    for (const [value, message] of [
      [-1, 'Must be greater than or equal to 0'],
      [101, 'Must be less than or equal to 100'],
      [1.5, 'Must be a whole number'],
    ] as const) {
      expect(await refused({ [feature.id]: [seatsAt(value)] })).toEqual([
        `properties.${feature.id}.0.value: ${message}`,
      ]);
    }
  });

  test('for metered without a meter, a bad meter, and a meter on what is not metered', async () => {
    const { feature, calls } = fixture;
    const at = (value: unknown) => ({ [feature.id]: [{ id: calls.id, type: 'meterable', value }] });
    const path = `properties.${feature.id}.0.value`;
    const meter = { limit: 1, periodType: 'lifetime', uniqueResourceIds: false };
    expect(await refused(at({ state: 'metered' }))).toEqual([`${path}.meter: Required`]);
    expect(await refused(at({ state: 'metered', meter: { ...meter, limit: -1 } }))).toEqual([
      `${path}.meter.limit: Must be greater than or equal to 0`,
    ]);
    expect(await refused(at({ state: 'metered', meter: { ...meter, periodType: 'fixed' } }))).toEqual([
      `${path}.meter.periodLength: Please select a meter length`,
    ]);
    expect(await refused(at({ state: 'on', meter }))).toEqual([`${path}.meter: Unknown property`]);
  });

  test('for a property listed twice, and for more of them than there can be', async () => {
    const { feature } = fixture;
    expect(await refused({ [feature.id]: [seatsAt(1), seatsAt(2)] })).toEqual([
      `properties.${feature.id}.1.id: Property is listed twice`,
    ]);
    expect(await refused({ [feature.id]: Array(201).fill(seatsAt(1)) })).toEqual([
      `properties.${feature.id}: Must have at most 200 entries`,
    ]);
  });

  test('for missing properties, or properties that are not an object', async () => {
    expect(await refused(undefined)).toEqual(['properties: Required']);
    expect(await refused([])).toEqual(['properties: Must be an object']);
    expect(await refused({ [fixture.feature.id]: seatsAt(1) })).toEqual([
      `properties.${fixture.feature.id}: Must be a list`,
    ]);
  });

  test('with at most a hundred issues, however many there are', async () => {
    const hostile = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`feat_${index}`, [seatsAt(1)]]),
    );
    expect(await refused(hostile)).toHaveLength(100);
  });

  test('and one invalid value leaves all of them unsaved', async () => {
    const other = await newFixture();
    const issues = await refused({
      [fixture.feature.id]: [seatsAt(5)],
      [other.feature.id]: [seatsAt(500, other)],
    });
    expect(issues).toEqual([`properties.${other.feature.id}.0.value: Must be less than or equal to 100`]);
  });
});

describe('what a plan configures of a removed', () => {
  test('feature stays readable, is refused when saved again, and can be removed', async () => {
    const { feature } = fixture;
    const second = await save(1, { [feature.id]: [seatsAt(5)] });
    await tenant.make('DELETE', `/features/${feature.id}`);
    const read = await tenant.make<PlanVersion>('GET', `/plans/${fixture.plan.planId}/versions/2`);
    expect(read.properties).toEqual(second.properties);
    expect(await tenant.call('GET', `/features/${feature.id}`)).toMatchObject({
      status: 404,
      body: { errorType: 'not-found' },
    });
    const other = await newFixture();
    expect(await refused({ ...second.properties, [other.feature.id]: [seatsAt(1, other)] }, 2)).toEqual([
      `properties.${feature.id}: Feature no longer exists`,
    ]);
    expect((await save(2, {})).properties).toEqual({});
  });

  test('property stays readable, is refused when saved again, and can be removed', async () => {
    const { feature, seats } = fixture;
    const second = await save(1, { [feature.id]: [enabledAs(true), seatsAt(5)] });
    await tenant.make('DELETE', `/features/${feature.id}/properties/${seats.id}`);
    expect(await refused({ [feature.id]: [enabledAs(false), seatsAt(5)] }, 2)).toEqual([
      `properties.${feature.id}.1.id: Property no longer exists`,
    ]);
    const third = await save(2, { [feature.id]: [enabledAs(true)] });
    expect(third.properties).toEqual({ [feature.id]: [enabledAs(true)] });
    expect(second.version + 1).toBe(third.version);
  });
});

describe('new bounds of a property', () => {
  const narrow = (bounds: object | null) =>
    tenant.call<ErrorBody>('PUT', `/features/${fixture.feature.id}/properties/${fixture.seats.id}`, {
      bounds,
    });

  test('are refused while a plan configures a value outside of them, naming the plan', async () => {
    const { feature, plan } = fixture;
    await save(1, { [feature.id]: [seatsAt(50)] });
    await expectUnchanged(tenant, async () => {
      const answer = await narrow({ min: 0, max: 10, allowDecimal: false });
      expect(answer).toMatchObject({
        status: 409,
        body: {
          errorType: 'conflict',
          issues: [
            {
              path: 'bounds',
              message: `The plan "${plan.name}" configures 50: Must be less than or equal to 10`,
            },
          ],
        },
      });
    });
    expect((await narrow({ min: 0, max: 50, allowDecimal: false })).status).toBe(200);
    expect((await narrow(null)).status).toBe(200);
  });

  test('are checked against the current version of plans only', async () => {
    const { feature } = fixture;
    await save(1, { [feature.id]: [seatsAt(50)] });
    await save(2, { [feature.id]: [seatsAt(5)] });
    expect((await narrow({ min: 0, max: 10, allowDecimal: false })).status).toBe(200);
  });
});

test.each(['0', '2', '-1', '1.5', '01', 'x', '99999999999999999999', '1e0', '%00'])(
  'the version %s of a plan that has one version only does not exist',
  async (version) => {
    const path = `/plans/${fixture.plan.planId}/versions/${version}`;
    await expectUnchanged(tenant, async () => {
      expect((await tenant.call('GET', path)).status).toBe(404);
      expect((await tenant.call('PUT', path, { properties: {} })).status).toBe(404);
    });
  },
);
