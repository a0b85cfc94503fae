/** The two columns of a customer's page. The right one stays on screen; on narrow screens it comes first. */
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '../customers.module.css';

export function CustomerColumns({ main, side }: { readonly main: ReactNode; readonly side: ReactNode }) {
  return (
    <div className={classes.columns}>
      <Stack gap={16} miw={0}>
        {main}
      </Stack>
      <div className={`column gap-16 shrink ${classes.side}`}>{side}</div>
    </div>
  );
}
