/** 1234.5 as '1,234.5'. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: 20 });
}
