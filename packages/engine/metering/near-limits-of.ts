import type { NearLimit } from '#contracts/internal/event-batch';
import type { CountedCost } from './cost-answer.ts';
import { NEAR_LIMIT } from './near-limit.ts';
import { type MeterAnswer, takenIn } from './read-meter.ts';

/** Of an update: its meter and the one that paid for it, if they are near their limits; null if neither is metered. */
export function nearLimitsOf(
  feature: string,
  property: string,
  meter: MeterAnswer,
  costs?: CountedCost,
): readonly NearLimit[] | null {
  const own = nearLimitOf(feature, property, meter);
  const paid = costs === undefined ? null : nearLimitOf(costs.feature, costs.property, costs.meter);
  return own === null ? paid : paid === null ? own : [...own, ...paid];
}

function nearLimitOf(feature: string, property: string, meter: MeterAnswer): readonly NearLimit[] | null {
  if (meter.state !== 'metered') return null;
  const { limit } = meter;
  const used = takenIn(meter);
  return used > 0 && used >= limit * NEAR_LIMIT ? [{ feature, property, used, limit }] : [];
}
