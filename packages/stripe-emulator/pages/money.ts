// Formats amounts, dates and intervals.
import type { CouponTerms } from '../store/discount-records.ts';
import type { PriceRecord } from '../store/records.ts';

function formatOf(currency: string): Intl.NumberFormat {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency: currency.toUpperCase() });
}

/** Decimals of a currency: 2 of `gbp`, 0 of `jpy`. */
export function decimalsOf(currency: string): number {
  return formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;
}

/** @param minor in minor units: 1800 of `gbp` is £18.00 */
export function formatMoney(minor: number, currency: string): string {
  return formatOf(currency).format(minor / 10 ** decimalsOf(currency));
}

/** @param at Unix seconds */
export function formatDay(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' }).format(
    at * 1000,
  );
}

/** @param at Unix seconds */
export function formatTime(at: number): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).format(at * 1000);
}

/** `20% off for 3 months`. */
export function formatTerms({
  amount_off,
  currency,
  duration,
  duration_in_months: months,
  percent_off,
}: CouponTerms): string {
  const off = percent_off === null ? formatMoney(amount_off ?? 0, currency ?? 'gbp') : `${percent_off}%`;
  if (duration === 'repeating') return `${off} off for ${months} ${months === 1 ? 'month' : 'months'}`;
  return duration === 'forever' ? `${off} off every invoice` : `${off} off`;
}

/** `£18.00 a month`, `£5.00`, or a description of a metered price. */
export function formatPrice(price: PriceRecord): string {
  if (price.tiers === null) {
    const amount = formatMoney(Number(price.unit_amount_decimal ?? 0), price.currency);
    return price.recurring === null ? amount : `${amount} a ${price.recurring.interval}`;
  }
  const last = price.tiers.at(-1);
  const free = price.tiers[0]?.up_to ?? 0;
  const perTenThousand = Number(last?.unit_amount_decimal ?? 0) * 10_000;
  const words = `${formatMoney(perTenThousand, price.currency)} for every 10,000`;
  return free > 0 ? `${free.toLocaleString('en-GB')} free, then ${words}` : words;
}
