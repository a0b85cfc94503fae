// Formats amounts, dates and intervals.
import type { PriceRecord } from '../store/records.ts';

/** @param minor in minor units: 1800 of `gbp` is £18.00 */
export function formatMoney(minor: number, currency: string): string {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency: currency.toUpperCase() }).format(
    minor / 100,
  );
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

/** `£18.00 a month`, or a description of a metered price. */
export function formatPrice(price: PriceRecord): string {
  const interval = price.recurring?.interval ?? 'month';
  if (price.tiers === null) {
    return `${formatMoney(Number(price.unit_amount_decimal ?? 0), price.currency)} a ${interval}`;
  }
  const last = price.tiers.at(-1);
  const free = price.tiers[0]?.up_to ?? 0;
  const perTenThousand = Number(last?.unit_amount_decimal ?? 0) * 10_000;
  const words = `${formatMoney(perTenThousand, price.currency)} for every 10,000`;
  return free > 0 ? `${free.toLocaleString('en-GB')} free, then ${words}` : words;
}
