/** A card with a chart over time, and a button that shows its figures as a table instead. */
import { Button } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Section } from '../page/section.tsx';
import { ChartTable, type ChartTableProps } from './chart-table.tsx';

export interface ChartSectionProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** Before the button. */
  readonly actions?: ReactNode;
  /** Built only when it is shown. Its label is the title, unless it has one. Undefined while loading. */
  readonly table: (() => Omit<ChartTableProps, 'label'> & { readonly label?: string }) | undefined;
  /** The chart. */
  readonly children: ReactNode;
}

export function ChartSection({ title, description, actions, table, children }: ChartSectionProps) {
  const [isTable, setIsTable] = useState(false);
  const Icon = isTable ? IconChartBar : IconTable;
  return (
    <Section
      title={title}
      description={description}
      isFlush={isTable}
      actions={
        <>
          {actions}
          <Button
            variant="default"
            size="xs"
            h="max(30px, var(--touch-height))"
            leftSection={<Icon size={15} aria-hidden />}
            onClick={() => setIsTable(!isTable)}
          >
            {isTable ? 'Show chart' : 'Show table'}
          </Button>
        </>
      }
    >
      {isTable && table !== undefined ? <ChartTable label={title} {...table()} /> : children}
    </Section>
  );
}
