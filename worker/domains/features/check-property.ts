/** Validates a property's bounds and default against its type and each other. Issue paths are those of the request. */
import type { Issue } from '#contracts/public/errors';
import type { ConflictResolution, NumberBounds, PropertyType, PropertyValue } from '#contracts/public/values';
import { checkBounds } from '#engine/values/check-bounds';
import { countsResources } from '#engine/values/counts-resources';
import { checkValue } from '#engine/values/kinds/check-value';
import { kindOf } from '#engine/values/kinds/kinds';

export interface CheckedProperty {
  readonly type: PropertyType;
  readonly value: PropertyValue;
  readonly bounds: NumberBounds | null;
  readonly conflictResolution: ConflictResolution;
  readonly balanceOpens: boolean;
}

/** Applies the engine's rules and prefixes their issues with field names. Empty when the property is valid. */
export function checkProperty(property: CheckedProperty): Issue[] {
  const { type, value, bounds, conflictResolution, balanceOpens } = property;
  if (conflictResolution === 'sum' && kindOf(type).sum === null) {
    return [{ path: 'conflictResolution', message: 'Only numbers and limits add up' }];
  }
  if (balanceOpens && (type !== 'meterable' || countsResources(value))) {
    return [{ path: 'balanceOpens', message: 'Only meters of amounts have balances' }];
  }
  if (bounds !== null && !kindOf(type).hasBounds) {
    return [{ path: 'bounds', message: 'Only number properties have bounds' }];
  }
  const boundsIssues = checkBounds(bounds).map(under('bounds'));
  return boundsIssues.length > 0 ? boundsIssues : checkValue({ type, bounds }, value).map(under('value'));
}

function under(field: string): (issue: Issue) => Issue {
  return ({ path, message }) => ({ path: path === '' ? field : `${field}.${path}`, message });
}
