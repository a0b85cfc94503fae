/** The latency of several slots together. Percentiles cannot be averaged, so the slots' histograms are merged. */
import type { EventMetrics } from '#contracts/console/event-metrics';
import { LatencyHistogram, type Percentiles } from '#engine/events/latency-histogram';
import type { SlotRange } from '#web/ui/charts/chart-frame.tsx';

/** @returns milliseconds; null without calls */
export function latencyOfSlots(
  buckets: readonly Pick<EventMetrics['buckets'][number], 'latencyBins'>[],
  { first, last }: SlotRange,
): Percentiles | null {
  const bins = buckets.slice(first, last + 1).flatMap(({ latencyBins }) => latencyBins);
  return LatencyHistogram.read(bins.map(({ bin, count }) => [bin, count])).percentiles();
}
