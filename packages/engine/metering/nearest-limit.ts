/** The meter of a customer that is nearest its limit, as readings of several features and environments arrive. */
import type { NearLimit } from '#contracts/internal/event-batch';
import type { MeterReading } from '#contracts/internal/seen-customers';

export interface NearestLimit extends NearLimit {
  readonly envId: string;
  readonly at: number;
}

/** Used as a part of the limit; what a limit of 0 has used counts as whole. */
export function shareOfLimit({ used, limit }: Pick<NearLimit, 'used' | 'limit'>): number {
  return limit > 0 ? used / limit : Math.max(1, used);
}

/** The one that is nearest its limit; undefined without any. */
export function nearestOf(nearLimits: readonly NearLimit[]): NearLimit | undefined {
  const [first] = nearLimits.toSorted((one, other) => shareOfLimit(other) - shareOfLimit(one));
  return first;
}

/**
 * A newer reading of the known meter's feature replaces it; any other takes its place only if it is nearer. An older reading
 * changes nothing, so readings may come twice and late.
 * @param readings oldest first
 */
export function nearestLimit(
  known: NearestLimit | null,
  readings: readonly MeterReading[],
): NearestLimit | null {
  let nearest = known;
  for (const { envId, at, features, nearLimits } of readings) {
    if (nearest !== null && at < nearest.at) continue;
    const first = nearestOf(nearLimits);
    const found = first === undefined ? null : { ...first, envId, at };
    const isSameMeter = nearest !== null && nearest.envId === envId && features.includes(nearest.feature);
    const isNearer = found !== null && (nearest === null || shareOfLimit(found) >= shareOfLimit(nearest));
    if (isSameMeter || isNearer) nearest = found;
  }
  return nearest;
}
