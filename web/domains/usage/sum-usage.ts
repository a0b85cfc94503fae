/** Sums usage items for the dashboard's tiles, chart and table. Days and months are in UTC. */
import type { EventType } from '#contracts/console/events';
import type { UsageItem } from '#contracts/console/usage';

/** Display label of each usage type. */
export const USAGE_LABELS: Record<EventType, string> = {
  ac: 'API requests',
  cu: 'Counter updates',
  se: 'Third-party events',
};

export function totalOf(items: readonly UsageItem[], type?: EventType): number {
  return items.reduce((sum, item) => (type === undefined || item.type === type ? sum + item.total : sum), 0);
}

/** Access checks and counter updates: what is made with an API key. */
export function callsOf(items: readonly UsageItem[]): number {
  return totalOf(items, 'ac') + totalOf(items, 'cu');
}

/** The remainder of a monthly limit, at least 0. Null without a limit. */
export function requestsRemaining(items: readonly UsageItem[], limit: number | null): number | null {
  return limit === null ? null : Math.max(0, limit - totalOf(items));
}

export interface DayTotal {
  /** Start of the day in UTC. */
  readonly at: number;
  readonly total: number;
}

/** Daily totals from the first day of the month to the day of `now`, in UTC. */
export function dailyTotals(items: readonly UsageItem[], now: number): DayTotal[] {
  const date = new Date(now);
  const sums = new Map<number, number>();
  for (const item of items) {
    sums.set(item.periodStartAt, (sums.get(item.periodStartAt) ?? 0) + item.total);
  }
  return Array.from({ length: date.getUTCDate() }, (_, index) => {
    const at = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), index + 1);
    return { at, total: sums.get(at) ?? 0 };
  });
}

/** Number of days in the month of `now`. */
export function daysInMonth(now: number): number {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}
