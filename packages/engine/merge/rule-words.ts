/** How the values of several plans became one, for people: the rule of the property, and what told the values apart. */
import type { ConflictResolution, PropertyType, PropertyValue } from '#contracts/public/values';
import type { LimitOrder } from '../artifacts/artifact-content.ts';
import { kindOf } from '../values/kinds/kinds.ts';
import { isPartOf, mergeValues } from './merge-values.ts';
import { valueWords } from './value-words.ts';
import { SUM_GROUPS, winWords } from './win-words.ts';

/**
 * For example 'the highest wins', or 'they add up to 35'.
 * @param values of all plans that set the property
 * @returns null if all values are the same and do not add up
 */
export function ruleWords(
  type: PropertyType,
  conflictResolution: ConflictResolution,
  values: readonly PropertyValue[],
  limitOrder: LimitOrder,
): string | null {
  const merged = mergeValues(type, conflictResolution, values, limitOrder);
  if (merged === undefined) return null;
  const kind = kindOf(type);
  const losing = values.filter((value) => !isPartOf(type, conflictResolution, value, merged));
  const direction = conflictResolution === 'lower' ? 'lower' : 'higher';
  const wonOver = (others: readonly PropertyValue[]) =>
    others.length === 0 ? null : winWords(type, direction, merged, others, limitOrder);
  const { sum } = kind;
  if (conflictResolution !== 'sum' || sum === null) return wonOver(losing);
  const adding = (some: readonly PropertyValue[]) => some.filter((value) => sum.adds(value)).length;
  const others = sum.of(losing);
  const isSum = sum.adds(merged) && values.length - losing.length > 1;
  const isAdded = isSum || adding(others) < adding(losing);
  if (isAdded && adding(others) === 0) return `they add up to ${valueWords(type, merged)}`;
  const won = wonOver(others);
  return isAdded && sum.adds(merged)
    ? `${SUM_GROUPS[type]} add up, and ${won}: ${valueWords(type, merged)}`
    : won;
}
