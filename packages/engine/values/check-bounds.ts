/** Validates the bounds of a number property. */
import type { NumberBounds } from '#contracts/public/values';
import type { Issue } from './issue.ts';

/** Absent or null bounds are valid. Paths are `min` and `max`. */
export function checkBounds(bounds: NumberBounds | null | undefined): Issue[] {
  if (bounds === null || bounds === undefined) return [];
  const { min, max, allowDecimal } = bounds;
  const issues: Issue[] = [];
  for (const [path, name, bound] of [
    ['min', 'Minimum', min],
    ['max', 'Maximum', max],
  ] as const) {
    if (bound === undefined) continue;
    if (!Number.isFinite(bound)) issues.push({ path, message: 'Must be a number' });
    else if (!allowDecimal && !Number.isInteger(bound)) {
      issues.push({ path, message: `${name} value must be an integer when decimal values are not allowed` });
    }
  }
  if (min !== undefined && max !== undefined && min > max) {
    issues.push({ path: 'min', message: 'Minimum value must be less than or equal to maximum value' });
  }
  return issues;
}
