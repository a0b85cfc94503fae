/**
 * A property's value during editing. An empty number is null and an unreadable one NaN. Forms keep drafts until
 * checkValueForm accepts them.
 */
import type { Meter } from '#contracts/public/values';

export type MeterDraft = Omit<Meter, 'limit' | 'periodCount' | 'trialLimit'> & {
  readonly limit: number | null;
  /** Absent, not null, if there is none. */
  readonly trialLimit?: number | undefined;
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
