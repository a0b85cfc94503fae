/** What each one of a meter costs a customer. Of several plans that set the meter, the lowest cost applies, whichever limit does. */
import type { ArtifactPlan } from '../artifacts/artifact-content.ts';
import type { PreparedArtifact, PreparedCost, PreparedProperty } from './prepared-artifact.ts';
import type { Resolution } from './resolution.ts';

/** Null: nothing. */
export function costIn(
  { costs }: Pick<Resolution, 'costs'>,
  property: PreparedProperty,
): PreparedCost | null {
  return costs?.get(property.index) ?? property.cost;
}

/** What a plan that sets meters charges for them, by property index: its own cost, or the property’s. @returns null if none costs anything */
export function planCosts(
  { values }: ArtifactPlan,
  propertyById: ReadonlyMap<string, PreparedProperty>,
): ReadonlyMap<number, number> | null {
  const costs = values.flatMap(({ propertyId, value }) => {
    const property = propertyById.get(propertyId);
    if (property?.cost == null || typeof value !== 'object' || value.state === 'off') return [];
    const own = value.costs;
    return [[property.index, own ? Math.round(own.per * 1000) : property.cost.thousandths] as const];
  });
  return costs.length === 0 ? null : new Map(costs);
}

/** By the rule `lower` the highest cost applies. @returns null if the plans set nothing that costs anything */
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
