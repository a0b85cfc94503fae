/** Replaces an empty list: what the list is for, an example, its create button, and where to read more. */
import { Box, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Mosaic } from './mosaic.tsx';
import classes from './state.module.css';

export interface EmptyStateProps {
  readonly title: string;
  readonly children: ReactNode;
  /** What the page will contain, as text, or code that fills it. */
  readonly example?: ReactNode;
  readonly action?: ReactNode;
  /** A link to the documentation. */
  readonly docs?: ReactNode;
}

export function EmptyState({ title, children, example, action, docs }: EmptyStateProps) {
  return (
    <Stack gap={20} align="center" justify="center" py={56} px={24} className="card">
      <Mosaic columns={7} rows={3} seed={11} density={0.55} className={classes.mosaic} />
      <Stack gap={16} align="center" maw="100%">
        <Stack gap={6} align="center" maw="100%">
          <Title order={2} ta="center">
            {title}
          </Title>
          <Text c="dimmed" ta="center" maw="min(460px, 100%)" component="div" style={{ textWrap: 'balance' }}>
            {children}
          </Text>
        </Stack>
        {typeof example === 'string' ? (
          <code className={classes.example}>{example}</code>
        ) : (
          example && <Box maw="100%">{example}</Box>
        )}
        {action}
        {docs !== undefined && <span className="small text-centre">{docs}</span>}
      </Stack>
    </Stack>
  );
}
