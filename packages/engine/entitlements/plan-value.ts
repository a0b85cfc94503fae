/** The value that a plan sets of a property. */
import type { PropertyValue } from '#contracts/public/values';
import type { PreparedArtifact } from './prepared-artifact.ts';

/**
 * In a trial of the plan, with the limit of trials, which has no overage.
 * @param place of the property, among those that the plan sets
 * @param trials the plans that the customer has in a trial only; null: none
 */
export function planValueOf(
  { plans, properties }: PreparedArtifact,
  planIndex: number,
  place: number,
  trials: ReadonlySet<number> | null,
): PropertyValue | undefined {
  const plan = plans[planIndex];
  const index = plan?.propertyIndexes[place];
  if (plan === undefined || index === undefined) return undefined;
  const value = properties[index]?.choices[plan.choiceIndexes[place] ?? 0]?.value;
  const limit = trials?.has(planIndex) ? plan.trialLimits?.get(index) : undefined;
  if (limit === undefined || typeof value !== 'object' || value.state !== 'metered') return value;
  const { overage: _, ...meter } = value.meter;
  return { ...value, meter: { ...meter, limit } };
}
