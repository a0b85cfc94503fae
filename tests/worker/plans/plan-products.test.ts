// Stripe products that grant a plan: which can be linked, where links appear, and that every change is published.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Diff } from '#contracts/console/artifacts';
import { MAX_PLAN_PRODUCTS, type Plan, type ProductMapping } from '#contracts/console/plans';
import type { ErrorBody } from '#contracts/public/errors';
import type { ArtifactContent } from '#engine/artifacts/artifact-content';
import { expectRefused } from '#tests/support/refusals';
import { auditTrail, expectUnchanged } from '#tests/support/stored-state';
import { endIntegration, endProduct, storedIntegration, storedProduct } from '#tests/support/stripe-rows';
import { newTenant, outboxMessages, publishAll, type Tenant } from '#tests/support/tenants';
import { openDatabase } from '#worker/db/database';
import { loadSnapshot } from '#worker/domains/snapshots/load-snapshot';

let tenant: Tenant;
let plan: Plan;
let integrationId: string;
let gold: ProductMapping;
let silver: ProductMapping;

beforeEach(async () => {
  tenant = await newTenant();
  plan = await tenant.make<Plan>('POST', '/plans', { name: 'Scale', slug: 'scale' });
  integrationId = await storedIntegration(tenant);
  gold = await storedProduct(tenant, integrationId, 'prod_gold');
  silver = await storedProduct(tenant, integrationId, 'prod_silver');
});

const path = () => `/plans/${plan.planId}/products`;
const at = (product: ProductMapping, version = plan.currentVersion) => ({ ...product, version });
const link = (...products: ProductMapping[]) =>
  tenant.make<Plan>('PUT', path(), { addProducts: products.map((each) => at(each)) });
const refused = (status: number, body: unknown) => expectRefused(tenant, status, 'PUT', path(), body);
const unlinkPath = ({ integrationId, productId }: ProductMapping) =>
  `${path()}/integration/${integrationId}/products/${productId}`;

async function artifactInPreview(): Promise<ArtifactContent> {
  await publishAll(tenant);
  const snapshot = await loadSnapshot(env, openDatabase(env.DB), await tenant.previewId());
  if (!snapshot?.artifact) throw new Error('Nothing is deployed there');
  return JSON.parse(snapshot.artifact.content) as ArtifactContent;
}

test('products are linked and unlinked together, and a plan lists them', async () => {
  expect(await link(gold)).toEqual({ ...plan, grantProductMappings: [gold] });
  const swapped = await tenant.make<Plan>('PUT', path(), {
    addProducts: [at(silver)],
    removeProducts: [gold],
  });
  expect(swapped).toEqual({ ...plan, grantProductMappings: [silver] });
  expect(await tenant.make('GET', `/plans/${plan.planId}`)).toEqual(swapped);
  expect(await tenant.make<Plan[]>('GET', '/plans')).toContainEqual(swapped);
  expect(await tenant.make('DELETE', unlinkPath(silver))).toEqual(plan);
});

test('a repeated call changes nothing, also on a version that is no longer current', async () => {
  const linked = await link(gold, silver);
  await expectUnchanged(tenant, async () => {
    expect(await link(gold, gold)).toEqual(linked);
    expect(await tenant.make('PUT', path(), { addProducts: [at(silver, 7)] })).toEqual(linked);
    expect(await tenant.make('PUT', path(), {})).toEqual(linked);
  });
  await tenant.make('DELETE', unlinkPath(gold));
  await expectUnchanged(tenant, async () => {
    expect(await tenant.make('DELETE', unlinkPath(gold))).toMatchObject({ grantProductMappings: [silver] });
    await tenant.make('PUT', path(), { removeProducts: [gold, { ...gold, productId: 'prod_never' }] });
  });
});

test('choosing products on an older version of the plan is a conflict with the current version', async () => {
  const feature = await tenant.make<{ id: string; systemFeatureProperties: { id: string }[] }>(
    'POST',
    '/features',
    { name: 'Seats', slug: 'seats' },
  );
  await tenant.make('PUT', `/plans/${plan.planId}/versions/1`, {
    properties: {
      [feature.id]: feature.systemFeatureProperties.map(({ id }) => ({ id, type: 'boolean', value: true })),
    },
  });
  const now = await tenant.make<Plan>('GET', `/plans/${plan.planId}`);
  expect(now.currentVersion).toBe(2);
  const answer = await tenant.call<ErrorBody>('PUT', path(), {
    addProducts: [at(gold)],
    removeProducts: [silver],
  });
  expect(answer).toMatchObject({ status: 409, body: { errorType: 'conflict', current: now } });
  expect(await tenant.make('PUT', path(), { addProducts: [at(gold, 2)] })).toEqual({
    ...now,
    grantProductMappings: [gold],
  });
});

