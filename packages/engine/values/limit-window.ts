/** A meter's window in words, after its limit or in a sentence. */
import type { Meter, PeriodType } from '#contracts/public/values';
import { formatNumber } from '../text/format-number.ts';

/** The text between a meter's limit and its period: '500 in the last 30 days', '500 every billing month'. */
export const PERIOD_TYPE_LABELS: Record<PeriodType, string> = {
  fixed: 'in the last',
  rolling: 'every',
  billing: 'every billing',
  lifetime: 'in a lifetime',
};

/**
 * In a sentence: 'in the last 30 days', 'every month', 'every 3 billing months', 'every day (Asia/Tokyo)', 'in a lifetime'. A missing or zero
 * count is 1.
 */
export function windowLabel({
  periodType,
  periodCount,
  periodLength = 'month',
  zone,
}: Omit<Meter, 'limit'>): string {
  if (periodType === 'lifetime') return PERIOD_TYPE_LABELS.lifetime;
  const count = periodCount || 1;
  const lead = periodType === 'fixed' ? PERIOD_TYPE_LABELS.fixed : PERIOD_TYPE_LABELS.rolling;
  const unit = periodType === 'billing' ? `billing ${periodLength}` : periodLength;
  const calendar = periodType === 'rolling' && zone !== undefined ? ` (${zone})` : '';
  return `${lead} ${count === 1 ? unit : `${formatNumber(count)} ${unit}s`}${calendar}`;
}

/** After a limit: 'in the last 30 days', '/ month', 'total'. */
export function limitWindow(meter: Omit<Meter, 'limit'>): string {
  if (meter.periodType === 'lifetime') return 'total';
  return windowLabel(meter).replace(/^every /, '/ ');
}
