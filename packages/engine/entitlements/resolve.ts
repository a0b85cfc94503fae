/**
 * Resolves each property's value for a set of plans. Cached per plan set: most subjects of an environment share a few.
 */
import type { PropertyValue } from '#contracts/public/values';
import { compareValues } from '../merge/compare-values.ts';
import { multiplyValue } from '../merge/multiply-value.ts';
import { choiceOf } from './choice.ts';
import { ONCE, type PlanQuantities, type PlanSet } from './plan-set.ts';
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

function computeResolution(prepared: PreparedArtifact, { indexes, quantities }: PlanSet): Resolution {
  const planSlugs = indexes.flatMap((index) => prepared.plans[index]?.plan.slug ?? []);
  return {
    prepared,
    planIndexes: indexes,
    quantities,
    planSlugs,
    plansText: `"plans":${JSON.stringify(planSlugs)}${quantitiesText(prepared, quantities)}`,
    choices:
      quantities === null
        ? rankedChoices(prepared, indexes)
        : multipliedChoices(prepared, indexes, quantities),
    overrides: null,
    made: nothingMade(),
  };
}

function rankedChoices(prepared: PreparedArtifact, planIndexes: readonly number[]): Choice[] {
  const winners = winningChoices(prepared, planIndexes);
  return prepared.properties.map(({ choices }, index) => choices[winners[index] ?? 0] as Choice);
}

/** Multiplies first and merges then, so it compares values instead of ranks. */
function multipliedChoices(
  prepared: PreparedArtifact,
  planIndexes: readonly number[],
  quantities: PlanQuantities,
): Choice[] {
  const winners = new Map<number, Choice>();
  for (const planIndex of planIndexes) {
    const plan = prepared.plans[planIndex];
    for (const quantity of quantities.get(planIndex) ?? ONCE) {
      plan?.propertyIndexes.forEach((index, place) => {
        const entry = prepared.properties[index] as PreparedProperty;
        const configured = entry.choices[plan.choiceIndexes[place] ?? 0] as Choice;
        const value = multiplyValue(configured.value, quantity);
        const best = winners.get(index);
        const sign = entry.property.conflictResolution === 'higher' ? 1 : -1;
        if (best !== undefined && sign * compareValues(entry.type, value, best.value) <= 0) return;
        winners.set(index, value === configured.value ? configured : choiceOf(value));
      });
    }
  }
  return prepared.properties.map(({ choices }, index) => winners.get(index) ?? (choices[0] as Choice));
}

/** The member of an answer's `customer` that follows the plans; empty without quantities. */
function quantitiesText(prepared: PreparedArtifact, quantities: PlanQuantities | null): string {
  if (quantities === null) return '';
  const bySlug = [...quantities].map(([index, factors]) => {
    const slug = JSON.stringify(prepared.plans[index]?.plan.slug ?? '');
    return `${slug}:${JSON.stringify(factors)}`;
  });
  return `,"quantities":{${bySlug.join()}}`;
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
