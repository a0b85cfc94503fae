// Values of meters as the demo's features and plans set them.
import type { PropertyValue } from '#contracts/values';

/** So many within the last month. */
export const perMonth = (limit: number): PropertyValue => ({
  state: 'metered',
  meter: { limit, periodType: 'rolling', periodCount: 1, periodLength: 'month', uniqueResourceIds: false },
});

/** So many people at a time, each counted once. */
export const seats = (limit: number): PropertyValue => ({
  state: 'metered',
  meter: { limit, periodType: 'lifetime', uniqueResourceIds: true },
});

export const unlimited: PropertyValue = { state: 'on' };
