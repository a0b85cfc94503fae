// Artifacts of many features, as text.

import type { PropertyValue } from '#contracts/public/values';
import type { ArtifactContent, ArtifactFeature, ArtifactPlan } from '#engine/artifacts/artifact-content';

export const SMALL_FEATURES = 20;
export const LARGE_FEATURES = 500;
export const METERS = 5;
/** Plans of a version of many meters, which differ in one limit. */
export const METER_PLANS = 12;
export const MANY_METERS = [1_000, 4_000] as const;
export const METER_PROPERTIES = Array.from({ length: METERS }, (_, index) => `prop_${index}_3`);
const PLANS = 4;
const TEXT = 'What this is for, in as many words as people use.';

const meter = { limit: 1_000_000_000, periodType: 'lifetime', uniqueResourceIds: false } as const;

/** Features of three properties, the first of which have a meter, and plans that set all of them. */
export function artifactOf(features: number, isMetered: boolean): string {
  const content: ArtifactContent = {
    formatVersion: 1,
    features: Array.from({ length: features }, (_, index) => featureOf(index, isMetered)),
    plans: Array.from({ length: PLANS }, (_, index) => planOf(index, features, isMetered)),
    workflows: [],
  };
  return JSON.stringify(content);
}

function valuesOf(feature: number, isMetered: boolean): PropertyValue[] {
  const values: PropertyValue[] = [feature % 2 === 0, 100 + feature, 'csv,xlsx'];
  return isMetered && feature < METERS ? [...values, { state: 'metered', meter } as never] : values;
}

function featureOf(feature: number, isMetered: boolean): ArtifactFeature {
  return {
    id: `feat_${feature}`,
    slug: `feature-${feature}`,
    name: `Feature ${feature}`,
    description: TEXT,
    properties: valuesOf(feature, isMetered).map((value, index) => ({
      id: `prop_${feature}_${index}`,
      key: `property${index}`,
      name: `Property ${index}`,
      description: TEXT,
      type: index === 3 ? 'meterable' : ((['boolean', 'number', 'string'] as const)[index] ?? 'string'),
      value,
      bounds: null,
      conflictResolution: 'higher',
      isSystem: index === 0,
    })),
  };
}

function planOf(plan: number, features: number, isMetered: boolean): ArtifactPlan {
  return {
    id: `plan_${plan}`,
    slug: `plan-${plan}`,
    name: `Plan ${plan}`,
    description: TEXT,
    grantToAnonymousSessions: plan === 0,
    grantToAuthenticatedUsers: plan <= 1,
    values: Array.from({ length: features }, (_, feature) =>
      valuesOf(feature, isMetered).map((value, index) => ({
        featureId: `feat_${feature}`,
        propertyId: `prop_${feature}_${index}`,
        value: typeof value === 'number' ? value + plan : value,
      })),
    ).flat(),
    products: [{ integrationId: 'int_stripe', productId: `prod_${plan}` }],
  };
}

/** Meters in features of fifty, and plans that set all of them and differ in one limit. */
export function manyMeters(meters: number): string {
  const idOf = (index: number) => `prop_${String(index).padStart(26, '0')}`;
  const monthly = (limit: number) =>
    ({
      state: 'metered',
      meter: {
        limit,
        periodType: 'rolling',
        periodLength: 'month',
        periodCount: 1,
        uniqueResourceIds: false,
      },
    }) as const;
  const content: ArtifactContent = {
    formatVersion: 1,
    features: Array.from({ length: meters / 50 }, (_, feature) => ({
      id: `feat_${feature}`,
      slug: `feature-${feature}`,
      name: `Feature ${feature}`,
      description: null,
      properties: Array.from({ length: 50 }, (__, index) => ({
        id: idOf(feature * 50 + index),
        key: `meter${index}`,
        name: `Meter ${index}`,
        description: null,
        type: 'meterable' as const,
        value: monthly(1_000),
        bounds: null,
        conflictResolution: 'higher' as const,
        isSystem: false,
      })),
    })),
    plans: Array.from({ length: METER_PLANS }, (_, plan) => ({
      id: `plan_${plan}`,
      slug: `plan-${plan}`,
      name: `Plan ${plan}`,
      description: null,
      grantToAnonymousSessions: false,
      grantToAuthenticatedUsers: false,
      values: [{ featureId: 'feat_0', propertyId: idOf(0), value: monthly(2_000 + plan) }],
      products: [{ integrationId: 'int_stripe', productId: `prod_${plan}`, timesQuantity: true }],
    })),
    workflows: [],
  };
  return JSON.stringify(content);
}
