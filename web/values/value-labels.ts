/** Labels of parts of property values: a meter’s limit, a number’s bounds. */
import type { PlanCosts } from '#contracts/public/costs';
import type { Meter, NumberBounds, PerEntity } from '#contracts/public/values';
import { limitWindow } from '#engine/values/limit-window';
import { overageWords } from '#engine/values/overage-words';
import { rolloverWords } from '#engine/values/rollover-words';
import { formatNumber } from '#web/ui/format.ts';

/** '500 in the last 30 days', '1,000 / month, up to 200 roll over for 1 month', '10 total', '100 / billing month, 10 in a trial'. */
export function meterLabel(meter: Meter): string {
  const { limit, trialLimit, rollover, overage } = meter;
  const trial = trialLimit === undefined ? '' : `, ${formatNumber(trialLimit)} in a trial`;
  const rolls = rollover === undefined ? '' : `, ${rolloverWords(rollover)}`;
  const over = overage === undefined ? '' : `, ${overageWords(overage)}`;
  return `${formatNumber(limit)} ${limitWindow(meter)}${trial}${rolls}${over}`;
}

/** '500 / month each'; empty without a limit of each entity. */
export function perEntityLabel(perEntity: PerEntity | undefined): string {
  if (perEntity === undefined) return '';
  const seated = perEntity.seats === undefined ? '' : ' with a seat';
  return `${formatNumber(perEntity.limit)} ${limitWindow({ ...perEntity, uniqueResourceIds: false })} each${seated}`;
}

/** 'costs 3 each'; empty if the property says it. */
export function planCostsLabel(costs: PlanCosts | undefined): string {
  return costs === undefined ? '' : `costs ${formatNumber(costs.per)} each`;
}

/** '1 to 100', 'at least 1', 'at most 100'; null without bounds. */
export function boundsLabel(bounds: NumberBounds | null | undefined): string | null {
  const [min, max] = [bounds?.min, bounds?.max].map((bound) => (Number.isNaN(bound) ? undefined : bound));
  if (min !== undefined && max !== undefined) return `${formatNumber(min)} to ${formatNumber(max)}`;
  if (min !== undefined) return `at least ${formatNumber(min)}`;
  return max === undefined ? null : `at most ${formatNumber(max)}`;
}
