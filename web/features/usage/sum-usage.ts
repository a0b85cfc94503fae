/** Adds usage items up, as the dashboard's tiles show them. */
import type { EventType } from '#contracts/events';
import type { UsageItem } from '#contracts/usage';

/** How each type is called on the screen. */
export const USAGE_LABELS: Record<EventType, string> = {
  ac: 'API requests',
  cu: 'Counter updates',
  se: 'Third-party events',
};

export function totalOf(items: readonly UsageItem[], type?: EventType): number {
  return items.reduce((sum, item) => (type === undefined || item.type === type ? sum + item.total : sum), 0);
}

/** What is left of a monthly limit, never below 0; null without a limit. */
export function requestsRemaining(items: readonly UsageItem[], limit: number | null): number | null {
  return limit === null ? null : Math.max(0, limit - totalOf(items));
}

export interface DayTotal {
  /** Start of the day, UTC. */
  readonly at: number;
  readonly total: number;
}

/** One total per day, from the first of the month that `now` lies in to the day of `now` (UTC). */
export function dailyTotals(items: readonly UsageItem[], type: EventType, now: number): DayTotal[] {
  const date = new Date(now);
  const sums = new Map<number, number>();
  for (const item of items) {
    if (item.type === type) sums.set(item.periodStartAt, (sums.get(item.periodStartAt) ?? 0) + item.total);
  }
  return Array.from({ length: date.getUTCDate() }, (_, index) => {
    const at = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), index + 1);
    return { at, total: sums.get(at) ?? 0 };
  });
}
