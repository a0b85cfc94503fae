/** Proposes a number for bounds that exclude the current one. */
import type { NumberBounds } from '#contracts/public/values';

/** The number within the bounds that is nearest to `value`; null if `value` fits, or nothing does. */
export function fittingNumber(value: number, bounds: NumberBounds | null | undefined): number | null {
  if (bounds == null || Number.isNaN(value)) return null;
  const { min = -Infinity, max = Infinity, allowDecimal } = bounds;
  if (Number.isNaN(min) || Number.isNaN(max)) return null;
  const whole = allowDecimal ? value : Math.round(value);
  const fitting = Math.min(max, Math.max(min, whole));
  const isFitting = fitting >= min && fitting <= max && (allowDecimal || Number.isInteger(fitting));
  return isFitting && !Object.is(fitting, value) ? fitting : null;
}
