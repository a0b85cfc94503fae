import type { MeterableValue } from '#contracts/public/values';

/** A meter of unique resources does not read amounts, so an update without a resource cannot count under it. */
export function lacksResourceId(value: MeterableValue, resourceId: string | undefined): boolean {
  return resourceId === undefined && value.state === 'metered' && value.meter.uniqueResourceIds;
}
