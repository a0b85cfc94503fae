/** A part of a page with a heading, for content that is not one card. */
import { Box, Flex, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface PageSectionProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function PageSection({ title, description, actions, children }: PageSectionProps) {
  return (
    <Flex component="section" direction="column" gap={12}>
      <Flex gap="8px 16px" wrap="wrap" align="flex-end" justify="space-between">
        <Box flex="1 1 280px" miw={0}>
          <Title order={2}>{title}</Title>
          {description && (
            <Box component="p" maw="68ch" mt={2} mb={0} c="dimmed">
              {description}
            </Box>
          )}
        </Box>
        {actions}
      </Flex>
      {children}
    </Flex>
  );
}
