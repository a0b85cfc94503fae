import type { PropertyValue } from '#contracts/public/values';

/** Whether a value counts unique resources, which no amount can be taken from. */
export function countsResources(value: PropertyValue): boolean {
  return typeof value === 'object' && value.state === 'metered' && value.meter.uniqueResourceIds;
}
