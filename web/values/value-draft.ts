/**
 * A property's value during editing. An empty number is null and an unreadable one NaN. Forms keep drafts until
 * checkValueForm accepts them.
 */
import type { Meter } from '#contracts/public/values';

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

/** The meter of a value that is metered. */
export function meterOf(value: ValueDraft | undefined): MeterDraft | undefined {
  return typeof value === 'object' && value?.state === 'metered' ? value.meter : undefined;
}
