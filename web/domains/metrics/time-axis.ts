/** The times of the metrics' slots in words. */
import type { EventMetrics } from '#contracts/console/event-metrics';
import { axisLabel, slotLabel } from '#web/ui/charts/time-labels.ts';

const AXIS_LABELS = 4;

type Slots = Pick<EventMetrics, 'from' | 'to' | 'bucketMs' | 'buckets'>;

export const slotTimes = ({ from, to, bucketMs, buckets }: Slots): string[] =>
  buckets.map(({ at }) => slotLabel(at, bucketMs, to - from));

export function axisTimes({ from, to, bucketMs, buckets }: Slots): string[] {
  const start = buckets[0]?.at ?? from;
  const end = (buckets.at(-1)?.at ?? to) + bucketMs;
  return Array.from({ length: AXIS_LABELS }, (_, index) =>
    axisLabel(start + ((end - start) * index) / (AXIS_LABELS - 1), bucketMs, to - from),
  );
}
