// Meter values for the demo's features and plans.
import type { PropertyValue } from '#contracts/public/values';

/** A limit per rolling month. */
export const perMonth = (limit: number): PropertyValue => ({
  state: 'metered',
  meter: { limit, periodType: 'rolling', periodCount: 1, periodLength: 'month', uniqueResourceIds: false },
});

/** A limit per month of the customer's own billing. */
export const perBillingMonth = (limit: number): PropertyValue => ({
  state: 'metered',
  meter: { limit, periodType: 'billing', periodCount: 1, periodLength: 'month', uniqueResourceIds: false },
});

/** A limit of concurrent resources, each counted once. */
export const seats = (limit: number): PropertyValue => ({
  state: 'metered',
  meter: { limit, periodType: 'lifetime', uniqueResourceIds: true },
});

/** Unlimited, for another price than that of the property. */
export const costing = (per: number): PropertyValue => ({ state: 'on', costs: { per } });

export const unlimited: PropertyValue = { state: 'on' };
