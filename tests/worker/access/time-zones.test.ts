// Calendar periods in the organisation's time zone: a version keeps the zone that it was made with.
import { beforeAll, expect, it } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import type { Organisation } from '#contracts/console/organisations';
import { windowOf } from '#engine/metering/window-of';
import { check, propertyOf } from '#tests/support/access-checks';
import { update } from '#tests/support/counter-updates';
import { eventually } from '#tests/support/eventually';
import { ofFiles, type PayingTenant, payingTenant } from '#tests/support/paying-tenants';
import { expectRefused } from '#tests/support/refusals';
import { publishAll } from '#tests/support/tenants';

/** Its midnight is at 18:15 UTC. */
const ZONE = 'Asia/Kathmandu';
const daily = { periodType: 'rolling', periodCount: 1, periodLength: 'day' } as const;
const meter = { limit: 3, ...daily, uniqueResourceIds: false };
let own: PayingTenant;

beforeAll(async () => {
  own = await payingTenant();
  await own.override('ada', own.files.id, { state: 'metered', meter });
  await publishAll(own.tenant);
});

const nextDay = (zone?: string) => windowOf({ ...daily, zone }, Date.now()).resetsAt;

async function expectReset(secret: string, zone?: string): Promise<void> {
  await eventually(async () => {
    const answer = await check(secret, { userIdentifier: 'ada' });
    expect(propertyOf(answer, 'workspaces', 'files')).toMatchObject({ ...daily, resetsAt: nextDay(zone) });
  });
}

it('applies with the next version, to checks and to what is counted, and is explained', async () => {
  const { tenant, secret, liveSecret } = own;
  for (const key of [secret, liveSecret]) await expectReset(key);

  const { updatedAt } = await tenant.make<Organisation>('GET', '');
  const saved = await tenant.make<Organisation>('PUT', '', { zone: ZONE, updatedAt });
  expect(saved.zone).toBe(ZONE);
  expect(await tenant.make('GET', '/summary')).toMatchObject({ zone: ZONE });
  await publishAll(tenant);
  // Preview has the workspace as it is.
  await expectReset(secret, ZONE);
  await expectReset(liveSecret);

  const counted = await update(secret, ofFiles('ada', { by: 2 }));
  expect(counted.body).toMatchObject({ accepted: true, meter: { used: 2, resetsAt: nextDay(ZONE) } });
  const explained = await check(secret, { userIdentifier: 'ada' }, { query: '?explain=1' });
  expect(explained.explanation?.find(({ property }) => property === 'files')).toMatchObject({
    value: { state: 'metered', meter: { ...meter, zone: ZONE } },
  });

  const { id: artifactId } = await tenant.make<Artifact>('POST', '/artifacts', {});
  const environments = await tenant.make<Environment[]>('GET', '/environments');
  const shop = environments.find(({ name }) => name === 'Shop');
  await tenant.make('PUT', `/deployments/${shop?.id}/artifact`, { artifactId });
  await publishAll(tenant);
  await expectReset(liveSecret, ZONE);
});

it.each(['Mars/Olympus', '+05:30', '', 'x'.repeat(101), 7])('is not %s', async (zone) => {
  const [issue] = await expectRefused(own.tenant, 400, 'PUT', '', { zone });
  expect(issue).toMatch(/^zone: /);
});
