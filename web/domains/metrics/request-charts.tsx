/** Requests over time by outcome, one chart for each type, all on one scale. A bar opens its events. */
import { Box, Stack } from '@mantine/core';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import type { EventMetrics } from '#contracts/console/event-metrics';
import type { EventType } from '#contracts/console/events';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { type Bar, BarChart, highestOf, joinBars, totalOf } from '#web/ui/charts/bar-chart.tsx';
import { ChartAxis } from '#web/ui/charts/chart-axis.tsx';
import { ChartLegend } from '#web/ui/charts/chart-legend.tsx';
import { ChartSection } from '#web/ui/charts/chart-section.tsx';
import { axisTicks, periodOfSlots } from '#web/ui/charts/time-labels.ts';
import { coveredLabel, useReadOut } from '#web/ui/charts/use-read-out.ts';
import { formatNumber } from '#web/ui/format.ts';
import { OUTCOME_SERIES, outcomeValues } from '#web/values/outcome-series.ts';
import { earlierRule } from './counted-since.ts';
import { slotTimes } from './time-axis.ts';

export interface RequestChartsProps {
  readonly environment: string | undefined;
  readonly metrics: EventMetrics;
}

/** Height of the chart with the highest bar. The others are as high as their own highest bar needs on the same scale. */
const HEIGHT = 96;
const LEAST_HEIGHT = 20;

const TYPES: readonly EventType[] = ['ac', 'cu', 'se'];
const PLURALS: Record<EventType, string> = {
  ac: 'Access checks',
  cu: 'Counter updates',
  se: 'Stripe events',
};

function fitted(bars: readonly Bar[], highest: number) {
  const height = Math.max(LEAST_HEIGHT, Math.round((highestOf(bars) / highest) * HEIGHT));
  return { height, highest: (highest * height) / HEIGHT };
}

export function RequestCharts({ environment, metrics }: RequestChartsProps) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const { covered, frame } = useReadOut();
  const times = useMemo(() => slotTimes(metrics), [metrics]);
  const charts = useMemo(() => {
    const all = TYPES.map((type) => {
      const bars = metrics.buckets.map(
        (bucket, index): Bar => ({
          label: times[index] ?? '',
          values: outcomeValues(bucket.types[type]),
        }),
      );
      return { type, bars, total: bars.reduce((sum, bar) => sum + totalOf(bar), 0) };
    });
    return all.filter(({ total }) => total > 0);
  }, [metrics, times]);
  const highest = Math.max(...charts.map(({ bars }) => highestOf(bars)));
  const figureOf = (index: number) =>
    charts.reduce((sum, { bars }) => sum + (joinBars(bars, covered).values[index] ?? 0), 0);
  const open = (type: EventType, first: number, last: number) =>
    void navigate(paths.events(orgId, { environment, type, ...periodOfSlots(metrics, first, last) }));
  return (
    <ChartSection
      title="Requests"
      description={`All charts share one scale. Click a bar or drag to see the events. ${earlierRule(metrics)}`}
      table={() => ({
        groups: charts.map(({ type }) => ({ label: PLURALS[type], span: OUTCOME_SERIES.length })),
        columns: charts.flatMap(() => OUTCOME_SERIES.map(({ label }) => label)),
        rows: times.map((time, index) => ({
          time,
          cells: charts.flatMap(({ bars }) => (bars[index]?.values ?? []).map(formatNumber)),
        })),
      })}
    >
      <Stack gap={16}>
        <ChartLegend
          entries={OUTCOME_SERIES.map(({ label, colour }, index) => ({
            label,
            colour,
            figure: formatNumber(figureOf(index)),
          }))}
          covers={coveredLabel(covered, metrics, { whole: 'Whole range', slots: times })}
        />
        {charts.map(({ type, bars }) => (
          <figure key={type} className="plain">
            <Box component="figcaption" mb={14} className="flex baseline gap-8 small">
              <span>{PLURALS[type]}</span>
              <strong className="bold figures">{formatNumber(totalOf(joinBars(bars, covered)))}</strong>
            </Box>
            <BarChart
              label={`${PLURALS[type]} over time`}
              bars={bars}
              series={OUTCOME_SERIES}
              {...fitted(bars, highest)}
              {...frame}
              onChoose={(index) => open(type, index, index)}
              onRange={(first, last) => open(type, first, last)}
              hasPeakLabel
            />
          </figure>
        ))}
        <ChartAxis count={metrics.buckets.length} ticks={axisTicks(metrics)} />
      </Stack>
    </ChartSection>
  );
}
