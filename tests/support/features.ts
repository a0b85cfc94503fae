// Features and properties of a tenant, created through the API, and calls that it refuses.
import type { Feature, FeatureProperty } from '#contracts/console/features';
import { expectRefused } from './refusals.ts';
import type { Tenant } from './tenants.ts';

/** A feature that everyone has: its default is on. */
export async function newFeatureForAll(tenant: Tenant, body: object): Promise<Feature> {
  const feature = await tenant.make<Feature>('POST', '/features', body);
  for (const { id } of feature.systemFeatureProperties) {
    await tenant.make('PUT', `/features/${feature.id}/system-properties/${id}`, { value: true });
  }
  return feature;
}

/** @param tenantOf the tenant of the running test */
export function featureCalls(tenantOf: () => Tenant) {
  let serial = 0;
  return {
    newFeature(): Promise<Feature> {
      serial += 1;
      const body = { name: `Feature ${serial}`, slug: `feature-${serial}` };
      return tenantOf().make<Feature>('POST', '/features', body);
    },
    newProperty(feature: Feature, body: object): Promise<FeatureProperty> {
      const path = `/features/${feature.id}/properties`;
      return tenantOf().make<FeatureProperty>('POST', path, { name: 'Some property', ...body });
    },
    refused: (status: number, method: string, path: string, body?: unknown) =>
      expectRefused(tenantOf(), status, method, path, body),
  };
}
