// Features and plans of the browser tests: made, filled and read through the API, with the cookies of the page.
import type { Page } from '@playwright/test';
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { Plan, PlanProperties, PlanVersion } from '#contracts/console/plans';
import type { OwnOrganisation } from './own-organisation.ts';

export const seats = { name: 'Seats', propertyKey: 'seats', type: 'meterable' };
export const exports = {
  name: 'Exports a day',
  propertyKey: 'exportsADay',
  type: 'number',
  value: 1,
  bounds: { min: 0, max: 100, allowDecimal: false },
};
export const label = { name: 'Label', propertyKey: 'label', type: 'string', value: 'basic' };
export const sharing = { name: 'Sharing', propertyKey: 'sharing', type: 'boolean' };

/** The id of the property with that key. */
export const idOf = (feature: Feature, key: string) =>
  [...feature.systemFeatureProperties, ...feature.properties].find(({ propertyKey }) => propertyKey === key)!
    .id;

/** Calls of the API about plans of the test's organisation. */
export function planWorkspace({ api }: OwnOrganisation) {
  return {
    makePlan: (page: Page, name: string, slug: string) => api<Plan>(page, 'POST', '/plans', { name, slug }),
    /** With these properties, created in this order. */
    async makeFeature(page: Page, name: string, slug: string, properties: object[]): Promise<Feature> {
      const feature = await api<Feature>(page, 'POST', '/features', { name, slug });
      for (const body of properties) {
        await api<FeatureProperty>(page, 'POST', `/features/${feature.id}/properties`, body);
      }
      return api<Feature>(page, 'GET', `/features/${feature.id}`);
    },
    /** What the plan's current version configures. */
    async valuesOf(page: Page, planId: string): Promise<PlanProperties> {
      const { currentVersion } = await api<Plan>(page, 'GET', `/plans/${planId}`);
      const path = `/plans/${planId}/versions/${currentVersion}`;
      return (await api<PlanVersion>(page, 'GET', path)).properties;
    },
    /** @param version the version that the change is based on */
    saveValues: (page: Page, planId: string, version: number, properties: PlanProperties) =>
      api<PlanVersion>(page, 'PUT', `/plans/${planId}/versions/${version}`, { properties }),
  };
}
