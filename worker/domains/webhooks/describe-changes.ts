/** Changes of a customer's values as webhooks tell them: by path, with the values before and after. */
import type { PropertyValue } from '#contracts/public/values';
import type { ToldValue } from '#contracts/public/webhooks';
import { isSwitch, type ValueChange } from '#engine/entitlements/compare-resolutions';

interface ToldChanges {
  readonly gained: string[];
  readonly lost: string[];
  readonly values: Record<string, { from: ToldValue; to: ToldValue }>;
}

/** Changes of what something costs are told with the value that they belong to, if that changes. */
export function describeChanges(changes: readonly ValueChange[]): ToldChanges {
  const told: ToldChanges = { gained: [], lost: [], values: {} };
  for (const change of changes) {
    if (change.costs !== undefined) continue;
    const path = pathOf(change);
    if (change.kind === 'gains') told.gained.push(path);
    if (change.kind === 'loses') told.lost.push(path);
    const [from, to] = [toldValue(change.before), toldValue(change.after)];
    if (from !== null && to !== null && !isSwitch(change.property)) told.values[path] = { from, to };
  }
  return told;
}

function pathOf({ property }: ValueChange): string {
  const { feature } = property;
  return isSwitch(property) ? feature.slug : `${feature.slug}.${property.property.key}`;
}

/** Null: the deployed version does not have it. */
function toldValue(value: PropertyValue | null): ToldValue | null {
  if (value === null || typeof value !== 'object') return value;
  if (value.state !== 'metered') return value.state;
  const { limit, periodType, periodCount, periodLength } = value.meter;
  return {
    limit,
    periodType,
    ...(periodCount !== undefined && { periodCount }),
    ...(periodLength !== undefined && { periodLength }),
  };
}
