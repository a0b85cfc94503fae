/**
 * Resolves each property's value for a set of plans. Cached per plan set: most subjects of an environment share a few.
 */
import type { PropertyValue } from '#contracts/public/values';
import { mergeValues } from '../merge/merge-values.ts';
import { multiplyValue } from '../merge/multiply-value.ts';
import { choiceOf } from './choice.ts';
import { mergedCosts } from './cost-in.ts';
import { ONCE, type PlanQuantities, type PlanSet } from './plan-set.ts';
import { planValueOf } from './plan-value.ts';
import type { Choice, PreparedArtifact, PreparedProperty } from './prepared-artifact.ts';
import { nothingMade, type Resolution } from './resolution.ts';
import { switchMeters } from './switched-meters.ts';

/** One step per property and configured value for a new plan set; one lookup for a cached one. */
export function resolve(prepared: PreparedArtifact, planSet: PlanSet): Resolution {
  const known = prepared.resolutions.get(planSet.key);
  if (known !== undefined) return known;
  const resolution = computeResolution(prepared, planSet);
  prepared.resolutions.set(planSet.key, resolution);
  return resolution;
}

/** The value of one property. */
export function resolvedValue({ choices }: Resolution, { index, property }: PreparedProperty): PropertyValue {
  return choices[index]?.value ?? property.value;
}

/** The value of one property, whether or not its feature is on. */
export function configuredValue(
  { configured }: Resolution,
  { index, property }: PreparedProperty,
): PropertyValue {
  return configured[index]?.value ?? property.value;
}

function computeResolution(prepared: PreparedArtifact, { indexes, quantities, trials }: PlanSet): Resolution {
  const planSlugs = indexes.flatMap((index) => prepared.plans[index]?.plan.slug ?? []);
  const configured =
    quantities === null && trials === null && !prepared.hasSums
      ? rankedChoices(prepared, indexes)
      : mergedChoices(prepared, indexes, quantities, trials);
  return {
    prepared,
    planIndexes: indexes,
    quantities,
    trials,
    planSlugs,
    plansText: `"plans":${JSON.stringify(planSlugs)}${quantitiesText(prepared, quantities)}`,
    configured,
    choices: switchMeters(prepared, configured),
    overrides: null,
    anchors: null,
    balances: null,
    opened: null,
    costs: mergedCosts(prepared, indexes),
    made: nothingMade(),
  };
}

function rankedChoices(prepared: PreparedArtifact, planIndexes: readonly number[]): Choice[] {
  const winners = winningChoices(prepared, planIndexes);
  return prepared.properties.map(({ choices }, index) => choices[winners[index] ?? 0] as Choice);
}

/** For what ranks cannot tell: limits trials, multiplies the values that plans configure, and merges them. */
function mergedChoices(
  prepared: PreparedArtifact,
  planIndexes: readonly number[],
  quantities: PlanQuantities | null,
  trials: ReadonlySet<number> | null,
): Choice[] {
  const configured = prepared.properties.map((): PropertyValue[] => []);
  for (const planIndex of planIndexes) {
    const plan = prepared.plans[planIndex];
    for (const quantity of quantities?.get(planIndex) ?? ONCE) {
      plan?.propertyIndexes.forEach((index, place) => {
        const property = prepared.properties[index];
        const value = planValueOf(prepared, planIndex, place, trials);
        if (property === undefined || value === undefined) return;
        configured[index]?.push(multiplyValue(property.type, value, quantity));
      });
    }
  }
  return prepared.properties.map(({ type, property, choices, index }) => {
    const rule = property.conflictResolution;
    const merged = mergeValues(type, rule, configured[index] ?? [], prepared.limitOrder);
    if (merged === undefined) return choices[0] as Choice;
    return choices.find(({ value }, place) => place > 0 && value === merged) ?? choiceOf(merged);
  });
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
