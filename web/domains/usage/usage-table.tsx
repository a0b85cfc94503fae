/** The charts' numbers as a table: a row per day, newest first, a column per environment, and totals. */
import { Table } from '@mantine/core';
import { formatNumber, formatUtcDay } from '#web/ui/format.ts';
import type { EnvironmentUsage } from './sum-usage.ts';
import classes from './usage.module.css';

export interface UsageTableProps {
  /** The unit of the numbers. */
  readonly label: string;
  readonly usage: readonly EnvironmentUsage[];
  readonly nameOf: (environmentId: string) => string;
}

export function UsageTable({ label, usage, nameOf }: UsageTableProps) {
  const days = (usage[0]?.days ?? []).map(({ at }, index) => {
    const totals = usage.map((environment) => environment.days[index]?.total ?? 0);
    return { at, totals, sum: sumOf(totals) };
  });
  const hasSum = usage.length > 1;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <section className={classes.tableFrame} aria-label={`${label} by day`} tabIndex={0}>
      <Table className={classes.table} aria-label={`${label} by day`} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Day</Table.Th>
            {usage.map(({ environmentId }) => (
              <Table.Th key={environmentId} scope="col">
                {nameOf(environmentId)}
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
                <Table.Td key={usage[index]?.environmentId} data-nought={total === 0 || undefined}>
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
            {usage.map(({ environmentId, total }) => (
              <Table.Td key={environmentId}>{formatNumber(total)}</Table.Td>
            ))}
            {hasSum && <Table.Td>{formatNumber(sumOf(usage.map(({ total }) => total)))}</Table.Td>}
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </section>
  );
}

const sumOf = (totals: readonly number[]) => totals.reduce((sum, total) => sum + total, 0);
