/** From when on figures by reason, region and workflow are counted. */
import type { EventMetrics } from '#contracts/console/event-metrics';
import { formatInstant } from '#web/ui/format.ts';

/** 'Counted since 26 November 2026 at 17:40:12.'; empty if that is the whole range. */
export function countedSince({ from, reasonsFrom }: Pick<EventMetrics, 'from' | 'reasonsFrom'>): string {
  return reasonsFrom === null || reasonsFrom <= from ? '' : `Counted since ${formatInstant(reasonsFrom)}.`;
}
