/** The property form's values: validated with the contracts and the engine, and converted to requests. */
import { createPropertySchema, type FeatureProperty, type PropertyCost } from '#contracts/console/features';
import type { ConflictResolution, NumberBounds, PropertyType, PropertyValue } from '#contracts/public/values';
import { checkBounds } from '#engine/values/check-bounds';
import { kindOf } from '#engine/values/kinds/kinds';
import { checkForm, type FormErrors } from '#web/api/check-form.ts';
import { changedFields } from '#web/api/merge-edits.ts';
import { checkValueForm, readValue } from '#web/values/check-value-form.ts';
import type { ValueDraft } from '#web/values/value-draft.ts';

export interface PropertyFormValues {
  readonly name: string;
  readonly propertyKey: string;
  readonly description: string;
  readonly type: PropertyType;
  readonly value: ValueDraft;
  /** For numbers: null when empty, NaN when the text is not a number. */
  readonly min: number | null;
  readonly max: number | null;
  readonly allowDecimal: boolean;
  readonly conflictResolution: ConflictResolution;
  /** Of meters; `per` as `min`. Null: nothing. */
  readonly costs: { readonly propertyId: string; readonly per: number | null } | null;
  /** Of meters. */
  readonly balanceOpens: boolean;
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
  costs: 'Costs',
  balanceOpens: 'A balance opens the feature',
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
  costs: null,
  balanceOpens: false,
};

export function formValuesOf(property: FeatureProperty): PropertyFormValues {
  const { name, propertyKey, description, type, value, bounds, conflictResolution, costs, balanceOpens } =
    property;
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
    costs,
    balanceOpens,
  };
}

/** The values that depend on the type, for another type. */
export function ofType(type: PropertyType, { conflictResolution, costs, balanceOpens }: PropertyFormValues) {
  const { defaultValue, sum } = kindOf(type);
  const isRule = conflictResolution !== 'sum' || sum !== null;
  return {
    type,
    value: defaultValue,
    conflictResolution: isRule ? conflictResolution : 'higher',
    costs: type === 'meterable' ? costs : null,
    balanceOpens: type === 'meterable' && balanceOpens,
  } as const;
}

/** Null without bounds, and for a type that has none. */
export function boundsOf({ type, min, max, allowDecimal }: PropertyFormValues): NumberBounds | null {
  if (!kindOf(type).hasBounds || (min === null && max === null && allowDecimal)) return null;
  return { ...(min !== null && { min }), ...(max !== null && { max }), allowDecimal };
}

/** An existing property's key is fixed. A system property's fields are fixed except its default and its rule. */
export type PropertyKind = 'new' | 'existing' | 'system';

const described = createPropertySchema.pick({ name: true, propertyKey: true, description: true });
const costing = createPropertySchema.pick({ costs: true });

/** Errors keyed by field; within the value, 'value.meter.limit' and so on. */
export function checkPropertyForm(values: PropertyFormValues, kind: PropertyKind): FormErrors {
  const { name, propertyKey, description, type, value, costs } = values;
  const errors: FormErrors =
    kind === 'system' ? {} : checkForm(described)({ name, propertyKey, description });
  if (kind === 'existing') delete errors.propertyKey;
  Object.assign(errors, checkForm(costing)({ costs }));
  const bounds = boundsOf(values);
  for (const { path, message } of checkBounds(bounds)) errors[path] ??= message;
  // Invalid bounds cannot validate a default.
  const definition = errors.min === undefined && errors.max === undefined ? { type, bounds } : { type };
  for (const [path, message] of Object.entries(checkValueForm(definition, value))) {
    errors[path === '' ? 'value' : `value.${path}`] = message;
  }
  return errors;
}

/** Expects values that checkPropertyForm accepts. */
export function createBodyOf(values: PropertyFormValues) {
  const { name, propertyKey, description, type, conflictResolution, balanceOpens } = values;
  const bounds = boundsOf(values);
  const [value, costs] = [sentValueOf(values), sentCostsOf(values)];
  return { name, propertyKey, description, type, bounds, conflictResolution, costs, balanceOpens, value };
}

/** Only the changed fields. Expects values that checkPropertyForm accepts. */
export function updateBodyOf(base: PropertyFormValues, values: PropertyFormValues) {
  const { name, description, value, conflictResolution, costs, balanceOpens, ...rest } = changedFields(
    base,
    values,
  );
  const hasNewBounds = rest.min !== undefined || rest.max !== undefined || rest.allowDecimal !== undefined;
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(hasNewBounds && { bounds: boundsOf(values) }),
    ...(value !== undefined && { value: sentValueOf(values) }),
    ...(conflictResolution !== undefined && { conflictResolution }),
    ...(costs !== undefined && { costs: sentCostsOf(values) }),
    ...(balanceOpens !== undefined && { balanceOpens }),
  };
}

function sentCostsOf({ costs }: PropertyFormValues): PropertyCost | null {
  return costs && { ...costs, per: Number(costs.per) };
}

function sentValueOf(values: PropertyFormValues): PropertyValue {
  const value = readValue({ type: values.type, bounds: boundsOf(values) }, values.value);
  if (value === null) throw new TypeError('A value that does not fit its property is never sent');
  return value;
}
