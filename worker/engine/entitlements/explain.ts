/** Says for every property which plan, override or workflow decided its value, and why. Computed only when asked for. */
import type { PropertyValue } from '#contracts/values';
import type { PreparedProperty } from './prepared-artifact.ts';
import type { Resolution } from './resolution.ts';
import { resolvedValue } from './resolve.ts';

export interface Explanation {
  feature: string;
  property: string;
  value: PropertyValue;
  /** Slugs of the plans that configure this very value, or what stood in for them. */
  decidedBy: string[] | 'default' | { override: string };
  /** One sentence for people. */
  reason: string;
  /** What each plan of the subject that configures the property says. */
  candidates: { plan: string; value: PropertyValue }[];
}

/** In the artifact's order: feature by feature, property by property. */
export function explain(resolution: Resolution): Explanation[] {
  const { prepared, planIndexes } = resolution;
  const candidates = prepared.properties.map((): Candidate[] => []);
  for (const planIndex of planIndexes) {
    const plan = prepared.plans[planIndex];
    plan?.propertyIndexes.forEach((property, place) => {
      candidates[property]?.push({ plan: plan.plan.slug, choice: plan.choiceIndexes[place] ?? 0 });
    });
  }
  return prepared.properties.map((property) =>
    explainOne(resolution, property, candidates[property.index] ?? []),
  );
}

interface Candidate {
  plan: string;
  choice: number;
}

function explainOne(resolution: Resolution, entry: PreparedProperty, candidates: Candidate[]): Explanation {
  const override = resolution.overrides?.get(entry.index);
  const winner = candidates.reduce((best, { choice }) => Math.max(best, choice), 0);
  const deciding = candidates.filter(({ choice }) => choice === winner).map(({ plan }) => plan);
  const isContested = candidates.some(({ choice }) => choice !== winner);
  const { conflictResolution, key } = entry.property;
  let decidedBy: Explanation['decidedBy'] = deciding;
  let reason = `${listed(deciding)} ${deciding.length === 1 ? 'configures' : 'configure'} this value.`;
  if (override !== undefined) {
    decidedBy = { override: override.source };
    reason = `Set by ${override.source}, whatever the plans say.`;
  } else if (candidates.length === 0) {
    decidedBy = 'default';
    reason = 'None of the plans configures this property, so its default holds.';
  } else if (isContested) {
    reason = `The plans differ and the ${conflictResolution} value wins: that of ${listed(deciding)}.`;
  }
  return {
    feature: entry.feature.slug,
    property: key,
    value: resolvedValue(resolution, entry),
    decidedBy,
    reason,
    candidates: candidates.map(({ plan, choice }) => ({
      plan,
      value: entry.choices[choice]?.value ?? entry.property.value,
    })),
  };
}

function listed(slugs: readonly string[]): string {
  return slugs.map((slug) => `'${slug}'`).join(', ');
}
