/** Which entities nobody has used for long, so that their accounts can be erased: no window that a plan limits each by has usage of theirs. */
import type { UsageBucket } from '#contracts/internal/ledger';
import type { PerEntity, PeriodLength } from '#contracts/public/values';
import type { ArtifactContent } from '../artifacts/artifact-content.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts';
import { bucketEnd } from '../metering/bucket-widths.ts';
import { perEntityOf } from '../values/kinds/per-entity.ts';
import { readDrawName } from './draws.ts';

/** Without any usage. */
export const IDLE_MS = 90 * DAY_MS;

/** A limit of each entity, by one plan. */
export interface EntityReach {
  readonly propertyId: string;
  /** How long usage counts against it, at most; null: for good. */
  readonly ms: number | null;
  /** As in PerEntity. */
  readonly seats?: string | undefined;
}

const UNIT_MS: Readonly<Record<PeriodLength, number>> = { hour: HOUR_MS, day: DAY_MS, month: 31 * DAY_MS };

/** The limits of each entity in a version. */
export function entityReaches({ plans }: Pick<ArtifactContent, 'plans'>): EntityReach[] {
  return plans.flatMap(({ values }) =>
    values.flatMap(({ propertyId, value }) => {
      const each = typeof value === 'object' ? perEntityOf(value) : undefined;
      return each === undefined ? [] : { propertyId, ms: reachMs(each), seats: each.seats };
    }),
  );
}

/** A trailing window reads up to a sixtieth of its length more. */
function reachMs({ periodType, periodCount = 1, periodLength = 'month' }: PerEntity): number | null {
  if (periodType === 'lifetime') return null;
  return Math.ceil(((periodCount || 1) * UNIT_MS[periodLength] * 61) / 60) + DAY_MS;
}

/**
 * @param buckets of the entity's account
 * @param asOf all that was counted until then is known, epoch milliseconds
 */
export function isIdle(
  buckets: readonly UsageBucket[],
  reaches: readonly EntityReach[],
  asOf: number,
): boolean {
  const byProperty = Map.groupBy(buckets, ({ propertyId }) => propertyId);
  return [...byProperty].every(([propertyId, own]) => {
    const last = Math.max(...own.map(({ start, width }) => bucketEnd(width, start) * MINUTE_MS));
    // What balances paid has no window.
    const isForGood = readDrawName(propertyId) !== null;
    const windows = reaches.filter((each) => each.propertyId === propertyId).map(({ ms }) => ms);
    if (isForGood || windows.includes(null)) {
      if (own.reduce((sum, { amount }) => sum + amount, 0) !== 0) return false;
    }
    return last <= asOf - Math.max(IDLE_MS, ...windows.map((ms) => ms ?? 0));
  });
}
