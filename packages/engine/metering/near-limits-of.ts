import type { NearLimit } from '#contracts/internal/event-batch';
import { NEAR_LIMIT } from './near-limit.ts';
import { type MeterAnswer, takenIn } from './read-meter.ts';

/** The meter, if it is near its limit; null if it is not metered. */
export function nearLimitsOf(
  feature: string,
  property: string,
  meter: MeterAnswer,
): readonly NearLimit[] | null {
  if (meter.state !== 'metered') return null;
  const { limit } = meter;
  const used = takenIn(meter);
  return used > 0 && used >= limit * NEAR_LIMIT ? [{ feature, property, used, limit }] : [];
}
