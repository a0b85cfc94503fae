/** A property's value as text, for sentences and histories. */
import type { PropertyValue } from '#contracts/public/values';
import { typeOfValue } from '#engine/values/kinds/type-of-value';
import { formatNumber } from '#web/ui/format.ts';
import { viewOf } from './views.ts';

/** @param value as recorded; what no property can have is shown as JSON */
export function valueText(value: unknown): string {
  const type = typeOfValue(value);
  return type === null ? JSON.stringify(value) : viewOf(type).text(value as PropertyValue);
}

/** '+3', '-2'. */
export function signedText(amount: unknown): string {
  if (typeof amount !== 'number') return '';
  return amount > 0 ? `+${formatNumber(amount)}` : formatNumber(amount);
}
