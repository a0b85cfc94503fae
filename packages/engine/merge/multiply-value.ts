/** Multiplies a plan's value by the quantity that a customer subscribes to. */
import type { PropertyType, PropertyValue } from '#contracts/public/values';
import { kindOf } from '../values/kinds/kinds.ts';

/** @returns the same value if a quantity does not change it */
export function multiplyValue(type: PropertyType, value: PropertyValue, quantity: number): PropertyValue {
  return quantity === 1 ? value : kindOf(type).multiply(value, quantity);
}
