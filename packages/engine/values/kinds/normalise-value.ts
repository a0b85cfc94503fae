/** Normalises a value of which only the value is known, so that equal values have equal JSON. */
import type { PropertyValue } from '#contracts/public/values';
import { kindOf } from './kinds.ts';
import { typeOfValue } from './type-of-value.ts';

/** @param value accepted by the schema of values */
export function normaliseValue(value: PropertyValue): PropertyValue {
  const type = typeOfValue(value);
  return type === null ? value : kindOf(type).normalise(value);
}
