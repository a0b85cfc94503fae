/** One feature with one property of three types, and a free and a pro plan that configure all of them. */
import type { PlanRow, PropertyRow, Workspace } from '#engine/artifacts/compile-artifact';
import { SYSTEM_PROPERTY } from '#engine/values/system-property';

export function planRow(id: string, slug: string, isAnonymous: boolean, isRegistered: boolean): PlanRow {
  return {
    id,
    slug,
    name: slug[0]!.toUpperCase() + slug.slice(1),
    description: null,
    grantToAnonymousSessions: isAnonymous,
    grantToAuthenticatedUsers: isRegistered,
    isAddOn: false,
  };
}

export function propertyRow(
  row: Pick<PropertyRow, 'id' | 'key' | 'type' | 'value'> & Partial<PropertyRow>,
): PropertyRow {
  return {
    featureId: 'feat_analytics',
    name: row.key,
    description: null,
    bounds: null,
    conflictResolution: 'higher',
    isSystem: false,
    ...row,
  };
}

const featureId = 'feat_analytics';
const monthly = {
  limit: 10,
  periodType: 'rolling',
  periodCount: 1,
  periodLength: 'month',
  uniqueResourceIds: false,
};

export const SMALL: Workspace = {
  features: [{ id: featureId, slug: 'analytics', name: 'Analytics', description: 'Charts of what happened' }],
  properties: [
    { ...SYSTEM_PROPERTY, id: 'prop_enabled', featureId },
    propertyRow({ id: 'prop_exports', key: 'exports', type: 'meterable', value: { state: 'on' } }),
    propertyRow({ id: 'prop_seats', key: 'seats', type: 'number', value: 0 }),
  ],
  plans: [planRow('plan_free', 'free', true, true), planRow('plan_pro', 'pro', false, false)],
  planValues: [
    { planId: 'plan_free', featureId, propertyId: 'prop_enabled', value: true },
    { planId: 'plan_free', featureId, propertyId: 'prop_exports', value: { state: 'off' } },
    { planId: 'plan_free', featureId, propertyId: 'prop_seats', value: 1 },
    { planId: 'plan_pro', featureId, propertyId: 'prop_enabled', value: true },
    {
      planId: 'plan_pro',
      featureId,
      propertyId: 'prop_exports',
      value: { state: 'metered', meter: monthly },
    },
    { planId: 'plan_pro', featureId, propertyId: 'prop_seats', value: 5 },
  ],
  planProducts: [{ planId: 'plan_pro', integrationId: 'int_1', productId: 'prod_1' }],
  workflows: [],
  limitOrder: 'limit',
};
