/** The values of the override editor, and the request that they make. */
import { type CustomerOverride, overridePropertySchema } from '#contracts/console/customers';
import type { FeatureProperty } from '#contracts/console/features';
import type { PropertyValue } from '#contracts/public/values';
import { checkForm, type FormErrors } from '#web/api/check-form.ts';
import { checkValueForm, readValue } from '#web/values/check-value-form.ts';
import type { ValueDraft } from '#web/values/value-draft.ts';
import { type EntryTerms, newTerms, termsBody } from '../manual/manual-entry-fields.tsx';
import { writeInstant } from '../manual/written-instant.ts';

export interface OverrideValues extends EntryTerms {
  value: ValueDraft;
}

/**
 * The values that the editor starts with. An override starts with its own value: a workflow or the property's bounds may
 * decide another one.
 * @param override the one to change; undefined: a new one
 * @param value that applies now
 * @param environmentId the one that is looked at: a new override is for it
 */
export function overrideStart(
  override: CustomerOverride | undefined,
  value: PropertyValue,
  environmentId: string,
): OverrideValues {
  if (override === undefined) return { value, ...newTerms(environmentId) };
  const { until, reason } = override;
  return {
    value: override.value,
    environmentId: override.environmentId,
    until: until === null ? '' : writeInstant(until),
    reason,
  };
}

/** `validate` reports an unreadable value, so null is never sent. */
export function overrideBody(property: FeatureProperty, values: OverrideValues) {
  const value = readValue(property, values.value) as PropertyValue;
  return { propertyId: property.id, value, ...termsBody(values) };
}

/** Errors of the value are keyed by `value` and by paths that begin with it. */
export function checkOverride(property: FeatureProperty, values: OverrideValues): FormErrors {
  const { value: _, ...found } = checkForm(overridePropertySchema)(overrideBody(property, values));
  const ofValue = Object.entries(checkValueForm(property, values.value)).map(([path, message]) => [
    path === '' ? 'value' : `value.${path}`,
    message,
  ]);
  return { ...found, ...Object.fromEntries(ofValue) };
}
