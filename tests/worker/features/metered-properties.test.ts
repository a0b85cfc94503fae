// A version has a limited number of metered properties. Workspaces of earlier releases may have more, which stay deployed.
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { Feature } from '#contracts/console/features';
import type { ErrorBody } from '#contracts/public/errors';
import { featureCalls } from '#tests/support/features';
import { newTenant, publishAll, type Tenant } from '#tests/support/tenants';

let tenant: Tenant;
const { newFeature, newProperty, refused } = featureCalls(() => tenant);

/** As an earlier release stored them. */
async function storeMeters(feature: Feature, count: number): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
    INSERT INTO feature_property
      (id, org_id, feature_id, property_key, name, type, value, conflict_resolution, is_system, created_at, updated_at)
    SELECT 'prop_' || ?2 || i, ?1, ?2, 'meter-' || i, 'Meter', 'meterable', '{"state":"on"}', 'higher', 0, 1, 1 FROM n`,
  )
    .bind(tenant.orgId, feature.id, count)
    .run();
}

test('at most 1,000 are added; a version of more stays deployed, and the next is refused by name', async () => {
  tenant = await newTenant();
  const earlier = await newFeature();
  await storeMeters(earlier, 999);
  const feature = await newFeature();
  const path = `/features/${feature.id}/properties`;
  await newProperty(feature, { propertyKey: 'last', type: 'meterable' });

  const more = { propertyKey: 'seats', name: 'Seats', type: 'meterable' };
  await refused(409, 'POST', path, more);
  const { body } = await tenant.call<ErrorBody>('POST', path, more);
  expect(body.message).toBe(
    '"seats" would be one too many. A version can have at most 1,000 metered properties.',
  );
  await newProperty(feature, { propertyKey: 'other', type: 'number' });
  const allowed = await tenant.make<Artifact>('POST', '/artifacts', {});
  expect(allowed.artifactNumber).toBe(1);

  const further = await newFeature();
  await storeMeters(further, 1);
  await newProperty(further, { propertyKey: 'changed', type: 'boolean' });
  await publishAll(tenant);
  const { status, body: lost } = await tenant.call<ErrorBody>('POST', '/artifacts', {});
  expect(status).toBe(409);
  expect(lost.message).toMatch(
    /^A version can have at most 1,000 metered properties\. The workspace has 1,001: delete "feature-\d\.[a-z0-9-]+" or others first\.$/,
  );
  expect(await tenant.make<Artifact[]>('GET', '/artifacts')).toMatchObject([{ artifactNumber: 1 }]);
});
