/**
 * A property's value while it is being entered: as the value itself, but a number that was emptied is null and one that
 * cannot be read is NaN. What editors pass on and forms keep until checkValueForm accepts it.
 */
import type { Meter } from '#contracts/values';

export type MeterDraft = Omit<Meter, 'limit' | 'periodCount'> & {
  readonly limit: number | null;
  readonly periodCount?: number | null | undefined;
};

export type ValueDraft =
  | number
  | null
  | boolean
  | string
  | { readonly state: 'on' | 'off' }
  | { readonly state: 'metered'; readonly meter: MeterDraft };
