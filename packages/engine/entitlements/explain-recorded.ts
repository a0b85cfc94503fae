/**
 * Explains a recorded answer: what decided each of its values. The answer's version, plans and workflow executions are known, but
 * not the overrides of that moment; a value that neither the workflows nor the plans explain must come from one of them.
 */
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { PropertyAnswer } from '#contracts/public/access';
import type { PropertyValue } from '#contracts/public/values';
import { SYSTEM_PROPERTY } from '../values/system-property.ts';
import { type Explanation, explain, overrideReason } from './explain.ts';
import { OVERRIDE, workflowSource } from './override-values.ts';
import { planSetOf } from './plan-set.ts';
import type { PreparedArtifact } from './prepared-artifact.ts';
import { resolve } from './resolve.ts';

export interface ExplainedAnswer {
  readonly feature: string;
  readonly property: string;
  readonly value: PropertyAnswer;
  /** `other`: an override, or a workflow whose result was not stored. */
  readonly decidedBy: Explanation['decidedBy'] | 'other';
  readonly reason: string;
}

/** The plans of an answer: its `customer`. */
export interface AnsweredPlans {
  /** Slugs; unknown ones are ignored. */
  readonly plans: readonly string[];
  /** By slug. */
  readonly quantities?: Readonly<Record<string, readonly number[]>> | undefined;
}

/** The values of an answer, by feature and property. */
export type AnsweredFeatures = Readonly<
  Record<string, { readonly properties: Readonly<Record<string, PropertyAnswer>> }>
>;

const OTHER = {
  decidedBy: 'other',
  reason:
    'An override or a workflow set this value instead of the customer’s plans, or plans changed within the period.',
} as const;

/** What a workflow returned for its feature. */
interface Behaviour {
  readonly workflow: string;
  readonly feature: string;
  readonly values: ReadonlyMap<string, unknown>;
}

/**
 * In the order of the answer. Properties that the artifact does not have are left out.
 * @param executions of the workflows that ran in the check
 */
export function explainRecorded(
  prepared: PreparedArtifact,
  { plans, quantities }: AnsweredPlans,
  features: AnsweredFeatures,
  executions: readonly WorkflowExecution[],
): ExplainedAnswer[] {
  const behaviours = executions.flatMap(behaviourOf);
  const isSwitched = prepared.content.switchesMeters === true;
  const beyondPlans = executions.some(isUnknown) ? OTHER : decidedBy(OVERRIDE);
  const indexOf = (slug: string) => prepared.planIndexBySlug.get(slug) ?? [];
  const indexes = [...new Set(plans.flatMap(indexOf))].sort((one, other) => one - other);
  const times = Object.entries(quantities ?? {}).flatMap(([slug, factors]) =>
    [indexOf(slug)].flat().map((index) => [index, factors] as const),
  );
  const explainAs = (trials: readonly number[]) =>
    explain(
      resolve(
        prepared,
        planSetOf(
          indexes,
          [],
          times.length === 0 ? null : new Map(times),
          trials.length === 0 ? null : new Set(trials),
        ),
      ),
    );
  const explanations = explainAs([]);
  // Which plans were in a trial is not recorded: those of the answer's limits.
  const inTrial = indexes.filter((index) => prepared.plans[index]?.trialLimits != null);
  const ofTrials = inTrial.length === 0 ? [] : explainAs(inTrial);
  return Object.entries(features).flatMap(([feature, { properties }]) =>
    Object.entries(properties).flatMap(([property, value]) => {
      const entry = prepared.featureBySlug.get(feature)?.propertyByKey.get(property);
      const found = entry && [explanations[entry.index], ofTrials[entry.index]];
      const explanation = found?.find((each) => each && isAnswerOf(each.value, value)) ?? found?.[0];
      if (explanation === undefined) return [];
      const setBy = behaviours.findLast(
        (each) =>
          each.feature === feature &&
          (each.values.get(property) === value || (isSwitched && isOff(value) && isTurnedOff(each))),
      );
      const decision =
        setBy !== undefined
          ? decidedBy(workflowSource(setBy.workflow))
          : isAnswerOf(explanation.value, value)
            ? explanation
            : beyondPlans;
      return [{ feature, property, value, decidedBy: decision.decidedBy, reason: decision.reason }];
    }),
  );
}

function decidedBy(source: string): Pick<Explanation, 'decidedBy' | 'reason'> {
  return { decidedBy: { override: source }, reason: overrideReason(source) };
}

function behaviourOf({ success, workflowName, input, result }: WorkflowExecution): Behaviour[] {
  const feature = fieldOf(fieldOf(input, 'feature'), 'slug');
  if (!success || typeof feature !== 'string' || typeof result !== 'object' || result === null) return [];
  return [{ workflow: workflowName, feature, values: new Map(Object.entries(result)) }];
}

/** Whether the workflow turned its feature off, and the feature's meters with it. */
const isTurnedOff = ({ values }: Behaviour) => values.get(SYSTEM_PROPERTY.key) === false;
const isOff = (value: PropertyAnswer) => typeof value === 'object' && value.state === 'off';

/** Whether the workflow may have set values that were not stored. */
function isUnknown({ success, input, isResultDropped = false }: WorkflowExecution): boolean {
  return success && (input === null || (isResultDropped && fieldOf(input, 'feature') !== undefined));
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
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
