/** An integration's page while it loads: sections of the final shape. */
import { Group, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section, type SectionProps } from '#web/ui/page/section.tsx';

export interface IntegrationSkeletonProps {
  /** Widths of the tabs' labels; absent without tabs. */
  readonly tabs?: readonly number[];
  /** Above the sections. */
  readonly lead?: ReactNode;
  readonly sections: readonly (Pick<SectionProps, 'title' | 'description'> & {
    readonly heights: readonly number[];
  })[];
}

export function IntegrationSkeleton({ tabs, lead, sections }: IntegrationSkeletonProps) {
  return (
    <Stack gap={24} role="status" aria-label="Loading">
      {tabs && (
        <Group gap={24} p={12} bd="0 solid var(--line)" style={{ borderBottomWidth: 1 }}>
          {tabs.map((width) => (
            <Skeleton key={width} height={14} width={width} />
          ))}
        </Group>
      )}
      {lead}
      {sections.map(({ heights, ...section }) => (
        <Section key={section.title} isSplit {...section}>
          <Stack gap={24} maw={480}>
            {heights.map((height, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and never move.
              <Skeleton key={index} height={height} />
            ))}
          </Stack>
        </Section>
      ))}
    </Stack>
  );
}
