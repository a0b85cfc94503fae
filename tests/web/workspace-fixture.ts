// Features, properties and versions of plans as the API returns them.
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { PlanProperties, PlanVersion } from '#contracts/console/plans';
import type { PropertyType, PropertyValue } from '#contracts/public/values';

export const property = (
  id: string,
  type: PropertyType,
  value: PropertyValue,
  more: Partial<FeatureProperty> = {},
): FeatureProperty => ({
  id,
  name: `Property ${id}`,
  propertyKey: id,
  description: null,
  type,
  value,
  bounds: null,
  conflictResolution: 'higher',
  costs: null,
  balanceOpens: false,
  createdAt: 0,
  updatedAt: 0,
  ...more,
});

export const feature = (id: string, properties: FeatureProperty[], name = id): Feature => ({
  id,
  name,
  slug: id.replaceAll('_', '-'),
  description: null,
  createdAt: 0,
  updatedAt: 0,
  properties,
  systemFeatureProperties: [
    property(`${id}_enabled`, 'boolean', false, { name: 'Enabled', propertyKey: 'enabled' }),
  ],
});

export const planVersion = (properties: PlanProperties, version = 1, planId = 'plan_1'): PlanVersion => ({
  planId,
  version,
  currentVersion: version,
  properties,
  createdAt: 0,
  createdByUserId: null,
});
