/** How the values of several plans became one, for people: the rule of the property, and what told the values apart. */
import type {
  ConflictResolution,
  MeterableValue,
  PropertyType,
  PropertyValue,
} from '#contracts/public/values';
import type { LimitOrder } from '../artifacts/artifact-content.ts';
import { valueWords } from '../values/value-words.ts';
import { findCriterion, LIMIT_CRITERIA, type LimitCriterion } from './compare-values.ts';
import { isPartOf, mergeValues, sumsByWindow } from './merge-values.ts';

type Direction = 'higher' | 'lower';

const RULES: Record<Exclude<PropertyType, 'meterable'>, Record<Direction, string>> = {
  number: { higher: 'the highest wins', lower: 'the lowest wins' },
  boolean: { higher: 'on wins', lower: 'off wins' },
  string: { higher: 'the last in character order wins', lower: 'the first in character order wins' },
};

const LIMIT_WORDS: Record<LimitCriterion, Record<Direction, string>> = {
  rate: {
    higher: 'the limit that allows more in the same time',
    lower: 'the limit that allows less in the same time',
  },
  limit: { higher: 'the larger limit', lower: 'the smaller limit' },
  period: { higher: 'the shorter period', lower: 'the longer period' },
  window: { higher: 'a calendar window', lower: 'a trailing window' },
  resources: { higher: 'a count of unique resources', lower: 'a count of everything' },
  unit: { higher: 'the smaller unit', lower: 'the larger unit' },
};

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
  const isMerged = (value: PropertyValue) => isPartOf(type, conflictResolution, value, merged);
  const losing = values.filter((value) => !isMerged(value));
  const isSum = conflictResolution === 'sum' && values.length - losing.length > 1;
  const direction = conflictResolution === 'lower' ? 'lower' : 'higher';
  if (type !== 'meterable') {
    if (isSum && type === 'number') return `they add up to ${valueWords(merged)}`;
    return losing.length === 0 ? null : RULES[type][direction];
  }
  if (conflictResolution !== 'sum') return limitWords(direction, merged, losing, limitOrder);
  const others = sumsByWindow(losing);
  const isAdded =
    (isSum && isMetered(merged)) || others.filter(isMetered).length < losing.filter(isMetered).length;
  const isAmongWindows = others.some(isMetered);
  if (isAdded && !isAmongWindows) return `they add up to ${valueWords(merged)}`;
  const words = limitWords(direction, merged, others, limitOrder);
  return isAdded && isMetered(merged)
    ? `limits of one window add up, and ${words}: ${valueWords(merged)}`
    : words;
}

/** @param losing values that differ from the winning one */
function limitWords(
  direction: Direction,
  winning: PropertyValue,
  losing: readonly PropertyValue[],
  limitOrder: LimitOrder,
): string | null {
  if (losing.length === 0) return null;
  if (!isMetered(winning)) return `${valueWords(winning)} wins`;
  const criteria = new Set(
    losing.map((value) => isMetered(value) && findCriterion(winning.meter, value.meter, limitOrder)),
  );
  // Off is less than any limit and unlimited is more, so beside limits they need no words of their own.
  const [first, ...rest] = LIMIT_CRITERIA[limitOrder].filter((each) => criteria.has(each));
  if (first === undefined) return `a limit wins over ${direction === 'higher' ? 'off' : 'unlimited'}`;
  return [`${LIMIT_WORDS[first][direction]} wins`, ...rest.map((each) => LIMIT_WORDS[each][direction])].join(
    ', then ',
  );
}

function isMetered(value: PropertyValue): value is Extract<MeterableValue, { state: 'metered' }> {
  return typeof value === 'object' && value.state === 'metered';
}
