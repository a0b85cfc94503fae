/** The prices of the plans in words, as the cards say them (specification, 2.8), and what additional calls come to. */
import { GROW_PRICE } from '#engine/usage/grow-price';

/** 1800 as '£18', 20 as '£0.20'. */
export function formatPounds(minor: number): string {
  const pounds = minor / 100;
  return `£${Number.isInteger(pounds) ? pounds : pounds.toFixed(2)}`;
}

/** 100000 as '100k'. */
export function formatThousands(count: number): string {
  return `${count / 1000}k`;
}

/** What calls beyond the free ones cost, in pence; rounded as an invoice is. */
export function additionalCost(calls: number): number {
  const { includedCalls, packageCalls, packageMinor } = GROW_PRICE;
  return Math.round((Math.max(0, calls - includedCalls) * packageMinor) / packageCalls);
}
