/** Part of a dialog: what the server finds about an item while the dialog is open. */
import { Button, Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import classes from './found-box.module.css';

export interface FoundBoxProps<Found> {
  readonly query: UseQueryResult<Found>;
  /** 'what uses it', after 'Could not check'. */
  readonly what: string;
  readonly children: (found: Found) => ReactNode;
}

export function FoundBox<Found>({ query, what, children }: FoundBoxProps<Found>) {
  const { data, error, refetch } = query;
  if (error !== null) {
    return (
      <div className={classes.box} role="alert">
        <p>
          Could not check {what}: {error.message || 'something went wrong on our side'}.
        </p>
        <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  if (data === undefined) {
    return (
      <div className={classes.box} role="status" aria-label={`Checking ${what}`}>
        <Skeleton height={14} width="55%" />
        <Skeleton height={14} width="80%" />
      </div>
    );
  }
  return (
    <div className={classes.box} role="status" aria-label={what.replace(/^w/, 'W')}>
      {children(data)}
    </div>
  );
}
