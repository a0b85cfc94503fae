/**
 * Resolves each property's value for a set of plans. Cached per plan set: most subjects of an environment share a few.
 */
import type { PropertyValue } from '#contracts/public/values';
import type { PlanSet } from './plan-set.ts';
import type { Choice, PreparedArtifact, PreparedProperty } from './prepared-artifact.ts';
import { nothingMade, type Resolution } from './resolution.ts';

/** One step per property and configured value for a new plan set; one lookup for a cached one. */
export function resolve(prepared: PreparedArtifact, planSet: PlanSet): Resolution {
  const known = prepared.resolutions.get(planSet.key);
  if (known !== undefined) return known;
  const resolution = computeResolution(prepared, planSet);
  prepared.resolutions.set(planSet.key, resolution);
  return resolution;
}

/** The value of one property. */
export function resolvedValue(resolution: Resolution, property: PreparedProperty): PropertyValue {
  return resolution.choices[property.index]?.value ?? property.property.value;
}

function computeResolution(prepared: PreparedArtifact, planSet: PlanSet): Resolution {
  const winners = winningChoices(prepared, planSet.indexes);
  const planSlugs = planSet.indexes.flatMap((index) => prepared.plans[index]?.plan.slug ?? []);
  return {
    prepared,
    planIndexes: planSet.indexes,
    planSlugs,
    planSlugsText: JSON.stringify(planSlugs),
    choices: prepared.properties.map(({ choices }, index) => choices[winners[index] ?? 0] as Choice),
    overrides: null,
    made: nothingMade(),
  };
}

/** Choices are in ascending order of precedence with the default at 0, so the highest index wins. */
function winningChoices(prepared: PreparedArtifact, planIndexes: readonly number[]): Uint32Array {
  const winners = new Uint32Array(prepared.properties.length);
  for (const planIndex of planIndexes) {
    const plan = prepared.plans[planIndex];
    if (plan === undefined) continue;
    const { propertyIndexes, choiceIndexes } = plan;
    for (let place = 0; place < propertyIndexes.length; place++) {
      const property = propertyIndexes[place] as number;
      const choice = choiceIndexes[place] as number;
      if (choice > (winners[property] as number)) winners[property] = choice;
    }
  }
  return winners;
}
