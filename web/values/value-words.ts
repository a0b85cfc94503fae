/** Values of properties in words: the window of a meter, the bounds of a number, the type of a property. */
import type { ConflictResolution, Meter, NumberBounds, PeriodType, PropertyType } from '#contracts/values';
import { formatNumber } from '../ui/format.ts';

/** Specification, section 9. */
export const PERIOD_TYPE_WORDS: Record<PeriodType, string> = {
  fixed: 'in the last',
  rolling: 'every',
  lifetime: 'in a lifetime',
};

export const TYPE_WORDS: Record<PropertyType, string> = {
  number: 'Number',
  boolean: 'Boolean',
  string: 'String',
  meterable: 'Meterable',
};

/** '30 days'; '1 day'. */
export function countedLength(count: number, length: string): string {
  return `${formatNumber(count)} ${length}${count === 1 ? '' : 's'}`;
}

/** 'in the last 30 days', 'every month', 'in a lifetime'. A missing or zero count is 1. */
export function windowWords({
  periodType,
  periodCount,
  periodLength = 'month',
}: Omit<Meter, 'limit'>): string {
  if (periodType === 'lifetime') return PERIOD_TYPE_WORDS.lifetime;
  const count = periodCount || 1;
  return `${PERIOD_TYPE_WORDS[periodType]} ${count === 1 ? periodLength : countedLength(count, periodLength)}`;
}

/** '500 in the last 30 days', '10 every month', '3 in a lifetime'. */
export function meterWords(meter: Meter): string {
  return `${formatNumber(meter.limit)} ${windowWords(meter)}`;
}

/** '1 to 100', 'at least 1', 'at most 100'; null where nothing is bounded. */
export function boundsWords(bounds: NumberBounds | null | undefined): string | null {
  const { min, max } = bounds ?? {};
  if (min !== undefined && max !== undefined) return `${formatNumber(min)} to ${formatNumber(max)}`;
  if (min !== undefined) return `at least ${formatNumber(min)}`;
  return max === undefined ? null : `at most ${formatNumber(max)}`;
}

/** What holds where several of a customer's plans set the property. */
export function resolutionWords(resolution: ConflictResolution, type: PropertyType): string {
  const isHigher = resolution === 'higher';
  switch (type) {
    case 'number':
      return isHigher ? 'The highest value wins' : 'The lowest value wins';
    case 'boolean':
      return isHigher ? 'On wins over off' : 'Off wins over on';
    case 'string':
      return isHigher ? 'Last in the alphabet wins' : 'First in the alphabet wins';
    case 'meterable':
      return isHigher ? 'The most generous wins' : 'The strictest wins';
  }
}
