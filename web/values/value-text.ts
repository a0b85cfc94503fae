/** A property's value as text, for sentences and histories. */
import { propertyValueSchema } from '#contracts/public/values';
import { formatNumber } from '#web/ui/format.ts';
import { METER_STATE_LABELS, meterLabel } from './value-labels.ts';

/** @param value as recorded; what no property can have is shown as JSON */
export function valueText(value: unknown): string {
  const read = propertyValueSchema.safeParse(value);
  if (!read.success) return JSON.stringify(value);
  if (typeof read.data === 'object')
    return read.data.state === 'metered' ? meterLabel(read.data.meter) : METER_STATE_LABELS[read.data.state];
  if (typeof read.data === 'number') return formatNumber(read.data);
  if (typeof read.data === 'boolean') return read.data ? 'on' : 'off';
  return `“${read.data}”`;
}

/** '+3', '-2'. */
export function signedText(amount: unknown): string {
  if (typeof amount !== 'number') return '';
  return amount > 0 ? `+${formatNumber(amount)}` : formatNumber(amount);
}