describe('only products that the organisation has are linked', () => {
  test.each<[string, () => Promise<ProductMapping>]>([
    ['nobody has', async () => ({ integrationId, productId: 'prod_unknown' })],
    [
      "is another organisation's",
      async () => {
        const other = await newTenant();
        return storedProduct(other, await storedIntegration(other), 'prod_theirs');
      },
    ],
    [
      'Stripe deleted',
      async () => {
        await endProduct(integrationId, silver.productId);
        return silver;
      },
    ],
    [
      'was read through an integration that is deleted',
      async () => {
        const ended = await storedIntegration(tenant);
        const product = await storedProduct(tenant, ended, 'prod_of_before');
        await endIntegration(ended);
        return product;
      },
    ],
  ])('a product that %s is refused, and nothing is stored', async (_, product) => {
    const unlinkable = await product();
    expect(await refused(400, { addProducts: [at(gold), at(unlinkable)] })).toEqual([
      'addProducts.1.productId: Unknown product',
    ]);
  });

  test('a product that is both added and removed is refused', async () => {
    expect(await refused(400, { addProducts: [at(gold)], removeProducts: [gold] })).toEqual([
      'addProducts.0.productId: Cannot be added and removed in one request',
    ]);
  });

  test.each([
    ['a version', { addProducts: [{ integrationId: 'int_1', productId: 'prod_1' }] }],
    ['a whole version', { addProducts: [{ integrationId: 'int_1', productId: 'prod_1', version: 1.5 }] }],
    ['an integration', { removeProducts: [{ productId: 'prod_1' }] }],
  ])('a call without %s is refused', async (_, body) => {
    expect(await refused(400, body)).toHaveLength(1);
  });
});

test("another organisation's plan does not exist", async () => {
  const other = await newTenant();
  const theirs = await other.make<Plan>('POST', '/plans', { name: 'Theirs', slug: 'theirs' });
  await expectUnchanged(other, async () => {
    await expectRefused(tenant, 404, 'PUT', `/plans/${theirs.planId}/products`, { addProducts: [at(gold)] });
    await expectRefused(tenant, 404, 'DELETE', unlinkPath(gold).replace(plan.planId, theirs.planId));
  });
});

test('the last allowed product of a plan can be linked, and no further one', async () => {
  const many: ProductMapping[] = [];
  for (let index = 0; index < MAX_PLAN_PRODUCTS; index++) {
    many.push(await storedProduct(tenant, integrationId, `prod_${index}`));
  }
  const [last, ...others] = many;
  if (last === undefined) throw new Error('no products');
  await link(...others);
  const answers = await Promise.all(
    [last, gold, silver].map((product) =>
      tenant.call<ErrorBody>('PUT', path(), { addProducts: [at(product)] }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  // A swap needs no room.
  const [first, second] = others;
  await tenant.make('PUT', path(), { removeProducts: [first, second], addProducts: [at(gold), at(silver)] });
});

test('links are part of the workspace: preview runs them, a version freezes them, the changes name them', async () => {
  await tenant.make('POST', '/artifacts');
  await link(gold);
  expect((await artifactInPreview()).plans[0]?.products).toEqual([gold]);
  expect((await tenant.make<Diff>('GET', '/artifacts/last-diff')).items).toMatchObject([
    {
      type: 'add',
      itemType: 'plan-product',
      itemId: `${plan.planId}:${integrationId}:prod_gold`,
      itemName: expect.stringMatching(/^Scale › Product prod_gold \(Account \d+\)$/),
    },
  ]);

  await tenant.make('POST', '/artifacts');
  await tenant.make('DELETE', unlinkPath(gold));
  expect((await artifactInPreview()).plans[0]?.products).toEqual([]);
  expect((await tenant.make<Diff>('GET', '/artifacts/last-diff')).items).toMatchObject([
    { type: 'remove', itemType: 'plan-product', itemName: expect.stringMatching(/Product prod_gold/) },
  ]);
});

test('every link and unlink is audited with its user, in one row per change', async () => {
  await publishAll(tenant);
  await link(gold, silver);
  await link(gold);
  await tenant.make('DELETE', unlinkPath(gold));
  const ofPlan = (await auditTrail(tenant)).filter(
    ({ action, targetId }) => targetId === plan.planId && action !== 'plan.created',
  );
  expect(ofPlan.map(({ action }) => action)).toEqual(['plan.products-changed', 'plan.products-changed']);
  expect(await outboxMessages(tenant.orgId)).toContainEqual(
    expect.objectContaining({ type: 'workspace.changed' }),
  );
});

test('deleting an integration or a plan removes its links', async () => {
  await link(gold);
  await endIntegration(integrationId);
  expect(await tenant.make('GET', `/plans/${plan.planId}`)).toMatchObject({ grantProductMappings: [] });
  expect(await tenant.make<Plan[]>('GET', '/plans')).toMatchObject([{ grantProductMappings: [] }]);
  expect((await artifactInPreview()).plans[0]?.products).toEqual([]);

  const other = await storedProduct(tenant, await storedIntegration(tenant), 'prod_other');
  await link(other);
  await tenant.call('DELETE', `/plans/${plan.planId}`);
  const { results } = await env.DB.prepare('SELECT product_id FROM plan_product WHERE plan_id = ?')
    .bind(plan.planId)
    .all();
  expect(results).toEqual([]);
});

test('a product is unlinked whatever characters its id contains', async () => {
  const odd = await storedProduct(tenant, integrationId, 'gold/2026 % ~ü');
  await link(odd);
  const segment = encodeURIComponent(odd.productId);
  const unlinked = await tenant.make('DELETE', unlinkPath({ ...odd, productId: segment }));
  expect(unlinked).toMatchObject({ grantProductMappings: [] });
});

test('a product deleted in Stripe stays linked until it is unlinked', async () => {
  await link(gold);
  await endProduct(integrationId, gold.productId);
  expect(await tenant.make('GET', `/plans/${plan.planId}`)).toMatchObject({ grantProductMappings: [gold] });
  expect(await tenant.make('DELETE', unlinkPath(gold))).toMatchObject({ grantProductMappings: [] });
});
