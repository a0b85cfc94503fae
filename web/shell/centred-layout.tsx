/** Layout of the pages before sign-in and after a payment: the logo and one centred card on a mosaic background. */
import { Box, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Mark } from '#web/ui/labels/mark.tsx';
import { Mosaic } from '#web/ui/states/mosaic.tsx';
import classes from './centred-layout.module.css';
import { ThemeToggle } from './theme-toggle.tsx';

export function CentredLayout({ children }: { children: ReactNode }) {
  return (
    <Box pos="relative" mih="100dvh" className="grid hidden" style={{ isolation: 'isolate' }}>
      <div className={classes.ground} aria-hidden="true">
        <Mosaic columns={56} rows={34} seed={4} density={0.14} />
      </div>
      <Box pos="absolute" top={12} right={12}>
        <ThemeToggle />
      </Box>
      <Stack
        component="main"
        tabIndex={-1}
        style={{ outline: 'none' }}
        gap={20}
        align="center"
        pt="clamp(56px, 15vh, 180px)"
        px={16}
        pb={56}
      >
        <Group gap={10} wrap="nowrap" fw={600} fz="1.0625rem" style={{ letterSpacing: '-0.015em' }}>
          <Mark size={26} />
          <span>Tessera</span>
        </Group>
        {children}
      </Stack>
    </Box>
  );
}
