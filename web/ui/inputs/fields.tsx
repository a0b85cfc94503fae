/** A form's fields in one column. All of them can be disabled together. */
import { Box } from '@mantine/core';
import type { ReactNode } from 'react';

export interface FieldsProps {
  readonly isDisabled?: boolean;
  /** As wide as what contains them. Otherwise of readable width. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export function Fields({ isDisabled = false, isWide = false, children }: FieldsProps) {
  return (
    <Box
      component="fieldset"
      maw={isWide ? undefined : 480}
      className="plain column shrink gap-16"
      disabled={isDisabled}
    >
      {children}
    </Box>
  );
}
