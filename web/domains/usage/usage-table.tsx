/** The chart's numbers as a table: a row per day, newest first, a column per series, and totals. */
import { ChartTable } from '#web/ui/charts/chart-table.tsx';
import { formatNumber, formatUtcDay } from '#web/ui/format.ts';
import type { UsageSeries } from './usage-series.ts';

export function UsageTable({ series }: { series: readonly UsageSeries[] }) {
  const hasSum = series.length > 1;
  const cellsOf = (totals: readonly number[]) =>
    (hasSum ? [...totals, totals.reduce((sum, total) => sum + total, 0)] : totals).map(formatNumber);
  const days = series[0]?.days ?? [];
  return (
    <ChartTable
      label="Usage by day"
      heading="Day"
      columns={[...series.map(({ label }) => label), ...(hasSum ? ['All'] : [])]}
      rows={days.map(({ at }, index) => ({
        time: formatUtcDay(at),
        cells: cellsOf(series.map((each) => each.days[index]?.total ?? 0)),
      }))}
      totals={{ label: 'Month', cells: cellsOf(series.map(({ total }) => total)) }}
    />
  );
}
