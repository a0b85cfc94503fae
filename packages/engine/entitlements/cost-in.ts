/** What each one of a meter costs a customer. Of several plans that set the meter, the lowest cost applies, whichever limit does. */
import type { ArtifactPlan } from '../artifacts/artifact-content.ts';
import { planCostsOf } from '../values/kinds/plan-costs.ts';
import type { PreparedArtifact, PreparedCost, PreparedProperty } from './prepared-artifact.ts';
import type { Resolution } from './resolution.ts';

/** Null: nothing. */
export function costIn(
  { costs }: Pick<Resolution, 'costs'>,
  property: PreparedProperty,
): PreparedCost | null {
  return costs?.get(property.index) ?? property.cost;
}

/** Properties for which any plan says what one costs. */
export function propertiesWithPlanCosts(plans: readonly ArtifactPlan[]): ReadonlySet<string> {
  const said = plans.flatMap(({ values }) =>
    values.filter(({ value }) => typeof value === 'object' && planCostsOf(value) !== undefined),
  );
  return new Set(said.map(({ propertyId }) => propertyId));
}

/**
 * What a plan that sets a meter charges, by property index: its own cost, or the property’s.
 * @param said the properties for which any plan says a cost
 * @returns null if it sets none of them
 */
export function planCosts(
  { values }: ArtifactPlan,
  propertyById: ReadonlyMap<string, PreparedProperty>,
  said: ReadonlySet<string>,
): ReadonlyMap<number, number> | null {
  if (said.size === 0) return null;
  const costs = values.flatMap(({ propertyId, value }) => {
    const property = propertyById.get(propertyId);
    if (!said.has(propertyId) || property?.cost == null) return [];
    if (typeof value !== 'object' || value.state === 'off') return [];
    const { costs: own } = value;
    const thousandths = own === undefined ? property.cost.thousandths : Math.round(own.per * 1000);
    return [[property.index, thousandths] as const];
  });
  return costs.length === 0 ? null : new Map(costs);
}

/** By the rule `lower` the highest cost applies. @returns null if no plan of the customer says any */
export function mergedCosts(
  { plans, properties }: Pick<PreparedArtifact, 'plans' | 'properties'>,
  planIndexes: readonly number[],
): ReadonlyMap<number, PreparedCost> | null {
  let merged: Map<number, PreparedCost> | null = null;
  for (const planIndex of planIndexes) {
    for (const [index, thousandths] of plans[planIndex]?.costs ?? []) {
      const property = properties[index];
      if (property?.cost == null) continue;
      merged ??= new Map();
      const known = merged.get(index)?.thousandths ?? thousandths;
      const pick = property.property.conflictResolution === 'lower' ? Math.max : Math.min;
      merged.set(index, { ...property.cost, thousandths: pick(known, thousandths) });
    }
  }
  return merged;
}
