/** Formats plan prices, and calculates the cost of additional calls. */
import { GROW_PRICE } from '#engine/usage/grow-price';

/** Formats pence: 1800 as '£18', 20 as '£0.20'. */
export function formatPounds(minor: number): string {
  const pounds = minor / 100;
  return `£${Number.isInteger(pounds) ? pounds : pounds.toFixed(2)}`;
}

/** Formats 100000 as '100k'. */
export function formatThousands(count: number): string {
  return `${count / 1000}k`;
}

/** Formats a sum of an invoice: 2140 of 'gbp' as '£21.40'. */
export function formatMoney(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** Cost in pence of the calls beyond the free ones, rounded as on an invoice. */
export function additionalCost(calls: number): number {
  const { includedCalls, packageCalls, packageMinor } = GROW_PRICE;
  return Math.round((Math.max(0, calls - includedCalls) * packageMinor) / packageCalls);
}
