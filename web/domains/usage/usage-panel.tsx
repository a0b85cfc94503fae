/** The month's usage day by day, in one chart with one scale: by kind, as the tiles have it, or by environment. */
import { Button, Flex, SegmentedControl, Skeleton } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Environment } from '#contracts/console/environments';
import type { UsageItem } from '#contracts/console/usage';
import { BarChart } from '#web/ui/charts/bar-chart.tsx';
import { ChartAxis } from '#web/ui/charts/chart-axis.tsx';
import { ChartLegend } from '#web/ui/charts/chart-legend.tsx';
import type { AxisTick } from '#web/ui/charts/time-labels.ts';
import { formatMonth, formatNumber, formatUtcDay } from '#web/ui/format.ts';
import { Section } from '#web/ui/page/section.tsx';
import { daysInMonth } from './sum-usage.ts';
import classes from './usage.module.css';
import { type UsageSeries, type UsageSplit, usageNames, usageSeries } from './usage-series.ts';
import { UsageTable } from './usage-table.tsx';

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
  const [isTable, setIsTable] = useState(false);
  const series = useMemo(
    () =>
      items === undefined || environments === undefined
        ? undefined
        : usageSeries(items, split, usageNames(environments), now),
    [items, environments, split, now],
  );
  const Icon = isTable ? IconChartBar : IconTable;
  return (
    <Section
      title="Usage"
      description={`${formatMonth(now)}, day by day in UTC.`}
      isFlush={isTable}
      actions={
        <>
          <SegmentedControl size="xs" aria-label="Split by" value={split} onChange={setSplit} data={SPLITS} />
          <Button
            className={classes.control}
            variant="default"
            size="xs"
            leftSection={<Icon size={15} aria-hidden />}
            onClick={() => setIsTable(!isTable)}
          >
            {isTable ? 'Show chart' : 'Show table'}
          </Button>
        </>
      }
    >
      {series === undefined ? (
        <Skeleton height={CHART_HEIGHT + 56} />
      ) : isTable ? (
        <UsageTable series={series} />
      ) : (
        <Chart series={series} now={now} />
      )}
    </Section>
  );
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
