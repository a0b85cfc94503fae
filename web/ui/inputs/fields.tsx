/** A form's fields in one column of readable width. All of them can be disabled together. */
import { Box } from '@mantine/core';
import type { ReactNode } from 'react';

export function Fields({ isDisabled = false, children }: { isDisabled?: boolean; children: ReactNode }) {
  return (
    <Box component="fieldset" maw={480} className="plain column shrink gap-16" disabled={isDisabled}>
      {children}
    </Box>
  );
}
