/** Labels of property values: a meter's limit, a number's bounds, a property's type. */
import type { ConflictResolution, Meter, NumberBounds, PropertyType } from '#contracts/public/values';
import type { LimitOrder } from '#engine/artifacts/artifact-content';
import { limitWindow } from '#engine/values/limit-window';
import { formatNumber } from '#web/ui/format.ts';

export const TYPE_LABELS: Record<PropertyType, string> = {
  number: 'Number',
  boolean: 'Boolean',
  string: 'String',
  meterable: 'Meterable',
};

/** '500 in the last 30 days', '1,000 / month', '10 total'. */
export function meterLabel(meter: Meter): string {
  return `${formatNumber(meter.limit)} ${limitWindow(meter)}`;
}

export const METER_STATE_LABELS = { on: 'Unlimited', off: 'off' } as const;

/** '1 to 100', 'at least 1', 'at most 100'; null without bounds. */
export function boundsLabel(bounds: NumberBounds | null | undefined): string | null {
  const [min, max] = [bounds?.min, bounds?.max].map((bound) => (Number.isNaN(bound) ? undefined : bound));
  if (min !== undefined && max !== undefined) return `${formatNumber(min)} to ${formatNumber(max)}`;
  if (min !== undefined) return `at least ${formatNumber(min)}`;
  return max === undefined ? null : `at most ${formatNumber(max)}`;
}

/**
 * Labels of the rule that applies when several of a customer's plans set the property.
 * @param limitOrder of the workspace; undefined: unknown, as in a change of the past
 */
export function resolutionLabel(
  resolution: ConflictResolution,
  type: PropertyType,
  limitOrder?: LimitOrder,
): string {
  if (resolution === 'sum') return type === 'meterable' ? 'The limits add up' : 'The values add up';
  const isHigher = resolution === 'higher';
  switch (type) {
    case 'number':
      return isHigher ? 'The highest value wins' : 'The lowest value wins';
    case 'boolean':
      return isHigher ? 'On wins over off' : 'Off wins over on';
    case 'string':
      // Texts are compared by code point.
      return isHigher
        ? 'Last in character order wins (a after Z)'
        : 'First in character order wins (Z before a)';
    case 'meterable':
      return limitLabel(isHigher, limitOrder);
  }
}

function limitLabel(isHigher: boolean, limitOrder: LimitOrder | undefined): string {
  if (limitOrder === 'limit') return isHigher ? 'The larger limit wins' : 'The smaller limit wins';
  const amount = isHigher ? 'more' : 'less';
  return `The limit that allows ${amount}${limitOrder === 'rate' ? ' in the same time' : ''} wins`;
}
