/**
 * Explains a recorded answer: which plans decided each of its values. The answer's version and plans are known, but not the
 * overrides and workflows of that moment; a value that differs from what the plans say must come from one of them.
 */
import type { PropertyAnswer } from '#contracts/public/access';
import type { PropertyValue } from '#contracts/public/values';
import { type Explanation, explain } from './explain.ts';
import { planSetOf } from './plan-set.ts';
import type { PreparedArtifact } from './prepared-artifact.ts';
import { resolve } from './resolve.ts';

export interface ExplainedAnswer {
  readonly feature: string;
  readonly property: string;
  readonly value: PropertyAnswer;
  /** `other`: something besides the plans and the default. */
  readonly decidedBy: Explanation['decidedBy'] | 'other';
  readonly reason: string;
}

/** The values of an answer, by feature and property. */
export type AnsweredFeatures = Readonly<
  Record<string, { readonly properties: Readonly<Record<string, PropertyAnswer>> }>
>;

const OTHER = {
  decidedBy: 'other',
  reason: 'An override or a workflow set this value instead of the customer’s plans.',
} as const;

/**
 * In the order of the answer. Properties that the artifact does not have are left out.
 * @param planSlugs the plans that applied; unknown ones are ignored
 */
export function explainRecorded(
  prepared: PreparedArtifact,
  planSlugs: readonly string[],
  features: AnsweredFeatures,
): ExplainedAnswer[] {
  const indexes = new Set(planSlugs.flatMap((slug) => prepared.planIndexBySlug.get(slug) ?? []));
  const explanations = explain(resolve(prepared, planSetOf([...indexes].sort((one, other) => one - other))));
  return Object.entries(features).flatMap(([feature, { properties }]) =>
    Object.entries(properties).flatMap(([property, value]) => {
      const entry = prepared.featureBySlug.get(feature)?.propertyByKey.get(property);
      const explanation = entry && explanations[entry.index];
      if (explanation === undefined) return [];
      const { decidedBy, reason } = isAnswerOf(explanation.value, value) ? explanation : OTHER;
      return [{ feature, property, value, decidedBy, reason }];
    }),
  );
}

/** Whether an answer has this configured value. */
function isAnswerOf(value: PropertyValue, answer: PropertyAnswer): boolean {
  if (typeof answer !== 'object' || typeof value !== 'object') return answer === value;
  if (answer.state !== 'metered' || value.state !== 'metered') return answer.state === value.state;
  const { limit, periodType, periodCount, periodLength } = value.meter;
  return (
    answer.limit === limit &&
    answer.periodType === periodType &&
    answer.periodCount === (periodCount ?? null) &&
    answer.periodLength === (periodLength ?? null)
  );
}

/** Whether two answers say the same, apart from how much of a meter is used. */
export function isSameAnswer(one: PropertyAnswer, other: PropertyAnswer): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  if (one.state !== 'metered' || other.state !== 'metered') return one.state === other.state;
  return (
    one.allowed === other.allowed &&
    one.limit === other.limit &&
    one.periodType === other.periodType &&
    one.periodCount === other.periodCount &&
    one.periodLength === other.periodLength
  );
}
