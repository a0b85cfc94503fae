/**
 * A limit as messages show it: 100000 as '100,000'. Whole numbers only. Without Intl, whose first use takes a browser 20 ms:
 * schemas build their messages when a page loads.
 */
export function formatLimit(limit: number | bigint): string {
  return String(limit).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
