/** The time ranges of observability that end now. */
import { DAY_MS, HOUR_MS } from '#engine/durations';

export const RANGES = {
  '1h': { label: 'Last hour', lengthMs: HOUR_MS },
  '24h': { label: 'Last 24 hours', lengthMs: DAY_MS },
  '7d': { label: 'Last 7 days', lengthMs: 7 * DAY_MS },
  '30d': { label: 'Last 30 days', lengthMs: 30 * DAY_MS },
} as const;
export type Range = keyof typeof RANGES;

export const DEFAULT_RANGE: Range = '24h';

export const isRange = (text: string): text is Range => Object.hasOwn(RANGES, text);
