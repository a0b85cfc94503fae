/**
 * A property's value during editing. An empty number is null and an unreadable one NaN. Forms keep drafts until
 * checkValueForm accepts them.
 */
import type { PlanCosts } from '#contracts/public/costs';
import type { Overage } from '#contracts/public/overage';
import type { Rollover } from '#contracts/public/rollover';
import type { PerEntity } from '#contracts/public/values';

/** A limit and its window. */
export type LimitDraft = Omit<PerEntity, 'limit' | 'periodCount' | 'seats'> & {
  readonly limit: number | null;
  readonly periodCount?: number | null | undefined;
};

/** What each member may use. */
export type PerEntityDraft = LimitDraft & Pick<PerEntity, 'seats'>;

export type MeterDraft = LimitDraft & {
  readonly uniqueResourceIds: boolean;
  /** Absent, not null, if there is none. */
  readonly trialLimit?: number | undefined;
  readonly rollover?: Rollover | undefined;
  readonly overage?: Overage | undefined;
};

export type ValueDraft =
  | number
  | null
  | boolean
  | string
  | { readonly state: 'off' }
  | ({ readonly state: 'on' } & PlanTermsDraft)
  | ({ readonly state: 'metered'; readonly meter: MeterDraft } & PlanTermsDraft);

interface PlanTermsDraft {
  /** Absent: entities have no limit of their own. */
  readonly perEntity?: PerEntityDraft | undefined;
  /** Absent: what the property says. */
  readonly costs?: PlanCosts | undefined;
}

/** The meter of a value that is metered. */
export function meterOf(value: ValueDraft | undefined): MeterDraft | undefined {
  return typeof value === 'object' && value?.state === 'metered' ? value.meter : undefined;
}
