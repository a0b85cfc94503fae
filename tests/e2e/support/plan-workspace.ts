// Features and plans of the browser tests: made, filled and read through the API, with the cookies of the page.
import type { Page } from '@playwright/test';
import type { Feature } from '#contracts/console/features';
import { type PlanProperties, planEndpoints } from '#contracts/console/plans';
import {
  createFeature,
  createPlan,
  type PropertySpec,
  setPlanValues,
} from '../../../dev/workspace/build-workspace.ts';
import type { OwnOrganisation } from './own-organisation.ts';

export const seats: PropertySpec = { name: 'Seats', propertyKey: 'seats', type: 'meterable' };
export const exports: PropertySpec = {
  name: 'Exports a day',
  propertyKey: 'exportsADay',
  type: 'number',
  value: 1,
  bounds: { min: 0, max: 100, allowDecimal: false },
};
export const label: PropertySpec = { name: 'Label', propertyKey: 'label', type: 'string', value: 'basic' };
export const sharing: PropertySpec = { name: 'Sharing', propertyKey: 'sharing', type: 'boolean' };

/** The id of the property with that key. */
export const idOf = (feature: Feature, key: string) =>
  [...feature.systemFeatureProperties, ...feature.properties].find(({ propertyKey }) => propertyKey === key)!
    .id;

/** Calls of the API about plans of the test's organisation. */
export function planWorkspace({ workspace }: OwnOrganisation) {
  return {
    makePlan: (page: Page, name: string, slug: string) => createPlan(workspace(page), { name, slug }),
    /** With these properties, created in this order. */
    makeFeature: (page: Page, name: string, slug: string, properties: readonly PropertySpec[]) =>
      createFeature(workspace(page), { name, slug, properties }),
    /** What the plan's current version configures. */
    async valuesOf(page: Page, planId: string): Promise<PlanProperties> {
      const { session, orgId } = workspace(page);
      const params = { orgId, planId };
      const { currentVersion } = await session.call(planEndpoints.get, { params });
      const current = { ...params, version: String(currentVersion) };
      return (await session.call(planEndpoints.getVersion, { params: current })).properties;
    },
    /** @param currentVersion the version that the change is based on */
    saveValues: (page: Page, planId: string, currentVersion: number, properties: PlanProperties) =>
      setPlanValues(workspace(page), { planId, currentVersion }, properties),
  };
}
