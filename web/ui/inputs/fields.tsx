/** A form's fields in one column. All of them can be disabled together. */
import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './fields.module.css';

export interface FieldsProps {
  readonly isDisabled?: boolean;
  /** Their values load: labels and descriptions are there, what is edited is a skeleton in its place. */
  readonly isLoading?: boolean;
  /** As wide as what contains them. Otherwise of readable width. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export function Fields({ isDisabled = false, isLoading = false, isWide = false, children }: FieldsProps) {
  return (
    <Box
      component="fieldset"
      maw={isWide ? undefined : 480}
      className={`plain column shrink gap-16 ${isLoading ? classes.loading : ''}`}
      disabled={isDisabled || isLoading}
      aria-busy={isLoading || undefined}
    >
      {children}
    </Box>
  );
}
