/** A property's value as text, for sentences and histories. */
import type { Meter } from '#contracts/public/values';
import { formatNumber, sentence } from '#web/ui/format.ts';
import { METER_STATE_LABELS, meterLabel } from './value-labels.ts';

/** @param value as recorded; what no property can have is shown as JSON */
export function valueText(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string') return sentence`“${value}”`;
  const { state, meter } = Object(value) as { state?: unknown; meter?: unknown };
  if (state === 'on' || state === 'off') return METER_STATE_LABELS[state];
  return state === 'metered' && isMeter(meter) ? meterLabel(meter) : JSON.stringify(value);
}

/** Without the schema, which lists need not load. */
function isMeter(value: unknown): value is Meter {
  const { limit, periodType, periodLength } = Object(value) as Partial<Meter>;
  if (typeof limit !== 'number') return false;
  return (
    periodType === 'lifetime' ||
    ((periodType === 'fixed' || periodType === 'rolling') && typeof periodLength === 'string')
  );
}

/** '+3', '-2'. */
export function signedText(amount: unknown): string {
  if (typeof amount !== 'number') return '';
  return amount > 0 ? `+${formatNumber(amount)}` : formatNumber(amount);
}
