import type { NumberBounds } from '#contracts/public/values';
import { formatNumber } from '../../text/format-number.ts';
import { exactNumber, exactSum } from '../exact-number.ts';
import { type Issue, issue } from '../issue.ts';
import type { Kind } from './kind.ts';

const MAX_NUMBER = '9,007,199,254,740,991';

export const numberKind: Kind<number> = {
  defaultValue: 0,
  hasBounds: true,
  isGraded: true,
  typeScript: { value: 'number', answer: 'number' },
  check: checkNumber,
  /** Negative zero becomes zero. */
  normalise: (value) => value + 0,
  compare: (one, other) => one - other,
  sum: {
    of: (values) => (values.length < 2 ? values : [exactSum(values)]),
    adds: () => true,
    isPart: () => true,
  },
  /** Bounds of the property limit what a plan sets, not what it comes to. */
  multiply: (value, quantity) => exactNumber(value * quantity),
  isOff: () => false,
};

function checkNumber(value: unknown, bounds: NumberBounds | null): Issue[] {
  if (typeof value !== 'number' || !Number.isFinite(value)) return issue('', 'Must be a number');
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return issue('', `Must be between -${MAX_NUMBER} and ${MAX_NUMBER}`);
  if (bounds === null) return [];
  if (!bounds.allowDecimal && !Number.isInteger(value)) return issue('', 'Must be a whole number');
  if (bounds.min !== undefined && value < bounds.min) {
    return issue('', `Must be greater than or equal to ${formatNumber(bounds.min)}`);
  }
  if (bounds.max !== undefined && value > bounds.max) {
    return issue('', `Must be less than or equal to ${formatNumber(bounds.max)}`);
  }
  return [];
}
