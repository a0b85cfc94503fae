import type { Meter, PropertyValue } from '#contracts/public/values';

const ALL_TIME: Meter = { limit: 0, periodType: 'lifetime', uniqueResourceIds: false };

/** The window in which usage is read while a property is on or off: that of its metered default, or all time. The limit means nothing. */
export function usageMeterOf({ value }: { readonly value: PropertyValue }): Meter {
  return typeof value === 'object' && value.state === 'metered' ? value.meter : ALL_TIME;
}
