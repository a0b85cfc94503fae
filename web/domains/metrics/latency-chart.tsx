/** How long calls took: the median, and what the slowest twentieth and hundredth exceed. */
import { Stack } from '@mantine/core';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { ChartAxis } from '#web/ui/charts/chart-axis.tsx';
import { ChartLegend } from '#web/ui/charts/chart-legend.tsx';
import { ChartSection } from '#web/ui/charts/chart-section.tsx';
import { LineChart } from '#web/ui/charts/line-chart.tsx';
import { axisTicks, periodOfSlots } from '#web/ui/charts/time-labels.ts';
import { coveredLabel, useReadOut } from '#web/ui/charts/use-read-out.ts';
import { formatLatency } from '#web/ui/format.ts';
import { latencyOfSlots } from './latency-of-slots.ts';
import type { RequestChartsProps } from './request-charts.tsx';
import { slotTimes } from './time-axis.ts';

const QUANTILES = [
  { name: 'p99', colour: '--tile-mid' },
  { name: 'p95', colour: '--series-2' },
  { name: 'p50', colour: '--accent' },
] as const;

export function LatencyChart({ environment, metrics }: RequestChartsProps) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const { covered, frame } = useReadOut();
  const times = useMemo(() => slotTimes(metrics), [metrics]);
  const lines = useMemo(
    () =>
      QUANTILES.map(({ name, colour }) => ({
        label: name,
        colour,
        values: metrics.buckets.map(({ latency }) => latency?.[name] ?? null),
      })),
    [metrics],
  );
  const shown = covered === null ? metrics.latency : latencyOfSlots(metrics.buckets, covered);
  const figureOf = (ms: number | undefined) => (ms === undefined ? '–' : formatLatency(ms));
  const open = (first: number, last: number) =>
    void navigate(paths.events(orgId, { environment, ...periodOfSlots(metrics, first, last) }));
  return (
    <ChartSection
      title="Latency"
      description="From request to response, measured at the edge."
      table={() => ({
        columns: ['p50', 'p95', 'p99'],
        rows: times.map((time, index) => {
          const latency = metrics.buckets[index]?.latency;
          return {
            time,
            cells: (['p50', 'p95', 'p99'] as const).map((name) =>
              latency ? formatLatency(latency[name]) : '–',
            ),
          };
        }),
      })}
    >
      <Stack gap={12}>
        <ChartLegend
          entries={QUANTILES.toReversed().map(({ name, colour }) => ({
            label: name,
            colour,
            figure: figureOf(shown?.[name]),
          }))}
          covers={coveredLabel(covered, metrics, { whole: 'Whole range', slots: times })}
        />
        <LineChart
          label="Latency over time"
          times={times}
          lines={lines}
          figures={(range) => {
            const latency = latencyOfSlots(metrics.buckets, range);
            return QUANTILES.map(({ name }) => (latency === null ? 'unknown' : formatLatency(latency[name])));
          }}
          height={120}
          {...frame}
          format={formatLatency}
          onChoose={(index) => open(index, index)}
          onRange={open}
        />
        <ChartAxis count={metrics.buckets.length} ticks={axisTicks(metrics)} />
      </Stack>
    </ChartSection>
  );
}
