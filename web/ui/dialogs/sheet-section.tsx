/** A titled section of a side sheet. */
import { Flex, Group } from '@mantine/core';
import type { ReactNode } from 'react';

export interface SheetSectionProps {
  readonly title: ReactNode;
  /** Its name for screen readers if the title is no text. */
  readonly label?: string;
  /** Beside the title. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function SheetSection({ title, label, aside, children }: SheetSectionProps) {
  return (
    <Flex
      component="section"
      direction="column"
      gap={8}
      aria-label={label ?? (typeof title === 'string' ? title : undefined)}
    >
      <Group gap={12} wrap="nowrap" align="baseline" justify="space-between">
        <h3 className="flush small bold">{title}</h3>
        {aside}
      </Group>
      {children}
    </Flex>
  );
}
