/** Amounts of money as people write and read them; the API has them in the currency's smallest unit. */

/** Commas are between groups of three digits only: '49,90' may mean either. */
const AMOUNT = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/;

/** Formats 4990 of 'eur' as '€49.90'. */
export function moneyText({ currency, amountMinor }: { currency: string; amountMinor: number }): string {
  const format = formatOf(currency);
  return format.format(amountMinor / 10 ** digitsOf(format));
}

/**
 * Reads '49.90' of 'eur' as 4990.
 * @returns null for empty text, NaN for text that is no amount of the currency
 */
export function readMinor(text: string, currency: string): number | null {
  const dense = text.replace(/\s/gu, '');
  if (dense === '') return null;
  const [, units, decimals = ''] = AMOUNT.exec(dense) ?? [];
  const digits = isCurrency(currency) ? digitsOf(formatOf(currency)) : 2;
  if (units === undefined || decimals.length > digits) return Number.NaN;
  return Number(units.replaceAll(',', '') + decimals.padEnd(digits, '0'));
}

/** Whether it looks like a code of ISO 4217, in lower case. */
const isCurrency = (text: string) => /^[a-z]{3}$/.test(text);

const formatOf = (currency: string) =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });

const digitsOf = (format: Intl.NumberFormat) => format.resolvedOptions().maximumFractionDigits ?? 2;
