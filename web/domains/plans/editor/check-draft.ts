/** Validates a plan's values before they are sent, in the order of the page. */
import type { Feature, FeatureProperty } from '#contracts/console/features';
import type { PlanProperties } from '#contracts/console/plans';
import type { Issue } from '#contracts/public/errors';
import { checkValueForm, NO_VALUE_ERRORS, type ValueErrors } from '#web/values/check-value-form.ts';
import type { FeatureDraft, PlanDraft } from './plan-draft.ts';

export type Problem =
  | { readonly kind: 'missing-feature'; readonly featureId: string }
  | { readonly kind: 'removed-properties'; readonly featureId: string }
  | { readonly kind: 'value'; readonly featureId: string; readonly propertyId: string };

/** The system property comes first. */
export function propertiesOf(feature: Feature): FeatureProperty[] {
  return [...feature.systemFeatureProperties, ...feature.properties];
}

/** Features of the draft that have been deleted. */
export function missingFeatures(draft: PlanDraft, features: readonly Feature[]): string[] {
  const known = new Set(features.map(({ id }) => id));
  return [...draft.keys()].filter((id) => !known.has(id));
}

/** Properties of the draft that have been deleted from the feature. */
export function removedProperties(values: FeatureDraft, properties: readonly FeatureProperty[]): string[] {
  if (values.size === 0) return [];
  const known = new Set(properties.map(({ id }) => id));
  return [...values.keys()].filter((id) => !known.has(id));
}

/** The problems: deleted features first, then by feature in the order of `features`. Empty if the draft is valid. */
export function findProblems(draft: PlanDraft, features: readonly Feature[]): Problem[] {
  const problems: Problem[] = missingFeatures(draft, features).map((featureId) => ({
    kind: 'missing-feature',
    featureId,
  }));
  for (const feature of features) {
    const values = draft.get(feature.id);
    if (values === undefined) continue;
    const properties = propertiesOf(feature);
    if (removedProperties(values, properties).length > 0) {
      problems.push({ kind: 'removed-properties', featureId: feature.id });
    }
    for (const property of properties) {
      const entry = values.get(property.id);
      if (entry === undefined || checkValueForm(property, entry.value) === NO_VALUE_ERRORS) continue;
      problems.push({ kind: 'value', featureId: feature.id, propertyId: property.id });
    }
  }
  return problems;
}

export const rowKey = (featureId: string, propertyId: string) => `${featureId} ${propertyId}`;

export interface Refusal {
  readonly featureId: string;
  readonly propertyId: string;
  readonly errors: ValueErrors;
}

/**
 * The server's errors by row. The server may know of changes to features that the page has not loaded yet. Paths are
 * `properties.<featureId>.<index>.<field>` of the request. Errors about a whole feature are skipped: the page shows the
 * feature as missing once it has refetched.
 */
export function refusalsOf(issues: readonly Issue[], sent: PlanProperties): Refusal[] {
  const values = new Map(Object.entries(sent));
  const refusals = new Map<string, Refusal>();
  for (const { path, message } of issues) {
    const [, featureId = '', index = '', , ...within] = path.split('.');
    const propertyId = index === '' ? undefined : values.get(featureId)?.[Number(index)]?.id;
    if (propertyId === undefined) continue;
    const key = rowKey(featureId, propertyId);
    const errors = { [within.join('.')]: message, ...refusals.get(key)?.errors };
    refusals.set(key, { featureId, propertyId, errors });
  }
  return [...refusals.values()];
}
