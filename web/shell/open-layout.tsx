/** Layout of pages that can be read without an account: a top bar with the way in, and the page. */
import { Anchor, Box, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { Mark } from '#web/ui/labels/mark.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

export function OpenLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <Group
        component="header"
        justify="space-between"
        h={52}
        px={{ base: 16, sm: 24 }}
        wrap="nowrap"
        pos="sticky"
        top={0}
        bg="var(--canvas)"
        style={{ zIndex: 90, borderBottom: '1px solid var(--line)' }}
      >
        <Anchor component={Link} to={paths.docs()} c="inherit" underline="never" fw={600}>
          <Group gap={10} wrap="nowrap">
            <Mark size={22} />
            Tessera
          </Group>
        </Anchor>
        <Group gap={12} wrap="nowrap">
          <Anchor component={Link} to={paths.signIn} size="sm">
            Sign in
          </Anchor>
          <ThemeToggle />
        </Group>
      </Group>
      <Box
        component="main"
        id="content"
        tabIndex={-1}
        px={{ base: 16, sm: 24 }}
        py={24}
        style={{ outline: 'none' }}
      >
        {children}
      </Box>
    </>
  );
}
