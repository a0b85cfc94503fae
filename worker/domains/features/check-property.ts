/** Whether a property's bounds and default fit its type and each other, in the paths of the request. */
import type { Issue } from '#contracts/errors';
import type { NumberBounds, PropertyType, PropertyValue } from '#contracts/values';
import { checkBounds } from '#engine/values/check-bounds';
import { checkValue } from '#engine/values/check-value';

export interface CheckedProperty {
  readonly type: PropertyType;
  readonly value: PropertyValue;
  readonly bounds: NumberBounds | null;
}

/** The rules are the engine's; here they get the names of the fields. Empty: it fits. */
export function checkProperty({ type, value, bounds }: CheckedProperty): Issue[] {
  if (bounds !== null && type !== 'number') {
    return [{ path: 'bounds', message: 'Only number properties have bounds' }];
  }
  const boundsIssues = checkBounds(bounds).map(under('bounds'));
  return boundsIssues.length > 0 ? boundsIssues : checkValue({ type, bounds }, value).map(under('value'));
}

function under(field: string): (issue: Issue) => Issue {
  return ({ path, message }) => ({ path: path === '' ? field : `${field}.${path}`, message });
}
