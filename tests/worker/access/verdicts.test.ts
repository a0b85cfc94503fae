// Features that are off, and features whose other values are off: in answers, updates and events.
import { beforeAll, expect, it } from 'vitest';
import type { CustomerEntitlements } from '#contracts/console/customers';
import type { Feature } from '#contracts/console/features';
import { check } from '#tests/support/access-checks';
import { recordedEvent } from '#tests/support/call-events';
import { update } from '#tests/support/counter-updates';
import { newFeatureForAll } from '#tests/support/features';
import { newTenant, publishAll, type Tenant } from '#tests/support/tenants';

let tenant: Tenant;
let key: string;
const meter = { limit: 3, periodType: 'lifetime', uniqueResourceIds: false };
const FRAMES = { userIdentifier: 'ada', feature: 'film', property: 'frames' };
const NOT_IN_PLAN = { allowed: false, reason: 'not-in-plan' };

beforeAll(async () => {
  tenant = await newTenant();
  const film = await tenant.make<Feature>('POST', '/features', { name: 'Film', slug: 'film' });
  const value = { state: 'metered', meter };
  const frames = { name: 'Frames', propertyKey: 'frames', type: 'meterable', value };
  await tenant.make('POST', `/features/${film.id}/properties`, frames);
  const reports = await newFeatureForAll(tenant, { name: 'Reports', slug: 'reports' });
  const sharing = { name: 'Sharing', propertyKey: 'sharing', type: 'boolean', value: false };
  await tenant.make('POST', `/features/${reports.id}/properties`, sharing);
  key = (await tenant.key(await tenant.previewId())).value;
  await publishAll(tenant);
});

const eventOf = ({ requestId }: { requestId: string }) => recordedEvent(tenant, requestId);

it('a feature that is off turns its meters off, refuses what is enforced, and goes on counting the rest', async () => {
  expect(await update(key, { ...FRAMES, enforce: true })).toMatchObject({
    status: 200,
    body: { accepted: false, ...NOT_IN_PLAN, meter: { state: 'off' } },
  });
  const consumed = await check(key, {
    userIdentifier: 'ada',
    consume: { feature: 'film', property: 'frames' },
  });
  expect(consumed).toMatchObject({ consumed: { accepted: false }, features: { film: NOT_IN_PLAN } });
  const counted = await update(key, { ...FRAMES, by: 2 });
  expect(counted.body).toMatchObject({ accepted: true, ...NOT_IN_PLAN, meter: { state: 'off', used: 2 } });
  const denials = [{ feature: 'film', reason: 'not-in-plan' }];
  expect(await eventOf(counted.body)).toMatchObject({ outcome: 'denied', deniedFeatures: ['film'], denials });
  expect(await eventOf(consumed)).toMatchObject({ outcome: 'denied', denials });
});

it('a feature that is on is allowed and not counted as denied, whatever else of it is off', async () => {
  const answer = await check(key, { userIdentifier: 'ada', features: ['reports'] });
  expect(answer.features.reports).toEqual({ properties: { enabled: true, sharing: false }, allowed: true });
  expect(await eventOf(answer)).toMatchObject({ outcome: 'allowed', deniedFeatures: [], denials: [] });
});

it('the customer page has the verdict of each feature', async () => {
  const previewId = await tenant.previewId();
  const { features } = await tenant.make<CustomerEntitlements>(
    'GET',
    `/customers/ada/environments/${previewId}`,
  );
  expect(features.map(({ allowed, reason }) => [allowed, reason])).toEqual(
    expect.arrayContaining([
      [false, 'not-in-plan'],
      [true, undefined],
    ]),
  );
});
