/** The range in a few figures. */
import { Stack } from '@mantine/core';
import type { EventMetrics } from '#contracts/console/event-metrics';
import { formatLatency, formatNumber } from '#web/ui/format.ts';
import classes from './metrics.module.css';

export function MetricTiles({ metrics: { totals, latency, answered } }: { metrics: EventMetrics }) {
  const tiles = [
    ['Events', formatNumber(totals.total), 'of all types'],
    ['Denied', formatNumber(totals.denied), shareLabel(totals.denied, totals.total)],
    ['Errors', formatNumber(totals.error), shareLabel(totals.error, totals.total)],
    [
      'Latency, p95',
      latency === null ? '–' : formatLatency(latency.p95),
      latency === null ? 'not measured' : `median ${formatLatency(latency.p50)}`,
    ],
    // Only clients with a cache say so.
    ...(answered > 0 ? [['Client caches', formatNumber(answered), 'answers without a call'] as const] : []),
  ] as const;
  return (
    <div className={classes.tiles}>
      {tiles.map(([label, figure, note]) => (
        <Stack key={label} component="section" gap={2} py={14} px={20} className="card" aria-label={label}>
          <span className="muted small">{label}</span>
          <span className="large-figure">{figure}</span>
          <span className="muted tiny">{note}</span>
        </Stack>
      ))}
    </div>
  );
}

function shareLabel(part: number, whole: number): string {
  const percent = (part / Math.max(1, whole)) * 100;
  if (part === 0) return 'none';
  return percent < 0.1 ? 'less than 0.1%' : `${percent.toFixed(percent < 10 ? 1 : 0)}% of all events`;
}
