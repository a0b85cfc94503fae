/** The times of the metrics' slots in words. */
import type { EventMetrics } from '#contracts/console/event-metrics';
import { slotLabel } from '#web/ui/charts/time-labels.ts';

type Slots = Pick<EventMetrics, 'from' | 'to' | 'bucketMs' | 'buckets'>;

export const slotTimes = ({ from, to, bucketMs, buckets }: Slots): string[] =>
  buckets.map(({ at }) => slotLabel(at, bucketMs, to - from));
