/** The bars of one month. Hovering a day reports it to the parent, which may highlight it in other charts too. */
import { useMemo } from 'react';
import { BarChart } from '#web/ui/charts/bar-chart.tsx';
import { formatUtcDay } from '#web/ui/format.ts';
import type { DayTotal } from './sum-usage.ts';

export interface DayChartProps {
  /** What is counted, for screen readers. */
  readonly label: string;
  /** Daily totals from the first of the month to today. */
  readonly days: readonly DayTotal[];
  /** Number of days in the month. */
  readonly length: number;
  /** The total that maps to the full height. */
  readonly highest: number;
  /** Height in pixels. */
  readonly height: number;
  /** Index in `days` of the hovered day. */
  readonly pointed: number | null;
  readonly onPoint: (day: number | null) => void;
  /** Whether to label the busiest day with its total. */
  readonly hasPeakLabel?: boolean;
}

const SERIES = [{ label: 'requests', colour: '--accent' }];

export function DayChart({ days, ...chart }: DayChartProps) {
  const bars = useMemo(
    () => days.map(({ at, total }) => ({ label: formatUtcDay(at), values: [total] })),
    [days],
  );
  return <BarChart {...chart} bars={bars} series={SERIES} />;
}
