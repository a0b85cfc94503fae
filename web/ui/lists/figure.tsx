/** A count that is read apart from its row. One that could not be counted is not zero. */
import { Skeleton } from '@mantine/core';
import { formatNumber } from '../format.ts';

export interface FigureProps {
  readonly value: number | undefined;
  readonly hasFailed: boolean;
}

export function Figure({ value, hasFailed }: FigureProps) {
  if (value !== undefined) return formatNumber(value);
  if (hasFailed) return <span title="Could not be counted">–</span>;
  return <Skeleton height={12} width={28} display="inline-block" />;
}
