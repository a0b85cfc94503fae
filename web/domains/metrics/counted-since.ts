/** From when on figures by reason, region and workflow are counted. */
import type { EventMetrics } from '#contracts/console/event-metrics';
import { formatInstant } from '#web/ui/format.ts';

type Range = Pick<EventMetrics, 'from' | 'reasonsFrom'>;

/** 'Counted since 26 November 2026 at 17:40:12.'; empty if that is the whole range. */
export function countedSince(range: Range): string {
  const since = sinceIn(range);
  return since === null ? '' : `Counted since ${since}.`;
}

/** Earlier releases counted a call as denied if any value of its features was off; empty if none counted in the range. */
export function earlierRule(range: Range): string {
  const since = sinceIn(range);
  return since === null ? '' : `Before ${since}, a value that is off counted as denied.`;
}

const sinceIn = ({ from, reasonsFrom }: Range): string | null =>
  reasonsFrom === null || reasonsFrom <= from ? null : formatInstant(reasonsFrom);
