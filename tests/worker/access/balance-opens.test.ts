// A balance that opens a feature to a customer whose plans do not have it.
import { beforeAll, expect, it } from 'vitest';
import type { FeatureProperty } from '#contracts/console/features';
import { check } from '#tests/support/access-checks';
import { putBalances } from '#tests/support/balances';
import { update } from '#tests/support/counter-updates';
import { type CustomerTenant, customerTenant } from '#tests/support/customers';
import { featureCalls } from '#tests/support/features';
import { publishAll } from '#tests/support/tenants';

let own: CustomerTenant;
let credits: FeatureProperty;
let slug: string;
const calls = featureCalls(() => own.tenant);

beforeAll(async () => {
  own = await customerTenant();
  const feature = await calls.newFeature();
  ({ slug } = feature);
  credits = await calls.newProperty(feature, {
    propertyKey: 'credits',
    type: 'meterable',
    balanceOpens: true,
  });
  expect(credits.balanceOpens).toBe(true);
  // Until the environment has a customer, checks ask for none.
  await own.grant('zoe');
  await publishAll(own.tenant);
});

const give = (customer: string, more: object = {}) =>
  putBalances({ tenant: own.tenant, files: credits }, customer, {
    id: `bal_${customer}`,
    amount: 5,
    ...more,
  });

const featureOf = async (customer: string) =>
  (await check(own.secret, { userIdentifier: customer })).features?.[slug];

it('what was bought can be used without a plan, to its end and no further', async () => {
  expect(await featureOf('eve')).toMatchObject({ allowed: false, reason: 'not-in-plan' });
  await give('ada');
  const properties = { enabled: true, credits: { state: 'metered', limit: 5, used: 0, remaining: 5 } };
  expect(await featureOf('ada')).toMatchObject({ allowed: true, properties });
  const count = (by: number) =>
    update(own.secret, { userIdentifier: 'ada', feature: slug, property: 'credits', by, enforce: true });
  expect((await count(6)).body).toMatchObject({ accepted: false, reason: 'limit-reached' });
  expect((await count(5)).body).toMatchObject({
    ...{ accepted: true, allowed: true, draws: [{ from: 'bal_ada', amount: 5 }] },
    meter: { allowed: false, limit: 5, used: 5, remaining: 0 },
  });
  expect(await featureOf('ada')).toMatchObject({ allowed: false, reason: 'limit-reached' });
});

it('a frozen balance opens nothing', async () => {
  await give('bob', { isFrozen: true });
  expect(await featureOf('bob')).toMatchObject({ allowed: false, reason: 'not-in-plan' });
});

it('is a choice for meters of amounts, changed and audited as any field', async () => {
  const feature = await calls.newFeature();
  const path = `/features/${feature.id}/properties`;
  const body = { name: 'Flag', propertyKey: 'flag', type: 'boolean', balanceOpens: true };
  const message = 'balanceOpens: Only meters of amounts have balances';
  expect(await calls.refused(400, 'POST', path, body)).toEqual([message]);
  const meter = { limit: 1, periodType: 'lifetime', uniqueResourceIds: true };
  const seats = await calls.newProperty(feature, {
    ...{ propertyKey: 'seats', type: 'meterable', value: { state: 'metered', meter } },
  });
  expect(seats.balanceOpens).toBe(false);
  expect(await calls.refused(400, 'PUT', `${path}/${seats.id}`, { balanceOpens: true })).toEqual([message]);
  const plain = await calls.newProperty(feature, { propertyKey: 'calls', type: 'meterable' });
  const changed = await own.tenant.make<FeatureProperty>('PUT', `${path}/${plain.id}`, {
    balanceOpens: true,
  });
  expect(changed.balanceOpens).toBe(true);
});
