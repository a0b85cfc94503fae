/** Multiplies a plan's value by the quantity that a customer subscribes to: numbers and the limits of meters. */
import type { PropertyValue } from '#contracts/public/values';
import { exactNumber } from './exact-number.ts';

/**
 * Bounds of the property limit what a plan sets, not what it comes to.
 * @returns the same value if a quantity does not change it
 */
export function multiplyValue(value: PropertyValue, quantity: number): PropertyValue {
  if (quantity === 1) return value;
  if (typeof value === 'number') return exactNumber(value * quantity);
  if (typeof value !== 'object' || value.state !== 'metered') return value;
  return { state: 'metered', meter: { ...value.meter, limit: exactNumber(value.meter.limit * quantity) } };
}
