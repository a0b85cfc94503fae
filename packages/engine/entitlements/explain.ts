/** Explains for every property which plan, override or workflow decided its value. Computed only on request. */
import type { PlanSource } from '#contracts/public/access';
import type { PropertyValue } from '#contracts/public/values';
import { usedOf } from '../metering/read-meter.ts';
import type { PlanSources } from './plan-sources.ts';
import type { PreparedProperty } from './prepared-artifact.ts';
import type { Readings } from './render-features.ts';
import type { Resolution } from './resolution.ts';
import { resolvedValue } from './resolve.ts';

export interface Explanation {
  feature: string;
  property: string;
  value: PropertyValue;
  /** Of a meterable property whose usage was read. */
  used?: number;
  /** Slugs of the plans that configure this value, or what replaced them. */
  decidedBy: string[] | 'default' | { override: string };
  /** One sentence for people. */
  reason: string;
  /** The value from each of the subject's plans that configures the property, and why the subject has the plan. */
  candidates: { plan: string; value: PropertyValue; from: PlanSource[] }[];
}

const NO_SOURCES: PlanSources = new Map();

/** In the artifact's order of features and properties. */
export function explain(
  resolution: Resolution,
  sources: PlanSources = NO_SOURCES,
  readings: Readings | null = null,
): Explanation[] {
  const { prepared, planIndexes } = resolution;
  const candidates = prepared.properties.map((): Candidate[] => []);
  for (const planIndex of planIndexes) {
    const plan = prepared.plans[planIndex];
    plan?.propertyIndexes.forEach((property, place) => {
      candidates[property]?.push({
        plan: plan.plan.slug,
        choice: plan.choiceIndexes[place] ?? 0,
        from: sources.get(planIndex) ?? [],
      });
    });
  }
  return prepared.properties.map((property) =>
    explainOne(resolution, property, candidates[property.index] ?? [], readings),
  );
}

interface Candidate {
  plan: string;
  choice: number;
  from: readonly PlanSource[];
}

function explainOne(
  resolution: Resolution,
  entry: PreparedProperty,
  candidates: Candidate[],
  readings: Readings | null,
): Explanation {
  const reading = readings?.get(entry.property.id);
  const override = resolution.overrides?.get(entry.index);
  const winner = candidates.reduce((best, { choice }) => Math.max(best, choice), 0);
  const winning = candidates.filter(({ choice }) => choice === winner);
  const deciding = winning.map(({ plan }) => plan);
  const isContested = candidates.some(({ choice }) => choice !== winner);
  const { conflictResolution, key } = entry.property;
  let decidedBy: Explanation['decidedBy'] = deciding;
  let reason = `Set by the ${deciding.length === 1 ? 'plan' : 'plans'} ${listed(deciding)}.`;
  if (override !== undefined) {
    decidedBy = { override: override.source };
    reason = overrideReason(override.source);
  } else if (candidates.length === 0) {
    decidedBy = 'default';
    reason = 'No plan sets this property, so its default applies.';
  } else if (isContested) {
    reason = `The plans differ. The ${conflictResolution} value wins, set by ${listed(deciding)}.`;
  }
  if (override === undefined) reason += winning.map(subscribed).join('');
  return {
    feature: entry.feature.slug,
    property: key,
    value: resolvedValue(resolution, entry),
    ...(reading !== undefined && { used: usedOf(reading) }),
    decidedBy,
    reason,
    candidates: candidates.map(({ plan, choice, from }) => ({
      plan,
      value: entry.choices[choice]?.value ?? entry.property.value,
      from: [...from],
    })),
  };
}

/** @param source an override's */
export function overrideReason(source: string): string {
  return `Set by ${source}, which takes precedence over every plan.`;
}

/** A further sentence if the plan comes with subscriptions. */
function subscribed({ plan, from }: Candidate): string {
  const products = from.flatMap(({ kind, productId, subscriptionId }) =>
    kind === 'subscription' ? [`${productId} of ${subscriptionId}`] : [],
  );
  return products.length === 0 ? '' : ` '${plan}' comes with ${products.join(' and ')}.`;
}

/** For example "'free', 'starter' and 'team'". */
function listed(slugs: readonly string[]): string {
  const quoted = slugs.map((slug) => `'${slug}'`);
  const rest = quoted.slice(0, -1);
  return rest.length === 0 ? quoted.join() : `${rest.join(', ')} and ${quoted.at(-1)}`;
}
