/** Why one of several values won. */
import type { Meter, MeterableValue, PerEntity, PropertyType, PropertyValue } from '#contracts/public/values';
import type { LimitOrder } from '../artifacts/artifact-content.ts';
import { decidingAspects, type LimitAspect } from '../values/kinds/limit-criteria.ts';
import { compareOwn } from '../values/kinds/meterable.ts';
import { perEntityOf } from '../values/kinds/per-entity.ts';
import { ownWords } from './value-words.ts';

/** Whether the most or the least applies where several plans set a property. */
export type Direction = 'higher' | 'lower';

/** What values of a type that add up are called where there are several groups of them. */
export const SUM_GROUPS: Partial<Record<PropertyType, string>> = {
  number: 'numbers',
  meterable: 'limits of one window',
};

const WON = {
  number: { higher: 'the highest wins', lower: 'the lowest wins' },
  boolean: { higher: 'on wins', lower: 'off wins' },
  string: { higher: 'the last in character order wins', lower: 'the first in character order wins' },
} as const;

/** 'the highest wins'. @param losing at least one, each differs from `winning`; all are of the type */
export function winWords(
  type: PropertyType,
  direction: Direction,
  winning: PropertyValue,
  losing: readonly PropertyValue[],
  limitOrder: LimitOrder,
): string {
  return type === 'meterable'
    ? meterableWinWords(direction, winning as MeterableValue, losing as MeterableValue[], limitOrder)
    : WON[type][direction];
}

function meterableWinWords(
  direction: Direction,
  winning: MeterableValue,
  losing: readonly MeterableValue[],
  limitOrder: LimitOrder,
): string {
  const others = losing.filter((value) => compareOwn(winning, value, limitOrder) !== 0);
  const own = others.length === 0 ? null : ownWinWords(direction, winning, others, limitOrder);
  if (others.length === losing.length && own !== null) return own;
  const each = perEntityWins(direction, perEntityOf(winning));
  return own === null ? `${each} wins` : `${own}, then ${each}`;
}

/** What told the customer's own meters apart. */
function ownWinWords(
  direction: Direction,
  winning: MeterableValue,
  losing: readonly MeterableValue[],
  limitOrder: LimitOrder,
): string {
  if (winning.state !== 'metered') return `${ownWords(winning)} wins`;
  const limits = losing.flatMap((value) => (value.state === 'metered' ? [value.meter] : []));
  // Off is less than any limit and unlimited is more, so beside limits they need no words of their own.
  return limits.length === 0
    ? `a limit wins over ${direction === 'higher' ? 'off' : 'unlimited'}`
    : limitsWinWords(direction, winning.meter, limits, limitOrder);
}

/** What told apart values that say the same of the customer. */
function perEntityWins(direction: Direction, winning: PerEntity | undefined): string {
  return `${winning === undefined ? 'no' : `the ${direction}`} limit of each entity`;
}

/** What is higher, and what lower. */
const ASPECT_WORDS: Readonly<Record<LimitAspect, Readonly<Record<Direction, string>>>> = {
  rate: {
    higher: 'the limit that allows more in the same time',
    lower: 'the limit that allows less in the same time',
  },
  limit: { higher: 'the larger limit', lower: 'the smaller limit' },
  period: { higher: 'the shorter period', lower: 'the longer period' },
  billing: { higher: 'the billing period', lower: 'a calendar or trailing window' },
  kind: { higher: 'a calendar window', lower: 'a trailing window' },
  unique: { higher: 'a count of unique resources', lower: 'a count of everything' },
  unit: { higher: 'the smaller unit', lower: 'the larger unit' },
  rollover: { higher: 'the larger rollover', lower: 'the smaller rollover' },
  overage: { higher: 'the larger overage', lower: 'the smaller overage' },
};

/** 'the larger limit wins, then the shorter period'. @param losing at least one, each differs from `winning` */
function limitsWinWords(
  direction: Direction,
  winning: Meter,
  losing: readonly Meter[],
  limitOrder: LimitOrder,
): string {
  const [first, ...rest] = decidingAspects(winning, losing, limitOrder).map(
    (aspect) => ASPECT_WORDS[aspect][direction],
  );
  return [`${first} wins`, ...rest].join(', then ');
}
