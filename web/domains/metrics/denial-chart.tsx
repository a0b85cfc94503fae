/** Denied calls over time by reason. A bar opens its events. */
import { Stack } from '@mantine/core';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { type Bar, BarChart, joinBars, totalOf } from '#web/ui/charts/bar-chart.tsx';
import { ChartAxis } from '#web/ui/charts/chart-axis.tsx';
import { ChartLegend } from '#web/ui/charts/chart-legend.tsx';
import { ChartSection } from '#web/ui/charts/chart-section.tsx';
import { axisTicks, periodOfSlots } from '#web/ui/charts/time-labels.ts';
import { coveredLabel, useReadOut } from '#web/ui/charts/use-read-out.ts';
import { formatNumber } from '#web/ui/format.ts';
import { CAUSE_SERIES, causeValues } from '#web/values/cause-series.ts';
import { countedSince } from './counted-since.ts';
import type { RequestChartsProps } from './request-charts.tsx';
import { slotTimes } from './time-axis.ts';

const HEIGHT = 96;

export function DenialChart({ environment, metrics }: RequestChartsProps) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const { covered, frame } = useReadOut();
  const times = useMemo(() => slotTimes(metrics), [metrics]);
  const bars = useMemo(
    () =>
      metrics.buckets.map(
        ({ causes }, index): Bar => ({ label: times[index] ?? '', values: causeValues(causes) }),
      ),
    [metrics, times],
  );
  if (totalOf(joinBars(bars, null)) === 0) return null;
  const { values } = joinBars(bars, covered);
  const open = (first: number, last: number) =>
    void navigate(
      paths.events(orgId, { environment, outcome: 'denied', ...periodOfSlots(metrics, first, last) }),
    );
  return (
    <ChartSection
      title="Denials"
      description={`Calls by the reason for their denial. ${countedSince(metrics)}`}
      table={() => ({
        columns: CAUSE_SERIES.map(({ label }) => label),
        rows: bars.map((bar) => ({ time: bar.label, cells: bar.values.map(formatNumber) })),
      })}
    >
      <Stack gap={12}>
        <ChartLegend
          entries={CAUSE_SERIES.map(({ label, colour }, index) => ({
            label,
            colour,
            figure: formatNumber(values[index] ?? 0),
          }))}
          covers={coveredLabel(covered, metrics, { whole: 'Whole range', slots: times })}
        />
        <BarChart
          label="Denials over time"
          bars={bars}
          series={CAUSE_SERIES}
          height={HEIGHT}
          {...frame}
          onChoose={(index) => open(index, index)}
          onRange={open}
        />
        <ChartAxis count={metrics.buckets.length} ticks={axisTicks(metrics)} />
      </Stack>
    </ChartSection>
  );
}
