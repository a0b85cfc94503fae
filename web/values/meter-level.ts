/** How near its limit a customer's meter is. */
import type { Entitlement } from '#contracts/console/customers';
import { type MeterLevel, meterLevel } from '#web/ui/labels/meter.tsx';

type MeteredAnswer = Extract<Entitlement['meter'], { state: 'metered' }>;

export function levelOf(meter: MeteredAnswer): MeterLevel {
  const { used, held = 0, limit, allowed, costs, overage = 0, overageLimit } = meter;
  const taken = used + held;
  const level = meterLevel(taken, limit);
  const isOverageLeft = overageLimit === null || overage < (overageLimit ?? 0);
  if (level === 'reached' && (allowed || isOverageLeft)) {
    if (taken > limit) return 'over';
    return limit === 0 ? 'within' : 'near';
  }
  // Where too little is left to pay, the note says so, and the limit is that of the meter all the same.
  return allowed || costs?.allowed === false ? level : 'reached';
}
