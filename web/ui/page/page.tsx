/** A page's frame: breadcrumbs in the top bar, title, subtitle and actions, and the content. */
import { Box, Flex, Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Crumb } from './breadcrumbs.tsx';
import { HeaderCrumbs } from './header-slot.tsx';
import { useRouteHandle } from './route-handle.ts';

export interface PageProps {
  /** Absent: the route's. */
  readonly title?: string;
  /** Rendered in place of the plain title. */
  readonly shownTitle?: ReactNode;
  /** Beside the title, for example a slug or a badge. */
  readonly aside?: ReactNode;
  /** Absent: the route's. */
  readonly subtitle?: ReactNode;
  readonly actions?: ReactNode;
  /** Between Dashboard and this page. */
  readonly parents?: readonly Crumb[];
  /** In the breadcrumbs. Absent: the title. Null: the page is the Dashboard. */
  readonly crumb?: string | null;
  readonly children: ReactNode;
}

export function Page(props: PageProps) {
  const route = useRouteHandle();
  const { title = route.title ?? '', shownTitle = title, subtitle = route.subtitle } = props;
  const { aside, actions, parents = [], crumb = title, children } = props;
  return (
    <Stack gap={24} w="100%" maw="var(--content-width)" my={0} mx="auto">
      <title>{`${title} · Tessera`}</title>
      <HeaderCrumbs crumbs={crumb === null ? [] : [...parents, { label: crumb }]} />
      <Flex component="header" align="flex-start" gap={16} wrap="wrap" justify="space-between">
        <Stack gap={4} miw={0} flex="1 1 240px">
          <Group gap="6px 10px" mih={32}>
            <Title
              order={1}
              style={{ overflowWrap: 'anywhere', letterSpacing: '-0.012em' }}
              {...(shownTitle !== title && { 'aria-label': title })}
            >
              {shownTitle}
            </Title>
            {aside}
          </Group>
          {subtitle && (
            <Box c="dimmed" maw="68ch" className="breaks" style={{ textWrap: 'pretty' }}>
              {subtitle}
            </Box>
          )}
        </Stack>
        {actions && <Group gap={8}>{actions}</Group>}
      </Flex>
      {children}
    </Stack>
  );
}
