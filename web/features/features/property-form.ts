/** What is entered of a property, checked by the rules of the contracts and the engine, and turned into requests. */
import { createPropertySchema, type FeatureProperty } from '#contracts/features';
import type { ConflictResolution, NumberBounds, PropertyType, PropertyValue } from '#contracts/values';
import { checkBounds } from '#engine/values/check-bounds';
import { checkForm, type FormErrors } from '../../api/check-form.ts';
import { changedFields } from '../../api/merge-edits.ts';
import { checkValueForm, readValue } from '../../values/check-value-form.ts';
import type { ValueDraft } from '../../values/value-draft.ts';

export interface PropertyFormValues {
  readonly name: string;
  readonly propertyKey: string;
  readonly description: string;
  readonly type: PropertyType;
  readonly value: ValueDraft;
  /** Of numbers; null where nothing is entered, NaN where it cannot be read. */
  readonly min: number | null;
  readonly max: number | null;
  readonly allowDecimal: boolean;
  readonly conflictResolution: ConflictResolution;
}

export const PROPERTY_FIELD_WORDS: Record<keyof PropertyFormValues, string> = {
  name: 'Name',
  propertyKey: 'Key',
  description: 'Description',
  type: 'Type',
  value: 'Default value',
  min: 'Minimum',
  max: 'Maximum',
  allowDecimal: 'Decimals',
  conflictResolution: 'When plans differ',
};

export const NEW_PROPERTY: PropertyFormValues = {
  name: '',
  propertyKey: '',
  description: '',
  type: 'boolean',
  value: false,
  min: null,
  max: null,
  allowDecimal: false,
  conflictResolution: 'higher',
};

export function formValuesOf(property: FeatureProperty): PropertyFormValues {
  const { name, propertyKey, description, type, value, bounds, conflictResolution } = property;
  return {
    name,
    propertyKey,
    description: description ?? '',
    type,
    value,
    min: bounds?.min ?? null,
    max: bounds?.max ?? null,
    allowDecimal: bounds?.allowDecimal ?? true,
    conflictResolution,
  };
}

/** Null where anything goes, and for whatever is no number. */
export function boundsOf({ type, min, max, allowDecimal }: PropertyFormValues): NumberBounds | null {
  if (type !== 'number' || (min === null && max === null && allowDecimal)) return null;
  return { ...(min !== null && { min }), ...(max !== null && { max }), allowDecimal };
}

/** Of a property that stands already the key is fixed, of a system property all but its default and its rule. */
export type PropertyKind = 'new' | 'standing' | 'system';

const described = createPropertySchema.pick({ name: true, propertyKey: true, description: true });

/** Keyed by field; what is wrong within the value by 'value.meter.limit' and so on. */
export function checkPropertyForm(values: PropertyFormValues, kind: PropertyKind): FormErrors {
  const { name, propertyKey, description, type, value } = values;
  const errors: FormErrors =
    kind === 'system' ? {} : checkForm(described)({ name, propertyKey, description });
  if (kind === 'standing') delete errors.propertyKey;
  const bounds = boundsOf(values);
  for (const { path, message } of checkBounds(bounds)) errors[path] ??= message;
  // A default cannot be held to bounds that make no sense themselves.
  const definition = errors.min === undefined && errors.max === undefined ? { type, bounds } : { type };
  for (const [path, message] of Object.entries(checkValueForm(definition, value))) {
    errors[path === '' ? 'value' : `value.${path}`] = message;
  }
  return errors;
}

/** Of values that checkPropertyForm accepts. */
export function createBodyOf(values: PropertyFormValues) {
  const { name, propertyKey, description, type, conflictResolution } = values;
  const bounds = boundsOf(values);
  return { name, propertyKey, description, type, bounds, conflictResolution, value: sentValueOf(values) };
}

/** Only what was changed. Of values that checkPropertyForm accepts. */
export function updateBodyOf(base: PropertyFormValues, values: PropertyFormValues) {
  const { name, description, value, conflictResolution, ...rest } = changedFields(base, values);
  const hasNewBounds = rest.min !== undefined || rest.max !== undefined || rest.allowDecimal !== undefined;
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(hasNewBounds && { bounds: boundsOf(values) }),
    ...(value !== undefined && { value: sentValueOf(values) }),
    ...(conflictResolution !== undefined && { conflictResolution }),
  };
}

function sentValueOf(values: PropertyFormValues): PropertyValue {
  const value = readValue({ type: values.type, bounds: boundsOf(values) }, values.value);
  if (value === null) throw new TypeError('A value that does not fit its property is never sent');
  return value;
}
