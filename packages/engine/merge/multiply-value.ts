/** Multiplies a plan's value by the quantity that a customer subscribes to: numbers and the limits of meters. */
import type { PropertyValue } from '#contracts/public/values';

/**
 * Bounds of the property limit what a plan sets, not what it comes to. The result stays exact: no further from zero than the largest
 * safe integer.
 * @returns the same value if a quantity does not change it
 */
export function multiplyValue(value: PropertyValue, quantity: number): PropertyValue {
  if (quantity === 1) return value;
  if (typeof value === 'number') return product(value, quantity);
  if (typeof value !== 'object' || value.state !== 'metered') return value;
  return { state: 'metered', meter: { ...value.meter, limit: product(value.meter.limit, quantity) } };
}

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
const DECIMAL_DIGITS = 15;

function product(value: number, quantity: number): number {
  const exact = Math.min(Math.max(value * quantity, -MAX_SAFE), MAX_SAFE);
  // 3 × 0.1 is 0.3. The addition makes 0 of -0.
  return (Number.isInteger(exact) ? exact : Number(exact.toPrecision(DECIMAL_DIGITS))) + 0;
}
