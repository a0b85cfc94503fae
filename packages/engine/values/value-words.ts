/** A property's value in a sentence: '25', 'on', '“csv”', '1,000 / month'. */
import type { PropertyValue } from '#contracts/public/values';
import { formatNumber } from '../text/format-number.ts';
import { limitWindow } from './limit-window.ts';

const MAX_TEXT = 40;

export function valueWords(value: PropertyValue): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'string')
    return `“${value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value}”`;
  if (value.state !== 'metered') return value.state === 'on' ? 'unlimited' : 'off';
  return `${formatNumber(value.meter.limit)} ${limitWindow(value.meter)}`;
}
