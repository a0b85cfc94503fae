/** The chart's numbers as a table: a row per day, newest first, a column per series, and totals. */
import { Table } from '@mantine/core';
import { formatNumber, formatUtcDay } from '#web/ui/format.ts';
import classes from './usage.module.css';
import type { UsageSeries } from './usage-series.ts';

export function UsageTable({ series }: { series: readonly UsageSeries[] }) {
  const days = (series[0]?.days ?? []).map(({ at }, index) => {
    const totals = series.map((each) => each.days[index]?.total ?? 0);
    return { at, totals, sum: sumOf(totals) };
  });
  const hasSum = series.length > 1;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <section className={classes.tableFrame} aria-label="Usage by day" tabIndex={0}>
      <Table className={classes.table} aria-label="Usage by day" stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Day</Table.Th>
            {series.map(({ key, label }) => (
              <Table.Th key={key} scope="col">
                {label}
              </Table.Th>
            ))}
            {hasSum && <Table.Th scope="col">All</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map(({ at, totals, sum }) => (
            <Table.Tr key={at}>
              <Table.Th scope="row">{formatUtcDay(at)}</Table.Th>
              {totals.map((total, index) => (
                <Table.Td key={series[index]?.key} data-nought={total === 0 || undefined}>
                  {formatNumber(total)}
                </Table.Td>
              ))}
              {hasSum && <Table.Td data-nought={sum === 0 || undefined}>{formatNumber(sum)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">Month</Table.Th>
            {series.map(({ key, total }) => (
              <Table.Td key={key}>{formatNumber(total)}</Table.Td>
            ))}
            {hasSum && <Table.Td>{formatNumber(sumOf(series.map(({ total }) => total)))}</Table.Td>}
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </section>
  );
}

const sumOf = (totals: readonly number[]) => totals.reduce((sum, total) => sum + total, 0);
