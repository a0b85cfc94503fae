// The version of the documented workspace (tests/conformance/README.md), as the console exports it.
import type { PropertyValue } from '#contracts/public/values';
import { compileArtifact, type PlanRow, type PropertyRow } from '#engine/artifacts/compile-artifact';
import { SYSTEM_PROPERTY } from '#engine/values/system-property';

export const perMonth: PropertyValue = {
  state: 'metered',
  meter: {
    limit: 100,
    periodType: 'rolling',
    periodCount: 1,
    periodLength: 'month',
    uniqueResourceIds: false,
  },
};
export const tenSeats: PropertyValue = {
  state: 'metered',
  meter: { limit: 10, periodType: 'lifetime', uniqueResourceIds: true },
};
const off: PropertyValue = { state: 'off' };

/** By feature and property: the default, then the values of `free` and `team`, where they set one. */
const workspace: Record<string, Record<string, readonly [PropertyValue, PropertyValue?, PropertyValue?]>> = {
  dashboards: {
    enabled: [false, true, true],
    maxDashboards: [3, undefined, 25],
    publicSharing: [false, undefined, true],
  },
  'data-exports': {
    enabled: [false, undefined, true],
    exports: [off, undefined, perMonth],
    formats: ['csv', undefined, 'csv,xlsx'],
  },
  'team-seats': {
    enabled: [false, undefined, true],
    seats: [off, undefined, tenSeats],
    guests: [false, undefined, true],
  },
};

export function documentedVersion() {
  const properties = Object.entries(workspace).flatMap(([slug, own]) =>
    Object.entries(own).map(([key, [value, free, team]]) => ({
      featureId: `feat_${slug}`,
      id: `prop_${slug}_${key}`,
      key,
      value,
      free,
      team,
    })),
  );
  const plan = (slug: string, grants: Partial<PlanRow>): PlanRow => ({
    id: `plan_${slug}`,
    slug,
    name: slug,
    description: null,
    grantToAnonymousSessions: false,
    grantToAuthenticatedUsers: false,
    isAddOn: false,
    ...grants,
  });
  return compileArtifact({
    features: Object.keys(workspace).map((slug) => ({
      id: `feat_${slug}`,
      slug,
      name: slug,
      description: null,
    })),
    properties: properties.map(({ free: _free, team: _team, ...row }): PropertyRow => {
      if (row.key === SYSTEM_PROPERTY.key)
        return { ...SYSTEM_PROPERTY, id: row.id, featureId: row.featureId };
      const type = typeof row.value === 'object' ? 'meterable' : (typeof row.value as PropertyRow['type']);
      return {
        ...row,
        type,
        name: row.key,
        description: null,
        bounds: null,
        conflictResolution: 'higher',
        isSystem: false,
      };
    }),
    plans: [
      plan('free', { grantToAnonymousSessions: true }),
      plan('team', { grantToAuthenticatedUsers: true }),
    ],
    planValues: properties.flatMap(({ id, featureId, free, team }) => [
      ...(free === undefined ? [] : [{ planId: 'plan_free', featureId, propertyId: id, value: free }]),
      ...(team === undefined ? [] : [{ planId: 'plan_team', featureId, propertyId: id, value: team }]),
    ]),
    planProducts: [],
    workflows: [],
    limitOrder: 'rate',
  });
}
