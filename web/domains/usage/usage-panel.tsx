/** The month's usage day by day, in one chart with one scale: by kind, as the tiles have it, or by environment. */
import { Flex, SegmentedControl, Skeleton } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Environment } from '#contracts/console/environments';
import type { UsageItem } from '#contracts/console/usage';
import { BarChart } from '#web/ui/charts/bar-chart.tsx';
import { ChartAxis } from '#web/ui/charts/chart-axis.tsx';
import { ChartLegend } from '#web/ui/charts/chart-legend.tsx';
import { ChartSection } from '#web/ui/charts/chart-section.tsx';
import type { ChartTableProps } from '#web/ui/charts/chart-table.tsx';
import type { AxisTick } from '#web/ui/charts/time-labels.ts';
import { formatMonth, formatNumber, formatUtcDay } from '#web/ui/format.ts';
import { daysInMonth } from './sum-usage.ts';
import { type UsageSeries, type UsageSplit, usageNames, usageSeries } from './usage-series.ts';

export interface UsagePanelProps {
  /** Undefined while loading. */
  readonly items: readonly UsageItem[] | undefined;
  /** Undefined while loading. */
  readonly environments: readonly Environment[] | undefined;
  readonly now: number;
}

const CHART_HEIGHT = 168;

const SPLITS: { readonly value: UsageSplit; readonly label: string }[] = [
  { value: 'kind', label: 'By kind' },
  { value: 'environment', label: 'By environment' },
];

export function UsagePanel({ items, environments, now }: UsagePanelProps) {
  const [split, setSplit] = useState<UsageSplit>('kind');
  const series = useMemo(
    () =>
      items === undefined || environments === undefined
        ? undefined
        : usageSeries(items, split, usageNames(environments), now),
    [items, environments, split, now],
  );
  return (
    <ChartSection
      title="Usage"
      description={`${formatMonth(now)}, day by day in UTC.`}
      actions={
        <SegmentedControl size="xs" aria-label="Split by" value={split} onChange={setSplit} data={SPLITS} />
      }
      table={series && (() => tableOf(series))}
    >
      {series === undefined ? <Skeleton height={CHART_HEIGHT + 56} /> : <Chart series={series} now={now} />}
    </ChartSection>
  );
}

/** A row per day, a column per series, and totals. */
function tableOf(series: readonly UsageSeries[]): ChartTableProps {
  const hasSum = series.length > 1;
  const cellsOf = (totals: readonly number[]) =>
    (hasSum ? [...totals, totals.reduce((sum, total) => sum + total, 0)] : totals).map(formatNumber);
  return {
    label: 'Usage by day',
    heading: 'Day',
    columns: [...series.map(({ label }) => label), ...(hasSum ? ['All'] : [])],
    rows: (series[0]?.days ?? []).map(({ at }, index) => ({
      time: formatUtcDay(at),
      cells: cellsOf(series.map((each) => each.days[index]?.total ?? 0)),
    })),
    totals: { label: 'Month', cells: cellsOf(series.map(({ total }) => total)) },
  };
}

function Chart({ series, now }: { series: readonly UsageSeries[]; now: number }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const days = series[0]?.days ?? [];
  const length = daysInMonth(now);
  const bars = useMemo(
    () =>
      days.map(({ at }, index) => ({
        label: formatUtcDay(at),
        values: series.map((each) => each.days[index]?.total ?? 0),
      })),
    [days, series],
  );
  const day = pointed === null ? undefined : days[pointed];
  return (
    <Flex component="figure" direction="column" gap={12} style={{ margin: 0 }}>
      <ChartLegend
        entries={series.map(({ label, colour, total, days: own }) => ({
          label,
          colour,
          figure: formatNumber(pointed === null ? total : (own[pointed]?.total ?? 0)),
        }))}
        covers={day === undefined ? 'This month' : formatUtcDay(day.at)}
      />
      <div style={{ paddingTop: 16 }}>
        <BarChart
          label="Usage by day"
          bars={bars}
          series={series}
          length={length}
          height={CHART_HEIGHT}
          pointed={pointed}
          onPoint={setPointed}
          hasPeakLabel
        />
        <ChartAxis count={length} ticks={axisTicks(days[0]?.at ?? now, days.length, length)} />
      </div>
    </Flex>
  );
}

/** The first, a middle and the last day of the month. */
function axisTicks(first: number, known: number, length: number): AxisTick[] {
  const middle = Math.ceil(length / 2);
  return [1, middle, length].map((date) => ({
    index: date - 1,
    label: date === known ? 'Today' : formatUtcDay(first + (date - 1) * 86_400_000),
  }));
}
